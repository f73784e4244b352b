#pragma once
// A run as the panels see it: the recorded events, the state at the cursor, and what was measured
// there. It holds references into the owner of the run, valid for one frame. No panel can change a
// run; it leaves commands.

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/view/lane.hpp"
#include "app/panels/view/machine_roofs.hpp"
#include "app/panels/view/price.hpp"
#include "core/cache/codec/kivi.hpp"
#include "core/cache/codec/vector_codec.hpp"
#include "core/cache/layout/kv_layout.hpp"
#include "core/cache/layout/lane_shape.hpp"
#include "core/model/config/config.hpp"
#include "core/trace/judged_row.hpp"
#include "core/trace/metrics.hpp"
#include "core/trace/payloads.hpp"
#include "core/trace/trace.hpp"

namespace kv {

// What one token looked at: the weights of every layer and query head over the tokens before it and
// itself, computed once more from the weights of the model.
struct AttentionPicture {
    SeqId request{0};
    std::uint32_t position = 0;  // of the token that looks
    std::uint32_t n_layers = 0, n_heads = 0;
    std::vector<float> weights;  // (layer, query head, position)

    std::uint32_t n_keys() const { return position + 1; }
    std::span<const float> of(std::uint32_t layer, std::uint32_t head) const {
        return std::span(weights).subspan((std::size_t{layer} * n_heads + head) * n_keys(),
                                          n_keys());
    }
};

// What a cache that keeps everything would have made of the same tokens, for a run with a policy.
struct FullLook {
    AttentionPicture attention;
    std::vector<float> logits;  // behind the query token
};

// What a cache in float32 that keeps everything makes of the text of a request, in a comparison.
// The text is its own answer, which was then told to both sides; or, where that could not be done,
// what the left side said.
struct FullText {
    SeqId request{0};  // of the left side
    std::vector<std::uint32_t> tokens;
    std::vector<std::uint32_t> rows;         // positions of the queries that were judged, rising
    std::vector<std::vector<float>> logits;  // behind each of them
    // The share of each query's attention that went to tokens which that side did not see, 0 to 1.
    std::vector<double> lost_left, lost_right;
    // What both sides made of the rows, where the text was told to them; else empty.
    std::array<std::vector<std::vector<float>>, 2> sides = {};
    std::uint32_t n_forced = 0;  // tokens of the answer that the scene forces upon the request
    bool is_told() const { return !sides[0].empty(); }
};

// What is known of the proof that the cache changes nothing, at the last step before the cursor.
struct ProofView {
    enum class State : std::uint8_t {
        NotChecked,
        Checking,
        Proved,
        Lossy,  // a policy dropped tokens; behind a mask that hides them nothing differs
        Differs
    } state = State::NotChecked;
    double max_abs_difference = 0;
    double masked_difference = 0;  // to a computation that hides the same; only where Lossy
    std::uint32_t n_compared = 0;  // rows of logits
    std::string where;             // request and step of the largest difference
    bool is_done() const { return state != State::NotChecked && state != State::Checking; }
};

// What sets one side of a comparison apart from the other.
struct RunChange {
    std::string name;                   // "model", or a setting; empty: a command
    std::string value;                  // of this side; of a command its words
    std::string meaning;                // of a setting, in a sentence
    std::optional<std::uint32_t> from;  // the iteration after which the sides differ; none: all
    bool is_full = false;               // it keeps everything, beside one that does not
};

// What a token takes: in all lanes, and a slot of one of them.
struct TokenSize {
    std::uint64_t token = 0, slot = 0;  // bytes; of a record of a run, slots
};

// The name of a scene that holds a sentence of one's own.
inline constexpr std::string_view kOwnScene = "Own sentence";

struct RunView {
    std::uint64_t id = 0;  // another one for every run, so that what was derived is derived anew
    const Trace& trace;
    const Snapshot& now;       // at the cursor
    std::uint64_t moment = 0;  // the cursor: so many events lie before it
    bool at_end = false;       // of the scene, not only of what is recorded
    bool busy = false;         // the engine computes the step that was asked for
    std::string scene;         // its name
    const ModelConfig& model;
    std::string model_name;             // "gqa", or "gqa+kv1" with its KV heads folded
    std::uint64_t stored_kv_heads = 0;  // before they were folded
    std::string backend;                // "cpu"
    const KvLayout& layout;  // at the cursor; a command may have made another pool than before
    Codec k_codec, v_codec;
    std::span<const SharedScale> shared_scales = {};  // (layers, 2): of ':tensor' codecs
    const Codec& codec(Side side) const { return side == Side::K ? k_codec : v_codec; }
    // How the slot of a vector is read, where the vector lies in one.
    Codec codec_in_slot(Side side) const {
        return codec(side).has_residual() ? value_codec(codec(side), layout.vector(side).dim)
                                          : codec(side);
    }
    SharedScale shared_scale(LayerId layer, Side side) const {
        const std::size_t at = 2 * layer.index() + (side == Side::V ? 1 : 0);
        return at < shared_scales.size() ? shared_scales[at] : kNoScale;
    }
    // Every setting at the cursor, as a scene writes it; and whether a change of one can be taken
    // back.
    const std::map<std::string, std::string>& settings;
    bool can_undo = false, can_redo = false;
    std::span<const Sample> samples;  // one per recorded iteration, those after the cursor too
    const PayloadLog& payloads;       // every byte that was written, and when
    const AttentionPicture* attention = nullptr;  // of the query token of the focused request
    const FullLook* full = nullptr;               // of the same token, if a policy may hide any
    const FullText* in_full = nullptr;            // of the request in focus, in a comparison
    ProofView proof;
    MachineRoofs roofs = {};
    const PriceView* price = nullptr;  // null: nobody measures
    // A token as a person reads it: RunSession::word, which asks the tokenizer; "#" and its number
    // in a run that was read from a file. view_of() in app/live/scene fills it in.
    std::function<const std::string&(std::uint32_t token)> word;
    const std::deque<JudgedRow>* judged = nullptr;  // the newest rows of logits, in order
    bool recorded_all = false;                      // the trace holds the run to its end
    const RunChange* change = nullptr;              // in a comparison
    // A policy may give each layer or KV head tables and blocks of its own: lanes. Panels show one
    // of them, that of the selected layer and head; sums are over all.
    LaneShape lanes = {};
    LaneId lane_in_focus{0};
    LaneAt lane() const { return {now, lane_in_focus}; }
    // As the pool of a moment stored things. Empty: always as now.
    std::function<TokenSize(std::uint64_t moment)> token_size_at = {};
    // False for a run that was read from a file of events: it has no model, no keys and values, and
    // `layout` knows blocks and slots but no bytes.
    bool has_engine = true;
    // The bytes of text that a token stands for; empty for a special one, and without a tokenizer.
    std::function<std::string(std::uint32_t token)> bytes = {};
    // The owner of what the references lead to: who keeps it can show this run when another is
    // open.
    std::shared_ptr<const void> owner = {};
};

}  // namespace kv
