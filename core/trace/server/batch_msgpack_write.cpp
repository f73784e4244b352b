#include "core/trace/server/batch_msgpack.hpp"
#include "core/trace/server/hash.hpp"
#include "core/trace/server/msgpack.hpp"

namespace kv {
namespace {

void write(MsgWriter& out, const ServerHash& hash) {
    if (hash.number)
        out.whole(low_bits(hash));
    else
        out.bytes(hash.bytes);
}

void write(MsgWriter& out, const std::vector<ServerHash>& hashes) {
    out.list(hashes.size());
    for (const ServerHash& hash : hashes) write(out, hash);
}

void write(MsgWriter& out, const std::optional<std::int64_t>& number) {
    if (number)
        out.whole(*number);
    else
        out.nil();
}

void write_group(MsgWriter& out, std::int64_t group) {
    out.text("group_idx");
    out.whole(group);
}

void write(MsgWriter& out, const ServerStored& event) {
    const unsigned optional_fields = unsigned{event.group != 0} +
                                     unsigned{!event.layer_kind.empty()} +
                                     unsigned{event.window.has_value()};
    out.map(7 + optional_fields);
    out.text("type"), out.text("BlockStored");
    out.text("block_hashes"), write(out, event.hashes);
    out.text("parent_block_hash");
    if (event.parent)
        write(out, *event.parent);
    else
        out.nil();
    out.text("token_ids"), out.list(event.tokens.size());
    for (const std::int64_t token : event.tokens) out.whole(token);
    out.text("block_size"), out.whole(event.block_size);
    out.text("lora_id"), write(out, event.lora);
    out.text("medium"), out.text(event.medium);
    if (event.group != 0) write_group(out, event.group);
    if (!event.layer_kind.empty()) out.text("kv_cache_spec_kind"), out.text(event.layer_kind);
    if (event.window) out.text("kv_cache_spec_sliding_window"), write(out, event.window);
}

void write(MsgWriter& out, const ServerRemoved& event) {
    out.map(event.group != 0 ? 4 : 3);
    out.text("type"), out.text("BlockRemoved");
    out.text("block_hashes"), write(out, event.hashes);
    out.text("medium"), out.text(event.medium);
    if (event.group != 0) write_group(out, event.group);
}

void write(MsgWriter& out, const ServerCleared&) {
    out.map(1);
    out.text("type"), out.text("AllBlocksCleared");
}

void write(MsgWriter& out, const ServerUnknown& event) {
    out.map(1);
    out.text("type"), out.text(event.kind);
}

}  // namespace

std::string batch_msgpack(const ServerBatch& batch) {
    MsgWriter out;
    out.list(batch.rank ? 3 : 2);
    out.real(batch.time_s);
    out.list(batch.events.size());
    for (const ServerEvent& event : batch.events)
        std::visit([&](const auto& e) { write(out, e); }, event);
    if (batch.rank) out.whole(*batch.rank);
    return out.take();
}

}  // namespace kv
