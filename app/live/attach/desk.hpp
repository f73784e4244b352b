#pragma once
// What a person wishes of a watched server, carried out: it is called, paused, gone back in,
// recorded, left. What came of it is written into the window's memory of it between two frames.
// Another rank of the same moment may stand beside the shown one.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/attach/session.hpp"
#include "app/live/attach/recording.hpp"
#include "app/live/loading/background_load.hpp"
#include "app/panels/attach/ui.hpp"
#include "app/shell/texts/said.hpp"
#include "core/model/tokenizer/token_words.hpp"

namespace kv {

class AttachDesk {
public:
    // `wake` is called on another thread when a recording was read.
    explicit AttachDesk(const std::function<void()>& wake) : reading_(wake), reading_words_(wake) {}

    // Throws kv::Error for what is refused.
    void carry_out(AttachUi& own, const Command& wish);
    // A recording that somebody else asks for, so many seconds after its start, or at its end; read
    // unless it is the one that is shown.
    void show(AttachUi& own, const std::string& place, std::optional<double> at_s);
    // Called once per frame: takes over what is ready, waiting at most that long.
    void tick(AttachUi& own, double now, double seconds);
    // For pictures: waits until a recording that was asked for is there. Throws what went wrong.
    void finish(AttachUi& own);
    // What went wrong since it was last asked.
    std::optional<Said> take_refusal() { return std::exchange(refused_, std::nullopt); }

    bool has_server() const { return session_ || recording_; }
    void close(AttachUi& own);

    // Puts that rank of the same server beside the shown one; without one, nothing stands beside
    // it.
    void put_beside(AttachUi& own, std::optional<std::int64_t> rank);
    bool has_beside() const { return asked_.beside.has_value(); }
    void swap_ranks(AttachUi& own);

    // Goes to the newest moment, or to that moment of the server's clock.
    void go_to(const AttachUi& own, std::optional<double> time_s);
    bool is_newest() const { return asked_.is_newest(); }

    // See LiveRun; none while no server is watched.
    std::optional<double> acts_next_at(const AttachUi& own) const;
    bool busy() const { return reading_.busy() || reading_words_.busy(); }

private:
    // What the picture shows; with neither moment nor time the newest.
    struct Asked {
        std::int64_t rank = 0;
        std::optional<std::int64_t> group = {}, beside = {};
        std::optional<std::uint64_t> moment = {};
        std::optional<double> time_s = {};
        bool is_newest() const { return !moment && !time_s; }
    };

    void open(AttachUi& own);
    void open_file(const AttachUi& own, const std::string& path);
    void show_tokens(AttachUi& own);
    void read_tokenizer_file(const std::string& path);
    void choose_group(std::int64_t group);
    void step(const AttachUi& own, int by);
    void pause();
    void ask(const AttachUi& own);
    void record(const AttachUi& own, const std::optional<std::string>& path);
    void take_recording(AttachUi& own, double seconds);
    void take_words(double seconds);
    void take_picture(AttachUi& own, double now);
    PictureAsk picture_asked(const AttachUi& own, std::int64_t rank) const;
    ServerView view_of(const AttachedPicture& picture, const AttachUi& own) const;
    ServerView view_beside(const ServerView& shown, const AttachedPicture& picture) const;
    void fill_words(ServerView& view) const;
    void note_failed_recording(const AttachedPicture& picture);
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
    std::uint64_t asked_number_ = 0;  // that the session gave the newest question
    double asked_at_ = 0;             // when that was, by the window's clock
    std::shared_ptr<const AttachedPicture> picture_;
    std::optional<Said> refused_;
    bool is_remembered_ = false, has_noted_failure_ = false;
};

}  // namespace kv
