#pragma once
// The second side of a comparison: the scene of the first with one change, played beside it and
// kept at its step. A person asks for it (start), or the layout Compare begins the usual one
// (begin_usual); when the left scene changes, the same change is made to the new scene
// (start_again). What the two sides differ in is found by PairDifference
// (app/panels/view/pair/pair.hpp) and judged by app/live/looks/judging.hpp.

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
    // Functions of the owner: the model that a word names, the number of a new session.
    struct Helpers {
        std::function<std::string(const std::string& word)> model_folder;
        std::function<std::uint64_t()> next_id;
        std::function<void()> wake;
    };
    explicit Comparison(Helpers helpers);

    enum class AskedBy : std::uint8_t { Person, Layout };
    AskedBy asked_by() const { return asked_; }
    // Throws kv::Error where `change` is no change of that scene.
    void start(const PlayedSide& left, SceneChange change, AskedBy asked = AskedBy::Person);
    // After the left scene has changed: the same change is made to the new scene. Where that cannot
    // be done the comparison ends.
    void start_again(const PlayedSide& left);
    // The layout Compare is open, so something has to stand beside the run: usual_change() of
    // scene/full_cache.hpp says what. It is offered once for each run and visit of the layout,
    // since a person who ends the comparison does not want another one; and only where the model is
    // small, for a large one gets no second pool unasked. `before`: the scene before its last
    // change, or null. True when a comparison was begun.
    bool begin_usual(const PlayedSide& left, const Scene* before);
    void leave_layout() { offered_for_.reset(); }
    // The comparison is one that begin_usual() began.
    bool is_usual() const { return change_ && asked_ == AskedBy::Layout; }
    // Begins the other side once its model has been read; waits at most that long.
    void take(double seconds);
    void end();
    // The right side becomes the left one, and the left one is compared with it.
    void swap(PlayedSide& left);

    bool waits_for_model() const { return awaited_; }
    // Null while there is no second side.
    const PlayedSide* side() const { return right_.session ? &right_ : nullptr; }
    // What is still to be done before the second side stands at the step of the first.
    std::optional<Preparing> preparing(const RunSession& left) const;
    RunSession* session() const { return right_.session.get(); }
    // Throws kv::Error while there is only one run.
    void require_side() const;
    // How each side differs from the other: left, right.
    const std::array<RunChange, 2>& changes() const { return changes_; }
    // The change that makes this comparison again; none when it is a command and, after a swap, the
    // left side has it.
    std::optional<SceneChange> repeatable() const;

    // Starts an iteration of the second side. False where there is none to start: no second side,
    // one that still computes, or one at the end of its run.
    bool advance(double seconds);
    // Moves the second side to the iteration of the first, or starts what is missing for that.
    void follow(const RunSession& left);
    // Events before which nothing is left to compare.
    struct Searched {
        std::uint64_t left = 0;
        std::optional<std::uint64_t> right = {};  // none: from the step of the left cursor on
    };
    // Moves the cursor of the left run to the end of the next step in which a request got another
    // token than on the second side, or only one side got one; where that is behind the end of the
    // left run, to its end. `from` moves on behind what has been compared.
    Moved to_difference(RunSession& run, Searched& from) const;
    // The moment to show where the tokens of the request in focus part. The event that adds the
    // token is not in the log, and no block holds the token yet; so it is the moment behind the
    // last listed event about the request. Throws Refused where its tokens do not part.
    std::uint64_t moment_of_difference(const PlayedSide& left, const RunFocus& focus) const;

private:
    void begin(std::shared_ptr<const LoadedModel> model);

    Helpers helpers_;
    ModelLoader loader_;
    bool awaited_ = false;
    std::optional<SceneChange> change_;
    AskedBy asked_ = AskedBy::Person;
    bool is_swapped_branch_ = false;  // the change is a command, and the left side has it
    std::array<RunChange, 2> changes_;
    PlayedSide right_;
    std::optional<std::uint64_t> offered_for_;  // the run for which begin_usual() has had its turn
};

}  // namespace kv
