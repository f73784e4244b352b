#include "core/trace/server/from_event.hpp"

#include "core/trace/event/event.hpp"
#include "core/trace/server/hash.hpp"

namespace kv {
namespace {

std::string word_for(Medium medium) {
    switch (medium) {
        case Medium::Device:
            return "GPU";
        case Medium::Host:
            return "CPU";
        case Medium::File:
            return "STORAGE";
    }
    return {};
}

std::vector<ServerHash> hashes_of(const Hashes& numbers) {
    std::vector<ServerHash> out;
    for (const std::uint64_t number : numbers) out.push_back(server_hash(number));
    return out;
}

struct ToServer {
    std::optional<ServerEvent> operator()(const BlockStored& event) const {
        ServerStored out{.hashes = hashes_of(event.block_hashes),
                         .tokens = {event.token_ids.begin(), event.token_ids.end()},
                         .block_size = event.block_size,
                         .medium = word_for(event.medium)};
        if (event.parent_block_hash) out.parent = server_hash(*event.parent_block_hash);
        return out;
    }
    std::optional<ServerEvent> operator()(const BlockRemoved& event) const {
        return ServerRemoved{.hashes = hashes_of(event.block_hashes),
                             .medium = word_for(event.medium)};
    }
    std::optional<ServerEvent> operator()(const AllBlocksCleared&) const { return ServerCleared{}; }
    std::optional<ServerEvent> operator()(const PoolMade&) const { return ServerCleared{}; }
    template <class Other>
    std::optional<ServerEvent> operator()(const Other&) const {
        return std::nullopt;
    }
};

}  // namespace

std::optional<ServerEvent> server_event_of(const EventBody& what) {
    return std::visit(ToServer{}, what);
}

}  // namespace kv
