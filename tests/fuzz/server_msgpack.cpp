// A batch as it comes over a socket. What is read is written and read again to the same value, and
// a tank that takes it stays within its bounds and adds up.

#include <string>

#include "core/attach/picture/tank_picture.hpp"
#include "core/trace/server/batch_msgpack.hpp"
#include "tests/fuzz/fuzz.hpp"

using kv::fuzz::expect;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto read = kv::read_batch_msgpack(kv::fuzz::text_of(data, size));
    if (const auto* wrong = std::get_if<kv::ServerRefusal>(&read)) {
        expect(wrong->offset <= size && !wrong->rule.empty(), "a refusal has a place and a rule");
        return 0;
    }
    const auto& batch = std::get<kv::MsgpackBatch>(read).batch;
    const auto again = kv::read_batch_msgpack(kv::batch_msgpack(batch));
    const auto* same = std::get_if<kv::MsgpackBatch>(&again);
    expect(same != nullptr && same->batch.events.size() == batch.events.size(),
           "what was read can be written");

    kv::Tank tank({.most_blocks = 64, .keep_tokens = true});
    tank.apply(kv::BatchEntry{.rank = batch.rank.value_or(0), .batch = batch});
    expect(tank.tree().places() <= 64, "no batch makes a tank grow beyond its bound");
    std::uint64_t distinct = 0;
    for (kv::ShelfRef place = 0; place < tank.shelves().size(); ++place) {
        expect(tank.cached(place).size() == tank.shelves()[place].distinct, "a shelf adds up");
        if (tank.shelves()[place].name.medium == "GPU") distinct += tank.shelves()[place].distinct;
    }
    expect(kv::tank_picture_of(tank, {}, {}).tree.width == distinct, "and so does its picture");
    return 0;
}
