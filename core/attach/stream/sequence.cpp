#include "core/attach/stream/sequence.hpp"

#include <functional>
#include <utility>

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

void Sequence::mark(MarkKind kind, std::uint64_t first, std::uint64_t last) {
    news_.emplace_back(SequenceMark{kind, first, last});
}

void Sequence::ask(std::uint64_t from, bool first_look, double now_s) {
    asked_ = Question{.from = from, .first_look = first_look, .patience_s = now_s + kPatience_s};
    unsent_ = true;
}

std::optional<std::uint64_t> Sequence::take_question() {
    if (!asked_ || !std::exchange(unsent_, false)) return std::nullopt;
    return asked_->from;
}

std::vector<SequenceNews> Sequence::take_news() {
    return std::exchange(news_, {});
}

// After a pause it may be another server; then the last known batch is not there any more, or is
// another one.
void Sequence::connected(double now_s) {
    if (!kept_.empty()) lose_up_to(kept_.begin()->first), take_kept();
    last_live_.reset();
    look_again_s_.reset();
    asked_.reset();
    answered_ = false;
    if (!has_replay_) return;
    ask(begun_ ? next_ - 1 : 0, true, now_s);
    asked_->checks = begun_;
}

bool Sequence::is_last_one_again(std::uint64_t sequence, const std::string& payload) const {
    return begun_ && sequence + 1 == next_ && hash_of(payload) == last_payload_;
}

void Sequence::live(std::uint64_t sequence, std::string payload, double now_s) {
    look_again_s_.reset();
    const bool first_here = !last_live_;
    last_live_ = sequence;
    if (asked_ && asked_->first_look) return keep(sequence, std::move(payload), now_s);
    const bool falls_to_0 =
        begun_ && sequence == 0 && next_ > 0 && !is_last_one_again(sequence, payload);
    // What was published before our question was answered comes live as well, late.
    const bool began_unseen = begun_ && first_here && sequence < next_ && !answered_;
    if (falls_to_0 || began_unseen) {
        kept_.clear();
        kept_bytes_ = 0;
        asked_.reset();
        restart();
    }
    if (begun_ && sequence < next_) {
        ++duplicates_;
        return;
    }
    if (sequence == next_) {
        deliver(sequence, std::move(payload));
        return take_kept();
    }
    if (!has_replay_) {
        lose_up_to(sequence);
        return deliver(sequence, std::move(payload));
    }
    if (begun_ && !gap_) say_gap(sequence);
    if (!asked_) ask(next_, !begun_, now_s);
    keep(sequence, std::move(payload), now_s);
}

void Sequence::say_gap(std::uint64_t before) {
    gap_ = Gap{next_, before - 1};
    mark(MarkKind::GapAsked, gap_->first, gap_->last);
    if (asked_) asked_->overtaken = true;
}

void Sequence::replayed(std::uint64_t sequence, std::string payload, double now_s) {
    if (!asked_ || asked_->other) return;
    const bool first = !std::exchange(asked_->anything, true);
    if (asked_->checks && first && sequence + 1 == next_ && !is_last_one_again(sequence, payload)) {
        asked_->other = true;
        return;
    }
    if (begun_ && sequence < next_) {
        ++duplicates_;
        return;
    }
    // Its first answer is the oldest that the server still has. A hole behind that is one that the
    // connection made, so what comes next is kept and the hole asked for again.
    if (sequence > next_ && asked_->news) return keep(sequence, std::move(payload), now_s);
    if (sequence > next_) lose_up_to(sequence);
    deliver(sequence, std::move(payload));
    asked_->news = true;
    asked_->patience_s = now_s + kPatience_s;
}

void Sequence::replay_ended(double now_s) {
    if (!asked_) return;
    answered_ = true;
    if (!asked_->other && (!asked_->checks || asked_->anything)) return answer_is_over(now_s);
    restart();
    ask(0, true, now_s);
}

void Sequence::replay_failed(double now_s) {
    if (!asked_) return;
    const bool lower =
        asked_->checks && !asked_->anything && !kept_.empty() && kept_.begin()->first < next_;
    if (asked_->other || lower) restart();
    asked_->news = asked_->overtaken = false;
    answer_is_over(now_s);
}

void Sequence::answer_is_over(double now_s) {
    const Question question = *asked_;
    asked_.reset();
    unsent_ = false;
    while (begun_ && !kept_.empty() && kept_.begin()->first < next_) {
        kept_bytes_ -= kept_.begin()->second.size();
        kept_.erase(kept_.begin());
        ++duplicates_;
    }
    take_kept();
    if (!kept_.empty() && !question.news && !question.overtaken) {
        lose_up_to(kept_.begin()->first);
        take_kept();
    }
    if (!kept_.empty()) {
        if (begun_ && !gap_) say_gap(kept_.begin()->first);
        return ask(next_, question.first_look, now_s);
    }
    if (question.first_look && answered_) look_again_s_ = now_s + kLookAgain_s;
}

void Sequence::tick(double now_s) {
    if (asked_ && now_s > asked_->patience_s) replay_failed(now_s);
    if (look_again_s_ && now_s > *look_again_s_ && !asked_) {
        look_again_s_.reset();
        ask(next_, false, now_s);
    }
}

void Sequence::deliver(std::uint64_t sequence, std::string payload) {
    if (!begun_)
        mark(sequence == 0 ? MarkKind::Began : MarkKind::BeganInTheMiddle, sequence, sequence);
    begun_ = true;
    next_ = sequence + 1;
    last_payload_ = hash_of(payload);
    news_.emplace_back(SequencePayload{sequence, std::move(payload)});
    if (!gap_ || next_ <= gap_->last) return;
    mark(MarkKind::GapMended, gap_->first, gap_->last);
    gap_.reset();
}

// What is too much to keep is not waited for any longer.
void Sequence::keep(std::uint64_t sequence, std::string payload, double now_s) {
    const std::size_t bytes = payload.size();
    if (!kept_.try_emplace(sequence, std::move(payload)).second) {
        ++duplicates_;
        return;
    }
    kept_bytes_ += bytes;
    if (kept_.size() > kMostKept || kept_bytes_ > kMostKeptBytes) replay_failed(now_s);
}

void Sequence::take_kept() {
    while (!kept_.empty() && kept_.begin()->first == next_) {
        auto first = kept_.extract(kept_.begin());
        kept_bytes_ -= first.mapped().size();
        deliver(first.key(), std::move(first.mapped()));
    }
}

// Before the first batch nothing is lost: the tank begins in the middle.
void Sequence::lose_up_to(std::uint64_t sequence) {
    if (begun_ && sequence > next_) mark(MarkKind::GapLost, next_, sequence - 1);
    gap_.reset();
    next_ = sequence;
}

void Sequence::restart() {
    mark(MarkKind::Restarted, 0, next_ - 1);
    begun_ = false;
    next_ = 0;
    gap_.reset();
    last_payload_ = 0;
}

}  // namespace kv
