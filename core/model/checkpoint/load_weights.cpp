#include "core/model/checkpoint/load_weights.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"
#include "core/base/shown.hpp"
#include "core/model/checkpoint/fold_heads.hpp"
#include "core/model/checkpoint/slots.hpp"
#include "core/model/checkpoint/values.hpp"
#include "core/model/safetensors/tensor.hpp"

namespace kv {
namespace {

struct Job {
    WeightSlot slot;
    Checkpoint::Place place;
};

// The tensors to load, in the order in which their data lies in the files, so that a disk reads
// forward only.
std::vector<Job> plan_jobs(const Checkpoint& checkpoint, Weights& weights) {
    std::vector<Job> jobs;
    for (WeightSlot& slot : weight_slots(checkpoint.stored_config(), weights)) {
        const auto place = checkpoint.find(slot.name);
        KV_ASSERT(place && place->tensor->shape == slot.shape);
        jobs.push_back({std::move(slot), *place});
    }
    std::sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) {
        if (a.place.file != b.place.file) return a.place.file < b.place.file;
        return a.place.tensor->begin < b.place.tensor->begin;
    });
    return jobs;
}

// "[3, 7]" of a flat index.
std::string shown_place(const std::vector<u64>& shape, u64 index) {
    if (shape.size() == 1) return "[" + std::to_string(index) + "]";
    return shown_shape({index / shape[1], index % shape[1]});
}

class Loader {
public:
    Loader(const Checkpoint& checkpoint, const LoadOptions& options)
        : checkpoint_(checkpoint), options_(options), buffer_(kReadPiece) {}

    std::variant<Weights, LoadCancelled> run() {
        Weights weights;
        const std::vector<Job> jobs = plan_jobs(checkpoint_, weights);
        for (const Job& job : jobs) total_ += job.place.tensor->bytes();
        if (!go_on()) return LoadCancelled{};
        for (const Job& job : jobs) {
            if (!fill(job)) return LoadCancelled{};
        }
        return weights;
    }

private:
    bool go_on() const { return !options_.progress || options_.progress(done_, total_); }

    bool fill(const Job& job) {
        if (auto* const* vector = std::get_if<std::vector<float>*>(&job.slot.into)) {
            (*vector)->resize(static_cast<std::size_t>(job.slot.numbers()));
            return fill_values(job, (*vector)->data());
        }
        Matrix& matrix = *std::get<Matrix*>(job.slot.into);
        matrix = Matrix(job.slot.shape[0], job.slot.shape[1], options_.storage);
        return options_.storage == WeightStorage::F32 ? fill_values(job, matrix.f32())
                                                      : fill_values(job, matrix.bf16());
    }

    // Piece by piece; false when the caller wants to stop.
    template <class Out>
    bool fill_values(const Job& job, Out* out) {
        const TensorInfo& tensor = *job.place.tensor;
        const SafetensorsFile& file = checkpoint_.files()[job.place.file];
        const u64 each = bytes_of(tensor.type);
        for (u64 at = 0; at < tensor.bytes();) {
            const auto n = static_cast<std::size_t>(std::min<u64>(kReadPiece, tensor.bytes() - at));
            if (const auto no = file.read(tensor, at, buffer_.data(), n)) {
                throw Error{ErrorCode::World, sentence_of(file.path(), *no)};
            }
            const auto bad = convert_values(tensor.type, buffer_.data(),
                                            static_cast<std::size_t>(n / each), out + at / each);
            if (bad) refuse_value(file.path(), tensor, at / each + bad->index, bad->what);
            at += n;
            done_ += n;
            if (!go_on()) return false;
        }
        return true;
    }

    [[noreturn]] static void refuse_value(const std::string& path, const TensorInfo& tensor,
                                          u64 index, const std::string& what) {
        throw Error{ErrorCode::World, shown(path) + ": " + quoted_tensor(tensor.name) + " at " +
                                          shown_place(tensor.shape, index) + " " + what +
                                          "; use weights whose values are all finite."};
    }

    const Checkpoint& checkpoint_;
    const LoadOptions& options_;
    std::vector<std::byte> buffer_;
    u64 done_ = 0, total_ = 0;
};

void check_memory(const Checkpoint& checkpoint, const LoadOptions& options) {
    const MemoryNeed need =
        memory_need(checkpoint.stored_config(), options.storage, options.pool_bytes);
    if (!options.memory_budget || need.total() <= *options.memory_budget) return;
    const bool could_shrink = options.storage == WeightStorage::F32;
    throw Error{ErrorCode::World,
                shown(checkpoint.folder()) + " does not fit into memory: weights " +
                    bytes_exact(need.weights) + " (" + std::string(name_of(options.storage)) +
                    ") + pool " + bytes_exact(need.pool) + " + reading " +
                    bytes_exact(need.buffer) + " = " + bytes_exact(need.total()) + " (" +
                    bytes_binary(need.total()) + "), and " + bytes_exact(*options.memory_budget) +
                    " (" + bytes_binary(*options.memory_budget) +
                    ") can be had; use a smaller pool" + (could_shrink ? ", bf16 weights" : "") +
                    " or a smaller model."};
}

}  // namespace

u64 MemoryNeed::total() const {
    return sum_or_throw("bytes of weights and pool", {weights, pool, buffer});
}

MemoryNeed memory_need(const ModelConfig& config, WeightStorage storage, u64 pool_bytes) {
    return {loaded_bytes(config, storage), pool_bytes, kReadPiece};
}

std::variant<Weights, LoadCancelled> load_weights(const Checkpoint& checkpoint,
                                                  const LoadOptions& options) {
    check_memory(checkpoint, options);
    try {
        auto loaded = Loader{checkpoint, options}.run();
        if (auto* weights = std::get_if<Weights>(&loaded); weights && checkpoint.is_folded())
            fold_heads(checkpoint.stored_config(), checkpoint.config().n_kv_heads, *weights);
        return loaded;
    } catch (const std::bad_alloc&) {
        throw Error{ErrorCode::World, shown(checkpoint.folder()) +
                                          ": memory ran out while the weights were loaded; close "
                                          "other programs or use a smaller model."};
    }
}

}  // namespace kv
