#include "core/attach/stream/gap_mender.hpp"

#include <functional>
#include <utility>

// live(), replayed(), replay_ended() and replay_failed() are the rows of the table in README.md,
// "The states of a gap mender"; the other functions are what these do.

namespace kv {
namespace {

// A server answers up to a tenth of a second late; one that is there at all answers in this time.
constexpr double kPatience_s = 3;
// A batch that was published after the replay was answered and before the subscription arrived is
// in neither. So it is asked once more, when both have long been served.
constexpr double kLookAgain_s = 1;

// As many as a server keeps for replay.
constexpr std::size_t kMostKept = 10'000, kMostKeptBytes = 64U << 20U;

std::size_t hash_of(const std::string& payload) {
    return std::hash<std::string>()(payload);
}

}  // namespace

void GapMender::mark(MarkKind kind, std::uint64_t first, std::uint64_t last) {
    news_.emplace_back(NumberMark{kind, first, last});
}

void GapMender::ask(Purpose purpose, std::uint64_t from, double now_s) {
    asked_ = Question{.purpose = purpose, .from = from, .waits_until_s = now_s + kPatience_s};
    unsent_ = true;
}

std::optional<std::uint64_t> GapMender::take_question() {
    if (!asked_ || !std::exchange(unsent_, false)) return std::nullopt;
    return asked_->from;
}

std::vector<NumberNews> GapMender::take_news() {
    return std::exchange(news_, {});
}

// After a pause it may be another server; then the last known batch is not there any more, or is
// another one.
void GapMender::connected(double now_s) {
    if (asked_ && seems_another_server()) restart();
    drop_known();
    while (!kept_.empty()) {  // who could send what is missing in between is gone
        lose_up_to(kept_.begin()->first);
        take_kept();
    }
    heard_live_ = false;
    look_again_s_.reset();
    asked_.reset();
    answered_ = false;
    if (!has_replay_) return;
    if (begun_)
        ask(Purpose::CheckServer, next_ - 1, now_s);
    else
        ask(Purpose::CatchUp, 0, now_s);
}

bool GapMender::is_last_one_again(std::uint64_t sequence, const std::string& payload) const {
    return begun_ && sequence + 1 == next_ && hash_of(payload) == last_payload_;
}

// Numbers count on for as long as a server lives.
bool GapMender::falls_to_0(std::uint64_t sequence, const std::string& payload) const {
    return begun_ && sequence == 0 && next_ > 0 && !is_last_one_again(sequence, payload);
}

// The first batch of a connection is below the known ones, and no answer said that the server is
// the same. After an answer it is: what was published before it comes live as well, late.
bool GapMender::began_unseen(std::uint64_t first_live) const {
    return begun_ && first_live < next_ && !answered_;
}

void GapMender::live(std::uint64_t sequence, std::string payload, double now_s) {
    look_again_s_.reset();
    const bool first_here = !std::exchange(heard_live_, true);
    if (asked_ && asked_->holds_live_back()) return keep(sequence, std::move(payload), now_s);
    if (falls_to_0(sequence, payload) || (first_here && began_unseen(sequence))) {
        kept_.clear();
        kept_bytes_ = 0;
        asked_.reset();
        restart();
    }
    if (begun_ && sequence < next_) return;
    if (sequence == next_) {
        deliver(sequence, std::move(payload));
        return take_kept();
    }
    if (!has_replay_) {
        lose_up_to(sequence);
        return deliver(sequence, std::move(payload));
    }
    if (begun_ && !gap_) say_gap(sequence);
    if (!asked_) ask(begun_ ? Purpose::MendGap : Purpose::CatchUp, next_, now_s);
    keep(sequence, std::move(payload), now_s);
}

void GapMender::say_gap(std::uint64_t before) {
    gap_ = Gap{next_, before - 1};
    mark(MarkKind::GapAsked, gap_->first, gap_->last);
    if (asked_) asked_->overtaken = true;
}

void GapMender::replayed(std::uint64_t sequence, std::string payload, double now_s) {
    if (!asked_ || asked_->answer == Answer::OtherServer) return;
    if (asked_->answer == Answer::Nothing) {
        const bool is_last_known = asked_->purpose == Purpose::CheckServer && sequence + 1 == next_;
        const bool is_other = is_last_known && !is_last_one_again(sequence, payload);
        asked_->answer = is_other ? Answer::OtherServer : Answer::Known;
        if (is_other) return;
    }
    if (begun_ && sequence < next_) return;
    // Its first answer is the oldest that the server still has. A hole behind that is one that the
    // connection made, so what comes next is kept and the hole asked for again.
    if (sequence > next_ && asked_->answer == Answer::News)
        return keep(sequence, std::move(payload), now_s);
    if (sequence > next_) lose_up_to(sequence);
    deliver(sequence, std::move(payload));
    asked_->answer = Answer::News;
    asked_->waits_until_s = now_s + kPatience_s;
}

void GapMender::replay_ended(double now_s) {
    if (!asked_) return;
    answered_ = true;
    const bool has_nothing_of_ours =
        asked_->purpose == Purpose::CheckServer && asked_->answer == Answer::Nothing;
    if (!has_nothing_of_ours && asked_->answer != Answer::OtherServer) return answer_is_over(now_s);
    restart();
    ask(Purpose::CatchUp, 0, now_s);
}

void GapMender::replay_failed(double now_s) {
    if (!asked_) return;
    if (seems_another_server()) restart();
    asked_->answer = Answer::Nothing;
    asked_->overtaken = false;
    answer_is_over(now_s);
}

// By what came in answer, or by live batches with lower numbers where nothing did.
bool GapMender::seems_another_server() const {
    const bool unchecked =
        asked_->purpose == Purpose::CheckServer && asked_->answer == Answer::Nothing;
    const bool heard_lower = !kept_.empty() && kept_.begin()->first < next_;
    return asked_->answer == Answer::OtherServer || (unchecked && heard_lower);
}

void GapMender::drop_known() {
    while (begun_ && !kept_.empty() && kept_.begin()->first < next_) {
        kept_bytes_ -= kept_.begin()->second.size();
        kept_.erase(kept_.begin());
    }
}

void GapMender::answer_is_over(double now_s) {
    const Question question = *asked_;
    asked_.reset();
    unsent_ = false;
    drop_known();
    take_kept();
    const bool is_worth_asking_again = question.answer == Answer::News || question.overtaken;
    if (!kept_.empty() && !is_worth_asking_again) {
        lose_up_to(kept_.begin()->first);
        take_kept();
    }
    if (!kept_.empty()) {
        if (begun_ && !gap_) say_gap(kept_.begin()->first);
        return ask(question.holds_live_back() ? Purpose::CatchUp : Purpose::MendGap, next_, now_s);
    }
    if (question.holds_live_back() && answered_) look_again_s_ = now_s + kLookAgain_s;
}

void GapMender::tick(double now_s) {
    if (asked_ && now_s > asked_->waits_until_s) replay_failed(now_s);
    if (look_again_s_ && now_s > *look_again_s_ && !asked_) {
        look_again_s_.reset();
        ask(Purpose::MendGap, next_, now_s);
    }
}

void GapMender::deliver(std::uint64_t sequence, std::string payload) {
    if (!begun_)
        mark(sequence == 0 ? MarkKind::Began : MarkKind::BeganInTheMiddle, sequence, sequence);
    begun_ = true;
    next_ = sequence + 1;
    last_payload_ = hash_of(payload);
    news_.emplace_back(NumberedBatch{sequence, std::move(payload)});
    if (!gap_ || next_ <= gap_->last) return;
    mark(MarkKind::GapMended, gap_->first, gap_->last);
    gap_.reset();
}

// What is too much to keep is not waited for any longer.
void GapMender::keep(std::uint64_t sequence, std::string payload, double now_s) {
    const std::size_t bytes = payload.size();
    if (!kept_.try_emplace(sequence, std::move(payload)).second) return;
    kept_bytes_ += bytes;
    if (kept_.size() > kMostKept || kept_bytes_ > kMostKeptBytes) replay_failed(now_s);
}

void GapMender::take_kept() {
    while (!kept_.empty() && kept_.begin()->first == next_) {
        auto first = kept_.extract(kept_.begin());
        kept_bytes_ -= first.mapped().size();
        deliver(first.key(), std::move(first.mapped()));
    }
}

// Before the first batch nothing is lost: the tank begins in the middle.
void GapMender::lose_up_to(std::uint64_t sequence) {
    if (begun_ && sequence > next_) mark(MarkKind::GapLost, next_, sequence - 1);
    gap_.reset();
    next_ = sequence;
}

void GapMender::restart() {
    mark(MarkKind::Restarted, 0, next_ - 1);
    begun_ = false;
    next_ = 0;
    gap_.reset();
    last_payload_ = 0;
}

}  // namespace kv
