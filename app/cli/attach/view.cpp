#include "app/cli/attach/view.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "core/attach/picture/labels.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr double kBetweenLines_s = 1, kBetweenBlocks_s = 0.25;

std::string exactly(const RankTank& rank, std::uint64_t n, std::string_view noun) {
    return (rank.exact() ? "" : "about ") + counted(n, noun);
}

// Of the newest whole bins, a second.
std::string rates_text(const RankTank& rank) {
    if (rank.rates.size() < 2) return {};
    const RateBin& bin = rank.rates[rank.rates.size() - 2];
    return ", " + fixed(static_cast<double>(bin.stored) / RateBin::kSeconds, 1) + " stored and " +
           fixed(static_cast<double>(bin.removed) / RateBin::kSeconds, 1) + " removed a second";
}

std::string rank_line(const AttachInput& input, const Tank& tank, const RankTank& rank) {
    std::string out = "rank " + std::to_string(rank.rank) + "  ";
    out += rank.last_sequence ? "sequence " + with_commas(*rank.last_sequence) : "no batch yet";
    const MetricSamples& samples = tank.newest_samples().samples;
    const auto pool = input.pool ? input.pool : server_pool_of(samples, rank.rank);
    for (const Shelf& shelf : tank.shelves()) {
        if (shelf.name.rank != rank.rank) continue;
        out += ", " + shown(shelf.name.medium) +
               (shelf.name.group > 0 ? " group " + std::to_string(shelf.name.group) : "") + " " +
               exactly(rank, shelf.blocks, "block");
        if (pool && shelf.name.medium == "GPU") out += " of " + with_commas(*pool);
        out += " = " + counted(shelf.tokens, "token");
    }
    out += rates_text(rank);
    if (const auto usage = server_usage_of(samples, rank.rank))
        out += ", server's usage " + fixed(100 * *usage, 1) + " %";
    return out;
}

std::string state_line(const StreamStatus& stream) {
    if (stream.state == StreamState::Connecting) {
        std::string out = "rank " + std::to_string(stream.rank) + "  connecting";
        if (!stream.problem.empty())
            out += ": " + stream.problem + ", next try in " + fixed(stream.pause_left_s, 1) + " s";
        return out;
    }
    return stream.state == StreamState::Gap
               ? "rank " + std::to_string(stream.rank) + "  batches are missing, asked again"
               : std::string();
}

std::string ages_line(const char* words, const AgeHistogram& ages) {
    const auto median = ages.median_s();
    if (!median) return {};
    return "  " + std::string(words) + " " + significant(*median, 2) + " s in the middle of " +
           with_commas(ages.total()) + "\n";
}

}  // namespace

std::string batches_text(std::uint64_t n) {
    return with_commas(n) + (n == 1 ? " batch" : " batches");
}

namespace {

std::string doubts(const RankTank& rank) {
    std::string out;
    if (rank.began_in_the_middle)
        out += "  Began at batch " + with_commas(rank.first_sequence.value_or(0)) +
               ": blocks stored before are not known.\n";
    if (rank.removed_unknown > 0)
        out += "  " + counted(rank.removed_unknown, "removal") + " of blocks not seen stored.\n";
    if (rank.missed > 0) out += "  Missed for good: " + batches_text(rank.missed) + ".\n";
    if (rank.restarts > 0)
        out += "  The server began again: " + counted(rank.restarts, "time") + ".\n";
    if (rank.passed_over > 0)
        out += "  No room for " + counted(rank.passed_over, "block") +
               "; raise --most-blocks to see them.\n";
    return out;
}

}  // namespace

AttachView::AttachView(bool shown) : shown_(shown), terminal_(::isatty(STDOUT_FILENO) != 0) {}

AttachView::~AttachView() {
    erase();
}

void AttachView::erase() {
    if (lines_ > 0) std::cout << "\033[" << lines_ << "A\033[J" << std::flush;
    lines_ = 0;
}

void AttachView::show(std::string text, double now_s) {
    if (!shown_ || (last_s_ && now_s - *last_s_ < (terminal_ ? kBetweenBlocks_s : kBetweenLines_s)))
        return;
    if (text == last_text_) return;
    last_s_ = now_s;
    erase();
    std::cout << text << std::flush;
    if (terminal_) lines_ = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    last_text_ = std::move(text);
}

void AttachView::tell(const std::string& sentence) {
    erase();
    last_text_.clear();
    std::cerr << "kvarium: " << sentence << std::endl;
}

std::string attach_lines(const AttachInput& input, const Tank& tank,
                         const std::vector<StreamStatus>& streams) {
    std::string out;
    for (const auto& [number, rank] : tank.ranks()) out += rank_line(input, tank, rank) + "\n";
    for (const StreamStatus& stream : streams)
        if (const std::string line = state_line(stream); !line.empty()) out += line + "\n";
    return out;
}

std::string attach_text(const AttachInput& input, const Tank& tank,
                        const std::vector<StreamStatus>& streams) {
    std::string out = attach_lines(input, tank, streams);
    for (const auto& [number, rank] : tank.ranks()) {
        out += "rank " + std::to_string(number) + ": " + batches_text(rank.batches) + ", " +
               counted(rank.blocks_stored, "block") + " stored, " +
               counted(rank.blocks_removed, "block") + " removed, " +
               counted(rank.tokens_again, "token") + " computed again\n";
        out += ages_line("lived", rank.lifetimes) + ages_line("idle before removal", rank.idle) +
               ages_line("until used again", rank.found) +
               ages_line("until stored again after a removal", rank.too_late) + doubts(rank);
    }
    for (const auto& [kind, n] : tank.unknown())
        out += "Passed over: " + counted(n, "event") + " of the kind " +
               (kind.empty() ? "without a name" : shown(kind)) + ".\n";
    return out;
}

}  // namespace kv
