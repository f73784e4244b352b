// Names in JSON and words in the table.

#include "app/cli/whatif/input.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {

std::string_view name_of(HowKnown how) {
    switch (how) {
        case HowKnown::OnePass:
            return "one_pass";
        case HowKnown::Replayed:
            return "replayed";
        case HowKnown::Both:
            return "one_pass_and_replayed";
    }
    return {};
}

std::string_view name_of(TodayFrom from) {
    switch (from) {
        case TodayFrom::Given:
            return "given";
        case TodayFrom::ServerMetrics:
            return "server_metrics";
        case TodayFrom::MostCached:
            return "most_ever_cached";
        case TodayFrom::Nothing:
            return "unknown";
    }
    return {};
}

std::string passed_over_words(const std::string& what, u64 n) {
    const std::string number = with_commas(n);
    if (what == "no_tokens") return number + " placeholders of blocks without tokens";
    if (what == "other_media") return number + " blocks on other media than the device";
    if (what == "other_groups") return number + " blocks of other groups of layers";
    if (what == "other_sizes") return number + " blocks of another size";
    if (what == "stored_before")
        return number + " parents that were stored before the recording began";
    if (what == "unknown_removals") return number + " removals of unknown blocks";
    if (what == "second_parent") return number + " hashes beneath a second parent";
    if (what == "unreadable_lines") return number + " lines that are no batch";
    return number + " of the unknown " + shown(what);
}

}  // namespace kv
