#pragma once
// One request under a policy: which tokens each of its tables keeps, what the next queries see of
// them, and the scores that the policy goes by. It knows positions and softmax weights, no slot and
// no block; what it decides is carried out in the books. The same steps give the same decisions, so
// a request that lost its blocks is taken through them once more.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/cache/layout/kv_layout.hpp"
#include "core/cache/layout/lane_shape.hpp"
#include "core/engine/seam/batch.hpp"
#include "core/trace/event/reason.hpp"

namespace kv {

struct TokensDropped;

// Runs of token positions [begin, end), by token and lane: what each query saw. Empty for tokens
// that were found in the cache.
using SeenLog = std::vector<std::vector<std::vector<KeyRange>>>;

class TokenKeeper {
public:
    struct Request {
        LaneShape lanes;
        std::uint32_t n_heads = 1, n_prompt = 0;
        std::uint64_t seed = 0;
        std::uint32_t number = 0;
        bool keeps_log = false;
        std::vector<double> frequencies = {};  // of the rotation, for policies that look at keys
        bool rotated_when_stored = true;       // keys, and queries as they are taken
    };
    // Reads a key or value as it is stored, decoded.
    using ReadStored =
        std::function<std::vector<float>(Side, LayerId, HeadId, std::uint32_t position)>;
    using SlotOf = std::function<std::uint32_t(LaneId, std::uint32_t position)>;

    TokenKeeper(const EvictionSpec& spec, const Request& request);

    // What is dropped to make room before the next token comes, by the policies that do so (Window;
    // what a chunk of a prompt brings beyond that goes after_step()).
    std::vector<TokensDropped> before_append();
    // The request lost its blocks, and with them all that was decided.
    void start_over(std::uint32_t life);
    std::uint32_t life() const { return life_; }
    // Tokens [first, first + count) are computed next. Tokens before them that the keeper does not
    // know were found in the cache, all of them.
    void begin_step(std::uint32_t first, std::uint32_t count);
    VisibleKeys visible(const SlotOf& slot_of, KeyRotation key_rotation) const;
    // The weights that a query head of a new token gave to what it saw.
    void take_weights(LayerId layer, std::uint32_t row, std::uint32_t head,
                      std::span<const float> weights);
    // The query itself, as it was stored or would have been.
    void take_query(LayerId layer, std::uint32_t row, std::uint32_t head,
                    std::span<const float> query);
    // Which blocks its query heads looked at, where the policy chooses among them.
    void take_reads(const HeadReads& reads);
    // What is dropped now that the step has attended.
    std::vector<TokensDropped> after_step(const ReadStored& read);

    std::uint32_t n_tokens() const { return n_tokens_; }  // computed so far
    const std::vector<std::uint32_t>& kept(LaneId lane) const {
        return lanes_[lane.index()].positions;
    }
    // Some query did not see all that came before it: a token was dropped, hidden or not read.
    bool has_dropped() const { return has_dropped_; }
    bool is_prompt_end() const { return n_tokens_ == request_.n_prompt; }
    const SeenLog& seen() const { return seen_; }

private:
    // What is remembered of one block table: of its tokens, and for each query head that reads it
    // what the policy goes by.
    struct Lane {
        std::vector<std::uint32_t> positions;  // of kept tokens, then the new ones
        // A score for each place, from softmax weights. H2O: all that queries gave since the token
        // came, added up. TOVA: what the newest query gives. SnapKV and its kin: what the
        // observation window's queries give, added up, of the places before the window.
        std::vector<std::vector<float>> scores;
        std::vector<std::vector<float>> step;  // H2O: what this step adds to them
        std::vector<QueryMoments> queries;     // Expected Attention: of the prompt
    };

    std::uint32_t heads_of_lane() const;
    // By an observation window, and the prompt is at least as long as what stays.
    bool observes() const;
    void log_rows();
    Lane& lane_of(LayerId layer, std::uint32_t query_head);
    std::vector<KeyRange> sees(const Lane& lane, std::uint32_t position) const;
    void make_room(Lane& lane) const;

    Selection choose(LaneId id, const ReadStored& read);
    Selection choose_heavy(Lane& lane) const;
    Selection choose_heavy_wrongly(Lane& lane) const;
    void add_step(Lane& lane) const;
    std::vector<Selection> choose_observed();
    std::vector<std::uint32_t> budgets_by_layer() const;
    std::vector<float> pooled(const Lane& lane) const;
    Vectors attended(LaneId id, Side side, const ReadStored& read) const;
    Selection choose_expected(Lane& lane, const Vectors& keys, const Vectors& values) const;
    TokensDropped note_dropped(LaneId lane, const Selection& selection);

    EvictionSpec spec_;
    Request request_;
    std::vector<Lane> lanes_;
    std::uint32_t n_tokens_ = 0, first_ = 0, count_ = 0, life_ = 0;
    bool has_dropped_ = false;
    SeenLog seen_;
};

// The sentence behind a drop: why the policy gave these tokens up.
Reason drop_reason(const EvictionSpec& spec, const TokensDropped& dropped, std::uint32_t n_tokens);

}  // namespace kv
