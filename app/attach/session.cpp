#include "app/attach/session.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr double kBetweenPictures_s = 0.25;
// Receiving goes first: however long a picture of a large cache takes, most of the time is not for
// pictures.
constexpr double kPausePerPicture = 3;
// A session that has more to read for so many turns (one picture's time or more) makes pictures so
// much more seldom.
constexpr unsigned kFewTurns = 4;
constexpr double kSeldomer = 5;
constexpr double kLongestWait_s = 0.05;     // until a question or the end is seen
constexpr std::size_t kEntriesAtOnce = 50;  // of a journey into the past, between two looks

}  // namespace

AttachSession::AttachSession(const SessionPlan& plan)
    : plan_(plan),
      client_(plan.attach),
      history_(plan.tank, plan.history_bytes),
      newest_(std::make_shared<AttachedPicture>()),
      thread_([this] { run(); }) {}

AttachSession::~AttachSession() {
    ends_ = true;
    thread_.join();
}

std::uint64_t AttachSession::ask(const SessionAsk& what) {
    const std::lock_guard lock(mutex_);
    asked_.ask = what;
    return ++asked_.number;
}

void AttachSession::record(const std::optional<std::string>& path, LineTokens tokens) {
    const std::lock_guard lock(mutex_);
    asked_.record = path;
    asked_.tokens = tokens;
    asked_.record_changed = true;
    ++asked_.number;
}

std::shared_ptr<const AttachedPicture> AttachSession::newest() const {
    const std::lock_guard lock(mutex_);
    return newest_;
}

AttachSession::Asked AttachSession::take_asked() {
    const std::lock_guard lock(mutex_);
    Asked taken = asked_;
    asked_.record_changed = false;
    return taken;
}

void AttachSession::run() {
    double made_s = 0, pause_s = 0;
    std::uint64_t answered = 0;
    unsigned turns_behind = 0;
    bool travels = false;
    while (!ends_) {
        for (const TankEntry& entry : client_.wait(travels ? 0 : kLongestWait_s)) keep(entry);
        turns_behind = client_.is_behind() ? turns_behind + 1 : 0;
        const Asked asked = take_asked();
        if (asked.record_changed) change_record(asked);
        const double due_s = made_s + (turns_behind > kFewTurns ? kSeldomer * pause_s : pause_s);
        if (asked.number == answered && steady_now_s() < due_s) continue;
        travels = !arrives_at(asked);
        if (travels) continue;
        const double began_s = steady_now_s();
        make_picture(asked);
        answered = asked.number;
        made_s = steady_now_s();
        pause_s = std::max(kBetweenPictures_s, kPausePerPicture * (made_s - began_s));
    }
}

void AttachSession::change_record(const Asked& asked) {
    recorder_.reset();
    record_problem_.clear();
    if (!asked.record) return;
    try {
        recorder_.emplace(*asked.record, asked.tokens);
    } catch (const Error& refused) {
        record_problem_ = refused.what();
    }
}

void AttachSession::keep(const TankEntry& entry) {
    history_.add(entry);
    if (!recorder_) return;
    try {
        recorder_->add(entry);
        recorder_->flush();
    } catch (const Error& full) {
        record_problem_ = full.what();
        recorder_.reset();
    }
}

// The tank of a past moment is kept while it is looked at. Making it takes the longer, the farther
// the moment lies from one that was kept, so it is made a little at a time: who publishes does not
// wait, and drops what nobody takes.
bool AttachSession::arrives_at(const Asked& asked) {
    std::optional<std::uint64_t> moment = asked.ask.moment;
    if (asked.ask.time_s) moment = history_.moment_at(*asked.ask.time_s);
    if (moment) moment = std::max(*moment, history_.first());
    if (moment && *moment < history_.size()) return history_.travel(past_, *moment, kEntriesAtOnce);
    past_.reset();
    return true;
}

void AttachSession::make_picture(const Asked& asked) {
    auto picture = std::make_shared<AttachedPicture>();
    const Tank& shown = past_ ? past_->tank : history_.end();
    picture->tank = tank_picture_of(shown, asked.ask.picture, plan_.pool_blocks);
    if (asked.ask.beside)
        picture->beside = tank_picture_of(shown, *asked.ask.beside, plan_.pool_blocks);
    picture->answers = asked.number;
    picture->streams = client_.status();
    picture->first_moment = history_.first();
    picture->moment = past_ ? past_->moment : history_.size();
    picture->last_moment = history_.size();
    picture->newest_s = history_.end().now_s();
    picture->kept_bytes = history_.kept_bytes();
    picture->budget_bytes = history_.budget_bytes();
    picture->records = recorder_.has_value();
    picture->recorded_bytes = recorder_ ? recorder_->bytes() : 0;
    picture->record_problem = record_problem_;
    if (client_.metrics()) {
        picture->metrics_problem = client_.metrics()->problem();
        picture->missed_polls = client_.metrics()->missed();
    }
    const std::lock_guard lock(mutex_);
    newest_ = std::move(picture);
}

}  // namespace kv
