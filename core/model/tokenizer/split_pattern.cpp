#include "core/model/tokenizer/split_pattern.hpp"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <cstdint>

#include "core/base/error.hpp"
#include "core/base/files/utf8.hpp"
#include "core/base/shown.hpp"
#include "core/model/tokenizer/split_dialect.hpp"

namespace kv {

template <class T, void (*kFree)(T*)>
struct FreedByPcre2 {
    void operator()(T* object) const { kFree(object); }
};

struct SplitPattern::Compiled {
    std::unique_ptr<pcre2_code, FreedByPcre2<pcre2_code, pcre2_code_free>> code;
};

namespace {

constexpr std::size_t kMaxPatternBytes = 4096;
constexpr std::uint32_t kOptions =
    PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_NO_AUTO_CAPTURE;

// Nearly every match takes a few steps. One that needs more gets more out of a common purse, so
// that the whole text is done in a number of steps proportional to its length.
constexpr std::uint32_t kUsualSteps = 512;
constexpr std::uint64_t kPurseBase = 1U << 20U, kPursePerByte = 64;
constexpr std::uint32_t kHeapKib = 32 * 1024;

using CompileContext =
    std::unique_ptr<pcre2_compile_context,
                    FreedByPcre2<pcre2_compile_context, pcre2_compile_context_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context,
                                     FreedByPcre2<pcre2_match_context, pcre2_match_context_free>>;
using MatchData =
    std::unique_ptr<pcre2_match_data, FreedByPcre2<pcre2_match_data, pcre2_match_data_free>>;

template <class Owner>
Owner owned(typename Owner::pointer made) {
    if (!made) throw std::bad_alloc();
    return Owner(made);
}

std::string reason(int error) {
    std::array<PCRE2_UCHAR, 160> text{};
    pcre2_get_error_message(error, text.data(), text.size());
    return reinterpret_cast<const char*>(text.data());
}

// Finds one match after the other, each at or after a given place.
class Search {
public:
    Search(const pcre2_code* code, std::string_view text)
        : code_(code),
          text_(text),
          context_(owned<MatchContext>(pcre2_match_context_create(nullptr))),
          data_(owned<MatchData>(pcre2_match_data_create(1, nullptr))),
          purse_(kPurseBase + kPursePerByte * text.size()) {
        pcre2_set_heap_limit(context_.get(), kHeapKib);
    }

    bool gave_up() const { return gave_up_; }

    std::optional<Span> next(std::size_t from) {
        for (std::size_t at = from; at <= text_.size(); at = after(at)) {
            const int found = match_at(at);
            if (found >= 0) {
                const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(data_.get());
                return Span{ends[0], ends[1], true};
            }
            if (gave_up_) break;
        }
        return std::nullopt;
    }

    std::size_t after(std::size_t at) const {
        return at + (at < text_.size() ? code_point_at(text_, at).bytes : 1);
    }

private:
    int match_at(std::size_t at) {
        std::uint32_t steps = kUsualSteps;
        int found = attempt(at, steps);
        while (found == PCRE2_ERROR_MATCHLIMIT && steps <= purse_ / 8) {
            steps *= 8;
            purse_ -= steps;
            found = attempt(at, steps);
        }
        gave_up_ = found < 0 && found != PCRE2_ERROR_NOMATCH;
        return found;
    }

    int attempt(std::size_t at, std::uint32_t steps) {
        pcre2_set_match_limit(context_.get(), steps);
        return pcre2_match(code_, reinterpret_cast<PCRE2_SPTR>(text_.data()), text_.size(), at,
                           PCRE2_ANCHORED | PCRE2_NO_UTF_CHECK, data_.get(), context_.get());
    }

    const pcre2_code* code_;
    std::string_view text_;
    MatchContext context_;
    MatchData data_;
    std::uint64_t purse_;
    bool gave_up_ = false;
};

}  // namespace

SplitPattern::SplitPattern(std::shared_ptr<const Compiled> compiled)
    : compiled_(std::move(compiled)) {}

std::optional<SplitPattern> SplitPattern::compile(std::string_view pattern, std::string& why) {
    if (pattern.empty() || pattern.size() > kMaxPatternBytes) {
        why = pattern.empty() ? "is empty" : "is longer than 4,096 bytes";
        return std::nullopt;
    }
    const auto translated = pcre2_pattern(pattern, why);
    if (!translated) return std::nullopt;
    const auto context = owned<CompileContext>(pcre2_compile_context_create(nullptr));
    pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
    int error = 0;
    PCRE2_SIZE offset = 0;
    decltype(Compiled::code) code{pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated->data()),
                                                translated->size(), kOptions, &error, &offset,
                                                context.get())};
    if (!code) {
        why = "does not compile (" + reason(error) + ")";
        return std::nullopt;
    }
    return SplitPattern(std::make_shared<const Compiled>(Compiled{std::move(code)}));
}

std::optional<std::vector<Span>> SplitPattern::spans(std::string_view text) const {
    Search search{compiled_->code.get(), text};
    std::vector<Span> spans;
    std::size_t from = 0, covered = 0;
    while (const auto match = search.next(from)) {
        // An empty match where the last one ended would be found for ever.
        if (match->begin == match->end && !spans.empty() && match->end == covered) {
            from = search.after(from);
            continue;
        }
        if (covered < match->begin) spans.push_back({covered, match->begin, false});
        spans.push_back(*match);
        from = covered = match->end;
    }
    if (search.gave_up()) return std::nullopt;
    if (covered < text.size()) spans.push_back({covered, text.size(), false});
    return spans;
}

}  // namespace kv
