#pragma once
// The small run beside the doors of the first start: a scene of its own, played beside whatever is
// open in the window, which it does not touch. It is there only while the page is.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/frame/start/clock.hpp"
#include "app/frame/start/view.hpp"
#include "app/live/loading/model_loader.hpp"
#include "app/live/scene/view_of.hpp"
#include "app/session/run_session.hpp"

namespace kv {

struct StartPlaces {
    std::function<std::string(const std::string& scene)> scene_file;
    std::function<std::string(const std::string& model)> model_folder;
    std::function<std::uint64_t()> next_id;
    // The model of that folder, where the window has it already; and whether it is about to.
    std::function<std::shared_ptr<const LoadedModel>(const std::string& folder)> at_hand;
    std::function<bool(const std::string& folder)> is_coming;
    std::function<void()> wake;
};

class StartPicture {
public:
    explicit StartPicture(StartPlaces places);

    // Called once per frame; waits at most that long for what is under way. Nothing is kept of a
    // page that is closed.
    void follow(StartUi& ui, bool still, double now, double seconds);
    const StartView& view() const { return view_; }
    bool under_way() const;
    // See LiveRun: when its next beat comes; none while it stands still.
    std::optional<double> acts_next_at(const StartUi& ui, bool still, double now) const;

private:
    void open();
    void close();
    void take_model(double seconds);
    void run_on(double seconds);
    std::uint32_t n_steps() const;
    void describe(const StartUi& ui);
    void read_sentence(const std::string& sentence);

    StartPlaces places_;
    ModelLoader loader_;
    std::optional<Scene> scene_;
    std::string folder_, place_;
    std::shared_ptr<const LoadedModel> model_;
    std::unique_ptr<RunSession> session_;
    std::uint64_t id_ = 0;
    std::optional<RunView> run_;
    std::optional<std::string> sentence_;  // that the view speaks of
    std::optional<std::uint32_t> round_;   // that its known words are of
    StartView view_;
};

}  // namespace kv
