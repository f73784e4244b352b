// Every rung of the decode ladder over emulated blocks, on one pool: against float64, in both
// orders of blocks and threads, split and whole.

#include "core/base/error.hpp"
#include "tests/cuda/attention_case.hpp"

using namespace kv;
using namespace kv::gpu;
using namespace kv::test;

namespace {

enum class Rung { ThreeKernels, Online, Grouped, Split, Staged, Ticket };
constexpr Rung kRungs[] = {Rung::ThreeKernels, Rung::Online, Rung::Grouped,
                           Rung::Split,        Rung::Staged, Rung::Ticket};

struct Workspace {
    std::vector<float> scores, out, states;
    std::vector<u32> tickets;
};

template <class Coded>
void run_ticket(const Attended& a, const HeadGroups& groups, Workspace& w, GridOrder order) {
    w.tickets.assign(groups.units(a), 0);
    run_emulated(
        DecodeTicket<Coded>{a,
                            groups,
                            {{w.out.data(), w.out.size()}, {w.states.data(), w.states.size()}},
                            {w.tickets.data(), w.tickets.size()}},
        order);
    for (const u32 ticket : w.tickets) CHECK(ticket == 0);
}

// The rung's output: (rows, heads, v_dim).
std::vector<float> run(AttentionCase& on, Rung rung, u32 splits = 3,
                       GridOrder order = GridOrder::Upwards) {
    const Attended a = on.attended();
    const u32 longest = *std::max_element(on.shape.lengths.begin(), on.shape.lengths.end());
    Workspace w;
    w.scores.assign(std::size_t{on.n_rows()} * on.n_heads() * longest, NAN);
    const View<float> scores{w.scores.data(), w.scores.size()};
    HeadGroups groups{std::min(a.group(), kMostPairs), splits};
    if (rung < Rung::Split) groups.n_splits = 1;
    if (rung == Rung::Grouped || rung == Rung::Split) groups.at_once = heads_at_once(a, kTileKeys);
    const std::size_t parts = groups.units(a) * groups.n_splits * groups.at_once;
    w.out.assign(parts * on.shape.v_dim, NAN);
    w.states.assign(2 * parts, NAN);
    const Partials partials{{w.out.data(), w.out.size()}, {w.states.data(), w.states.size()}};
    switch (rung) {
        case Rung::ThreeKernels:
            run_emulated(DecodeScores{a, scores, longest}, order);
            run_emulated(DecodeSoftmax{a, scores, longest}, order);
            run_emulated(DecodeMix{a, scores, longest}, order);
            break;
        case Rung::Online:
            run_emulated(DecodeOnline{a}, order);
            break;
        case Rung::Grouped:
            run_emulated(DecodeGrouped{a, groups}, order);
            break;
        case Rung::Split:
            run_emulated(DecodeSplit{a, groups, partials}, order);
            run_emulated(MergeSplits{a, groups, partials}, order);
            break;
        case Rung::Staged:
            run_emulated(DecodeStaged<AnyCoded>{a, groups, partials}, order);
            run_emulated(MergeSplits{a, groups, partials}, order);
            break;
        case Rung::Ticket:
            run_ticket<AnyCoded>(a, groups, w, order);
    }
    return on.mixed;
}

std::vector<CaseShape> cases() {
    std::vector<CaseShape> list;
    const u32 groups[] = {1, 2, 3, 4, 7, 8, 16}, dims[] = {16, 32, 64, 80, 128, 256};
    const u32 blocks[] = {1, 3, 4, 7, 16, 17, 64, 128};
    for (u32 i = 0; i < 24; ++i) {
        CaseShape s;
        s.group = groups[i % 7];
        s.k_dim = dims[i % 6];
        s.v_dim = dims[i % 3 == 0 ? (i + 1) % 6 : i % 6];  // every third: d_k != d_v
        s.n_kv_heads = i % 3 + 1;
        s.block_size = blocks[i % 8];
        s.order = i % 2 == 0 ? KvOrder::TokenMajor : KvOrder::HeadMajor;
        const u32 b = s.block_size;
        s.lengths = {1, b, b + 1, b > 1 ? b - 1 : 65, 70};
        s.window = i % 4 == 3 ? 37 : 0;
        s.by_head = i % 5 == 4;
        list.push_back(s);
    }
    return list;
}

std::vector<KvFormat> formats() {
    return {KvFormat::F32,
            KvFormat::Bf16,
            KvFormat::Fp16,
            KvFormat::Fp8E4m3,
            KvFormat::Fp8E5m2,
            KvFormat::Int8,
            KvFormat::Int4,
            KvFormat::Int3,
            KvFormat::Int2,
            {KvCode::Int8, ScaleMode::Groups, 16},
            {KvCode::Int4, ScaleMode::Groups, 8},
            {KvCode::Int8, ScaleMode::Tensor},
            {KvCode::Int4, ScaleMode::Tensor}};
}

void check_errors(const AttentionCase& on) {
    const auto errors = on.errors();
    CHECK(errors.ours <= 2 * errors.naive + 1e-7);
}

}  // namespace

TEST_CASE("every rung of attention errs at most twice as much as a plain loop",
          "[emulated][C023]") {
    u32 i = 0;
    for (const CaseShape& shape : cases()) {
        AttentionCase on(shape);
        for (const Rung rung : kRungs) {
            CAPTURE(i, static_cast<int>(rung), shape.k_dim, shape.v_dim, shape.group,
                    shape.block_size);
            run(on, rung, 1 + i % 4);
            check_errors(on);
        }
        ++i;
    }
}

TEST_CASE("every rung reads every codec, on either side, and own tokens before they are coded",
          "[emulated][codec]") {
    const auto all = formats();
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const bool exact : {false, true})
            for (const KvOrder order : {KvOrder::TokenMajor, KvOrder::HeadMajor}) {
                CaseShape shape;
                shape.k = all[i];
                shape.v = all[exact ? i : (i + 4) % all.size()];
                shape.exact = exact;
                shape.order = order;
                shape.k_dim = shape.v_dim = 48;
                shape.block_size = 7;
                shape.lengths = {33, 1, 64, 97, 50, 20};  // enough for a largest error to mean much
                AttentionCase on(shape);
                for (const Rung rung : kRungs) {
                    CAPTURE(name_of(shape.k), name_of(shape.v), exact, static_cast<int>(rung));
                    run(on, rung);
                    check_errors(on);
                }
            }
}

TEST_CASE("a rung that knows its codec gives what the one that asks gives", "[emulated][codec]") {
    for (const KvFormat& format :
         {KvFormat::Bf16, KvFormat::Fp8E4m3, KvFormat::Int8, KvFormat::Int4})
        for (const u32 dim : {64u, 128u}) {
            CaseShape shape;
            shape.k = shape.v = format;
            shape.k_dim = shape.v_dim = dim;
            shape.lengths = {150, 17};
            AttentionCase on(shape);
            run(on, Rung::Ticket, 2);
            const auto asked = on.errors();
            const Attended a = on.attended();
            const HeadGroups groups{a.group(), 2};
            Workspace w;
            const std::size_t parts = groups.units(a) * groups.n_splits * groups.at_once;
            w.out.assign(parts * dim, NAN);
            w.states.assign(2 * parts, NAN);
            if (format == KvFormat::Bf16) run_ticket<Bf16Coded>(a, groups, w, {});
            if (format == KvFormat::Fp8E4m3) run_ticket<Fp8E4m3Coded>(a, groups, w, {});
            if (format == KvFormat::Int8) run_ticket<IntCoded<8>>(a, groups, w, {});
            if (format == KvFormat::Int4) run_ticket<IntCoded<4>>(a, groups, w, {});
            CAPTURE(name_of(format), dim, asked.ours);
            check_errors(on);
        }
}

TEST_CASE("the order of blocks and threads changes no bit of attention", "[emulated]") {
    for (const CaseShape& shape : cases()) {
        AttentionCase on(shape);
        for (const Rung rung : kRungs)
            CHECK(run(on, rung, 3, GridOrder::Upwards) == run(on, rung, 3, GridOrder::Downwards));
    }
}

TEST_CASE("splitting the keys changes attention by rounding alone", "[emulated]") {
    CaseShape shape;
    shape.lengths = {700, 31, 32, 33, 1};
    AttentionCase on(shape);
    for (const Rung rung : {Rung::Split, Rung::Staged, Rung::Ticket})
        for (const u32 splits : {1u, 2u, 3u, 8u, 22u, 64u}) {  // 22 tiles: later splits are empty
            CAPTURE(static_cast<int>(rung), splits);
            run(on, rung, splits);
            check_errors(on);
        }
}

TEST_CASE("a table that leads out of the pool is caught before a byte is read", "[emulated]") {
    for (const Rung rung : kRungs) {
        AttentionCase on(CaseShape{});
        on.tables[1] = on.pool.layout().n_blocks;
        CHECK_THROWS_AS(run(on, rung), BrokenAssert);
    }
}

// A slot that was never written is NaN, and whoever looks at it has to know.
TEST_CASE("a key that is attended before it is written shows in every rung", "[emulated]") {
    for (const Rung rung : kRungs) {
        AttentionCase on(CaseShape{});
        on.slots[0] += 1;  // one slot too many
        const auto mixed = run(on, rung);
        CHECK(std::isnan(mixed[0]));
        CHECK_FALSE(std::isnan(mixed.back()));
    }
}

// Llama-3-8B: 2 x 8 KV heads x 128 x 2 bytes = 4,096 a token and layer, so 4,096 tokens are 16.8 MB
// that no kernel can do without; beside them the query and what is mixed, 32 x 256 floats.
TEST_CASE("a rung reads 2 S H_kv d P bytes of cache, v2 once per query head", "[emulated][C074]") {
    CaseShape shape;
    shape.n_kv_heads = 8;
    shape.k_dim = shape.v_dim = 128;
    shape.k = shape.v = KvFormat::Bf16;
    shape.lengths = {17};
    AttentionCase on(shape);
    const Attended a = on.attended();
    constexpr u64 kCache = 4096 * 4096, kBeside = 32 * 256 * sizeof(float);
    CHECK(kCache == 16'777'216);
    CHECK(DecodeGrouped{a, {4, 1}}.bytes(4096) == kCache + kBeside);
    CHECK(DecodeOnline{a}.bytes(4096) == 4 * kCache + kBeside);
    CHECK(attention_flops(a, 4096) == 2 * 4096 * 32 * 256);
}
