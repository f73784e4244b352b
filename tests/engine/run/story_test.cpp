// What a run tells, iteration by iteration, with the numbers by hand.

#include <catch2/catch_test_macros.hpp>
#include <numeric>

#include "core/cost/time/flops.hpp"
#include "core/engine/run/memory/recorder.hpp"
#include "core/trace/event/event.hpp"
#include "tests/engine/run/fixture.hpp"

using namespace kv;
using namespace kv::test;

using Ids = std::vector<std::uint32_t>;

TEST_CASE("a request arrives, is read in one pass, makes its tokens and gives its blocks back",
          "[engine][C064][C070][C073]") {
    const EngineOn on;
    Engine engine(on.parts(), tiny_settings(8));
    engine.submit(request("A", 6, 2));
    const std::uint64_t before = engine.trace().size();
    engine.advance();
    std::vector<std::string> names = event_names(engine.trace(), before);
    std::erase(names, "Operation");
    // Six tokens need two blocks of four; the first is full at once and can be found.
    CHECK(names == std::vector<std::string>{"IterationStarted", "RequestArrived", "RequestAdmitted",
                                            "BlockAllocated", "BlockAllocated", "BlockStored",
                                            "TokensScheduled", "TokensStored", "TokenAdded",
                                            "IterationFinished"});
    CHECK(engine.trace().end().requests[0].stored == 6);
    CHECK(engine.trace().end().lanes[0].live == 6);
    const std::uint64_t second = engine.trace().size();
    engine.advance();
    names = event_names(engine.trace(), second);
    std::erase(names, "Operation");
    CHECK(names == std::vector<std::string>{"IterationStarted", "TokensScheduled", "TokensStored",
                                            "TokenAdded", "RequestFinished", "BlockFreed",
                                            "BlockFreed", "IterationFinished"});
    CHECK(engine.done());
    CHECK(engine.trace().end().lanes[0].used == 0);
    CHECK(engine.trace().end().lanes[0].cached == 1);
    CHECK(engine.requests()[0].stored == 7);
    // Nobody can find what is in 1, so it is taken next; 0 goes to the tail, as 2 to 7 were never
    // taken.
    std::vector<BlockId> list = free_list(engine.trace().end().lanes[0]);
    CHECK(list == std::vector<BlockId>{BlockId(1), BlockId(2), BlockId(3), BlockId(4), BlockId(5),
                                       BlockId(6), BlockId(7), BlockId(0)});
}

TEST_CASE("a request ends on a stop token, on its length and on a stop text, and frees at once",
          "[engine][C073]") {
    EngineOn on;
    Engine plain(on.parts(), tiny_settings(8));
    plain.submit(request("A", 5, 4));
    run_to_end(plain);
    CHECK(plain.requests()[0].finish == Finish::Length);
    const std::uint32_t second = plain.requests()[0].new_tokens[1];
    on.model.config.eos = {second};
    Engine stopped(on.parts(), tiny_settings(8));
    stopped.submit(request("A", 5, 4));
    run_to_end(stopped);
    CHECK(stopped.requests()[0].finish == Finish::StopToken);
    const auto& made = stopped.requests()[0].new_tokens;
    CHECK(made.back() == second);
    for (const Engine* engine : {&plain, &stopped}) {
        const auto freed = events_of<BlockFreed>(engine->trace());
        const auto finished = events_of<RequestFinished>(engine->trace());
        REQUIRE_FALSE(freed.empty());
        for (const auto& [event, what] : freed)
            CHECK(event.iteration == finished[0].first.iteration);
        CHECK(engine->trace().end().lanes[0].used == 0);
    }
}

// The books of a decoder that forgets: 6 positions, then 7, 8, 9, and nothing is held in between.
TEST_CASE("with the cache off each step computes the whole text again and gives it all back",
          "[engine][settings]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(8);
    Engine with(on.parts(), settings);
    settings.cache = false;
    settings.max_batch_tokens = 4;  // does not cut what nobody keeps
    Engine without(on.parts(), settings);
    for (Engine* engine : {&with, &without}) engine->submit(request("A", 6, 4));
    run_to_end(with);
    std::vector<std::uint32_t> computed;
    while (!without.done()) {
        without.advance();
        const Snapshot& now = without.trace().end();
        CHECK(now.lanes[0].used == 0);
        CHECK(now.lanes[0].cached == 0);
        CHECK(now == without.observe());
        if (!without.done()) CHECK(now.requests[0].stored == 0);
    }
    for (const auto& [event, finished] : events_of<IterationFinished>(without.trace()))
        computed.push_back(finished.tokens);
    CHECK(computed == Ids{6, 7, 8, 9});
    CHECK(std::accumulate(computed.begin(), computed.end(), 0u) == positions_without_cache(6, 4));
    CHECK(without.requests()[0].new_tokens == with.requests()[0].new_tokens);
    for (const auto& [event, freed] : events_of<BlockFreed>(without.trace()))
        CHECK(event.reason.why == (event.iteration < 4 ? Why::NothingKept : Why::RequestEnds));
}

TEST_CASE("a policy drops nothing where nothing is kept", "[engine][settings]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(8);
    Engine plain(on.parts(), settings);
    settings.evict = "window:4";
    Engine evicts(on.parts(), settings);
    settings.cache = false;
    Engine without(on.parts(), settings);
    for (Engine* engine : {&plain, &evicts, &without}) {
        engine->submit(request("A", 9, 4));
        run_to_end(*engine);
    }
    CHECK_FALSE(events_of<TokensDropped>(evicts.trace()).empty());
    CHECK(events_of<TokensDropped>(without.trace()).empty());
    CHECK(without.requests()[0].new_tokens == plain.requests()[0].new_tokens);
}

// 10 tokens in chunks of at most 4: 4, 4, 2; the first token comes with the last chunk.
TEST_CASE("a long prompt goes in in chunks and changes nothing", "[engine][C072]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(8);
    Engine whole(on.parts(), settings);
    whole.submit(request("A", 10, 3));
    run_to_end(whole);
    settings.max_batch_tokens = 4;
    Engine chunked(on.parts(), settings);
    chunked.submit(request("A", 10, 3));
    run_to_end(chunked);
    Ids counts;
    for (const auto& [event, scheduled] : events_of<TokensScheduled>(chunked.trace()))
        counts.push_back(scheduled.count);
    CHECK(counts == Ids{4, 4, 2, 1, 1});
    CHECK(chunked.requests()[0].new_tokens == whole.requests()[0].new_tokens);
    CHECK(*chunked.requests()[0].first_token == 3);
}

// Block size 4: A stores 5 + 3 = 8 at its longest, in 2 blocks; B needs 9 of a pool of 8.
TEST_CASE("what can never fit is refused on arrival and blocks nobody", "[engine]") {
    const EngineOn on;
    Engine engine(on.parts(), tiny_settings(8));
    engine.submit(request("B", 30, 4));
    engine.submit(request("A", 5, 4));
    run_to_end(engine);
    CHECK(engine.requests()[0].state == RequestState::Refused);
    CHECK(engine.requests()[1].state == RequestState::Finished);
    const auto ended = events_of<RequestFinished>(engine.trace());
    CHECK(ended[0].first.reason == Reason::never_fits(9, 8));
}

TEST_CASE("a fork of itself, or of nobody, is refused", "[engine]") {
    const EngineOn on;
    for (const char* parent : {"A", "B"}) {
        CAPTURE(parent);
        RequestSpec spec = request("A", 3, 2);
        spec.fork_of = parent;
        Engine engine(on.parts(), tiny_settings(8));
        engine.submit(spec);
        run_to_end(engine);
        CHECK(engine.requests()[0].state == RequestState::Refused);
        CHECK(events_of<RequestFinished>(engine.trace()).at(0).first.reason ==
              Reason{Why::NoParent});
    }
}

// Golden of the admission rule, scaled down: 5 blocks free, 2 held back: a prompt of 3 blocks may
// come in, one of 4 waits.
TEST_CASE("the watermark keeps blocks free while something runs", "[engine]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(6);
    settings.watermark_blocks = 2;
    const auto admitted_at = [&](std::uint32_t n_prompt) {
        Engine engine(on.parts(), settings);
        engine.submit(request("A", 3, 2));  // one block
        engine.submit(request("B", n_prompt, 1, 20));
        run_to_end(engine);
        return *engine.requests()[1].admitted;
    };
    CHECK(admitted_at(12) == 1);
    CHECK(admitted_at(16) == 3);  // when A has gone; alone it is not held back
}

// Pool of 4 blocks of 4. A and B read 7 tokens each, 2 blocks each; at 9 tokens both want a third.
TEST_CASE("the newest running request is taken out and comes back with the same tokens",
          "[engine][I29]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(4);
    for (const bool swap : {false, true}) {
        CAPTURE(swap);
        settings.preempt = swap ? Preemption::Swap : Preemption::Recompute;
        settings.host_blocks = 4;
        Engine engine(on.parts(), settings);
        engine.submit(request("A", 7, 4));
        engine.submit(request("B", 7, 4, 30));
        run_to_end(engine);
        const auto out = events_of<RequestPreempted>(engine.trace());
        REQUIRE(out.size() == 1);
        CHECK(out[0].first.request == SeqId(1));
        CHECK(out[0].first.reason == Reason{Why::RoomFor, SeqId(0)});
        CHECK(out[0].first.iteration == 3);
        CHECK(out[0].second.swapped == swap);
        const Counters& counters = engine.trace().end().counters;
        CHECK(counters.preemptions == 1);
        CHECK(counters.tokens_recomputed == (swap ? 0 : 8));
        CHECK(counters.blocks_offloaded == (swap ? 2 : 0));
        CHECK(counters.blocks_loaded == (swap ? 2 : 0));
        Engine alone(on.parts(), tiny_settings(8));
        alone.submit(request("B", 7, 4, 30));
        run_to_end(alone);
        CHECK(engine.requests()[1].new_tokens == alone.requests()[0].new_tokens);
        CHECK(engine.trace().end().lanes[0].used == 0);
    }
}

// Pool of 6 blocks of 8, 10 tokens an iteration. When B wants its second block, A holds 3 blocks, B
// 1 and C, of whose prompt 10 tokens are read, 2. A has the lowest priority and is planned already.
TEST_CASE("who is taken out of the plan gives its tokens back to the budget", "[engine]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(6, 8);
    settings.max_batch_tokens = 10;
    Engine engine(on.parts(), settings);
    engine.submit(request("A", 15, 8));
    for (RequestSpec later : {request("B", 7, 4, 30, 2), request("C", 24, 1, 12, 2)}) {
        later.priority = 1;
        engine.submit(later);
    }
    run_to_end(engine);
    const auto out = events_of<RequestPreempted>(engine.trace());
    REQUIRE(out.size() == 1);
    CHECK(out[0].first.request == SeqId(0));
    CHECK(out[0].first.reason == Reason{Why::RoomFor, SeqId(1)});
    std::vector<std::uint32_t> chunks;  // of C's prompt: 10 less those that the others compute
    for (const auto& [event, scheduled] : events_of<TokensScheduled>(engine.trace()))
        if (event.request == SeqId(2)) chunks.push_back(scheduled.count);
    CHECK(chunks == std::vector<std::uint32_t>{2, 8, 9, 5});
}

TEST_CASE("a swapped block comes back bit for bit, and its freed bytes were free meanwhile",
          "[engine][C150][I24]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(8);
    settings.host_blocks = 4;
    Engine engine(on.parts(), settings);
    engine.submit(request("A", 10, 5));
    engine.advance();
    CHECK(engine.trace().end().lanes[0].used == 3);
    REQUIRE_FALSE(engine.apply(PauseRequest{"A"}));
    CHECK(engine.trace().end().lanes[0].used == 0);
    CHECK(engine.trace().end().requests[0].swapped);
    REQUIRE_FALSE(engine.apply(ResumeRequest{"A"}));
    run_to_end(engine);
    std::map<std::uint32_t, std::uint64_t> sums;
    int back = 0;
    for (const auto& [event, moved] : events_of<TransferFinished>(engine.trace())) {
        if (moved.to == Medium::Host) {
            sums[moved.to_id] = moved.checksum;
            continue;
        }
        ++back;
        CHECK(sums.at(moved.from_id) == moved.checksum);
    }
    CHECK(back == 3);
    Engine plain(on.parts(), tiny_settings(8));
    plain.submit(request("A", 10, 5));
    run_to_end(plain);
    CHECK(engine.requests()[0].new_tokens == plain.requests()[0].new_tokens);
}

TEST_CASE("what has dropped tokens is paused where it lies, since a swap takes whole blocks only",
          "[engine]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(8);
    settings.host_blocks = 4;
    REQUIRE(find_setting("evict")->read(settings, "window:4").empty());
    Engine engine(on.parts(), settings);
    engine.submit(request("A", 10, 5));
    engine.advance();
    REQUIRE(engine.cache().stored(SeqId(0)) == 10);
    REQUIRE_FALSE(engine.cache().has_plain_table(SeqId(0)));
    const std::uint32_t used = engine.trace().end().lanes[0].used;
    REQUIRE(used > 0);
    REQUIRE_FALSE(engine.apply(PauseRequest{"A"}));
    CHECK(engine.trace().end().lanes[0].used == used);
    CHECK_FALSE(engine.trace().end().requests[0].swapped);
    CHECK(engine.trace().end().counters.blocks_offloaded == 0);
    REQUIRE_FALSE(engine.apply(ResumeRequest{"A"}));
    run_to_end(engine);
    CHECK(engine.requests()[0].new_tokens.size() == 5);
}

TEST_CASE("the parts of a pass add up to its work", "[engine][C041]") {
    const EngineOn on;
    Engine engine(on.parts(), tiny_settings(16));
    engine.submit(request("A", 9, 3));
    engine.submit(request("B", 5, 4, 20));
    run_to_end(engine);
    std::uint64_t flops = 0, read = 0, written = 0;
    for (const auto& [event, part] : events_of<Operation>(engine.trace())) {
        if (part.op == Op::Sample) continue;
        flops += part.flops;
        read += part.bytes_read;
        written += part.bytes_written;
    }
    const Work& work = engine.work();
    CHECK(flops == work.flops.total());
    CHECK(read == work.weight_bytes + work.k_bytes_read + work.v_bytes_read);
    CHECK(written == work.k_bytes_written + work.v_bytes_written);
}

TEST_CASE("the bytes of every stored slot can be read at any later moment", "[engine][I27]") {
    const EngineOn on;
    Engine engine(on.parts(), tiny_settings(4));
    engine.submit(request("A", 6, 4));
    engine.submit(request("B", 6, 4, 30, 3));  // takes blocks that A has given back
    run_to_end(engine);
    const KvLayout& layout = engine.backend().layout();
    const std::size_t bytes_of_slot = layout.pool_bytes() / layout.n_blocks / layout.block_size;
    // Nothing was written after the end, so the last payload of a slot is what the pool holds.
    std::size_t seen = 0;
    for (std::uint32_t block = 0; block < layout.n_blocks; ++block)
        for (std::uint32_t slot = 0; slot < layout.block_size; ++slot) {
            const auto found = engine.payloads().find(engine.trace().size(), LaneId(0),
                                                      BlockId(block), Slot(slot));
            if (found.state != PayloadLog::State::Known) continue;
            ++seen;
            std::vector<std::byte> now(bytes_of_slot);
            each_vector_of_slot(layout, {}, LaneId(0), BlockId(block), Slot(slot),
                                [&](std::uint64_t offset, std::uint64_t at, std::uint64_t size) {
                                    engine.backend().read_pool(offset,
                                                               std::span(now).subspan(at, size));
                                });
            CHECK(std::memcmp(now.data(), found.bytes.data(), bytes_of_slot) == 0);
        }
    CHECK(seen >= 9);
    CHECK(engine.payloads().find(0, LaneId(0), BlockId(0), Slot(0)).state ==
          PayloadLog::State::NeverWritten);
}

// Slots that were never written hold the poison; if anybody read one, the two runs would differ.
TEST_CASE("what lies in unwritten slots changes nothing", "[engine][I13]") {
    const EngineOn on;
    const auto logits_with = [&](unsigned char poison) {
        EngineParts parts = on.parts();
        parts.poison_fresh_blocks = poison;
        parts.keep_logits = true;
        EngineSettings settings = tiny_settings(5, 8);
        settings.share = Sharing::CopyOnWrite;
        Engine engine(std::move(parts), settings);
        engine.submit(request("A", 11, 5));
        RequestSpec fork;
        fork.name = "B";
        fork.fork_of = "A";
        fork.arrive = 2;
        fork.max_new = 4;
        fork.sampling = {1.0, {}, {}, 3};
        engine.submit(fork);
        run_to_end(engine);
        return std::pair(engine.requests()[0].logits, engine.requests()[1].logits);
    };
    CHECK(logits_with(0xFF) == logits_with(0x7F));
}

TEST_CASE("no more than one token of a request is made in an iteration", "[engine][C001]") {
    const EngineOn on;
    Engine engine(on.parts(), tiny_settings(16));
    engine.submit(request("A", 3, 6));
    engine.submit(request("B", 8, 6, 20, 2));
    run_to_end(engine);
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> made;
    for (const auto& [event, token] : events_of<TokenAdded>(engine.trace()))
        CHECK(++made[{event.request->value, event.iteration}] == 1);
}

TEST_CASE("every event has a reason in words", "[engine]") {
    const EngineOn on;
    EngineSettings settings = tiny_settings(4);
    settings.preempt = Preemption::Swap;
    settings.host_blocks = 3;
    settings.cold_blocks = ColdBlocks::KeepInHost;
    Engine engine(on.parts(), settings);
    for (const char* name : {"A", "B", "C"}) engine.submit(request(name, 7, 5));
    run_to_end(engine);
    engine.trace().each(0, engine.trace().size(), [&](std::uint64_t n, const Event& event) {
        CAPTURE(n, name_of(event.what));
        const std::string text = text_of(
            event.reason, [&](SeqId id) { return engine.requests()[id.index()].spec.name; });
        CHECK(text.size() > 5);
        CHECK(text.find('{') == std::string::npos);
    });
}

TEST_CASE("a command that cannot be honoured changes nothing and says why", "[engine]") {
    const EngineOn on;
    Engine engine(on.parts(), tiny_settings(8));
    engine.submit(request("A", 6, 5));
    engine.advance();
    const auto refused = [&](const EngineCommand& command, const std::string& part) {
        const Snapshot before = engine.observe();
        const auto sentence = engine.apply(command);
        REQUIRE(sentence.has_value());
        CAPTURE(*sentence);
        CHECK(sentence->find(part) != std::string::npos);
        CHECK(engine.observe() == before);
        CHECK(engine.observe() == engine.trace().end());
    };
    refused(SetSetting{"block_size", "8"}, "holds blocks");
    refused(SetSetting{"k_codec", "int9"}, "is not a codec");
    refused(SetSetting{"k_codec", "int4:g3"}, "3 does not divide");
    refused(SetSetting{"colour", "blue"}, "no setting");
    refused(SetSetting{"max_batch_tokens", "0"}, "max_batch_tokens 0");
    refused(StopRequest{"Z"}, "no request that has arrived");
    refused(ResumeRequest{"A"}, "not paused");
    refused(ForkRequest{"A", "A"}, "name of another request");
    refused(AddRequest{"D", "some words"}, "tokenizer.json");
    CHECK(events_of<CommandRefused>(engine.trace()).size() == 9);
    REQUIRE_FALSE(engine.apply(StopRequest{"A"}));
    CHECK(engine.requests()[0].finish == Finish::Stopped);
    REQUIRE_FALSE(engine.apply(SetSetting{"block_size", "8"}));
    CHECK(engine.observe() == engine.trace().end());
    CHECK(engine.cache().spec().block_size == 8);
}
