#pragma once
// A scene played to its end for a lesson, with what the engine counted after each iteration. The
// trace answers what was where at any moment; the counts of work and the state hash are kept beside
// it, because no event has them.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/engine/measure/prover.hpp"
#include "core/engine/measure/quality.hpp"
#include "core/engine/run/engine.hpp"
#include "core/lesson/language/models.hpp"
#include "core/lesson/language/value.hpp"
#include "core/lesson/scene/scene.hpp"

namespace kv {

// The radix tree of prefixes after an iteration, which no event tells as a whole.
struct PrefixTreeFacts {
    std::uint64_t clock = 0;           // matches and inserts so far
    std::vector<RadixNodeView> nodes;  // the root first
    std::vector<RadixNodeId> line;     // leaves that may be given up, the next one first
};

// After an iteration: since the start, and of it alone.
struct IterationFacts {
    Work work, last;
    std::string state_hash;                   // where hashes are kept
    std::optional<PrefixTreeFacts> prefixes;  // where the prefix rule is radix
};

// What the queries of a text see under a policy.
struct PolicySight {
    SeenLog seen;  // empty: everything up to themselves
    LaneShape lanes;
    KeyRotation key_rotation = KeyRotation::WhenStored;
};

struct LessonProof {
    Proof full;    // against a run without a policy
    Proof masked;  // against one that hides what a policy dropped; says nothing without one
};

// A hash for each iteration reads the whole pool each time: who compares no runs leaves it out.
enum class StateHashes : std::uint8_t { Kept, None };

class LessonRun {
public:
    // `place` names the scene in refusals. Plays up to iteration `last`, or to the end.
    LessonRun(const LessonModel& model, Scene scene, const std::string& place,
              std::optional<std::uint32_t> last = std::nullopt,
              StateHashes hashes = StateHashes::Kept);
    ~LessonRun();
    LessonRun(const LessonRun&) = delete;
    LessonRun& operator=(const LessonRun&) = delete;

    const Scene& scene() const { return scene_; }
    const LessonModel& model() const { return model_; }
    const Engine& engine() const { return *engine_; }
    const Trace& trace() const { return engine_->trace(); }
    // Commands that the run refused, in order.
    const std::vector<std::string>& refusals() const { return refusals_; }

    // The iteration in which the tree's clock reached that time.
    std::uint32_t iteration_of(std::uint64_t prefix_clock) const;
    // The facts of the last iteration that is over by then; null before the first.
    const IterationFacts* facts(std::uint32_t iteration) const;
    std::optional<std::uint64_t> moment_after(std::uint32_t iteration) const;
    std::uint32_t last_iteration() const { return engine_->iteration(); }

    // Plays once more beside a computation without a cache. The first call pays for it.
    const LessonProof& proof() const;
    // Answers that took long and do not depend on the moment, by the question.
    std::map<std::string, LessonValue>& memo() const { return memo_; }
    // What each of a request's forced tokens loses under these settings, against everything kept in
    // float32; and what it would lose with the weights in so few bits instead.
    std::vector<QualityRow> quality(const std::string& request,
                                    const EngineSettings& settings) const;
    std::vector<QualityRow> coarse_quality(const std::string& request, unsigned bits) const;
    // What a policy lets these tokens see when they are read one after the other.
    PolicySight sight_of(const std::vector<std::uint32_t>& tokens,
                         const EngineSettings& settings) const;

private:
    EngineParts parts() const;
    QualityText judged_text(const std::string& request) const;
    const QualityTruth& truth_of(const std::string& request, const QualityText& text,
                                 const EngineSettings& settings) const;

    const LessonModel& model_;
    Scene scene_;
    std::string place_;
    std::unique_ptr<Engine> engine_;
    std::vector<std::string> refusals_;
    std::map<std::uint32_t, IterationFacts> facts_;
    mutable std::optional<LessonProof> proof_;
    mutable std::map<std::string, LessonValue> memo_;
    mutable std::map<std::string, QualityTruth> truths_;
    mutable std::map<std::string, std::vector<QualityRow>> measured_;  // each is asked for often
};

}  // namespace kv
