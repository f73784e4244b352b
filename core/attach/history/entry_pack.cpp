#include "core/attach/history/entry_pack.hpp"

#include "core/base/error.hpp"
#include "core/trace/server/batch_msgpack.hpp"
#include "core/trace/server/msgpack.hpp"

namespace kv {
namespace {

// The kind of an entry, then its fields in order; a batch keeps the form that it had on the wire.
constexpr std::uint64_t kBatch = 0, kMark = 1, kSamples = 2;

void pack(MsgWriter& out, const BatchEntry& entry) {
    out.whole(kBatch);
    out.whole(entry.rank);
    out.whole(entry.sequence);
    out.whole(std::uint64_t{entry.negative_hashes});
    out.bytes(batch_msgpack(entry.batch));
}

void pack(MsgWriter& out, const StreamMark& mark) {
    out.whole(kMark);
    out.whole(static_cast<std::uint64_t>(mark.kind));
    out.whole(mark.rank);
    out.whole(mark.first);
    out.whole(mark.last);
    out.real(mark.time_s);
}

void pack(MsgWriter& out, const SampleEntry& entry) {
    out.whole(kSamples);
    out.real(entry.time_s);
    out.list(entry.samples.size());
    for (const MetricSample& sample : entry.samples) {
        out.text(sample.name);
        out.text(sample.labels);
        out.real(sample.value);
    }
}

class Unpacker {
public:
    explicit Unpacker(std::string_view bytes) : in_(bytes) {}

    TankEntry entry() {
        const std::uint64_t kind = item().number;
        if (kind == kBatch) return batch();
        return kind == kMark ? TankEntry(mark()) : TankEntry(samples());
    }

private:
    MsgItem item() {
        const auto next = in_.next();
        KV_ASSERT(next.has_value());
        return *next;
    }

    BatchEntry batch() {
        BatchEntry out;
        out.rank = item().signed_number();
        out.sequence = item().number;
        out.negative_hashes = item().number != 0;
        auto read = read_batch_msgpack(item().bytes);
        auto* batch = std::get_if<MsgpackBatch>(&read);
        KV_ASSERT(batch != nullptr);
        out.batch = std::move(batch->batch);
        return out;
    }

    StreamMark mark() {
        StreamMark out;
        out.kind = static_cast<MarkKind>(item().number);
        out.rank = item().signed_number();
        out.first = item().number;
        out.last = item().number;
        out.time_s = item().real;
        return out;
    }

    SampleEntry samples() {
        SampleEntry out;
        out.time_s = item().real;
        out.samples.resize(static_cast<std::size_t>(item().number));
        for (MetricSample& sample : out.samples) {
            sample.name = item().bytes;
            sample.labels = item().bytes;
            sample.value = item().real;
        }
        return out;
    }

    MsgReader in_;
};

}  // namespace

std::string packed(const TankEntry& entry) {
    MsgWriter out;
    std::visit([&](const auto& e) { pack(out, e); }, entry);
    return out.take();
}

TankEntry unpacked_entry(std::string_view bytes) {
    return Unpacker(bytes).entry();
}

}  // namespace kv
