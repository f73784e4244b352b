// The pure halves of Inspector, Bytes and Attention, against numbers worked out by hand.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>

#include "app/panels/token/attention/plan.hpp"
#include "app/panels/token/bytes/layout.hpp"
#include "app/panels/token/element_bits.hpp"
#include "app/panels/token/inspector/address_plan.hpp"
#include "app/panels/token/inspector/byte_map_plan.hpp"
#include "app/panels/token/inspector/layout.hpp"
#include "app/panels/token/value_preview.hpp"
#include "app/shell/theme.hpp"

using namespace kv;
using Catch::Approx;

namespace {

KvLayout demonstration(KvOrder order = KvOrder::TokenMajor, Codec codec = Codec::Bf16) {
    return {4, 2, 16, 48, order, vector_of(codec, 16), vector_of(codec, 16)};
}
const VectorAt kToken37{LayerId(2), Side::K, HeadId(1), BlockId(44), Slot(5)};

std::vector<std::int32_t> codes(const ValuePreview& preview) {
    std::vector<std::int32_t> all;
    for (const PreviewElement& element : preview.elements) all.push_back(element.code);
    return all;
}

}  // namespace

// ---- the address -----------------------------------------------------------------------------

TEST_CASE("the terms of an address sum to it, in the order of the layout", "[bytes][C116]") {
    const Texts text;
    const AddressPlan plan = plan_address(demonstration(), kToken37, text);
    CHECK(plan.terms[0].label == "base of K, layer 2");
    CHECK(plan.terms[0].product == "2 × 96 KiB");
    CHECK(plan.terms[1].product == "44 × 1,024 B");
    CHECK(plan.terms[2].product == "5 × 64 B");
    CHECK(plan.terms[3].product == "1 × 32 B");
    CHECK(plan.terms[0].bytes == 0x30000);
    CHECK(plan.terms[1].bytes == 0xB000);
    CHECK(plan.terms[2].bytes == 0x140);
    CHECK(plan.terms[3].bytes == 0x20);
    CHECK(hex_address(plan.address, plan.digits) == "0x3B160");
    CHECK(hex_address(plan.terms[2].bytes, plan.digits) == "0x00140");
}

TEST_CASE("head by head the head's stride is the larger one and comes first", "[bytes]") {
    const Texts text;
    const AddressPlan plan = plan_address(demonstration(KvOrder::HeadMajor), kToken37, text);
    CHECK(plan.terms[2].part == AddressPart::Head);
    CHECK(plan.terms[2].product == "1 × 512 B");
    CHECK(plan.terms[3].product == "5 × 32 B");
    CHECK(plan.address == 0x30000 + 0xB000 + 0x200 + 0xA0);
}

TEST_CASE("values begin one plane of keys later", "[bytes]") {
    const Texts text;
    VectorAt at = kToken37;
    at.side = Side::V;
    const AddressPlan plan = plan_address(demonstration(), at, text);
    CHECK(plan.terms[0].product == "2 × 96 KiB + 48 KiB");
    CHECK(plan.address == 0x3B160 + 0xC000);
    std::uint64_t sum = 0;
    for (const AddressTerm& term : plan.terms) sum += term.bytes;
    CHECK(sum == plan.address);
}

TEST_CASE("the terms sum to the address of every layout", "[bytes]") {
    const Texts text;
    for (const KvOrder order : {KvOrder::TokenMajor, KvOrder::HeadMajor})
        for (const Codec codec : {Codec::F32, Codec::Bf16, Codec::Fp16})
            for (const Side side : {Side::K, Side::V}) {
                const VectorAt at{LayerId(3), side, HeadId(1), BlockId(47), Slot(15)};
                const KvLayout layout = demonstration(order, codec);
                const AddressPlan plan = plan_address(layout, at, text);
                std::uint64_t sum = 0;
                for (const AddressTerm& term : plan.terms) sum += term.bytes;
                CHECK(sum == layout.vector_offset(at.layer, side, at.head, at.block, at.slot));
            }
}

TEST_CASE("a head's sectors are scattered token by token and lie together head by head",
          "[bytes]") {
    const SectorRead scattered = sectors_of(demonstration(), kToken37, 8);
    CHECK(scattered.sectors == 8);
    CHECK(scattered.in_a_run == 1);
    CHECK(scattered.apart == 64);
    const SectorRead together = sectors_of(demonstration(KvOrder::HeadMajor), kToken37, 8);
    CHECK(together.sectors == 8);
    CHECK(together.apart == 0);
    // 64 B a vector, so two sectors each, 128 B from slot to slot.
    const SectorRead wide = sectors_of(demonstration(KvOrder::TokenMajor, Codec::F32), kToken37, 3);
    CHECK(wide.sectors == 6);
    CHECK(wide.in_a_run == 2);
    CHECK(wide.apart == 128);
    CHECK(sectors_of(demonstration(), kToken37, 0).sectors == 0);
}

TEST_CASE("vectors smaller than a sector share it", "[bytes]") {
    // 4 elements of 2 bytes, one head: 8 B from slot to slot, four slots to a sector.
    const KvLayout layout{
        1, 1, 16, 2, KvOrder::TokenMajor, vector_of(Codec::Bf16, 4), vector_of(Codec::Bf16, 4)};
    const VectorAt first{LayerId(0), Side::K, HeadId(0), BlockId(1), Slot(0)};
    CHECK(sectors_of(layout, first, 4).sectors == 1);
    CHECK(sectors_of(layout, first, 5).sectors == 2);
    CHECK(sectors_of(layout, first, 16).sectors == 4);
    CHECK(sectors_of(layout, first, 16).apart == 0);
}

TEST_CASE("an address is read as it is written, and nothing else", "[bytes]") {
    CHECK(read_address("0x35940", 0x60000) == 0x35940u);
    CHECK(read_address("0X3b160", 0x60000) == 0x3B160u);
    CHECK(read_address("0x5FFFF", 0x60000) == 0x5FFFFu);
    CHECK_FALSE(read_address("0x60000", 0x60000));
    CHECK_FALSE(read_address("35940", 0x60000));
    CHECK_FALSE(read_address("0x", 0x60000));
    CHECK_FALSE(read_address("0x3594g", 0x60000));
    CHECK_FALSE(read_address("0x11111111111111111", ~std::uint64_t{0}));  // 17 digits
}

// ---- one element -----------------------------------------------------------------------------

TEST_CASE("an element is read least significant byte first", "[bytes]") {
    const std::array<unsigned char, 4> bytes{0x27, 0xC0, 0x57, 0x3F};
    CHECK(element_of(Codec::Bf16, 2, bytes, 0).code == 0xC027);
    CHECK(element_of(Codec::Bf16, 2, bytes, 0).value == -2.609375f);
    CHECK(element_of(Codec::Bf16, 2, bytes, 1).value == 0.83984375f);
    CHECK(element_of(Codec::F32, 1, bytes, 0).code == 0x3F57C027);
    CHECK(element_of(Codec::Fp16, 2, bytes, 1).code == 0x3F57);
    CHECK(hex_code(0x3F57, 16) == "3F57");
    CHECK(hex_code(7, 8) == "07");
}

// int4 codes 7 and -4 with an offset of 8, then their scale 0.1, which fp16 has as 0x2E66.
TEST_CASE("an integer is its code, and its value with the scale behind the codes", "[bytes]") {
    const std::array<unsigned char, 3> bytes{0x4F, 0x66, 0x2E};
    CHECK(element_of(Codec::Int4, 2, bytes, 0).code == 0xF);
    CHECK(element_of(Codec::Int4, 2, bytes, 1).code == 0x4);
    CHECK(std::abs(element_of(Codec::Int4, 2, bytes, 1).value + 0.4f) < 1e-3f);
    const auto scale = scale_of(Codec::Int4, 2, bytes, 1);
    REQUIRE(scale.has_value());
    CHECK(scale->scale_code == 0x2E66);
    CHECK(!scale->zero);
    CHECK(bits_by_field(Codec::Int4, 0x4).fraction == "0100");
    CHECK(bits_by_field(Codec::Int4, 0x4).sign.empty());
    CHECK(format_label({ElementCode::Int4, ScaleMode::Groups, 32}) == "INT4:G32");
    CHECK(format_label(Codec::Fp8E4m3) == "FP8 E4M3");
}

TEST_CASE("the bits of an element fall into the fields of its format", "[bytes]") {
    const BitFields bf16 = bits_by_field(Codec::Bf16, 0x3F57);
    CHECK(bf16.sign == "0");
    CHECK(bf16.exponent == "01111110");
    CHECK(bf16.fraction == "1010111");
    const BitFields fp16 = bits_by_field(Codec::Fp16, 0xC000);
    CHECK(fp16.sign == "1");
    CHECK(fp16.exponent == "10000");
    CHECK(fp16.fraction == "0000000000");
    CHECK(bits_by_field(Codec::F32, 0x80000001).fraction.size() == 23);
}

TEST_CASE("a value gives up decimals before it gets wider than its column", "[bytes]") {
    CHECK(value_text(-1.66406, 3, 6) == "-1.664");
    CHECK(value_text(-16.6406, 3, 6) == "-16.64");
    CHECK(value_text(-16640.6, 3, 6) == "-16641");
    CHECK(value_text(std::numeric_limits<double>::infinity(), 3, 6) == "inf");
    CHECK(value_text(1e30, 3, 6) == "1e30");
}

// ---- the preview -----------------------------------------------------------------------------

TEST_CASE("int8 rounds with the scale that would be stored", "[bytes][preview]") {
    // 2.609375 / 127 = 0.020546...; the nearest FP16 number is 0x2543 = 0.0205535888671875.
    const std::array<float, 4> values{-2.609375f, -0.198242188f, 0.6796875f, 1.640625f};
    const ValuePreview preview = preview_values(values, PreviewCodec::Int8);
    CHECK(preview.scale_code == 0x2543);
    CHECK(preview.scale == 0.0205535888671875);
    CHECK(preview.largest == 2.609375);
    CHECK(codes(preview) == std::vector<std::int32_t>{-127, -10, 33, 80});
    CHECK(preview.elements[0].back == Approx(-2.61030578613));
    CHECK(preview.elements[1].error == Approx(-0.20553588867 + 0.198242188));
    CHECK(preview.code_bytes + preview.scale_bytes == 4 + 2);
}

TEST_CASE("int4 packs two codes a byte and halves round to even", "[bytes][preview]") {
    // Scale 1 exactly: 3.5 goes to 4, 2.5 to 2, -2.5 to -2.
    const std::array<float, 5> values{7.0f, 3.5f, 2.5f, -2.5f, 0.25f};
    const ValuePreview preview = preview_values(values, PreviewCodec::Int4);
    CHECK(preview.scale == 1.0);
    CHECK(codes(preview) == std::vector<std::int32_t>{7, 4, 2, -2, 0});
    CHECK(preview.code_bytes == 3);
    CHECK(preview.scale_bytes == 2);
    // Errors 0, 0.5, -0.5, 0.5, -0.25: the squares sum to 0.8125.
    CHECK(preview.rms_error == Approx(std::sqrt(0.8125 / 5)));
}

TEST_CASE("the golden rows of the small codecs hold up to the FP16 scale", "[bytes][preview]") {
    const std::array<float, 3> int8{12.7f, 1.27f, 0.02f};
    CHECK(codes(preview_values(int8, PreviewCodec::Int8)) == std::vector<std::int32_t>{127, 13, 0});
    const std::array<float, 4> int4{0.7f, -0.36f, 0.1f, 0.04f};
    CHECK(codes(preview_values(int4, PreviewCodec::Int4)) ==
          std::vector<std::int32_t>{7, -4, 1, 0});
}

TEST_CASE("fp8 saturates, keeps its sign and takes no scale of its own", "[bytes][preview]") {
    // 0x38 is 1; 448 is 0x7E; 1.0625 lies between 1 and 1.125 and goes to the even one, 1.
    const std::array<float, 5> values{1.0f, -1000.0f, 448.0f, 1.0625f, 0.0f};
    const ValuePreview preview = preview_values(values, PreviewCodec::Fp8);
    CHECK(codes(preview) == std::vector<std::int32_t>{0x38, 0xFE, 0x7E, 0x38, 0x00});
    CHECK(preview.elements[1].back == -448.0);
    CHECK(preview.scale == 1.0);
    CHECK(preview.scale_bytes == 0);
}

TEST_CASE("a vector of zeros needs no division, and what is no number does no harm",
          "[bytes][preview]") {
    const std::array<float, 2> zeros{0.0f, -0.0f};
    for (const PreviewCodec codec : {PreviewCodec::Fp8, PreviewCodec::Int8, PreviewCodec::Int4}) {
        const ValuePreview preview = preview_values(zeros, codec);
        CHECK(preview.elements[0].back == 0.0);
        CHECK(preview.rms_error == 0.0);
    }
    CHECK(preview_values(zeros, PreviewCodec::Int8).scale == 0.0);
    const std::array<float, 3> strange{std::numeric_limits<float>::quiet_NaN(),
                                       -std::numeric_limits<float>::infinity(), 1.27f};
    CHECK(codes(preview_values(strange, PreviewCodec::Int8)) ==
          std::vector<std::int32_t>{0, -127, 127});
    CHECK(preview_values({}, PreviewCodec::Int4).rms_error == 0.0);
}

TEST_CASE("no error is larger than half a scale", "[bytes][preview]") {
    std::vector<float> values(128);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::sin(static_cast<float>(i) * 1.7f) * 3.1f;
    for (const PreviewCodec codec : {PreviewCodec::Int8, PreviewCodec::Int4}) {
        const ValuePreview preview = preview_values(values, codec);
        for (const PreviewElement& element : preview.elements)
            // The largest one may be clamped by what the scale lost in FP16, 2^-11 of it.
            CHECK(std::abs(element.error) <= preview.scale * 0.5 + preview.largest / 2048);
    }
}

// ---- pixels ----------------------------------------------------------------------------------

TEST_CASE("things in groups get whole pixels, with a gap between the groups", "[bytes][axis]") {
    const auto spans =
        pixel_axis({.count = 40, .group = 16, .x = 70, .w = 298, .group_gap = 3, .cell_gap = 1});
    REQUIRE(spans.size() == 40);
    // 292 px for 40 tokens: 7 each, 12 left over.
    CHECK(spans[0] == PixelSpan{70, 6, 0, 1});
    CHECK(spans[15] == PixelSpan{175, 6, 15, 16});
    CHECK(spans[16] == PixelSpan{185, 6, 16, 17});
    CHECK(spans[39].x + spans[39].w <= 368);
    CHECK(span_at(spans, 184) == 15);  // the gap belongs to its left
    CHECK_FALSE(span_at(spans, 69));
    CHECK(span_of(spans, 39) == 39);
    CHECK_FALSE(is_pooled(spans));
}

TEST_CASE("spans never overlap, leave nothing out and stay inside, at any size", "[bytes][axis]") {
    for (const std::uint32_t count : {1u, 2u, 37u, 300u, 4096u, 65'536u})
        for (const float w : {1.0f, 7.0f, 64.0f, 298.0f, 3000.0f})
            for (const std::uint32_t group : {0u, 1u, 4u, 16u}) {
                const auto spans = pixel_axis({.count = count,
                                               .group = group,
                                               .x = 5,
                                               .w = w,
                                               .group_gap = 3,
                                               .cell_gap = 1});
                REQUIRE_FALSE(spans.empty());
                REQUIRE(static_cast<float>(spans.size()) <= std::max(w, 1.0f));
                CHECK(spans.front().first == 0);
                CHECK(spans.back().end == count);
                CHECK(spans.back().x + spans.back().w <= 5 + w);
                for (std::size_t i = 0; i + 1 < spans.size(); ++i) {
                    REQUIRE(spans[i].end == spans[i + 1].first);
                    REQUIRE(spans[i].first < spans[i].end);
                    REQUIRE(spans[i].x + spans[i].w <= spans[i + 1].x);
                }
                CHECK(span_of(spans, count - 1) == spans.size() - 1);
                CHECK_FALSE(span_of(spans, count));
            }
    CHECK(pixel_axis({.count = 3, .w = 0}).empty());
    CHECK(is_pooled(pixel_axis({.count = 4096, .w = 298})));
}

TEST_CASE("a texel of the byte map is the element that it shows", "[bytes]") {
    const ByteMapPlan plan = plan_byte_map({26, 100, 182, 132}, 1, {16, 2, 16});
    REQUIRE(plan.heads.size() == 2);
    REQUIRE(plan.rows.size() == 16);
    CHECK(plan.heads[0].right() < plan.heads[1].x);
    for (std::uint32_t slot : {0u, 5u, 15u})
        for (std::uint32_t head : {0u, 1u}) {
            const Rect r = vector_rect(plan, slot, head);
            CHECK(cell_at(plan, {r.x, r.y}) == ByteMapCell{slot, head, 0});
            CHECK(cell_at(plan, {r.right() - 1, r.bottom() - 1}) == ByteMapCell{slot, head, 15});
            CHECK(r.right() <= 26 + 182);
        }
    CHECK_FALSE(cell_at(plan, {10, 110}));
    CHECK_FALSE(cell_at(plan, {30, 99}));
}

TEST_CASE("a pixel of several values shows the one of largest magnitude", "[bytes]") {
    const std::array<float, 8> values{1, -3, 2, 0, 0.5f, 0, -0.25f, 2.5f};
    CHECK(pooled_value(values, 4, {0, 1, 0, 1}, {0, 1, 0, 4}) == -3);
    CHECK(pooled_value(values, 4, {0, 1, 0, 2}, {0, 1, 2, 4}) == 2.5f);
}

TEST_CASE("the colours of values get lighter as the values grow", "[bytes][theme]") {
    for (const ThemeName theme : kThemeNames)
        for (const Hue& hue : {palette(theme).k, palette(theme).v}) {
            double last = -1;
            for (int step = -16; step <= 16; ++step) {
                const double now = relative_luminance(value_color(hue, step / 16.0));
                CHECK(now >= last);
                last = now;
            }
            CHECK(value_color(hue, -7) == value_color(hue, -1));
        }
    // 62 % of the hue #56B4E9 on #0B0E12.
    CHECK(value_color(palette(ThemeName::Dark).k, 0) == rgb(0x3A7597));
}

// ---- attention -------------------------------------------------------------------------------

TEST_CASE("at its design size the picture of attention fills its room", "[bytes][attention]") {
    const AttentionPlan plan = layout_attention({352, 374}, 1,
                                                {.n_heads = 8,
                                                 .n_kv_heads = 2,
                                                 .n_keys = 40,
                                                 .block_size = 16,
                                                 .layer_w = 150,
                                                 .title_w = 130});
    CHECK(plan.height <= 374);
    REQUIRE(plan.rows.size() == 8);
    REQUIRE(plan.groups.size() == 2);
    REQUIRE(plan.blocks.size() == 3);
    CHECK(plan.blocks[2].entry == 2);
    CHECK(plan.groups[0].bottom < plan.groups[1].y);
    CHECK(plan.groups[1].y == plan.rows[4].x);
    CHECK(plan.every_row_has_label);
    CHECK(plan.layer.right() == 352);
    CHECK(plan.title.right() <= plan.layer.x);
    CHECK(plan.heat.bottom() <= plan.legend.y);
    CHECK(plan.legend.bottom() <= plan.divider);
    CHECK(plan.bars.size() == 5);
}

TEST_CASE("the picture of attention stays in order from a pixel to a wall", "[bytes][attention]") {
    for (const Vec2 room : {Vec2{1, 1}, {20, 300}, {308, 264}, {352, 374}, {4000, 3000}})
        for (const float unit : {0.8f, 1.0f, 3.0f})
            for (const std::uint32_t n_keys : {1u, 83u, 65'536u})
                for (const std::uint32_t heads : {1u, 8u, 128u}) {
                    const AttentionPlan plan =
                        layout_attention(room, unit,
                                         {.n_heads = heads,
                                          .n_kv_heads = heads == 1 ? 1u : heads / 4,
                                          .n_keys = n_keys,
                                          .block_size = 16,
                                          .layer_w = 150 * unit,
                                          .title_w = 130 * unit});
                    REQUIRE(plan.rows.size() == heads);
                    for (std::size_t i = 0; i + 1 < heads; ++i)
                        REQUIRE(plan.rows[i].x + plan.rows[i].w <= plan.rows[i + 1].x);
                    REQUIRE(plan.rows.front().w >= 1);
                    CHECK(plan.columns.back().end == n_keys);
                    CHECK(plan.heat.right() <= std::max(room.x, 8.0f));
                    CHECK(static_cast<float>(plan.columns.size()) <= std::max(room.x, 8.0f));
                    CHECK(plan.bars.back().bottom() == plan.height);
                }
}

TEST_CASE("the mouse finds head and token, in a pixel of several the one looked at most",
          "[bytes][attention]") {
    std::vector<float> weights(std::size_t{2} * 4096, 0.0f);
    weights[4096 + 2001] = 0.5f;
    const AttentionPlan plan = layout_attention({352, 374}, 1,
                                                {.n_heads = 2,
                                                 .n_kv_heads = 1,
                                                 .n_keys = 4096,
                                                 .block_size = 16,
                                                 .layer_w = 150,
                                                 .title_w = 130});
    const PixelSpan& column = plan.columns[*span_of(plan.columns, 2001)];
    REQUIRE(column.end - column.first > 1);
    CHECK(attention_cell_at(plan, {column.x, plan.rows[1].x}, weights) == AttentionCell{1, 2001});
    CHECK_FALSE(attention_cell_at(plan, {plan.heat.x - 1, plan.rows[1].x}, weights));
}

TEST_CASE("the largest weights and the others sum to the whole", "[bytes][attention]") {
    const std::array<float, 6> weights{0.125f, 0.25f, 0.0625f, 0.25f, 0.25f, 0.0625f};
    const TopWeights top = top_weights(weights, 4);
    REQUIRE(top.largest.size() == 4);
    CHECK(top.largest[0].position == 1);  // ties in the order of the tokens
    CHECK(top.largest[1].position == 3);
    CHECK(top.largest[2].position == 4);
    CHECK(top.largest[3].position == 0);
    CHECK(top.n_others == 2);
    CHECK(top.others == 0.125);
    CHECK(top.sum == 1.0);
    CHECK(top_weights(std::span(weights).first(2), 4).n_others == 0);
    CHECK(ramp_position(0.25) == 0.5);
    CHECK(ramp_position(2.0) == 1.0);
}

// ---- layouts ---------------------------------------------------------------------------------

TEST_CASE("the inspector fits its place in Learn", "[bytes][inspector]") {
    const InspectorPlan plan =
        layout_inspector({436, 726}, 1, {.switch_widths = {170, 110, 84}, .dim = 16, .cell_w = 47});
    CHECK(plan.height == 726);  // the map takes what is left
    CHECK(plan.cells.size() == 16);
    CHECK(plan.cells[8].y > plan.cells[7].y);  // two rows of eight
    CHECK(plan.cells[7].right() <= 436);
    CHECK(plan.switches[0].y == plan.switches[2].y);
    const std::vector<Rect> order{plan.title,    plan.switches[0], plan.above_head,  plan.division,
                                  plan.lookup,   plan.terms[0],    plan.terms[3],    plan.sum,
                                  plan.map_head, plan.map,         plan.vector_head, plan.cells[0],
                                  plan.bits,     plan.sectors};
    for (std::size_t i = 0; i + 1 < order.size(); ++i) CHECK(order[i].bottom() <= order[i + 1].y);
}

TEST_CASE("in a low room the bytes of a token stand before the map of its block",
          "[bytes][inspector]") {
    const InspectorNeeds needs{.switch_widths = {170, 110, 84}, .dim = 16, .cell_w = 47};
    const InspectorPlan high = layout_inspector({360, 900}, 1, needs);
    CHECK(high.map.bottom() < high.cells[0].y);
    const InspectorPlan low = layout_inspector({360, 540}, 1, needs);
    CHECK(low.sum.bottom() < low.cells[0].y);
    CHECK(low.cells.back().bottom() < low.map.y);
    CHECK(low.sectors.bottom() <= low.map_divider);
    CHECK(low.map.bottom() <= low.height);
    InspectorNeeds of_block = needs;
    of_block.above = InspectorAbove::Facts;
    const InspectorPlan block = layout_inspector({360, 300}, 1, of_block);
    CHECK(block.map.bottom() < block.cells[0].y);  // who selected a block came for its map
}

TEST_CASE("the bits stand before the elements where these need many rows", "[bytes][inspector]") {
    const InspectorPlan plan = layout_inspector(
        {328, 434}, 1, {.switch_widths = {170, 110, 84}, .dim = 128, .cell_w = 47});
    CHECK(plan.bits.bottom() <= plan.cells[0].y);
    CHECK(plan.switches[2].y > plan.switches[0].y);
    CHECK(plan.height > 434);  // it scrolls
    for (const Rect& cell : plan.cells) {
        CHECK(cell.right() <= 328);
        CHECK(cell.x == std::floor(cell.x));
    }
}

TEST_CASE("the boxes of 32 bits fit a narrow panel", "[bytes][inspector]") {
    const std::array<std::uint32_t, 3> fields{1, 8, 23};
    const auto boxes = layout_bits({0, 0, 220, 20}, 1, fields);
    REQUIRE(boxes.size() == 32);
    CHECK(boxes.back().right() <= 220);
    for (std::size_t i = 0; i + 1 < boxes.size(); ++i) CHECK(boxes[i].right() < boxes[i + 1].x);
}

TEST_CASE("Bytes fits its place in Explore", "[bytes]") {
    const BytesNeeds needs{.title_w = 170,
                           .switches_w = 166,
                           .field_w = 100,
                           .address_w = 55,
                           .element_w = 32,
                           .dim = 16,
                           .columns = {24, 32, 55, 32, 55, 55}};
    const BytesPlan plan = layout_bytes({352, 466}, 1, needs);
    CHECK(plan.height <= 466);
    CHECK(plan.addresses.size() == 2);
    CHECK(plan.elements[7].right() <= 352);
    CHECK(plan.rows.size() == 16);
    CHECK(plan.rights[5] == 352);
    for (std::size_t i = 0; i + 1 < 6; ++i)
        CHECK(plan.rights[i] + needs.columns[i + 1] <= plan.rights[i + 1]);
    const BytesPlan narrow = layout_bytes({308, 254}, 1, needs);
    CHECK(narrow.switches.y >= narrow.title.bottom());
    CHECK(narrow.addresses.size() == 4);
    CHECK(narrow.height > 254);
}
