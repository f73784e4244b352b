#include "app/panels/token/inspector/address_plan.hpp"

#include <algorithm>

#include "app/panels/token/element_bits.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"

namespace kv {
namespace {

constexpr std::uint64_t kKiB = 1024;

Text product(std::uint64_t count, std::uint64_t stride, const Texts& text) {
    return fill(text["bytes.product"_t],
                {{"n", with_commas(count)}, {"bytes", stride_text(stride)}});
}

// The planes of a layer lie one behind the other, so values begin one plane of keys later.
AddressTerm base_term(const KvLayout& layout, const VectorAt& at, const Texts& text) {
    const Text layer = std::to_string(at.layer.value);
    const Text layers = product(at.layer.value, layout.layer_bytes(), text);
    AddressTerm term{AddressPart::Base,
                     fill(text["bytes.base"_t], {{"side", side_letter(at.side)}, {"layer", layer}}),
                     layers, layout.plane_offset(at.layer, at.side)};
    if (at.side == Side::V)
        term.product =
            fill(text["bytes.base.values"_t],
                 {{"layers", layers}, {"plane", stride_text(layout.plane_bytes(Side::K))}});
    return term;
}

}  // namespace

std::string_view side_letter(Side side) {
    return side == Side::K ? "K" : "V";
}

Text stride_text(std::uint64_t bytes) {
    if (bytes < 16 * kKiB || bytes % kKiB != 0) return bytes_exact(bytes);
    if (bytes % (kKiB * kKiB) == 0) return with_commas(bytes / kKiB / kKiB) + " MiB";
    return with_commas(bytes / kKiB) + " KiB";
}

AddressPlan plan_address(const KvLayout& layout, const VectorAt& at, const Texts& text) {
    const auto term = [&](AddressPart part, TextId label, std::uint64_t n, std::uint64_t stride) {
        return AddressTerm{part, text[label], product(n, stride, text), n * stride};
    };
    AddressPlan plan{.terms = {base_term(layout, at, text),
                               term(AddressPart::Block, "bytes.term.block"_t, at.block.value,
                                    layout.block_bytes(at.side)),
                               term(AddressPart::SlotInBlock, "bytes.term.slot"_t, at.slot.value,
                                    layout.slot_stride(at.side)),
                               term(AddressPart::Head, "bytes.term.head"_t, at.head.value,
                                    layout.head_stride(at.side))},
                     .address = layout.vector_offset(at.layer, at.side, at.head, at.block, at.slot),
                     .digits = address_digits(layout.pool_bytes())};
    if (layout.order == KvOrder::HeadMajor) std::swap(plan.terms[2], plan.terms[3]);
    return plan;
}

SectorRead sectors_of(const KvLayout& layout, const VectorAt& first, std::uint32_t n_slots) {
    SectorRead read;
    const std::uint64_t bytes = layout.vector(first.side).bytes;
    const std::uint64_t stride = layout.slot_stride(first.side);
    std::uint64_t next = 0;  // the first sector that is not counted yet
    for (std::uint32_t slot = 0; slot < n_slots; ++slot) {
        const std::uint64_t at =
            layout.vector_offset(first.layer, first.side, first.head, first.block, Slot(slot));
        const std::uint64_t from = std::max(next, at / kSectorBytes);
        next = std::max(next, (at + bytes - 1) / kSectorBytes + 1);
        read.sectors += next - std::min(from, next);
        if (slot == 0) read.in_a_run = read.sectors;
    }
    // Vectors closer than a sector leave no sector out between them.
    const bool one_run = n_slots < 2 || stride < bytes + kSectorBytes;
    if (one_run) read.in_a_run = read.sectors;
    read.apart = one_run ? 0 : stride;
    return read;
}

}  // namespace kv
