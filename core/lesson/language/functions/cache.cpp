// Layouts, attention by hand and the prefix tree for lessons.

#include <array>
#include <cmath>
#include <set>

#include "core/base/numbers/elementary.hpp"
#include "core/base/shown.hpp"
#include "core/cache/codec/vector_codec.hpp"
#include "core/cache/layout/kv_layout.hpp"
#include "core/cache/prefix/radix_tree.hpp"
#include "core/lesson/language/functions.hpp"

namespace kv {
namespace {

using Args = LessonArguments;

// One layer that holds `tokens` tokens in one block.
KvLayout small_layout(Args& a) {
    const auto tokens = static_cast<std::uint32_t>(a.whole("tokens", 1)),
               kv_heads = static_cast<std::uint32_t>(a.whole("kv_heads", 1)),
               head_dim = static_cast<std::uint32_t>(a.whole("head_dim", 1));
    const Codec codec = a.codec_for(a.text_or("codec", "bf16"), head_dim);
    const std::string order = a.text_or("order", "token_major");
    if (order != "token_major" && order != "head_major")
        a.refuse("has the order \"" + shown(order) + "\", not token_major or head_major");
    const KvVector vector = vector_of(codec, head_dim);
    return {1,
            kv_heads,
            tokens,
            1,
            order == "token_major" ? KvOrder::TokenMajor : KvOrder::HeadMajor,
            vector,
            vector};
}

LessonValue layout_record(Args& a) {
    const KvLayout layout = small_layout(a);
    return LessonRecord{{"k_bytes", whole_bytes(layout.plane_bytes(Side::K))},
                        {"v_bytes", whole_bytes(layout.plane_bytes(Side::V))},
                        {"bytes", whole_bytes(layout.layer_bytes())},
                        {"token_stride", whole_bytes(layout.slot_stride(Side::K))},
                        {"head_stride", whole_bytes(layout.head_stride(Side::K))}};
}

LessonValue cell_offset(Args& a) {
    const auto token = static_cast<std::uint32_t>(a.whole("token")),
               head = static_cast<std::uint32_t>(a.whole("head"));
    const u64 dim = a.whole("dim");
    const KvLayout layout = small_layout(a);
    if (token >= layout.block_size || head >= layout.n_kv_heads || dim >= layout.k.dim)
        a.refuse("asks for a cell that is not there");
    return whole_bytes(
        layout.vector_offset(LayerId(0), Side::K, HeadId(head), BlockId(0), Slot(token)) +
        dim * layout.k.element_bits / 8);
}

// Sectors of 32 bytes that are touched: by appending one token's keys, and by reading all keys of
// one head; and the separate runs of memory that an append writes.
LessonValue sectors(Args& a) {
    const KvLayout layout = small_layout(a);
    std::set<u64> append, read, runs;
    const auto touch = [&](std::set<u64>& touched, u64 offset) {
        for (u64 at = offset / 32; at <= (offset + layout.k.bytes - 1) / 32; ++at)
            touched.insert(at);
    };
    const auto offset = [&](std::uint32_t slot, std::uint32_t head) {
        return layout.vector_offset(LayerId(0), Side::K, HeadId(head), BlockId(0), Slot(slot));
    };
    u64 end = ~u64{0};
    for (std::uint32_t head = 0; head < layout.n_kv_heads; ++head) {
        const u64 at = offset(layout.block_size - 1, head);
        touch(append, at);
        if (at != end) runs.insert(at);
        end = at + layout.k.bytes;
    }
    for (std::uint32_t slot = 0; slot < layout.block_size; ++slot) touch(read, offset(slot, 0));
    return LessonRecord{{"append", whole_value(append.size())},
                        {"append_runs", whole_value(runs.size())},
                        {"read", whole_value(read.size())}};
}

// softmax(q K^T / sqrt(d)) V, by the formula.
LessonValue attend(Args& a) {
    const std::vector<double> q = a.numbers("query");
    const LessonList keys = a.list("keys"), values = a.list("values");
    if (keys.empty() || keys.size() != values.size()) a.refuse("wants as many keys as values");
    const auto row = [&](const LessonValue& value) {
        const auto* list = value.shared<LessonList>();
        if (list == nullptr || list->empty()) a.refuse("wants lists of lists");
        std::vector<double> out;
        for (const LessonValue& x : *list) {
            if (x.plain<Number>() == nullptr) a.refuse("wants numbers");
            out.push_back(x.plain<Number>()->value);
        }
        return out;
    };
    std::vector<double> weights, out(row(values[0]).size());
    double sum = 0;
    for (const LessonValue& key : keys) {
        const std::vector<double> k = row(key);
        if (k.size() != q.size()) a.refuse("wants keys as long as the query");
        double dot = 0;
        for (std::size_t i = 0; i < q.size(); ++i) dot += q[i] * k[i];
        weights.push_back(math::exp(dot / std::sqrt(static_cast<double>(q.size()))));
        sum += weights.back();
    }
    LessonList shown_weights, shown_out;
    for (std::size_t t = 0; t < weights.size(); ++t) {
        weights[t] /= sum;
        shown_weights.push_back(count_value(weights[t]));
        const std::vector<double> v = row(values[t]);
        if (v.size() != out.size()) a.refuse("wants values of one length");
        for (std::size_t i = 0; i < out.size(); ++i) out[i] += weights[t] * v[i];
    }
    for (const double x : out) shown_out.push_back(count_value(x));
    return LessonRecord{{"weights", shown_weights}, {"output", shown_out}};
}

// Sequences put into a radix tree one after the other: what each finds, and what is there at last.
LessonValue tree(Args& a) {
    const LessonList sequences = a.list("sequences");
    const auto block_size = static_cast<std::uint32_t>(a.whole("block_size", 1));
    RadixTree tree(block_size, RadixOrder::LruStrict);
    LessonList hits;
    std::uint32_t next_block = 0;
    u64 asked = 0;
    for (const LessonValue& value : sequences) {
        const auto* list = value.shared<LessonList>();
        if (list == nullptr) a.refuse("wants a list of lists");
        std::vector<std::uint32_t> tokens;
        for (const LessonValue& token : *list) {
            if (token.plain<Number>() == nullptr) a.refuse("wants numbers");
            tokens.push_back(static_cast<std::uint32_t>(token.plain<Number>()->value));
        }
        asked += tokens.size();
        hits.push_back(whole_value(tree.peek("", tokens).n_tokens));
        std::vector<BlockId> blocks;
        for (std::size_t i = 0; i < tokens.size() / block_size; ++i)
            blocks.emplace_back(next_block++);
        tree.insert("", tokens, blocks, 0);
    }
    u64 nodes = 0;
    for (const RadixNodeView& node : tree.nodes()) nodes += node.tokens.empty() ? 0 : 1;
    return LessonRecord{{"nodes", whole_value(nodes)},
                        {"tokens", whole_value(tree.total_tokens())},
                        {"asked", whole_value(asked)},
                        {"hits", hits}};
}

// What a request of so many tokens may reuse when all of them are cached: never the last one.
LessonValue full_hit(Args& a) {
    const u64 prompt = a.whole("prompt", 1), block_size = a.whole("block_size", 1);
    return whole_value((prompt - 1) / block_size * block_size);
}

constexpr auto kCacheRows = std::to_array<LessonFunction>({
    {"layout", "tokens, kv_heads, head_dim, codec=, order=", "bytes and strides of one layer",
     layout_record},
    {"offset", "token, head, dim, tokens, kv_heads, head_dim, codec=, order=",
     "byte of a cell in K", cell_offset},
    {"sectors", "tokens, kv_heads, head_dim, codec=, order=",
     "sectors of 32 bytes that an append and a read touch", sectors},
    {"attend", "query, keys, values", "weights and output by the formula", attend},
    {"tree", "sequences, block_size", "nodes, tokens and hits of a radix tree", tree},
    {"full_hit", "prompt, block_size", "tokens reused of a prompt that is cached whole", full_hit},
});

}  // namespace

std::span<const LessonFunction> cache_functions() {
    return kCacheRows;
}

}  // namespace kv
