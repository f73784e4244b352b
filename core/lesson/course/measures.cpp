#include "core/lesson/course/measures.hpp"

#include <cmath>

#include "core/base/error.hpp"
#include "core/base/files/json.hpp"
#include "core/base/files/strict_json.hpp"
#include "core/base/sha256.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

// Another number makes all that is kept unknown: for a change in how losses or proofs are measured.
constexpr const char* kHow = "1";
constexpr u64 kDeepest = 4;
// A score with the powers of its unit.
constexpr std::string_view kValue = "value", kScoreBytes = "bytes", kScoreSeconds = "seconds",
                           kScoreFlops = "flops";

std::string question_of(const std::string& task) {
    return "score " + task;
}

// Numbers of one record, or nothing.
std::optional<Measures::Answer> numbers_of(const LessonValue& value) {
    const auto* record = value.shared<LessonRecord>();
    if (record == nullptr) return std::nullopt;
    Measures::Answer answer;
    for (const auto& [name, member] : *record) {
        const auto* number = member.plain<Number>();
        if (number == nullptr || !std::isfinite(number->value)) return std::nullopt;
        answer[name] = number->value;
    }
    return answer;
}

}  // namespace

std::string Measures::digest_of(const LessonModel& model, const Scene& scene) {
    return sha256_hex(std::string(kHow) + "\n" + model.sha256() + "\n" + scene_text(scene));
}

Measures Measures::of(std::string_view json, const std::string& file) {
    const auto refuse = [&](const std::string& why) -> Error {
        return Error(ErrorCode::World,
                     shown(file) + ": " + why + "; write it anew with lessons --check --renew.");
    };
    const auto parsed = parse_strict_json(json, kDeepest);
    const auto* all = std::get_if<nlohmann::json>(&parsed);
    if (all == nullptr || !all->is_object()) throw refuse("holds no measures");
    Measures measures;
    for (const auto& [digest, questions] : all->items()) {
        if (!questions.is_object()) throw refuse("has a run without questions");
        for (const auto& [question, members] : questions.items()) {
            if (!members.is_object()) throw refuse("has a question without an answer");
            for (const auto& [name, value] : members.items()) {
                if (!value.is_number()) throw refuse("has an answer that is no number");
                measures.runs_[digest][question][name] = value.get<double>();
            }
        }
    }
    return measures;
}

std::string Measures::text() const {
    return nlohmann::json(runs_).dump(1) + "\n";
}

void Measures::fill(const LessonRun& run) const {
    const auto known = runs_.find(digest_of(run));
    if (known == runs_.end()) return;
    for (const auto& [question, answer] : known->second) {
        LessonRecord record;
        for (const auto& [name, value] : answer) record.emplace(name, count_value(value));
        run.memo().try_emplace(question, std::move(record));
    }
}

void Measures::take(const LessonRun& run) {
    for (const auto& [question, value] : run.memo())
        if (const auto answer = numbers_of(value)) runs_[digest_of(run)][question] = *answer;
}

std::optional<Number> Measures::score(const LessonModel& model, const Scene& scene,
                                      const std::string& task) const {
    const auto run = runs_.find(digest_of(model, scene));
    if (run == runs_.end()) return std::nullopt;
    const auto kept = run->second.find(question_of(task));
    if (kept == run->second.end()) return std::nullopt;
    const auto member = [&](std::string_view name) {
        const auto found = kept->second.find(name);
        return found == kept->second.end() ? 0.0 : found->second;
    };
    return Number{member(kValue),
                  {static_cast<int>(member(kScoreBytes)), static_cast<int>(member(kScoreSeconds)),
                   static_cast<int>(member(kScoreFlops))}};
}

void Measures::take_score(const LessonModel& model, const Scene& scene, const std::string& task,
                          const Number& score) {
    runs_[digest_of(model, scene)][question_of(task)] = {
        {std::string(kValue), score.value},
        {std::string(kScoreBytes), score.unit.bytes},
        {std::string(kScoreSeconds), score.unit.seconds},
        {std::string(kScoreFlops), score.unit.flops}};
}

std::vector<std::string> Measures::differences(const Measures& now) const {
    std::vector<std::string> all;
    for (const auto& [digest, questions] : now.runs_) {
        const auto run = runs_.find(digest);
        for (const auto& [question, answer] : questions) {
            const Answer* kept = nullptr;
            if (run != runs_.end())
                if (const auto found = run->second.find(question); found != run->second.end())
                    kept = &found->second;
            if (kept == nullptr)
                all.push_back("lacks the answer to " + shown(question));
            else if (*kept != answer)
                all.push_back("has another answer to " + shown(question));
        }
    }
    for (const auto& [digest, questions] : runs_)
        if (!now.runs_.contains(digest)) all.push_back("keeps answers of a run that no lesson has");
    return all;
}

}  // namespace kv
