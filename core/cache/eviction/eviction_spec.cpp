#include "core/cache/eviction/eviction_spec.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/names.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

constexpr std::array<std::string_view, 14> kNames{
    "none", "window", "streaming", "h2o",   "snapkv",   "pyramidkv", "adakv",
    "tova", "knorm",  "keydiff",   "lagkv", "expected", "random",    "quest"};
constexpr std::uint32_t kMostTokens = 1u << 20;  // that a policy may be told to keep

// Known from papers and other programs, and not to be had here: a reader should not hunt for a
// spelling mistake.
constexpr std::array<std::string_view, 6> kKnownElsewhere{"scissorhands", "cam",   "look-m",
                                                          "qfilters",     "think", "duo"};

using Refusal = std::string;  // empty when all is well

// Reads the parts of one spec. The first thing that is wrong stays in `why`.
class Reader {
public:
    Reader(EvictionSpec& spec, std::string_view main) : s_(spec), main_(main) {}

    void read_main();
    void read_option(std::string_view option);
    void check();
    const Refusal& why() const { return why_; }

private:
    bool is(EvictionPolicy policy) const { return s_.policy == policy; }
    bool observes() const {
        return is(EvictionPolicy::SnapKv) || is(EvictionPolicy::PyramidKv) ||
               is(EvictionPolicy::AdaKv);
    }
    void refuse(Refusal why) {
        if (why_.empty()) why_ = std::move(why);
    }
    std::uint32_t whole(std::string_view text, std::uint64_t min, std::uint64_t max,
                        std::string_view what);
    double real(std::string_view text, double min, double max, std::string_view what);
    void two_numbers(std::uint32_t& first, std::uint32_t& second);
    bool common_option(std::string_view name, std::string_view value);
    bool own_option(std::string_view name, std::string_view value);
    bool window_option(std::string_view name, std::string_view value);
    bool yes(std::string_view value, std::string_view what);

    EvictionSpec& s_;
    std::string_view main_;
    std::vector<std::string_view> given_;  // names of options
    Refusal why_;
};

std::uint32_t Reader::whole(std::string_view text, std::uint64_t min, std::uint64_t max,
                            std::string_view what) {
    std::string wrong;
    const auto number = parse_whole(text, min, max, wrong);
    if (!number) refuse("has a number of " + std::string(what) + " that " + wrong);
    return static_cast<std::uint32_t>(number.value_or(min));
}

double Reader::real(std::string_view text, double min, double max, std::string_view what) {
    std::string wrong;
    const auto number = parse_decimal(text, wrong);
    if (!number)
        refuse("has a " + std::string(what) + " that " + wrong);
    else if (*number < min || *number > max)
        refuse("has a " + std::string(what) + " that is not from " + round_trip(min) + " to " +
               round_trip(max));
    return number.value_or(min);
}

void Reader::two_numbers(std::uint32_t& first, std::uint32_t& second) {
    const std::size_t plus = main_.find('+');
    if (plus == std::string_view::npos) return refuse("needs two numbers with + between them");
    first = whole(main_.substr(0, plus), 0, kMostTokens, "tokens");
    second = whole(main_.substr(plus + 1), 0, kMostTokens, "tokens");
    if (first + std::uint64_t{second} == 0) refuse("would keep no token");
}

void Reader::read_main() {
    switch (s_.policy) {
        case EvictionPolicy::None:
            if (!main_.empty()) refuse("takes no number");
            return;
        case EvictionPolicy::Window:
            s_.recent = whole(main_, 1, kMostTokens, "tokens");
            return;
        case EvictionPolicy::Streaming:
            return two_numbers(s_.sinks, s_.recent);
        case EvictionPolicy::H2o:
            return two_numbers(s_.heavy.heavy, s_.heavy.recent);
        case EvictionPolicy::SnapKv:
        case EvictionPolicy::PyramidKv:
        case EvictionPolicy::AdaKv:
            s_.observed.capacity = whole(main_, 2, kMostTokens, "tokens");
            s_.observed.window = is(EvictionPolicy::SnapKv) ? 16 : 8;
            if (is(EvictionPolicy::AdaKv)) s_.observed.kernel = 7;
            if (is(EvictionPolicy::AdaKv)) s_.observed.pooling = Pooling::Max;
            return;
        case EvictionPolicy::Tova:
        case EvictionPolicy::Random:
        case EvictionPolicy::Quest:
            s_.budget = whole(main_, 1, kMostTokens, "tokens");
            return;
        case EvictionPolicy::Knorm:
            s_.skip = 2;
            [[fallthrough]];
        case EvictionPolicy::KeyDiff:
        case EvictionPolicy::LagKv:
        case EvictionPolicy::Expected:
            s_.ratio = real(main_, 0, 1, "ratio");
            if (s_.ratio == 1) refuse("would keep no token");
            return;
    }
}

bool Reader::yes(std::string_view value, std::string_view what) {
    if (value != "on" && value != "off") refuse("has " + std::string(what) + " not on or off");
    return value == "on";
}

void Reader::read_option(std::string_view option) {
    const std::size_t equals = option.find('=');
    if (equals == std::string_view::npos)
        return refuse("has an option without \"=\"; options look like name=value");
    const std::string_view name = option.substr(0, equals), value = option.substr(equals + 1);
    if (std::find(given_.begin(), given_.end(), name) != given_.end())
        return refuse("has the option " + std::string(name) + " twice; keep one of them");
    given_.push_back(name);
    if (common_option(name, value) || own_option(name, value)) return;
    if (observes() && window_option(name, value)) return;
    refuse("has an option that " + std::string(name_of(s_.policy)) + " does not know: \"" +
           std::string(name) + "\"");
}

// "reduce", which every policy has that joins the scores of query heads.
bool Reader::common_option(std::string_view name, std::string_view value) {
    if (name != "reduce" || !(needs_weights(s_) || needs_queries(s_))) return false;
    if (value != "mean" && value != "max" && value != "sum")
        refuse("has a reduce that is none of mean, max and sum");
    s_.reduce = value == "max" ? Reduce::Max : value == "sum" ? Reduce::Sum : Reduce::Mean;
    s_.observed.reduce = s_.reduce;
    return true;
}

bool Reader::own_option(std::string_view name, std::string_view value) {
    const auto own = [&](EvictionPolicy policy, std::string_view word) {
        return is(policy) && name == word;
    };
    if (own(EvictionPolicy::H2o, "decay"))
        s_.heavy.decay = real(value, 0, 1, "decay");
    else if (own(EvictionPolicy::H2o, "grace"))
        s_.heavy.grace = whole(value, 0, kMostTokens, "grace tokens");
    else if (own(EvictionPolicy::PyramidKv, "beta"))
        s_.beta = whole(value, 1, kMostTokens, "beta");
    else if (own(EvictionPolicy::AdaKv, "floor"))
        s_.floor = real(value, 0, 1, "floor");
    else if (own(EvictionPolicy::Tova, "last"))
        s_.protect_last = yes(value, "last");
    else if (own(EvictionPolicy::Tova, "gaps"))
        s_.short_gaps = yes(value, "gaps");
    else if (own(EvictionPolicy::Knorm, "skip") || own(EvictionPolicy::Quest, "skip"))
        s_.skip = whole(value, 0, kMostTokens, "layers to skip");
    else if (own(EvictionPolicy::KeyDiff, "block"))
        s_.block = whole(value, 0, kMostTokens, "tokens of a block");
    else if (own(EvictionPolicy::LagKv, "sinks"))
        s_.lag.sinks = whole(value, 0, kMostTokens, "sinks");
    else if (own(EvictionPolicy::LagKv, "lag"))
        s_.lag.lag = whole(value, 1, kMostTokens, "tokens of a chunk");
    else if (own(EvictionPolicy::Expected, "sinks"))
        s_.expected.sinks = whole(value, 0, kMostTokens, "sinks");
    else if (own(EvictionPolicy::Expected, "horizon"))
        s_.expected.horizon = whole(value, 1, kMostTokens, "tokens to come");
    else if (own(EvictionPolicy::Random, "recent") || own(EvictionPolicy::Quest, "recent"))
        s_.spared = whole(value, 0, kMostTokens, "recent tokens");
    else
        return false;
    return true;
}

bool Reader::window_option(std::string_view name, std::string_view value) {
    if (name == "window") {
        s_.observed.window = whole(value, 1, kMostTokens, "window tokens");
    } else if (name == "kernel") {
        s_.observed.kernel = whole(value, 1, kMostTokens, "kernel tokens");
        if (s_.observed.kernel % 2 == 0) refuse("has an even kernel; it needs a middle");
    } else if (name == "pool") {
        if (value != "avg" && value != "max") refuse("has a pool that is neither avg nor max");
        s_.observed.pooling = value == "max" ? Pooling::Max : Pooling::Average;
    } else if (name == "first") {
        if (value != "reduce" && value != "pool") refuse("has a first that is no reduce or pool");
        s_.observed.pool_first = value == "pool";
    } else {
        return false;
    }
    return true;
}

void Reader::check() {
    if (observes() && s_.observed.window >= s_.observed.capacity)
        refuse("has a window of " + with_commas(s_.observed.window) + " tokens, and the " +
               with_commas(s_.observed.capacity) + " that are kept include it");
    if (is(EvictionPolicy::H2o) && s_.heavy.grace > s_.heavy.heavy + s_.heavy.recent)
        refuse("spares more young tokens than it keeps");
    if (is(EvictionPolicy::Random) && s_.spared > s_.budget)
        refuse("spares more recent tokens than it keeps");
    if (is(EvictionPolicy::Quest) && s_.spared > s_.budget)
        refuse("always reads more recent tokens than it reads at all");
}

}  // namespace

std::string_view name_of(EvictionPolicy policy) {
    return name_in(kNames, policy);
}

std::optional<EvictionSpec> parse_eviction(std::string_view text, std::string& why) {
    const std::size_t end = std::min(text.find(':'), text.size());
    const std::string_view name = text.substr(0, end);
    const auto policy = named_in<EvictionPolicy>(kNames, name);
    if (!policy) {
        const bool known = std::find(kKnownElsewhere.begin(), kKnownElsewhere.end(), name) !=
                           kKnownElsewhere.end();
        why = known ? "is a policy that this version does not have" : "is no policy";
        return std::nullopt;
    }
    EvictionSpec spec;
    spec.policy = *policy;
    std::string_view rest = text.substr(std::min(end + 1, text.size()));
    const std::size_t comma = std::min(rest.find(','), rest.size());
    if (spec.policy != EvictionPolicy::None && comma == 0) {
        why = "needs a number behind a colon";
        return std::nullopt;
    }
    Reader reader(spec, rest.substr(0, comma));
    reader.read_main();
    for (bool more = comma < rest.size(); more;) {
        rest.remove_prefix(std::min(rest.find(',') + 1, rest.size()));
        const std::size_t next = rest.find(',');
        reader.read_option(rest.substr(0, next));
        more = next != std::string_view::npos;
    }
    reader.check();
    why = reader.why();
    if (!why.empty()) return std::nullopt;
    return spec;
}

bool drops_tokens(const EvictionSpec& spec) {
    return spec.policy != EvictionPolicy::None && !chooses_reads(spec);
}

bool chooses_reads(const EvictionSpec& spec) {
    return spec.policy == EvictionPolicy::Quest;
}

TableScope table_scope(const EvictionSpec& spec) {
    switch (spec.policy) {
        case EvictionPolicy::None:
        case EvictionPolicy::Window:
        case EvictionPolicy::Streaming:
        case EvictionPolicy::Quest:
            return TableScope::Sequence;
        case EvictionPolicy::Tova:
            return TableScope::Layer;
        default:
            return TableScope::Head;
    }
}

EvictionTime eviction_time(const EvictionSpec& spec) {
    switch (spec.policy) {
        case EvictionPolicy::Window:
            return EvictionTime::BeforeAppend;
        case EvictionPolicy::None:
        case EvictionPolicy::Streaming:
        case EvictionPolicy::H2o:
        case EvictionPolicy::Tova:
        case EvictionPolicy::Random:
        case EvictionPolicy::Quest:
            return EvictionTime::AfterAttend;
        default:
            return EvictionTime::PrefillEnd;
    }
}

bool needs_weights(const EvictionSpec& spec) {
    switch (spec.policy) {
        case EvictionPolicy::H2o:
        case EvictionPolicy::SnapKv:
        case EvictionPolicy::PyramidKv:
        case EvictionPolicy::AdaKv:
        case EvictionPolicy::Tova:
            return true;
        default:
            return false;
    }
}

bool needs_keys(const EvictionSpec& spec) {
    return spec.policy == EvictionPolicy::Knorm || spec.policy == EvictionPolicy::KeyDiff ||
           spec.policy == EvictionPolicy::LagKv || needs_queries(spec);
}

bool needs_queries(const EvictionSpec& spec) {
    return spec.policy == EvictionPolicy::Expected;
}

std::optional<std::uint32_t> budget_of(const EvictionSpec& spec) {
    switch (spec.policy) {
        case EvictionPolicy::Window:
        case EvictionPolicy::Streaming:
            return spec.sinks + spec.recent;
        case EvictionPolicy::H2o:
            return spec.heavy.heavy + spec.heavy.recent;
        case EvictionPolicy::Tova:
        case EvictionPolicy::Random:
            return spec.budget;
        default:
            return std::nullopt;
    }
}

std::uint32_t most_kept(const EvictionSpec& spec, std::uint32_t n) {
    if (const auto budget = budget_of(spec)) return std::min(n, *budget);
    if (spec.policy == EvictionPolicy::SnapKv) return std::min(n, spec.observed.capacity);
    if (spec.policy == EvictionPolicy::PyramidKv) return std::min(n, 2 * spec.observed.capacity);
    if (spec.policy == EvictionPolicy::Expected)
        return std::max(kept_of(n, spec.ratio), std::min(n, spec.expected.sinks));
    if (spec.policy == EvictionPolicy::LagKv)
        return std::max(kept_of(n, spec.ratio), never_judged(n, spec.lag));
    if (needs_keys(spec) && spec.skip == 0) return kept_of(n, spec.ratio);
    return n;
}

std::uint32_t blocks_read(const EvictionSpec& spec, std::uint32_t block_size) {
    return spec.budget / block_size + (spec.budget % block_size == 0 ? 0 : 1);
}

std::optional<std::uint32_t> first_query_that_misses(const EvictionSpec& spec) {
    if (spec.policy == EvictionPolicy::Window) return spec.recent;
    if (spec.policy == EvictionPolicy::Streaming) return spec.sinks + spec.recent + 1;
    return std::nullopt;
}

}  // namespace kv
