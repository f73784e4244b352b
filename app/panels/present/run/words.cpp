#include "app/panels/present/run/words.hpp"

#include <algorithm>
#include <optional>

#include "app/panels/view/facts.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {
namespace {

Text tokens_text(std::uint64_t n, const Texts& text) {
    return fill(text["pair.tokens"_t], {{"n", with_commas(n)}});
}
Text pages_text(std::uint64_t n, const Texts& text) {
    return fill(text["present.pages"_t], {{"n", with_commas(n)}});
}

// Which entries of a table others hold too, and who they are.
struct SharedPages {
    std::uint32_t count = 0;
    bool first_ones = true;  // they are the first `count` pages
    Text names;
};
SharedPages shared_pages(const RunView& run, SeqId request, const Texts& text) {
    SharedPages shared;
    const Table& table = *run.lane().table(request);
    List<Text> names;
    for (std::uint32_t entry = 0; entry < table.size(); ++entry) {
        if (!table[entry] || run.lane().blocks()[table[entry]->index()].ref_count < 2) continue;
        shared.first_ones = shared.first_ones && entry == shared.count;
        ++shared.count;
        for (const Holder& holder : holders_of(run.lane(), *table[entry])) {
            const Text name = name_of_request(run.now, holder.request);
            const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
            if (holder.request != request && is_new) names.push_back(name);
        }
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool last = i > 0 && i + 1 == names.size();
        shared.names = i == 0 ? names[0]
                       : last
                           ? fill(text["run.and"_t], {{"list", shared.names}, {"last", names[i]}})
                           : shared.names + ", " + names[i];
    }
    return shared;
}

std::uint64_t pages_held(const Table& table) {
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < table.size(); ++i) n += table[i].has_value();
    return n;
}

// The tokens that the request stores at most: its last new one is never stored.
std::uint64_t longest_of(const RunView& run, SeqId request) {
    const RequestView& r = run.trace.end().requests[request.index()];
    const std::uint64_t most = std::uint64_t{r.n_prompt} + r.n_forced + r.max_new;
    return std::max<std::uint64_t>(most - std::min<std::uint64_t>(most, 1), r.stored);
}

Text second_line(const RunView& run, SeqId request, const Texts& text) {
    const Table& table = *run.lane().table(request);
    const SharedPages shared = shared_pages(run, request, text);
    const Text n = with_commas(shared.count);
    if (shared.count == 1 && shared.first_ones)
        return fill(text["present.shared.one"_t], {{"names", shared.names}});
    if (shared.count > 0)
        return fill(text[shared.first_ones ? "present.shared.many"_t : "present.shared.some"_t],
                    {{"n", n}, {"names", shared.names}});
    const std::uint64_t away = table.size() - pages_held(table);
    if (away > 0 && run.now.requests[request.index()].swapped)
        return fill(text["present.in_host"_t], {{"n", with_commas(away)}});
    const std::uint64_t size = run.now.block_size, longest = longest_of(run, request);
    return fill(text["present.reserved"_t],
                {{"tokens", tokens_text(longest, text)},
                 {"pages", pages_text((longest + size - 1) / size, text)}});
}

PresentRunWords stored_words(const RunView& run, SeqId request, const Texts& text) {
    const RequestView& r = run.now.requests[request.index()];
    const Table& table = *run.lane().table(request);
    const Text pages = pages_text(pages_held(table), text);
    PresentRunWords words;
    const std::uint32_t kept = r.stored - dropped_in(run.lane(), request);
    words.caption = fill(text["present.need"_t], {{"tokens", with_commas(kept)}, {"pages", pages}});
    const std::uint64_t slots = table.size() * run.now.block_size;
    const std::uint64_t empty =
        slots - std::min<std::uint64_t>(slots, slots_taken(run.lane(), request, r.stored));
    words.prose[0] =
        empty == 0 ? Text(text["present.last_full"_t])
                   : fill(text["present.last_page"_t],
                          {{"n", with_commas(empty)}, {"size", with_commas(run.now.block_size)}});
    words.prose[1] = second_line(run, request, text);
    return words;
}

PresentRunWords waiting_words(const RunView& run, SeqId request, const Texts& text) {
    const RequestView& r = run.now.requests[request.index()];
    const Text tokens = tokens_text(r.tokens.size(), text);
    const Table* table = run.lane().table(request);
    const bool holds_pages = table != nullptr && pages_held(*table) > 0;
    PresentRunWords words{fill(text["present.waits"_t], {{"name", r.name}}), {}};
    if (r.state == RequestState::Preempted) {
        words.caption = fill(text["present.taken_out"_t], {{"name", r.name}});
        words.prose[0] = fill(text[r.swapped ? "present.swapped"_t : "present.recomputed"_t],
                              {{"tokens", tokens}});
    }
    if (r.waits) {
        const Text why =
            text_of(*r.waits, [&](SeqId other) { return name_of_request(run.now, other); });
        (words.prose[0].empty() ? words.prose[0] : words.prose[1]) =
            fill(text["present.waits.why"_t], {{"why", why}});
    }
    if (words.prose[1].empty() && r.state == RequestState::Waiting)
        // A fork waits with the pages that it shares.
        words.prose[words.prose[0].empty() ? 0 : 1] =
            holds_pages ? second_line(run, request, text)
                        : fill(text["present.waits.queue"_t], {{"tokens", tokens}});
    return words;
}

}  // namespace

PresentRunWords present_run_words(const RunView& run, const RunFocus& focus, const Texts& text) {
    const SeqId id = focus.request;
    if (id.index() >= run.now.requests.size()) return {text["present.nothing"_t], {}};
    const RequestView& r = run.now.requests[id.index()];
    const Text tokens = tokens_text(r.tokens.size(), text);
    switch (r.state) {
        case RequestState::Finished:
            return {fill(text["present.finished"_t], {{"name", r.name}, {"tokens", tokens}}),
                    {text["present.finished.why"_t], ""}};
        case RequestState::Refused:
            return {fill(text["present.refused"_t], {{"name", r.name}}), {}};
        case RequestState::Waiting:
        case RequestState::Preempted:
            return waiting_words(run, id, text);
        case RequestState::Paused:
        case RequestState::Running:
            break;
    }
    if (r.state == RequestState::Running && r.stored == 0 && !keeps_cache(run))
        return {fill(text["present.off"_t], {{"name", r.name}}),
                {fill(text["present.off.why"_t], {{"tokens", tokens}}), ""}};
    const Table* table = run.lane().table(id);
    if (table == nullptr || table->empty() || r.stored == 0) return waiting_words(run, id, text);
    PresentRunWords words = stored_words(run, id, text);
    if (r.state == RequestState::Paused)
        words.prose[0] = fill(text["present.paused"_t], {{"name", r.name}});
    return words;
}

HeldMemory held_memory(const RunView& run) {
    const std::uint32_t now = run.now.iteration;
    // Tokens for which room begins and ends to be reserved after each step; a difference, summed up
    // below.
    List<double> change(std::size_t{now} + 2, 0.0);
    for (std::uint32_t i = 0; i < run.now.requests.size(); ++i) {
        const RequestView& r = run.now.requests[i];
        if (!r.admitted) continue;
        const auto tokens = static_cast<double>(longest_of(run, SeqId(i)));
        change[std::min(*r.admitted, now + 1)] += tokens;
        if (r.ended) change[std::min(*r.ended, now + 1)] -= tokens;
    }
    HeldMemory held{{0}, {0}, {0}, 0};
    double reserved = 0;
    std::uint32_t summed = 0;
    for (const Sample& sample : run.samples) {
        if (sample.iteration > now) break;
        for (; summed <= sample.iteration; ++summed) reserved += change[summed];
        held.steps.push_back(sample.iteration);
        held.paged.push_back(
            static_cast<double>(sample.used_blocks * measure_of_block(run, sample)));
        held.reserved.push_back(reserved *
                                static_cast<double>(measure_at(run, sample.moment).token));
        held.most = std::max({held.most, held.paged.back(), reserved});
    }
    return held;
}

}  // namespace kv
