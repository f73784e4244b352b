#pragma once
// What the options of kvarium whatif ask for, and what comes of it. The options are understood
// before the file is opened; what depends on the file is refused after it.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/terminal/command.hpp"
#include "core/whatif/study/summary.hpp"

namespace kv {

struct WhatIfInput {
    std::string file;
    std::vector<u64> pools;                  // empty: around today's
    std::vector<std::uint32_t> block_sizes;  // empty: the recorded one
    std::vector<ReplayOrder> orders;
    CodecPair codecs;
    u64 host_blocks = 0;
    std::optional<u64> today;
    std::optional<u64> requests;
    WhatIfModel model;
    // Nothing is weighed: an hour of a made-up service is written there, with this seed and pool.
    std::optional<std::string> service;
    u64 seed = 14;
    bool show_tokens = false;    // of the service
    bool one_pass_only = false;  // points that one pass knows are not replayed
};

const std::vector<OptionSpec>& whatif_options();
WhatIfInput read_whatif(const GivenOptions& given, const CommonOptions& common);

struct WhatIfCurvePoint {
    u64 pool = 0;
    double hit_rate = 0;
    u64 tokens_computed = 0, tokens_again = 0, blocks_reclaimed = 0;
};

struct WhatIfResults {
    WhatIfSummary summary;
    std::vector<WhatIfCurvePoint> curve;  // as recorded, least recently used: one pass
    std::vector<WhatIfPoint> points;      // as asked for
    std::optional<WhatIfPoint> smaller;   // today's memory in the codec that was asked for
};
// `what` is being done, so much of it is done; false stops it, and nothing comes back.
using WhatIfTell = std::function<bool(const std::string& what, double done)>;
std::optional<WhatIfResults> weigh(const WhatIfInput& input, WhatIfStudy& study,
                                   const WhatIfTell& tell);

std::string whatif_json(const WhatIfInput& input, const WhatIfStudy& study,
                        const WhatIfResults& results);
std::string whatif_table(const WhatIfInput& input, const WhatIfStudy& study,
                         const WhatIfResults& results, bool quiet);

// The answer, and of several orders or block sizes which one finds most in today's memory.
std::string whole_answer(const WhatIfInput& input, const WhatIfStudy& study,
                         const WhatIfResults& results);
// "other_media" in words; `n` of them.
std::string passed_over_words(const std::string& what, u64 n);
std::string_view name_of(HowKnown how);    // "one_pass"
std::string_view name_of(TodayFrom from);  // "server_metrics"

}  // namespace kv
