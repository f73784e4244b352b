#include "app/session/shipped_models.hpp"

#include <utility>

#include "app/session/loaded_model.hpp"
#include "app/session/siblings.hpp"
#include "core/lesson/language/coarse_weights.hpp"

namespace kv {
namespace {

class ModelFromFolder : public LessonModel {
public:
    explicit ModelFromFolder(const std::string& folder)
        : checkpoint_(Checkpoint::open(folder)),
          tokenizer_(tokenizer_of(checkpoint_.folder())),
          loaded_(load(checkpoint_)) {}

    const ModelConfig& config() const override { return checkpoint_.config(); }
    const Tokenizer* tokenizer() const override { return tokenizer_ ? &*tokenizer_ : nullptr; }
    const std::string& sha256() const override { return loaded_.sha256; }
    std::unique_ptr<Backend> open(const std::string& backend, const PoolSpec& pool) const override {
        return open_backend(checkpoint_.config(), loaded_.weights, backend, pool);
    }
    DrafterFinder drafters() const override { return siblings_of(checkpoint_); }

    std::unique_ptr<Backend> open_coarse(unsigned bits, const std::string& backend,
                                         const PoolSpec& pool) const override {
        std::unique_ptr<LoadedWeights>& coarse = coarse_[bits];
        if (coarse == nullptr) {
            coarse = std::make_unique<LoadedWeights>(load(checkpoint_));
            round_weights(coarse->weights, bits);
        }
        return open_backend(checkpoint_.config(), coarse->weights, backend, pool);
    }

private:
    static LoadedWeights load(const Checkpoint& checkpoint) {
        return *load_checkpoint(checkpoint, 0, [](const char*, double) { return true; });
    }

    Checkpoint checkpoint_;
    std::optional<Tokenizer> tokenizer_;
    LoadedWeights loaded_;
    mutable std::map<unsigned, std::unique_ptr<LoadedWeights>> coarse_;
};

}  // namespace

const LessonModel& ShippedModels::model(const std::string& name) {
    std::unique_ptr<LessonModel>& model = models_[name];
    if (model == nullptr) model = std::make_unique<ModelFromFolder>(folder_of_(name));
    return *model;
}

}  // namespace kv
