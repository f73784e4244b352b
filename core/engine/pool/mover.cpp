#include "core/engine/pool/mover.hpp"

#include <array>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/fnv_hash.hpp"
#include "core/cache/layout/block_runs.hpp"

namespace kv {
namespace {

constexpr std::array<Side, 2> kSides{Side::K, Side::V};

template <class Visit>
void each_run(const KvLayout& layout, BlockId block, Visit&& visit) {
    for (std::uint32_t layer = 0; layer < layout.n_layers; ++layer)
        for (const Side side : kSides)
            for (std::uint32_t head = 0; head < runs_of_plane(layout); ++head)
                visit(layout.vector_offset(LayerId(layer), side, HeadId(head), block, Slot(0)),
                      run_bytes(layout, side, layout.block_size));
}

[[noreturn]] void file_failed() {
    throw Error(
        ErrorCode::World,
        "The temporary file of the lowest tier cannot be used; make room on the disk or run "
        "with fewer file_blocks.");
}

}  // namespace

PoolMover::PoolMover(Backend& backend, const TransferModel& model, Clock clock,
                     const LaneShape& lanes)
    : backend_(backend),
      model_(model),
      clock_(std::move(clock)),
      lanes_(lanes),
      block_bytes_(backend.layout().pool_bytes() / backend.layout().n_blocks) {}

MoveResult PoolMover::move(const BlockMove& what) {
    const double start = clock_();
    std::vector<std::byte> bytes;
    if (what.from == Medium::Device) bytes = read_block(BlockId(what.from_id));
    if (what.from == Medium::Host) bytes = std::exchange(host_[what.from_id], {});
    if (what.from == Medium::File) bytes = read_file(what.from_id);
    FnvHash hash;
    hash.add(bytes);
    if (what.to == Medium::Device) write_block(BlockId(what.to_id), bytes);
    if (what.to == Medium::File) write_file(what.to_id, bytes);
    if (what.to == Medium::Host) {
        if (host_.size() <= what.to_id) host_.resize(what.to_id + 1);
        host_[what.to_id] = std::move(bytes);
    }
    return {hash.value(), clock_() - start, model_.us(block_bytes_)};
}

void PoolMover::copy(BlockId from, BlockId to, std::uint32_t slots) {
    backend_.copy_block(from, to, slots);
    bytes_copied_ += slots_bytes(backend_.layout(), slots);
}

void PoolMover::move_slots(LaneId lane, std::span<const SlotMove> moves) {
    const KvLayout& layout = backend_.layout();
    std::vector<std::byte> bytes;
    for (std::uint32_t l = 0; l < layout.n_layers; ++l)
        for (std::uint32_t h = 0; h < layout.n_kv_heads; ++h) {
            if (!lanes_.has(lane, LayerId(l), HeadId(h))) continue;
            for (const Side side : kSides)
                for (const SlotMove& m : moves) {
                    bytes.resize(layout.vector(side).bytes);
                    backend_.read_pool(
                        layout.vector_offset(LayerId(l), side, HeadId(h), m.from, m.from_slot),
                        bytes);
                    backend_.write_pool(
                        layout.vector_offset(LayerId(l), side, HeadId(h), m.to, m.to_slot), bytes);
                    bytes_copied_ += bytes.size();
                }
        }
}

std::vector<std::byte> PoolMover::read_block(BlockId block) const {
    std::vector<std::byte> all(block_bytes_);
    std::size_t at = 0;
    each_run(backend_.layout(), block, [&](std::uint64_t offset, std::uint64_t size) {
        backend_.read_pool(offset, std::span(all).subspan(at, size));
        at += size;
    });
    return all;
}

void PoolMover::write_block(BlockId block, const std::vector<std::byte>& bytes) {
    std::size_t at = 0;
    each_run(backend_.layout(), block, [&](std::uint64_t offset, std::uint64_t size) {
        backend_.write_pool(offset, std::span(bytes).subspan(at, size));
        at += size;
    });
}

std::FILE* PoolMover::file() {
    if (!file_) file_.reset(std::tmpfile());
    if (!file_) file_failed();
    return file_.get();
}

std::vector<std::byte> PoolMover::read_file(std::uint32_t place) {
    std::vector<std::byte> bytes(block_bytes_);
    if (std::fseek(file(), static_cast<long>(place * block_bytes_), SEEK_SET) != 0 ||
        std::fread(bytes.data(), 1, bytes.size(), file()) != bytes.size())
        file_failed();
    return bytes;
}

void PoolMover::write_file(std::uint32_t place, const std::vector<std::byte>& bytes) {
    if (std::fseek(file(), static_cast<long>(place * block_bytes_), SEEK_SET) != 0 ||
        std::fwrite(bytes.data(), 1, bytes.size(), file()) != bytes.size() ||
        std::fflush(file()) != 0)
        file_failed();
}

}  // namespace kv
