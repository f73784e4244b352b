#pragma once
// The fields of an event that a server writes as an array, after its tag. A server that leaves the
// last ones out writes a shorter array, an older one knows fewer.

#include <array>
#include <string_view>

namespace kv {

constexpr std::array<std::string_view, 11> kServerStoredFields{"block_hashes",
                                                               "parent_block_hash",
                                                               "token_ids",
                                                               "block_size",
                                                               "lora_id",
                                                               "medium",
                                                               "lora_name",
                                                               "extra_keys",
                                                               "group_idx",
                                                               "kv_cache_spec_kind",
                                                               "kv_cache_spec_sliding_window"};
constexpr std::array<std::string_view, 3> kServerRemovedFields{"block_hashes", "medium",
                                                               "group_idx"};

}  // namespace kv
