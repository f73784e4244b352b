#include "app/panels/view/block_holders.hpp"

#include <algorithm>

namespace kv {
namespace {

bool before(const Holder& a, const Holder& b) {
    return a.request != b.request ? a.request < b.request : a.entry < b.entry;
}
bool same(const Holder& a, const Holder& b) {
    return a.request == b.request && a.entry == b.entry;
}

TableEntry entry_of(const Table& table, std::size_t i) {
    return i < table.size() ? table[i] : std::nullopt;
}

}  // namespace

void BlockHolders::follow(const LaneAt& lane, std::vector<BlockId>& changed) {
    first_.resize(std::max(first_.size(), lane.blocks().size()));
    tables_.resize(std::max(tables_.size(), lane.now.requests.size()));
    const Table none;
    for (std::uint32_t i = 0; i < tables_.size(); ++i) {
        const Table* table = lane.table(SeqId(i));
        const Table& is = table != nullptr ? *table : none;
        Table::each_difference(tables_[i], is, [&](std::size_t entry) {
            const Holder holder{SeqId(i), static_cast<std::uint32_t>(entry)};
            const TableEntry was_there = entry_of(tables_[i], entry),
                             is_there = entry_of(is, entry);
            if (was_there) remove(*was_there, holder), changed.push_back(*was_there);
            if (is_there) add(*is_there, holder), changed.push_back(*is_there);
        });
        tables_[i] = is;
    }
}

void BlockHolders::add(BlockId block, Holder holder) {
    std::optional<Holder>& first = first_[block.index()];
    if (!first) {
        first = holder;
        return;
    }
    std::vector<Holder>& all = several_[block.value];
    if (all.empty()) all.push_back(*first);
    all.insert(std::upper_bound(all.begin(), all.end(), holder, before), holder);
    first = all.front();
}

void BlockHolders::remove(BlockId block, Holder holder) {
    const auto several = several_.empty() ? several_.end() : several_.find(block.value);
    if (several == several_.end()) return first_[block.index()].reset();
    std::vector<Holder>& all = several->second;
    std::erase_if(all, [&](const Holder& h) { return same(h, holder); });
    first_[block.index()] = all.front();
    if (all.size() == 1) several_.erase(several);
}

std::span<const Holder> BlockHolders::of(BlockId block) const {
    if (!several_.empty())
        if (const auto several = several_.find(block.value); several != several_.end())
            return several->second;
    if (block.index() >= first_.size() || !first_[block.index()]) return {};
    return std::span(&*first_[block.index()], 1);
}

}  // namespace kv
