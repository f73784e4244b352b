#pragma once
// A model folder as Hugging Face publishes it: config.json, and model.safetensors or shards with
// model.safetensors.index.json. Opening reads the headers and checks that the tensors are exactly
// those that the config asks for, with their shapes; not one weight is read yet. With "+kv2" behind
// it the model is taken with its KV heads folded to two (fold_heads.hpp).

#include <string>
#include <string_view>
#include <vector>

#include "core/model/config/config.hpp"
#include "core/model/safetensors/safetensors.hpp"

namespace kv {

struct WeightIndex;

// Bytes of a file that are read at once: enough for full speed, few enough that a wish to stop is
// heard soon.
constexpr std::size_t kReadPiece = std::size_t{1} << 20U;

class Checkpoint {
public:
    // Throws kv::Error (World) with a sentence that names the file and what is wrong with it.
    static Checkpoint open(const std::string& source);

    const std::string& folder() const { return folder_; }
    const ModelConfig& config() const { return config_; }                // as it runs
    const ModelConfig& stored_config() const { return stored_config_; }  // as the files have it
    bool is_folded() const { return config_.n_kv_heads != stored_config_.n_kv_heads; }
    const std::vector<SafetensorsFile>& files() const { return files_; }  // sorted by name

    struct Place {
        std::size_t file;  // index into files()
        const TensorInfo* tensor;
    };
    std::optional<Place> find(std::string_view name) const;

private:
    explicit Checkpoint(const std::string& folder);
    std::string path(std::string_view file) const;

    void open_weights();
    void open_file(const std::string& file);
    void open_shards(const WeightIndex& index);
    void check_shard(const WeightIndex& index, const std::string& file) const;
    void check_needed() const;
    void check_surplus() const;
    void fold_to(u64 kv_heads);

    std::string folder_;
    ModelConfig config_, stored_config_;
    std::vector<SafetensorsFile> files_;
};

}  // namespace kv
