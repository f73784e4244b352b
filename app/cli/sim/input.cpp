#include "app/cli/sim/input.hpp"

#include <algorithm>

#include "app/cli/terminal/suggest.hpp"
#include "app/cli/terminal/values.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/cost/cache/bytes.hpp"
#include "core/cost/model/presets.hpp"
#include "core/sim/fault.hpp"
#include "core/sim/published.hpp"
#include "core/trace/applicable.hpp"

namespace kv {
namespace {

constexpr u64 kRequests = 5000;
constexpr u64 kMostRequests = 10'000'000;
constexpr u64 kMostSlots = 1'000'000'000'000;
constexpr u64 kMostBlockSize = 1024;
constexpr u64 kMostOversized = 1'000'000;
constexpr u64 kMostBytes = 1'000'000'000;
constexpr const char* kDefaultPreset = "opt-13b";

std::vector<std::string> split_list(const std::string& text) {
    std::vector<std::string> words;
    std::size_t at = 0;
    for (;;) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        words.push_back(text.substr(at, end - at));
        if (end == text.size()) return words;
        at = end + 1;
    }
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
    return out;
}

std::vector<std::string> allocator_names() {
    std::vector<std::string> names;
    for (const AllocatorKind kind : all_allocators()) names.emplace_back(name_of(kind));
    return names;
}

std::vector<AllocatorKind> read_allocators(const GivenOptions& given) {
    const auto text = given.text("--allocators");
    if (!text) return all_allocators();
    std::vector<AllocatorKind> kinds;
    for (const std::string& word : split_list(*text)) {
        const auto kind = parse_allocator(word);
        if (!kind) {
            const auto near = nearest(word, allocator_names());
            refuse_value("--allocators", word, "is not an allocator",
                         near ? "did you mean " + *near + "? See --help"
                              : "choose from " + joined(allocator_names()));
        }
        if (std::find(kinds.begin(), kinds.end(), *kind) != kinds.end())
            refuse_value("--allocators", word, "stands twice", "name each allocator once");
        kinds.push_back(*kind);
    }
    return kinds;
}

void read_workload_name(const GivenOptions& given, SimInput& input) {
    input.workload = given.text("--workload").value_or(std::string(kPublishedWorkload));
    input.requests = whole_option(given, "--requests", 1, kMostRequests);
    input.longest = whole_option(given, "--longest", 2, 2 * kLongestRequest);
    if (find_workload_model(input.workload)) return;
    const bool path = input.workload.find_first_of("./") != std::string::npos;
    if (path) return;
    std::vector<std::string> names;
    for (const WorkloadModel& model : workload_models()) names.emplace_back(model.name);
    const auto near = nearest(input.workload, names);
    refuse_value("--workload", input.workload, "is no workload",
                 near ? "did you mean " + *near + "? See --help"
                      : "name a FILE.csv, a FILE.jsonl, or one of " + joined(names));
}

struct Fault {
    std::string name;
    std::optional<std::string> value;
};

Fault parse_fault(const std::string& word) {
    const std::size_t at = word.find('=');
    if (at == std::string::npos) return {word, std::nullopt};
    return {word.substr(0, at), word.substr(at + 1)};
}

u64 fault_number(const Fault& fault, u64 otherwise, u64 max) {
    if (!fault.value) return otherwise;
    std::string why;
    const auto number = parse_whole(*fault.value, 1, max, why);
    if (!number)
        refuse_value("--faults", fault.name + "=" + *fault.value, why,
                     "give a whole number from 1 to " + with_commas(max));
    return *number;
}

double fault_share(const Fault& fault, double otherwise) {
    if (!fault.value) return otherwise;
    std::string why;
    const auto share = parse_decimal(*fault.value, why);
    if (!share || *share > 1 || *share == 0)
        refuse_value("--faults", fault.name + "=" + *fault.value, share ? "is no share" : why,
                     "give a share of the requests above 0, at most 1");
    return *share;
}

void apply_fault(const Fault& fault, const GivenOptions& given, SimInput& input) {
    if (fault.name == "leak") {
        input.race.faults.leak = fault_share(fault, kLeakShare);
    } else if (fault.name == "oversized_blocks") {
        if (given.has("--block-size"))
            throw Error{ErrorCode::Usage,
                        "--block-size and the fault oversized_blocks exclude each other; keep one "
                        "of them."};
        input.race.pool.block_size = fault_number(fault, kOversizedBlock, kMostOversized);
    } else if (fault.name == "no_admission_control" && !fault.value) {
        input.race.pool.admission_control = false;
    } else if (fault.name == "cold_cache") {
        input.forget_every = fault_number(fault, kForgetEvery, kMostRequests);
    } else {
        refuse_value("--faults", fault.name + (fault.value ? "=" + *fault.value : ""),
                     "is no fault",
                     "choose from leak=0.02, oversized_blocks=512, no_admission_control, "
                     "cold_cache=1000");
    }
}

void read_faults(const GivenOptions& given, SimInput& input) {
    const auto text = given.text("--faults");
    if (!text) return;
    std::vector<std::string> seen;
    for (const std::string& word : split_list(*text)) {
        const Fault fault = parse_fault(word);
        if (std::find(seen.begin(), seen.end(), fault.name) != seen.end())
            refuse_value("--faults", word, "stands twice", "name each fault once");
        seen.push_back(fault.name);
        apply_fault(fault, given, input);
    }
}

void read_pool(const GivenOptions& given, const CommonOptions& common, SimInput& input) {
    PoolRules& pool = input.race.pool;
    input.race.seed = common.seed.value_or(0);
    pool.slots = whole_option(given, "--pool", 1, kMostSlots).value_or(pool.slots);
    pool.block_size =
        whole_option(given, "--block-size", 1, kMostBlockSize).value_or(pool.block_size);
    pool.max_length = whole_option(given, "--max-length", 1, kMostSlots).value_or(pool.max_length);
    const std::string how = given.text("--first-fit").value_or("exact");
    if (how != "exact" && how != "max")
        refuse_value("--first-fit", how, "is not a way to reserve", "choose exact or max");
    pool.first_fit_reserves_max = how == "max";
}

void read_bytes(const GivenOptions& given, SimInput& input) {
    refuse_both(given, "--preset", "--bytes-per-token");
    if (const auto bytes = whole_option(given, "--bytes-per-token", 1, kMostBytes)) {
        input.bytes_per_token = *bytes;
        return;
    }
    input.preset = given.text("--preset").value_or(kDefaultPreset);
    const auto shape = preset(input.preset);
    if (!shape) {
        const std::vector<std::string> known(preset_names().begin(), preset_names().end());
        const auto near = nearest(input.preset, known);
        refuse_value("--preset", input.preset, "is not a preset",
                     near ? "did you mean " + *near + "? See --help" : "see kvarium calc --list");
    }
    input.bytes_per_token = bytes_per_token(shape->cache, {});
}

void read_series(const GivenOptions& given, SimInput& input) {
    input.series = given.text("--series");
    if (given.has("--series-every") && !input.series)
        throw Error{ErrorCode::Usage, "--series-every thins a series; add --series FILE.csv."};
    input.series_every = whole_option(given, "--series-every", 1, kMostSlots).value_or(1);
    if (!input.series) return;
    if (input.series->empty() || *input.series == "-")
        refuse_value("--series", *input.series, "is no place of its own", "name a FILE.csv");
}

void read_events(const GivenOptions& given, SimInput& input) {
    input.events = given.text("--events");
    if (!input.events) return;
    if (input.events->empty() || *input.events == "-")
        refuse_value("--events", *input.events, "is no place of its own", "name a FILE.jsonl");
    const auto& kinds = input.allocators;
    if (std::find(kinds.begin(), kinds.end(), AllocatorKind::Paged) == kinds.end())
        throw Error{ErrorCode::Usage,
                    "--events tells what happens to blocks, and only paged has blocks; add paged "
                    "to --allocators."};
    const PoolRules& pool = input.race.pool;
    const u64 blocks = pool.slots / pool.block_size;
    if (blocks == 0 || blocks > kMostRecordedBlocks)
        throw Error{ErrorCode::Usage, "--events: the pool has " + with_commas(blocks) +
                                          " blocks, and a trace has from 1 to " +
                                          with_commas(kMostRecordedBlocks) +
                                          "; choose another --pool or --block-size."};
}

void read_prefix_capacities(const GivenOptions& given, SimInput& input) {
    const auto text = given.text("--prefix-blocks");
    if (!text) return;
    for (const std::string& word : split_list(*text)) {
        std::string why;
        const auto capacity = parse_whole(word, 1, kMostSlots, why);
        if (!capacity)
            refuse_value("--prefix-blocks", word, why, "give numbers of blocks: 1000,3000");
        input.prefix_capacities.push_back(*capacity);
    }
}

void leave_out_longer(SimWorkload& workload, const std::optional<u64>& longest) {
    if (!longest) return;
    auto& requests = workload.requests;
    const auto end = std::remove_if(requests.begin(), requests.end(),
                                    [&](const SimRequest& r) { return r.total() > *longest; });
    workload.left_out = static_cast<u64>(requests.end() - end);
    requests.erase(end, requests.end());
    if (requests.empty())
        throw Error{ErrorCode::Usage,
                    "--longest leaves out every request of the workload; give a larger number."};
}

void prepare_prefix(const SimInput& input, TraceFormat format, SimWorkload& workload) {
    workload.tokens_per_hash = tokens_per_hash(format);
    if (!workload.tokens_per_hash) return;
    std::vector<std::optional<u64>> capacities{input.race.pool.slots / *workload.tokens_per_hash};
    capacities.insert(capacities.end(), input.prefix_capacities.begin(),
                      input.prefix_capacities.end());
    capacities.emplace_back();
    for (const auto& capacity : capacities)
        workload.prefix.push_back(
            {capacity, PrefixLru({*workload.tokens_per_hash, capacity, input.forget_every})});
}

std::optional<SimWorkload> read_workload_file(const SimInput& input, const Progress& progress) {
    SimWorkload workload;
    bool prepared = false;
    auto file = read_trace(input.workload, input.requests, progress,
                           [&](TraceFormat format, const TraceRow& row) {
                               if (!prepared) prepare_prefix(input, format, workload);
                               prepared = true;
                               for (PrefixRun& run : workload.prefix)
                                   run.index.ask(row.hash_ids, row.prompt);
                           });
    if (!file) return std::nullopt;
    workload.name = input.workload;
    workload.source = name_of(file->format);
    workload.format = file->format;
    workload.requests = std::move(file->requests);
    workload.passed_over = file->passed_over;
    return workload;
}

}  // namespace

const std::vector<OptionSpec>& sim_options() {
    static const std::vector<OptionSpec> options{
        {"--allocators", "LIST", "max, pow2, oracle, first_fit, grow, paged; default all six"},
        {"--workload", "WHAT",
         "sharegpt-like (default), azure-conv-like, azure-code-like, arxiv-like, "
         "mooncake-conv-like, "
         "or a trace: FILE.csv (Azure, BurstGPT, Vidur), FILE.jsonl (Mooncake, Qwen-Bailian)"},
        {"--requests", "N", "how many requests (5000; of a file: all of them)"},
        {"--longest", "N", "leave out requests of more than N tokens, prompt and output together"},
        {"--pool", "SLOTS", "token slots of the pool (15728: 12 GiB of OPT-13B)"},
        {"--block-size", "N", "token slots of a block, 1 to 1,024 (16)"},
        {"--max-length", "N",
         "the model's maximum: what max reserves (2048); a longer request reserves what it needs"},
        {"--first-fit", "HOW", "first_fit reserves what is needed (exact) or the maximum (max)"},
        {"--preset", "NAME", "whose bytes per token count in bytes_copied (opt-13b)"},
        {"--bytes-per-token", "N", "the same as a number"},
        {"--faults", "LIST",
         "leak=0.02, oversized_blocks=512, no_admission_control, cold_cache=1000"},
        {"--series", "FILE", "write every iteration as CSV, named as vLLM names its metrics", false,
         true},
        {"--series-every", "N", "only every N-th iteration of the series (1)"},
        {"--events", "FILE.jsonl",
         "write what paged does as events, block by block, for the window to open", false, true},
        {"--prefix-blocks", "LIST", "prefix hits of a trace with hashes at these cache sizes too"}};
    return options;
}

SimInput read_sim(const GivenOptions& given, const CommonOptions& common) {
    SimInput input;
    input.allocators = read_allocators(given);
    read_workload_name(given, input);
    read_pool(given, common, input);
    read_faults(given, input);
    read_bytes(given, input);
    read_series(given, input);
    read_events(given, input);
    read_prefix_capacities(given, input);
    const bool made_up = find_workload_model(input.workload) != nullptr;
    if (made_up && (input.forget_every || !input.prefix_capacities.empty()))
        throw Error{ErrorCode::Usage,
                    "Prefix hits and cold_cache need a trace with hash_ids; give a Mooncake or "
                    "Qwen-Bailian FILE.jsonl with --workload."};
    return input;
}

std::optional<SimWorkload> load_workload(const SimInput& input, const Progress& progress) {
    std::optional<SimWorkload> workload;
    if (const WorkloadModel* model = find_workload_model(input.workload)) {
        workload.emplace();
        workload->name = model->name;
        workload->source = model->source;
        workload->requests = generate(*model, input.requests.value_or(kRequests), input.race.seed);
    } else {
        workload = read_workload_file(input, progress);
    }
    if (workload) leave_out_longer(*workload, input.longest);
    return workload;
}

bool is_published_setting(const SimInput& input) {
    return !input.longest && is_published_setup(input.workload, input.race);
}

}  // namespace kv
