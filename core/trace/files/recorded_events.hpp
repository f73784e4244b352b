#pragma once
// What a production server published, line by line, as pools that a trace can show. A server has a
// pool for each rank, and in it one for each group of layers that keeps other blocks than the rest;
// one of them is shown and the others are counted. A batch is an iteration of its rank. Internal to
// the import.

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "core/trace/applicable.hpp"
#include "core/trace/files/read.hpp"
#include "core/trace/files/recorded_pool.hpp"
#include "core/trace/server/batch_json.hpp"

namespace kv {

class RecordedEvents {
public:
    explicit RecordedEvents(const TraceImportRules& rules) : rules_(rules) {}

    // Whether a line is of this kind: no line of ours lacks both `n` and `why`.
    static bool recognises(const nlohmann::json& line);

    // What is neither a batch nor metrics is counted and passed over, as is what a batch holds that
    // we do not know.
    std::optional<EventRefusal> line(const nlohmann::json& json);
    void pass_line_over() { ++counts_.other_lines; }
    std::optional<EventRefusal> write(Trace& trace) const;
    RecordedBlocks counts() const;

private:
    struct Rank {
        std::map<std::int64_t, RecordedPool> groups;
        std::vector<double> us_of_iteration;
        std::optional<double> last_time_s;
        std::optional<std::uint64_t> last_sequence;

        std::uint32_t iteration() const {
            return static_cast<std::uint32_t>(us_of_iteration.size());
        }
    };
    struct Chosen {
        std::int64_t rank = 0, group = 0;
        const Rank* of = nullptr;
        const RecordedPool* pool = nullptr;
    };

    std::optional<EventRefusal> take_line(const ServerLine& line);
    bool take_number(Rank& rank, const ServerLine& line);
    std::optional<EventRefusal> take_event(Rank& rank, const ServerEvent& event);
    Chosen chosen() const;

    TraceImportRules rules_;
    std::map<std::int64_t, Rank> ranks_;
    std::size_t n_pools_ = 0;
    RecordedBlocks counts_;  // of what belongs to no pool
};

}  // namespace kv
