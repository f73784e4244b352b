#pragma once
// What the bill is made of: the inputs that a person sets, and the results that follow. A value
// without pointers, so that undo is a list of them. core/cost does the arithmetic; nothing here
// multiplies.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers/codec.hpp"
#include "core/base/numbers/units.hpp"
#include "core/cost/model/derivation.hpp"
#include "core/cost/model/shape.hpp"
#include "core/cost/split.hpp"

namespace kv {

constexpr u64 kMostBillTokens = 16'777'216, kMostBillRequests = 1'048'576, kMostBillPage = 1024,
              kMostBillCards = 1024;

// A model with its stored formats; Compare has two of them.
struct BillModel {
    ModelShape shape;
    std::optional<u64> kv_heads;  // "what if": instead of the model's own
    CodecPair codecs;
};

enum class BillChart : std::uint8_t { Growth, Fit };

struct BillInputs {
    // Written out in bill.cpp: left implicit, each file that uses one compiles them again.
    BillInputs();
    BillInputs(const BillInputs&);
    BillInputs(BillInputs&&) noexcept;
    BillInputs& operator=(const BillInputs&);
    BillInputs& operator=(BillInputs&&) noexcept;
    ~BillInputs();

    BillModel left, right;  // every layout but Compare shows the left one
    u64 tokens = 8192;      // resident tokens of each request
    u64 batch = 16;         // resident requests
    u64 block_size = 16;
    u64 window = 0;  // 0: every layer as the model has it
    ByteSize device{80'000'000'000, UnitSystem::Decimal, "80GB"};
    u64 cards = 1;
    u64 ranks = 0;  // cards that share each layer, the rest are stages; 0: memory taken together
    double bandwidth = 3.35e12;  // bytes per second
    double flops = 989e12;       // FLOP per second
    UnitSystem units = UnitSystem::Binary;
    BillChart chart = BillChart::Growth;  // of the Calculator
};
BillInputs default_bill();
// How the cards share the cache; one of one where their memory is taken together.
Split split_of(const BillInputs& in);

// The shape that is priced: the model with its "what if" KV heads and the window, when there is
// one.
ModelShape priced_shape(const BillModel& model, u64 window);

// Each setter refuses what cannot be priced: kv::Error (Usage) with the value and the rule, inputs
// unchanged.
enum class BillSide : std::uint8_t { Left, Right };
BillModel& side_of(BillInputs& in, BillSide side);
const BillModel& side_of(const BillInputs& in, BillSide side);
void set_model(BillInputs& in, BillSide side, std::string_view name);  // of a preset
void set_shape(BillInputs& in, BillSide side, ModelShape shape);
void set_kv_heads(BillInputs& in, BillSide side, u64 n_kv_heads);  // 0: the model's own
void set_codec(BillInputs& in, BillSide side, Side kv, std::string_view name);
void set_tokens(BillInputs& in, u64 tokens);
void set_batch(BillInputs& in, u64 batch);
void set_block_size(BillInputs& in, u64 block_size);
void set_window(BillInputs& in, u64 tokens);
void set_device(BillInputs& in, std::string_view size);
void set_cards(BillInputs& in, u64 cards);  // ranks that do not divide them become all of them
void set_ranks(BillInputs& in, u64 ranks);

}  // namespace kv
