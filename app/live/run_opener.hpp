#pragma once
// A scene that is to be the run of the window, until its model has been read.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/live/cursor_driver.hpp"
#include "app/live/loading/model_loader.hpp"
#include "app/live/scene/returned_focus.hpp"
#include "app/panels/preparing/preparing.hpp"
#include "core/base/undo_history.hpp"
#include "core/lesson/scene/scene.hpp"

namespace kv {

struct Opening {
    Scene scene;
    std::string place, folder;  // what messages call the scene; the folder of its model
    RunGoal goal = {};
    CursorDriver::WhenThere when_there = {};  // once the cursor is there
    bool keeps_comparison = true;
    bool is_changed = false;                   // the scene that played before, with another setting
    std::optional<std::uint64_t> moment = {};  // inside that iteration
    std::optional<std::string> scene_file = {}, model_folder = {};  // as a person named them
    // Throws where the model cannot play it.
    std::function<void(const LoadedModel&)> check = {};
    bool is_sentence = false;  // typed on the page of the first start, which closes then
    bool keeps_task = false;   // the task that is under way in the tank goes on in it
    // What undo and redo lead to once it plays; of a new run, nowhere.
    UndoHistory<Scene> undo = {};
};

class RunOpener {
public:
    explicit RunOpener(std::function<void()> wake) : loader_(std::move(wake)) {}

    // Opens this in place of what waits. `at_hand`: its model, where that has been read already.
    void open(Opening opening, std::shared_ptr<const LoadedModel> at_hand = nullptr);
    void cancel();
    // What waits for its model; null while nothing does.
    Opening* waiting() { return opening_ ? &*opening_ : nullptr; }
    const Opening* waiting() const { return opening_ ? &*opening_ : nullptr; }
    bool is_sentence() const { return opening_ && opening_->is_sentence; }
    std::optional<double> progress_to_show() const { return loader_.progress_to_show(); }
    std::optional<Preparing> preparing() const;

    struct Ready {
        Opening opening;
        std::shared_ptr<const LoadedModel> model;
    };
    // What waited, with its model, once that is there. Throws what went wrong; then nothing waits.
    std::optional<Ready> take(double seconds);

private:
    ModelLoader loader_;
    std::optional<Opening> opening_;
    std::shared_ptr<const LoadedModel> at_hand_;
};

}  // namespace kv
