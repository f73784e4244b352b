#pragma once
// The second side of a comparison: the scene of the first with one change, played beside it and
// kept at its step.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/live/loading/model_loader.hpp"
#include "app/live/scene/change.hpp"
#include "app/live/scene/played_side.hpp"
#include "app/panels/preparing/preparing.hpp"
#include "app/panels/view/run.hpp"

namespace kv {

class Comparison {
public:
    // What the words of a person lead to, and who numbers sessions.
    struct Helpers {
        std::function<std::string(const std::string& word)> model_folder;
        std::function<std::uint64_t()> next_id;
        std::function<void()> wake;
    };
    explicit Comparison(Helpers helpers);

    enum class AskedBy : std::uint8_t { Person, Compare };
    AskedBy asked_by() const { return asked_; }
    // `place` names the scene in refusals. Throws kv::Error where it is no change of that scene.
    void start(const PlayedSide& left, const std::string& place, SceneChange change,
               AskedBy asked = AskedBy::Person);
    // Nobody asked for it: Compare was opened, and something had to stand beside the run.
    bool is_usual() const { return change_ && asked_ == AskedBy::Compare; }
    // The other side's model, once it is read.
    void take(double seconds);
    void end();
    // What was right stands left now, and what was left is compared with it.
    void swap(PlayedSide& left);

    bool waits_for_model() const { return awaited_; }
    // Null: there is no second side, or not yet.
    const PlayedSide* side() const { return right_.session ? &right_ : nullptr; }
    // What is still to be done before it stands beside the first one.
    std::optional<Preparing> preparing(const RunSession& left) const;
    RunSession* session() const { return right_.session.get(); }
    // Throws kv::Error while there is only one run.
    void require_side() const;
    // How each side differs from the other: left, right.
    const std::array<RunChange, 2>& changes() const { return changes_; }
    // The change that makes this comparison again; none when the left side has the command.
    std::optional<SceneChange> repeatable() const;

    // It computes while the first one does not; false when it is still computing.
    bool advance(double seconds);
    // Both sides stand at the same iteration.
    void follow(const RunSession& left);
    // To the end of the next step in which a request got another token than on this side. `from`
    // moves on behind what has been compared.
    Moved to_difference(RunCursor& run, std::uint64_t& from) const;

private:
    void begin(std::shared_ptr<const LoadedModel> model);

    Helpers helpers_;
    ModelLoader loader_;
    bool awaited_ = false;
    std::optional<SceneChange> change_;
    AskedBy asked_ = AskedBy::Person;
    bool is_swapped_branch_ = false;  // the left side has the command, so it cannot be made again
    std::array<RunChange, 2> changes_;
    std::string place_;
    PlayedSide right_;
};

}  // namespace kv
