#pragma once
// Finds full blocks by what they hold: the token ids of the block and of everything before it. A
// node stands for one such content; its parent is the content without the last block, so that two
// nodes are the same content exactly when parent and tokens are equal. Every find compares the
// token ids: the 64-bit hash only says where to look, and a collision costs time, never a wrong
// answer.
//
// A node may have several copies, since two requests can fill equal blocks at the same time; the
// oldest copy is the one that is found. A copy does not count as a holder of its block: whoever
// takes the block for something else drops its copy first. Rules as in vLLM's prefix cache.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/ids.hpp"
#include "core/cache/prefix/hash_buckets.hpp"

namespace kv {

using PrefixId = Id<struct PrefixTag>;

using PrefixHash = std::uint64_t (*)(std::uint64_t parent, std::span<const std::uint32_t> tokens);
// The hash of a full block: that of its parent mixed with its own token ids, so that it stands for
// everything before the block as well.
std::uint64_t chain_hash(std::uint64_t parent, std::span<const std::uint32_t> tokens);

class PrefixIndex {
public:
    // `space` names what the bytes depend on beside the tokens: model, codecs, positions. It goes
    // into every hash, so that nobody can take what was stored in another space for its own.
    PrefixIndex(std::uint32_t block_size, std::uint32_t n_blocks, std::string space,
                PrefixHash hash_of = chain_hash);

    // The empty content of a salt. A salt says who may share: requests with different salts never
    // meet.
    PrefixId root(const std::string& salt);

    // The content `parent` and these block_size tokens, if it is known.
    std::optional<PrefixId> find(PrefixId parent, std::span<const std::uint32_t> tokens) const;
    PrefixId find_or_add(PrefixId parent, std::span<const std::uint32_t> tokens);

    // Copies on the device. A block is a copy of at most one node.
    void add_copy(PrefixId node, BlockId block);
    void drop_copy(BlockId block);
    std::optional<BlockId> copy(PrefixId node) const;  // the oldest
    std::optional<PrefixId> node_of(BlockId block) const;
    bool is_only_copy(BlockId block) const;
    // A node has at most one place outside the device.
    void set_place(PrefixId node, std::uint32_t place);
    void drop_place(PrefixId node);
    std::optional<std::uint32_t> place(PrefixId node) const;

    std::uint64_t hash(PrefixId node) const { return nodes_[node.index()].hash; }
    std::optional<PrefixId> parent(PrefixId node) const;  // none for the root of a salt
    bool is_root(PrefixId node) const { return nodes_[node.index()].root; }
    std::span<const std::uint32_t> tokens(PrefixId node) const;

    void clear();                                       // forgets every copy and place
    void rename(std::string space);                     // an empty index goes on in another space
    std::uint32_t n_nodes() const { return n_nodes_; }  // without roots
    std::uint32_t n_places() const;                     // counted
    std::vector<const char*> check() const;

private:
    struct Node {
        std::uint64_t hash = 0;
        std::uint32_t parent = 0, children = 0;
        std::uint32_t first_copy = kNone, last_copy = kNone;  // chained through links_
        std::uint32_t place = kNone;
        bool used = false, root = false;
    };
    struct Link {  // of a block
        std::uint32_t node = kNone, next = kNone;
    };
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    std::uint64_t root_hash(const std::string& salt) const;
    std::uint64_t key(PrefixId parent, std::span<const std::uint32_t> tokens) const;
    static bool is_child(const Node& node, PrefixId parent);
    void check_copies(std::vector<const char*>& wrong) const;
    // The hash of a node by its number, as buckets_ asks for it.
    auto node_hash() const {
        return [this](std::uint32_t node) { return nodes_[node].hash; };
    }
    std::uint32_t new_node();
    // What names the copy behind that block among the node's; kNone: what names the first one.
    std::uint32_t& link_behind(Node& node, std::uint32_t block);
    void drop_if_idle(std::uint32_t id);

    std::uint32_t block_size_;
    std::string space_;
    PrefixHash hash_;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> tokens_;  // block_size_ for each node
    std::vector<std::uint32_t> unused_;  // nodes to use again
    HashBuckets buckets_;                // nodes by their hashes; no roots
    std::vector<Link> links_;            // by block
    std::map<std::string, PrefixId> roots_;
    std::uint32_t n_nodes_ = 0;

    friend class Tamper;  // of the tests: breaks a rule so that check() must say so
};

}  // namespace kv
