#include "core/cost/bill.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/cost/groups.hpp"
#include "core/cost/model/parameters.hpp"
#include "core/cost/time/flops.hpp"
#include "core/cost/time/roofline.hpp"

namespace kv {
namespace {

using Bill = std::vector<Derived>;

void append(Bill& bill, Bill more) {
    for (Derived& each : more) bill.push_back(std::move(each));
}

std::optional<u64> whole_of(const Bill& bill, std::string_view name) {
    const Derived* result = find_result(bill, name);
    return result ? std::optional<u64>(result->whole()) : std::nullopt;
}

void add_sizes(const BillRequest& r, Bill& bill) {
    const bool grows = elements_per_token(r.cache) > 0;
    append(bill, derive_bytes_per_token(r.cache, r.codecs));
    if (grows) {
        bill.push_back(derive_effective_bits(r.cache, r.codecs, r.tokens));
        bill.push_back(derive_bytes_per_block(bytes_per_token(r.cache, r.codecs), r.block_size));
    }
    if (!r.tokens) return;
    append(bill, derive_groups(r.cache, r.codecs, *r.tokens, r.batch, r.chunk));
    append(bill, derive_kv_bytes(r.cache, r.codecs, *r.tokens, r.batch));
    const bool all_alike = layer_groups(r.cache).size() == 1 && total_state_bytes(r.cache) == 0;
    if (all_alike) {
        bill.push_back(derive_kv_bytes_per_layer(bill.back().whole(), r.cache.n_layers()));
    }
}

void add_blocks(const BillRequest& r, Bill& bill) {
    // States stand in no blocks of tokens.
    if (elements_per_token(r.cache) == 0) return;
    std::optional<u64> per_sequence;
    if (r.tokens) {
        bill.push_back(derive_blocks_per_sequence(r.cache, *r.tokens, r.block_size));
        per_sequence = bill.back().whole();
    }
    if (!r.pool) {
        if (per_sequence) bill.push_back(derive_needed_blocks(r.batch, *per_sequence));
        return;
    }
    bill.push_back(derive_pool_blocks(*r.pool, bytes_per_block(r.cache, r.codecs, r.block_size)));
    const u64 blocks = bill.back().whole();
    bill.push_back(derive_tokens_capacity(blocks, r.block_size));
    if (!per_sequence) return;
    bill.push_back(derive_sequences_capacity(blocks, *per_sequence));
    bill.push_back(derive_fits_pool(r.batch, *per_sequence, blocks));
}

void add_weights(const BillRequest& r, Bill& bill) {
    if (r.given_weight_bytes) {
        bill.push_back(
            given("weight_bytes", Value{*r.given_weight_bytes}, "B", "size of the weights"));
    } else if (r.model) {
        append(bill, derive_weight_bytes(*r.model));
    }
    if (r.model) append(bill, derive_active_parameters(*r.model));
}

// What one card of several holds.
void add_split(const BillRequest& r, Bill& bill) {
    if (!r.tokens || r.split.cards() == 1) return;
    append(bill, derive_split(r.cache, r.codecs, *r.tokens, r.batch, r.split));
}

// Weights that alone exceed the device settle the question before any token is counted.
void add_fits_device(const BillRequest& r, u64 weights, std::optional<u64> cache, Bill& bill) {
    const auto rank = whole_of(bill, "rank_bytes");
    if (rank) {
        bill.push_back(derive_fits_cards(weights, *rank, *r.device_bytes, r.split));
    } else if (r.split.cards() == 1 && (cache || weights > *r.device_bytes)) {
        bill.push_back(derive_fits_device(weights, cache.value_or(0), *r.device_bytes));
    }
}

// The memory for the cache: as it was given, the pool, or what the weights leave of the device.
std::optional<Operand> budget_of(const BillRequest& r, Bill& bill) {
    if (r.cache_budget) return r.cache_budget;
    if (r.pool) {
        const auto* pool = std::get_if<PoolBytes>(&*r.pool);
        if (!pool) return std::nullopt;
        return whole_operand("pool_bytes", pool->bytes, "B", "size of the pool");
    }
    const auto weights = whole_of(bill, "weight_bytes");
    if (!r.device_bytes || !weights) return std::nullopt;
    bill.push_back(derive_card_budget(*r.device_bytes, *weights, r.split));
    return operand_of(bill.back());
}

void add_fit(const BillRequest& r, Bill& bill) {
    const auto budget = budget_of(r, bill);
    if (!budget) return;
    if (r.tokens) {
        bill.push_back(derive_sequences_fit(r.cache, r.codecs, *r.tokens, *budget, r.split));
    }
    if (auto text = derive_longest_text(r.cache, r.codecs, r.batch, *budget, r.split)) {
        bill.push_back(std::move(*text));
    }
}

// Operations of one decode step and of one sequence's prompt, and what a token reads. Nothing where
// the work of so long a text cannot be counted.
void add_work(const BillRequest& r, Bill& bill) {
    if (!r.model || r.model->vocab_size == 0 || !r.tokens) return;
    Bill work;
    try {
        append(work, derive_decode_flops(*r.model, *r.tokens, r.batch));
        work.push_back(derive_prefill_flops(*r.model, *r.tokens, 1));
    } catch (const Error&) {
        return;
    }
    append(bill, std::move(work));
    bill.push_back(derive_token_read(*r.model, sequence_bytes(r.cache, r.codecs, *r.tokens)));
}

void add_device(const BillRequest& r, Bill& bill) {
    const std::optional<u64> weights = whole_of(bill, "weight_bytes");
    const std::optional<u64> cache = whole_of(bill, "kv_bytes");
    const std::vector<CacheGroup> groups = cache_groups(r.cache);
    const bool grows = std::any_of(groups.begin(), groups.end(), [&](const CacheGroup& group) {
        return !group_ceiling(r.cache, group, r.codecs);
    });
    const bool bends = std::any_of(groups.begin(), groups.end(), [&](const CacheGroup& group) {
        return group_ceiling(r.cache, group, r.codecs).has_value();
    });
    if (weights && grows && bends) {
        bill.push_back(derive_group_crossover(r.cache, r.codecs, *weights));
    } else if (weights && grows) {
        bill.push_back(derive_crossover_tokens(*weights, bytes_per_token(r.cache, r.codecs)));
    }
    if (weights && r.device_bytes && !r.pool) add_fits_device(r, *weights, cache, bill);
    if (weights && cache) bill.push_back(derive_kv_share(*weights, *cache));
    if (weights && cache && r.bandwidth) {
        bill.push_back(derive_step_time(*weights, *cache, *r.bandwidth));
    }
}

}  // namespace

std::vector<Derived> make_bill(const BillRequest& r) {
    KV_ASSERT(!cache_objection(r.cache, r.codecs));
    KV_ASSERT(r.block_size > 0 && r.batch > 0 && (!r.tokens || *r.tokens > 0));
    Bill bill;
    add_sizes(r, bill);
    add_blocks(r, bill);
    add_weights(r, bill);
    add_split(r, bill);
    add_device(r, bill);
    add_fit(r, bill);
    add_work(r, bill);
    if (r.n_heads && elements_per_token(r.cache) > 0) {
        append(bill, derive_intensity(r.cache, *r.n_heads, r.codecs));
    }
    if (r.flops && r.bandwidth) bill.push_back(derive_ridge(*r.flops, *r.bandwidth));
    return bill;
}

const std::vector<std::string_view>& bill_names() {
    static const std::vector<std::string_view> names{"bytes_per_token",
                                                     "bytes_per_block",
                                                     "kv_bytes",
                                                     "blocks",
                                                     "tokens_capacity",
                                                     "sequences_capacity",
                                                     "fits",
                                                     "effective_bits",
                                                     "weight_bytes",
                                                     "step_time_s",
                                                     "kv_share",
                                                     "intensity",
                                                     "ridge"};
    return names;
}

}  // namespace kv
