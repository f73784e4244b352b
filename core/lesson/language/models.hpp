#pragma once
// Where lessons get models from. The lessons name them ("gqa", "mha+kv2"); who loads them, from
// which folder and on which backend is the program's business.

#include <memory>
#include <string>

#include "core/engine/run/engine.hpp"
#include "core/model/config/config.hpp"
#include "core/model/tokenizer/tokenizer.hpp"

namespace kv {

class LessonModel {
public:
    virtual ~LessonModel() = default;
    virtual const ModelConfig& config() const = 0;
    virtual const Tokenizer* tokenizer() const = 0;
    virtual const std::string& sha256() const = 0;
    virtual std::unique_ptr<Backend> open(const std::string& backend,
                                          const PoolSpec& pool) const = 0;
    // Who may draft for it; none where nobody knows of others.
    virtual DrafterFinder drafters() const { return {}; }
    // The same with the weights of its layers in so few bits: coarse_weights.hpp.
    virtual std::unique_ptr<Backend> open_coarse(unsigned bits, const std::string& backend,
                                                 const PoolSpec& pool) const = 0;
};

class LessonModels {
public:
    virtual ~LessonModels() = default;
    // The same one each time. Throws kv::Error for a name that is no model.
    virtual const LessonModel& model(const std::string& name) = 0;
};

}  // namespace kv
