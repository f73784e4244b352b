#pragma once
// A surface, its Dear ImGui and a frame, tied together: what the window, the screenshots and the
// start-up bench have in common.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/export/svg/svg.hpp"
#include "app/frame/frame.hpp"
#include "app/frame/panel_data.hpp"
#include "app/live/live_run.hpp"
#include "app/shell/surface/gui.hpp"
#include "app/shell/surface/surface.hpp"

namespace kv {

// Of a picture: Dear ImGui needs a few frames until windows know their sizes and popups are placed.
inline constexpr int kSettleFrames = 6;

class Screen {
public:
    // `progress_file`: where the lessons that were read are kept; empty: nowhere, as in pictures.
    // `lessons`: their folder; empty: that of the shipped ones.
    Screen(std::unique_ptr<Surface> surface, AppState state, Texts texts,
           std::string progress_file = {}, std::string lessons = {});

    // One frame from events to pixels. `extra_scale` multiplies the display's own scale.
    void draw(bool read_keys, float extra_scale = 1.0f,
              std::vector<WrittenText>* written = nullptr);

    // One frame as a picture or as an SVG, without showing it, and without the line that says what
    // was saved before. As files: picture_file.hpp.
    Image picture();
    Svg draw_svg(const SvgAsk& ask, float extra_scale = 1.0f);

    // The scene of that name or file, at its own step or at another. It is there some frames later.
    void open_scene(const std::string& scene, std::optional<std::uint32_t> step,
                    const std::optional<std::string>& model = {});
    // For pictures: waits until the run stands where it was asked to.
    void finish_run(LiveRun::Refusals refusals = LiveRun::Refusals::AreNotices);
    // To be called after another window has been drawn.
    void make_current() { gui_.make_current(); }
    bool has_input_waiting() const { return gui_.has_input_waiting(); }
    // A panel as tables, with its caption and notes.
    PanelData data_of(PanelId panel);
    LiveRun& run() { return *run_; }
    const LiveRun& run() const { return *run_; }

    Surface& surface() { return *surface_; }
    Frame& frame() { return frame_; }
    const Frame& frame() const { return frame_; }

private:
    void follow_style(float unit);
    void draw_frame(FrameInput in);

    std::unique_ptr<Surface> surface_;
    Gui gui_;
    Frame frame_;
    std::unique_ptr<LiveRun> run_;
    std::optional<ThemeName> styled_theme_;
    float styled_unit_ = 0;
};

// English, or the file that is named, or the stretched pseudo-language for "pseudo".
Texts texts_for(const std::string& language);

// Libraries, renderer and folders for the About page and --version. The GPU's line is asked for
// separately, after the first frame, since a driver may take its time.
std::vector<AboutLine> about_lines(const Texts& text, const std::string& renderer);

}  // namespace kv
