// Inspector, Bytes and Attention as tables: one token, to the byte.

#include "app/panels/tables/tables.hpp"
#include "app/panels/token/element_bits.hpp"
#include "app/panels/token/inspector/address_plan.hpp"
#include "app/panels/token/looked_at.hpp"

namespace kv {
namespace {

struct Looked {
    LookedAt at;
    VectorChoice choice;
    StoredVector stored;
    AddressPlan address;
};

std::optional<Looked> look(const RunView& run, const RunFocus& focus, const Texts& text) {
    Looked looked{look_at(run, focus), chosen_vector(run, focus), {}, {}};
    if (!looked.at.block) return std::nullopt;
    const VectorChoice& c = looked.choice;
    looked.stored = stored_vector(run, *looked.at.block, looked.at.slot, c);
    looked.address =
        plan_address(run.layout, {c.layer, c.side, c.head, *looked.at.block, looked.at.slot}, text);
    return looked;
}

DataTable address_of(const RunView& run, const Looked& looked) {
    DataTable table{"address", "Address", {{"term"}, {"product"}, {"offset", "B"}}, {}};
    if (looked.at.token && looked.at.place) {
        const std::uint32_t position = looked.at.token->position;
        table.title += " of token " + std::to_string(position) + " " +
                       word_at(run, *looked.at.token) + ": page " +
                       std::to_string(looked.at.place->entry) + ", offset " +
                       std::to_string(looked.at.place->slot.value);
    }
    for (const AddressTerm& term : looked.address.terms)
        table.add(term.label, term.product, term.bytes);
    table.add(std::string("address"), hex_address(looked.address.address, looked.address.digits),
              looked.address.address);
    return table;
}

std::string title_of(const Looked& looked) {
    const VectorChoice& c = looked.choice;
    return std::string(side_letter(c.side)) + " of layer " + std::to_string(c.layer.value) +
           ", KV head " + std::to_string(c.head.value) + ", block " +
           std::to_string(looked.at.block->value) + ", slot " +
           std::to_string(looked.at.slot.value);
}

// Every element as it is stored; empty where the slot has not been written.
DataTable elements_of(const RunView& run, const Looked& looked) {
    DataTable table{"elements", title_of(looked), {{"element"}, {"code", "hex"}, {"value"}}, {}};
    if (looked.stored.held != SlotBytes::Written) return table;
    const KvVector& vector = run.layout.vector(looked.choice.side);
    const SharedScale shared = run.shared_scale(looked.choice.layer, looked.choice.side);
    const Codec codec = run.codec_in_slot(looked.choice.side);
    for (std::uint32_t i = 0; i < vector.dim; ++i) {
        const Element e = element_of(codec, vector.dim, looked.stored.bytes, i, shared);
        table.add(std::uint64_t{i}, hex_code(e.code, vector.element_bits), double{e.value});
    }
    return table;
}

}  // namespace

DataTables inspector_tables(const RunView& run, const RunFocus& focus, const Texts& text) {
    const auto looked = look(run, focus, text);
    if (!looked) return {};
    return {address_of(run, *looked), elements_of(run, *looked)};
}

DataTables bytes_tables(const RunView& run, const RunFocus& focus, PreviewCodec preview,
                        const Texts& text) {
    const auto looked = look(run, focus, text);
    if (!looked) return {};
    DataTable bytes{"bytes", title_of(*looked), {{"address", "B"}, {"byte"}, {"hex"}}, {}};
    const auto& stored = looked->stored.bytes;
    for (std::size_t i = 0; i < stored.size(); ++i)
        bytes.add(looked->address.address + i, std::uint64_t{stored[i]}, hex_code(stored[i], 8));
    DataTable table = elements_of(run, *looked);
    if (table.rows.empty()) return {bytes, table};
    std::vector<float> values;
    for (const auto& row : table.rows)
        values.push_back(static_cast<float>(std::get<double>(row[2])));
    const ValuePreview shown = preview_values(values, preview);
    const std::string name(kPreviewNames[static_cast<std::size_t>(preview)]);
    table.title += " and what " + name + " would make of it";
    table.columns.insert(table.columns.end(),
                         {{name + " code"}, {name + " value"}, {name + " error"}});
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const PreviewElement& e = shown.elements[i];
        for (const double value : {static_cast<double>(e.code), e.back, e.error})
            table.rows[i].emplace_back(value);
    }
    return {bytes, table};
}

DataTables attention_tables(const RunView& run, const RunFocus& focus) {
    if (run.attention == nullptr || run.attention->weights.empty()) return {};
    const AttentionPicture& picture = *run.attention;
    const std::uint32_t layer = std::min(focus.layer, picture.n_layers - 1);
    DataTable table{"weights",
                    "Weights of token " + std::to_string(picture.position) + " in layer " +
                        std::to_string(layer),
                    {{"position"}, {"word"}},
                    {}};
    for (std::uint32_t head = 0; head < picture.n_heads; ++head)
        table.columns.push_back({"query head " + std::to_string(head)});
    for (std::uint32_t i = 0; i < picture.n_keys(); ++i) {
        table.add(std::uint64_t{i}, word_at(run, {picture.request, i}));
        for (std::uint32_t head = 0; head < picture.n_heads; ++head)
            table.rows.back().emplace_back(double{picture.of(layer, head)[i]});
    }
    return {table};
}

}  // namespace kv
