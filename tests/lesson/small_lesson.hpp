#pragma once
// A model of a few weights, a run of it, and a player of lessons about that run.

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "core/base/error.hpp"
#include "core/lesson/course/player.hpp"
#include "tests/engine/run/fixture.hpp"
#include "tests/lesson/lesson_file.hpp"
#include "tests/scratch.hpp"

namespace kv::test {

class SmallLessonModel : public LessonModel {
public:
    const ModelConfig& config() const override { return on_.model.config; }
    const Tokenizer* tokenizer() const override { return nullptr; }
    const std::string& sha256() const override { return sha_; }
    std::unique_ptr<Backend> open(const std::string&, const PoolSpec& pool) const override {
        return make_reference(on_.model.config, on_.model.weights, pool);
    }
    std::unique_ptr<Backend> open_coarse(unsigned, const std::string& backend,
                                         const PoolSpec& pool) const override {
        return open(backend, pool);
    }

private:
    EngineOn on_;
    std::string sha_ = "small";
};

class OneModel : public LessonModels {
public:
    const LessonModel& model(const std::string&) override { return model_; }

private:
    SmallLessonModel model_;
};

// Five tokens and eight new ones in blocks of four.
inline const char* const kScene = R"({"version":1,"name":"run","seed":3,
    "settings":{"backend":"reference","block_size":4,"pool":"8blocks"},
    "requests":[{"id":"A","tokens":[3,4,5,6,7],"max_new":8}]})";

struct Stand {
    OneModel models;
    LessonPlayer player{models, [](const std::string& name) { return name; }};
    ScratchFolder scratch;  // tests run side by side, each in a process of its own
    std::string folder = scratch.path().string();

    Stand() { std::ofstream(folder + "/run.kvscene") << kScene; }
    Lesson lesson(const std::string& steps) const {
        return parse_lesson(kFront + steps, folder + "/lesson.md");
    }
    std::string refusal(const std::string& steps) {
        const Lesson one = lesson(steps);
        try {
            player.shown_step(one, one.steps[0]);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
};

}  // namespace kv::test
