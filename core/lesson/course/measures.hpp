#pragma once
// What lessons measure over whole texts (losses, proofs), and what the best answers to challenges
// score, takes seconds and never changes, so it is computed once and kept beside the lessons in
// measured.json. An answer is kept under a digest of what it was made from: the weights of the
// model, the scene with its settings, and how it is measured. With any of these changed nothing is
// found, and the answer is computed anew.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/language/run.hpp"

namespace kv {

class Measures {
public:
    using Answer = std::map<std::string, double, std::less<>>;  // the members of a record

    // Throws kv::Error for a text that is none.
    static Measures of(std::string_view json, const std::string& file);
    std::string text() const;  // as JSON
    bool empty() const { return runs_.empty(); }

    // The answers of that run, among those that it has already.
    void fill(const LessonRun& run) const;
    void take(const LessonRun& run);
    // What a challenge's best answer, this scene, is worth.
    std::optional<Number> score(const LessonModel& model, const Scene& scene,
                                const std::string& task) const;
    void take_score(const LessonModel& model, const Scene& scene, const std::string& task,
                    const Number& score);

    // Sentences about answers of `now` that are missing here or differ, and about those kept here
    // for runs of which `now` knows nothing.
    std::vector<std::string> differences(const Measures& now) const;

private:
    static std::string digest_of(const LessonModel& model, const Scene& scene);
    static std::string digest_of(const LessonRun& run) {
        return digest_of(run.model(), run.scene());
    }
    std::map<std::string, std::map<std::string, Answer>> runs_;  // by digest, then by question
};

}  // namespace kv
