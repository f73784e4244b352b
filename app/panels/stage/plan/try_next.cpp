#include "app/panels/stage/plan/try_next.hpp"

#include "app/panels/view/facts.hpp"

namespace kv {
namespace {

constexpr std::uint32_t kSmallPage = 4, kUsualPage = 16;
constexpr std::uint32_t kFew = 8;  // tokens

}  // namespace

List<TryStep> try_next(const RunView& run, const Texts& text) {
    if (!run.has_engine || run.scene != kOwnScene) return {};
    List<TryStep> steps;
    steps.push_back(
        {"answer", text["stage.try.answer"_t], "run.forward", {}, "Right", !run.at_end});
    const std::uint32_t page = run.layout.block_size == kSmallPage ? kUsualPage : kSmallPage;
    steps.push_back({"page", fill(text["stage.try.page"_t], {{"n", std::to_string(page)}}),
                     "run.set", "block_size " + std::to_string(page)});
    if (!keeps_cache(run))
        steps.push_back({"cache", text["stage.try.cache"_t], "run.cache", {}});
    else if (policy_of(run).policy == EvictionPolicy::None)
        steps.push_back({"forget", fill(text["stage.try.forget"_t], {{"n", std::to_string(kFew)}}),
                         "run.set", "evict window:" + std::to_string(kFew)});
    else
        steps.push_back({"keep", text["stage.try.keep"_t], "run.set", "evict none"});
    return steps;
}

}  // namespace kv
