// The window with a server of a million cached blocks: what building its panels costs, beside the
// same with ten thousand, and what drawing them in software costs.

#include <algorithm>
#include <memory>

#include "bench/books/busy_server.hpp"
#include "bench/cpu/model.hpp"
#include "bench/row.hpp"
#include "bench/window/explore_window.hpp"
#include "core/attach/picture/tank_picture.hpp"
#include "core/base/error.hpp"

namespace kv::bench {
namespace {

constexpr PixelSize kServerWindow{1920, 1080};
constexpr std::size_t kUnmeasuredFrames = 12, kFramesOfPicture = 15;  // four pictures a second

double frame_ms_of(const std::function<void()>& work) {
    return 1e3 * seconds_of(work);
}

// What is at the thread that receives, and what the window holds of it.
class Watched {
public:
    explicit Watched(std::uint64_t cached) : server_(cached) { fill(server_, receiver_); }

    // Copied as who holds the connection copies it.
    std::shared_ptr<const ServerView> picture() {
        for (int i = 0; i < 100; ++i) receiver_.take(server_.bytes());
        ServerView view;
        view.phase = AttachPhase::Live;
        view.address = "tcp://localhost:5557";
        view.tank = tank_picture_of(receiver_.tank(), {.ranks = {0}}, std::nullopt);
        view.newest_s = view.tank.now_s;
        view.events = 1;
        return std::make_shared<const ServerView>(std::move(view));
    }

private:
    BusyServer server_;
    BusyReceiver receiver_;
};

class ServerWindow {
public:
    explicit ServerWindow(std::unique_ptr<Surface> surface)
        : window_(std::move(surface), LayoutName::Attach) {}

    void show(std::shared_ptr<const ServerView> view) {
        window_.state().attach.view = std::move(view);
    }
    double build() {
        return frame_ms_of([&] { window_.build(); });
    }
    double build_and_draw() {
        return frame_ms_of([&] {
            window_.build();
            window_.end();
        });
    }
    void end() { window_.end(); }

private:
    ExploreWindow window_;
};

// Building the panels, frame by frame, while four pictures come a second.
std::vector<double> frames_of(Watched& watched, std::size_t pictures) {
    ServerWindow window(open_null(kServerWindow));
    std::vector<double> ms;
    for (std::size_t i = 0; i < pictures * kFramesOfPicture + kUnmeasuredFrames; ++i) {
        if (i % kFramesOfPicture == 0) window.show(watched.picture());
        const double frame = window.build();
        window.end();
        if (i >= kUnmeasuredFrames) ms.push_back(frame);
    }
    return ms;
}

std::vector<double> drawn_frames_of(Watched& watched, std::size_t frames) {
    ServerWindow window(open_headless(kServerWindow, Renderer::Gl));
    window.show(watched.picture());
    std::vector<double> ms;
    for (std::size_t i = 0; i < frames + kUnmeasuredFrames; ++i) {
        const double frame = window.build_and_draw();
        if (i >= kUnmeasuredFrames) ms.push_back(frame);
    }
    return ms;
}

}  // namespace

Result measure_attach_frame(const Programs&, std::size_t samples) {
    Watched million(1'000'000), few(10'000);
    const std::vector<double> large = frames_of(million, samples), small = frames_of(few, samples);
    const auto named = [](std::string name, std::vector<double> ms) {
        return Figure{std::move(name), "ms", spread_of(std::move(ms))};
    };
    Result result;
    result.row = "attach_frame";
    result.what =
        "building all panels of a server with a million cached blocks, against ten thousand";
    result.figures = {named("a million blocks", large), named("ten thousand blocks", small)};
    try {
        result.figures.push_back(
            named("a million, drawn in software", drawn_frames_of(million, samples * 5)));
    } catch (const Error&) {
        // Without a driver there is no picture, and building one is what is measured.
    }
    result.ratio = result.figures[0].spread.median / result.figures[1].spread.median;
    result.goal = 1.5;
    return result;
}

}  // namespace kv::bench
