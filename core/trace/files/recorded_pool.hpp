#pragma once
// One pool of a recorded server: the blocks of one rank and one group of layers. The server's
// events name content by hashes and say nothing of block ids, so ids are given out here, the lowest
// that is not taken. Internal to the import.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/trace/applicable.hpp"
#include "core/trace/event/pack.hpp"
#include "core/trace/files/read.hpp"
#include "core/trace/server/batch.hpp"

namespace kv {

struct BlockStored;
struct BlockRemoved;

class RecordedPool {
public:
    explicit RecordedPool(ReportedHits hits) : hits_(hits) {}

    // `iteration` is that of the rank and rises from call to call.
    void store(std::uint32_t iteration, const ServerStored& event);
    void remove(std::uint32_t iteration, const ServerRemoved& event);
    void clear(std::uint32_t iteration);
    void restart(std::uint32_t iteration);  // nothing is left in memory, only what lies in files

    // The pool, as large as it has to be or as it is given, and then an iteration for each of
    // `us_of_iteration`, with what happened here in it.
    std::optional<EventRefusal> write(Trace& trace, std::optional<std::uint32_t> n_blocks,
                                      const std::vector<double>& us_of_iteration) const;
    RecordedBlocks counts() const;
    u64 stored() const { return counts_.stored; }
    u64 below() const { return counts_.below; }
    std::uint32_t block_size() const;
    // More blocks at one moment than a trace may have.
    bool overflows() const;

private:
    // What is in one tier: a content may be there more than once, and the oldest copy goes first.
    class Ids {
    public:
        std::uint32_t take(std::uint64_t hash, std::uint32_t slots);
        std::optional<std::uint32_t> give_back(std::uint64_t hash);
        std::optional<std::uint32_t> newest(std::uint64_t hash) const;
        std::uint32_t slots_of(std::uint32_t id) const { return slots_[id]; }
        std::vector<std::uint32_t> all() const;  // rising
        void clear();
        std::uint32_t most() const { return most_; }

    private:
        std::unordered_map<std::uint64_t, std::deque<std::uint32_t>> of_;
        std::vector<std::uint32_t> slots_;  // by id
        std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free_;
        std::uint32_t next_ = 0, most_ = 0;
    };

    std::optional<Medium> medium_of(const std::string& word, u64 n_blocks);
    BlockStored converted(const ServerStored& event);
    void leave_hits_out(BlockStored& stored);
    void store_here(std::uint32_t iteration, BlockStored stored);
    void keep_below(std::uint32_t iteration, BlockStored stored);
    void drop_below(std::uint32_t iteration, BlockRemoved removed);
    Ids& ids_in(Medium medium) { return medium == Medium::Host ? host_ : file_; }
    void add(std::uint32_t iteration, EventBody what);

    ReportedHits hits_;
    PackedBytes events_;
    // The largest on the device, where a smaller one is partly filled; and below it.
    std::uint32_t block_size_ = 0, size_below_ = 0;
    std::map<std::uint32_t, u64> stored_by_size_;  // blocks on the device
    std::string host_word_, file_word_;
    Ids device_, host_, file_;
    RecordedBlocks counts_;
};

}  // namespace kv
