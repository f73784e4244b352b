#pragma once
// The block events of a production server, as JSON lines: BlockStored, BlockRemoved and
// AllBlocksCleared with the names and fields that vLLM publishes, one by one or in batches. They
// name content by hashes and say nothing of block ids, so ids are given out here, the lowest that
// is not taken. A line is an iteration of our trace. Internal to the import.

#include <deque>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/trace/applicable.hpp"
#include "core/trace/event/pack.hpp"
#include "core/trace/files/read.hpp"

namespace kv {

struct BlockStored;

class RecordedEvents {
public:
    // Whether a line is of this kind: no line of ours lacks both `n` and `why`.
    static bool recognises(const nlohmann::json& line);

    std::optional<EventRefusal> line(const nlohmann::json& line);
    // The events so far, with the pool before them: as large as it has to be, or as it is given.
    std::optional<EventRefusal> write(Trace& trace, std::optional<std::uint32_t> n_blocks) const;
    const RecordedBlocks& counts() const { return counts_; }

private:
    // What is in one tier: a content may be there more than once, and the oldest copy goes first.
    class Ids {
    public:
        std::uint32_t take(std::uint64_t hash);
        std::optional<std::uint32_t> give_back(std::uint64_t hash);
        std::optional<std::uint32_t> newest(std::uint64_t hash) const;
        void clear();
        std::uint32_t most() const { return most_; }

    private:
        std::unordered_map<std::uint64_t, std::deque<std::uint32_t>> of_;
        std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free_;
        std::uint32_t next_ = 0, most_ = 0;
    };

    std::optional<EventRefusal> one(const nlohmann::json& event);
    std::optional<EventRefusal> store(const nlohmann::json& event);
    std::optional<EventRefusal> remove(const nlohmann::json& event);
    void clear();
    void keep_below(BlockStored stored);
    void drop_below(BlockRemoved removed);
    Ids& ids_in(Medium medium);
    double since_last(const nlohmann::json& line);
    void add(EventBody what);

    PackedBytes events_;
    std::uint32_t iteration_ = 0;
    std::optional<double> last_ts_;
    std::optional<std::uint32_t> block_size_;
    Ids device_, host_, file_;
    RecordedBlocks counts_;
};

}  // namespace kv
