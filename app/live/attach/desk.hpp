#pragma once
// What a person wishes of a watched server, carried out: it is called, paused, gone back in,
// recorded, left. What came of it is written into the window's memory of it between two frames.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/attach/session.hpp"
#include "app/frame/state/app_state.hpp"
#include "app/live/attach/recording.hpp"
#include "app/live/loading/background_load.hpp"
#include "core/model/tokenizer/token_words.hpp"

namespace kv {

class AttachDesk {
public:
    // `wake` is called on another thread when a recording was read.
    explicit AttachDesk(const std::function<void()>& wake) : reading_(wake), reading_words_(wake) {}

    // A recording that somebody else asks for, so many seconds after its start, or at its end; read
    // unless it is the one that is shown.
    void show(AppState& state, const std::string& place, std::optional<double> at_s);

    // Once per frame: carries out wishes and takes over what is ready, waiting at most that long.
    void tick(AppState& state, double now, double seconds);
    // For pictures: until a recording that was asked for is there. Throws what went wrong.
    void finish(AppState& state);
    // When the next tick is due by itself; none while nothing moves.
    std::optional<double> due(const AppState& state) const;
    bool busy() const { return reading_.busy() || reading_words_.busy(); }

private:
    // What the picture shows; with neither moment nor time the newest.
    struct Asked {
        std::int64_t rank = 0;
        std::optional<std::uint64_t> moment = {};
        std::optional<double> time_s = {};
        bool is_newest() const { return !moment && !time_s; }
    };

    void carry_out(AppState& state, const Command& wish);
    void open(AppState& state);
    void open_file(const AppState& state, const std::string& path);
    void show_tokens(AppState& state);
    void read_tokenizer_file(const std::string& path);
    void close(AppState& state);
    void step(const AppState& state, int by);
    void pause();
    void ask(const AppState& state);
    void record(const AppState& state, const std::optional<std::string>& path);
    void take_recording(AppState& state, double seconds);
    void take_words(double seconds);
    void take_picture(AppState& state, double now);
    ServerView view_of(const AttachedPicture& picture, const AppState& state) const;
    void tell_of_recording(AppState& state, const AttachedPicture& picture);
    void remember(AttachUi& own);

    BackgroundLoad<std::shared_ptr<ServerRecording>> reading_;
    BackgroundLoad<std::shared_ptr<const TokenWords>> reading_words_;
    // One of these at a time.
    std::unique_ptr<AttachSession> session_;
    std::shared_ptr<ServerRecording> recording_;

    std::shared_ptr<const TokenWords> words_;
    std::string words_file_;

    AttachAsk called_;                                  // as the session was begun
    bool reads_tokens_ = false, keeps_tokens_ = false;  // the recording that comes; that is there
    std::string file_;                                  // that is recorded to, or that was opened
    std::string shown_file_;
    Asked asked_;
    std::optional<double> opens_at_s_;  // of the recording that comes, from its start
    bool asks_anew_ = false;
    std::shared_ptr<const AttachedPicture> picture_;
    bool is_remembered_ = false, told_of_recording_ = false;
};

}  // namespace kv
