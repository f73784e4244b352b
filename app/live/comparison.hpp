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
    // Throws kv::Error where it is no change of that scene.
    void start(const PlayedSide& left, SceneChange change, AskedBy asked = AskedBy::Person);
    // A changed scene is compared as the one before it was, where that can be.
    void start_again(const PlayedSide& left);
    // Compare is open, and something stands beside the run: once for each run and visit, since
    // whoever ends the comparison is not given another one. A large model has no second pool
    // unasked. `before`: the scene before its last change, or null. True when one was begun.
    bool stand_beside(const PlayedSide& left, const Scene* before);
    void leave_layout() { held_.reset(); }
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
    // Where the tokens of the request in focus part: behind what the log lists last about it, for
    // the token itself is drawn in no block. Throws Refused where they do not.
    std::uint64_t moment_of_difference(const PlayedSide& left, const RunFocus& focus) const;

private:
    void begin(std::shared_ptr<const LoadedModel> model);

    Helpers helpers_;
    ModelLoader loader_;
    bool awaited_ = false;
    std::optional<SceneChange> change_;
    AskedBy asked_ = AskedBy::Person;
    bool is_swapped_branch_ = false;  // the left side has the command, so it cannot be made again
    std::array<RunChange, 2> changes_;
    PlayedSide right_;
    std::optional<std::uint64_t> held_;  // the run beside which Compare has put something
};

}  // namespace kv
