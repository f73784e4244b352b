#include "app/live/attach/desk.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/frame/attach.hpp"
#include "app/live/attach/words.hpp"
#include "core/base/error.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr double kMinute_s = 60, kEveryPicture_s = 0.25, kEveryCountdown_s = 0.1,
                 kShortWait_s = 0.3;
constexpr std::uint64_t kMostHistory = std::uint64_t{512} << 20, kPollsMissed = 3;
constexpr std::size_t kMostRecent = 8;
constexpr std::uint64_t kLastPort = 65535;

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
    throw Refused("refused.attach.value"_t, {{"word", shown(text)}, {"why", why}},
                  ErrorCode::World);
}

Address tcp_of(const std::string& text, std::uint64_t ranks) {
    auto read = parse_tcp(text);
    if (const auto* wrong = std::get_if<AddressRefusal>(&read)) refuse(text, wrong->why);
    const Address address = std::get<Address>(std::move(read));
    if (address.port + ranks - 1 > kLastPort) refuse(text, "leaves no port for each rank");
    return address;
}

AttachPlan plan_of(const AttachAsk& ask) {
    AttachPlan plan;
    plan.events = tcp_of(ask.address, ask.ranks);
    plan.bind = ask.bind;
    plan.ranks = static_cast<std::uint32_t>(ask.ranks);
    plan.topic = ask.topic;
    if (!plan.bind && plan.events.host == "*") refuse(ask.address, "names no one host");
    if (!ask.replay.empty()) plan.replay = tcp_of(ask.replay, ask.ranks);
    if (ask.metrics.empty()) return plan;
    auto read = parse_http(ask.metrics);
    if (const auto* wrong = std::get_if<AddressRefusal>(&read)) refuse(ask.metrics, wrong->why);
    plan.metrics = std::get<HttpAddress>(std::move(read));
    return plan;
}

TankSettings tank_of(const AttachAsk& ask) {
    TankSettings tank{.keep_tokens = ask.show_tokens, .full_reports = ask.full_reports};
    if (ask.most_blocks) tank.most_blocks = static_cast<std::uint32_t>(*ask.most_blocks);
    return tank;
}

// Writes the trouble of the shown rank's own connection.
void set_trouble(ServerView& view, const AttachedPicture& picture) {
    view.trouble.clear();
    for (const StreamStatus& one : picture.streams) {
        if (one.rank != view.rank || (one.problem.empty() && one.tries == 0)) continue;
        view.trouble = one.problem;
        view.tries = one.tries;
        view.next_try_s = one.pause_left_s;
    }
}

std::uint64_t events_of(const TankPicture& tank) {
    std::uint64_t events = 0;
    for (const RankCard& card : tank.ranks)
        events += card.rank.stored_events + card.rank.removed_events + card.rank.cleared_events +
                  card.rank.unknown_events;
    return events;
}

}  // namespace

void AttachDesk::open(AttachUi& own) {
    const AttachPlan plan = plan_of(own.ask);
    close(own);  // a port that is listened at has to be free before it is asked for again
    called_ = own.ask;
    read_tokenizer_file(called_.tokenizer);
    session_ = std::make_unique<AttachSession>(SessionPlan{.attach = plan,
                                                           .tank = tank_of(called_),
                                                           .history_bytes = kMostHistory,
                                                           .pool_blocks = called_.pool});
    ServerView calling;
    calling.address = called_.address;
    own.view = std::make_shared<const ServerView>(std::move(calling));
    ask(own);
}

// What was not kept is not there: tokens come with a connection or a reading that is begun anew.
void AttachDesk::show_tokens(AttachUi& own) {
    if (session_) {
        const Asked asked = asked_;
        open(own);
        asked_.rank = asked.rank;
        put_beside(own, asked.beside);
    }
    if (recording_) open_file(own, file_);
    asks_anew_ = true;  // hidden at once, and not when the file has been read
}

// Reads each file once; what cannot be read is said each time that it is asked for.
void AttachDesk::read_tokenizer_file(const std::string& path) {
    if (path == words_file_) return;
    words_file_ = path;
    words_.reset();
    reading_words_.stop();
    if (path.empty()) return;
    reading_words_.start(
        [path](const std::function<bool(double)>&) { return read_token_words(path); });
}

void AttachDesk::take_words(double seconds) {
    if (!reading_words_.busy()) return;
    try {
        if (auto words = reading_words_.take(seconds)) words_ = std::move(words);
    } catch (const Error&) {
        words_file_.clear();
        throw;
    }
    asks_anew_ = true;
}

void AttachDesk::open_file(const AttachUi& own, const std::string& path) {
    file_ = path;
    reads_tokens_ = own.ask.show_tokens;
    if (reads_tokens_) read_tokenizer_file(own.ask.tokenizer);
    reading_.start([path, tank = tank_of(own.ask)](const std::function<bool(double)>& go_on) {
        ServerRecording read = read_server_recording(path, tank, kMostHistory, go_on);
        return read.history == nullptr ? nullptr
                                       : std::make_shared<ServerRecording>(std::move(read));
    });
}

void AttachDesk::show(AttachUi& own, const std::string& place, std::optional<double> at_s) {
    if (recording_ && shown_file_ == place && !reading_.busy()) {
        asked_.moment.reset(), asked_.time_s.reset();
        if (at_s) asked_.time_s = recording_->history->end().start_s() + *at_s;
        return ask(own);
    }
    opens_at_s_ = at_s;
    if (!reading_.busy() || file_ != place) open_file(own, place);
}

void AttachDesk::take_recording(AttachUi& own, double seconds) {
    std::shared_ptr<ServerRecording> read = reading_.take(seconds);
    if (!read) return;
    const std::string file = file_;
    const std::uint32_t selected = own.selected;  // chosen while it was read
    const Asked asked = recording_ && shown_file_ == file ? asked_ : Asked{};
    close(own);
    recording_ = std::move(read);
    keeps_tokens_ = reads_tokens_;
    file_ = shown_file_ = file;
    asked_ = asked;
    if (const auto at_s = std::exchange(opens_at_s_, std::nullopt))
        asked_.time_s = recording_->history->end().start_s() + *at_s;
    own.selected = selected;
    ask(own);
}

void AttachDesk::close(AttachUi& own) {
    reading_.stop();
    session_.reset();
    recording_.reset();
    picture_.reset();
    file_.clear();
    asked_ = {};
    is_remembered_ = has_noted_failure_ = false;
    own.view.reset();
    own.other.reset();
    own.selected = 0;
}

void AttachDesk::pause() {
    if (asked_.is_newest() && picture_)
        asked_.moment = picture_->moment;
    else
        asked_.moment.reset(), asked_.time_s.reset();
}

// Puts another rank beside the shown one; until its first picture is there, it has said nothing.
void AttachDesk::put_beside(AttachUi& own, std::optional<std::int64_t> rank) {
    asked_.beside = rank;
    own.other.reset();
    if (rank && own.view) {
        ServerView comes;
        comes.phase = own.view->phase;
        comes.address = own.view->address;
        comes.rank = *rank;
        own.other = std::make_shared<const ServerView>(std::move(comes));
    }
    ask(own);
}

void AttachDesk::swap_ranks(AttachUi& own) {
    std::swap(asked_.rank, *asked_.beside);
    std::swap(own.view, own.other);
    ask(own);
}

void AttachDesk::go_to(const AttachUi& own, std::optional<double> time_s) {
    if (!asked_.moment && asked_.time_s == time_s) return;
    asked_.moment.reset();
    asked_.time_s = time_s;
    ask(own);
}

// Steps from where the picture stands; a time that was asked for goes on from there, so that
// seconds without a batch are passed as well.
void AttachDesk::step(const AttachUi& own, int by) {
    if (!picture_) return;
    if (own.step == AttachStep::Batch) {
        const std::uint64_t at = asked_.moment.value_or(picture_->moment);
        const bool is_first = by < 0 && at <= picture_->first_moment;
        asked_.moment = is_first ? picture_->first_moment : by < 0 ? at - 1 : at + 1;
        asked_.time_s.reset();
        return;
    }
    const double far_s = own.step == AttachStep::Second ? 1 : kMinute_s;
    const double at_s = asked_.time_s.value_or(picture_->tank.now_s) + by * far_s;
    asked_.moment.reset();
    asked_.time_s = std::max(at_s, picture_->tank.start_s);
    if (*asked_.time_s > picture_->newest_s) asked_.time_s.reset();
}

PictureAsk AttachDesk::picture_asked(const AttachUi& own, std::int64_t rank) const {
    PictureAsk what;
    what.ranks = {rank};
    what.group = asked_.group;
    what.order = own.order;
    return what;
}

void AttachDesk::ask(const AttachUi& own) {
    SessionAsk what;
    what.picture = picture_asked(own, asked_.rank);
    if (asked_.beside) what.beside = picture_asked(own, *asked_.beside);
    what.moment = asked_.moment;
    what.time_s = asked_.time_s;
    if (session_) asked_number_ = session_->ask(what), asked_at_ = own.now;
    if (recording_)
        picture_ = std::make_shared<const AttachedPicture>(
            picture_of_recording(*recording_->history, what));
    asks_anew_ = true;
}

void AttachDesk::record(const AttachUi& own, const std::optional<std::string>& path) {
    if (!session_) throw Refused("refused.attach.none"_t);
    file_ = path.value_or("");
    has_noted_failure_ = false;
    session_->record(path, own.ask.show_tokens ? LineTokens::Written : LineTokens::LeftOut);
}

// Shows one group alone; asked for once more, it shows all groups again.
void AttachDesk::choose_group(std::int64_t group) {
    if (asked_.group == group)
        asked_.group.reset();
    else
        asked_.group = group;
}

void AttachDesk::carry_out(AttachUi& own, const Command& wish) {
    if (wish.id == "attach.open") return open(own);
    if (wish.id == "attach.file") return open_file(own, word_argument(wish));
    if (wish.id == "attach.close") return close(own);
    if (wish.id == "attach.record") return record(own, word_argument(wish));
    if (wish.id == "attach.stop_recording") return record(own, std::nullopt);
    if (wish.id == "attach.tokens") return show_tokens(own);
    if (wish.id == "attach.tokenizer") return read_tokenizer_file(word_argument(wish));
    if (wish.id == "attach.rank") {
        asked_.rank = static_cast<std::int64_t>(whole_argument(wish));
        asked_.group.reset();
    }
    if (wish.id == "attach.group") choose_group(static_cast<std::int64_t>(whole_argument(wish)));
    if (wish.id == "attach.pause") pause();
    if (wish.id == "attach.back") step(own, -1);
    if (wish.id == "attach.forward") step(own, 1);
    if (wish.id == "attach.first") asked_.moment = 0, asked_.time_s.reset();
    if (wish.id == "attach.live") asked_.moment.reset(), asked_.time_s.reset();
    if (wish.id == "attach.goto" && picture_) {
        asked_.moment.reset();
        asked_.time_s = picture_->tank.start_s + std::get<double>(wish.argument);
    }
    ask(own);
}

// A server that answered is offered again.
void AttachDesk::remember(AttachUi& own) {
    is_remembered_ = true;
    std::erase_if(own.recent,
                  [&](const RecentServer& known) { return known.ask.address == called_.address; });
    RecentServer known{.ask = called_, .words = words_of(called_)};
    known.ask.show_tokens = false;
    own.recent.insert(own.recent.begin(), std::move(known));
    if (own.recent.size() > kMostRecent) own.recent.resize(kMostRecent);
}

ServerView AttachDesk::view_of(const AttachedPicture& picture, const AttachUi& own) const {
    ServerView view;
    const bool is_file = recording_ != nullptr;
    view.address = is_file ? std::filesystem::path(file_).filename().string() : called_.address;
    view.topic = is_file ? "" : called_.topic;
    view.has_replay = !is_file && !called_.replay.empty();
    view.has_metrics = !is_file && !called_.metrics.empty();
    view.polls_fail = picture.missed_polls >= kPollsMissed;
    if (view.has_metrics && picture.tank.samples_s > 0)
        view.polled_s = std::max(0.0, picture.newest_s - picture.tank.samples_s);
    view.rank = asked_.rank;
    view.group = asked_.group;
    view.tank = picture.tank;
    view.events = events_of(picture.tank);
    const bool spoke = std::any_of(picture.streams.begin(), picture.streams.end(),
                                   [](const StreamStatus& one) { return one.ever_ready; });
    view.phase = is_file                    ? AttachPhase::Recorded
                 : spoke || view.events > 0 ? AttachPhase::Live
                                            : AttachPhase::Connecting;
    set_trouble(view, picture);
    view.live = asked_.is_newest();
    if (const RankCard* card = view.shown_rank())
        view.sequence = card->rank.last_sequence.value_or(0);
    // Nearly all entries are batches; marks and polls between them count as if they were.
    view.newest_sequence = view.sequence + (picture.last_moment - picture.moment);
    const ServerView* before = own.view.get();
    view.newest_s = picture.newest_s;
    view.kept_bytes = picture.kept_bytes, view.most_bytes = picture.budget_bytes;
    view.kept_from_s = picture.tank.start_s;
    view.recording = picture.records ? file_ : "";
    view.shows_tokens = own.ask.show_tokens && (is_file ? keeps_tokens_ : called_.show_tokens);
    fill_words(view);
    // The pause that is counted down was as long as it was when it began.
    const bool same_try = before != nullptr && before->tries == view.tries;
    view.pause_s = same_try ? std::max(before->pause_s, view.next_try_s) : view.next_try_s;
    return view;
}

void AttachDesk::fill_words(ServerView& view) const {
    if (view.shows_tokens)
        view.has_tokens = put_words(view.tank, words_.get());
    else
        hide_tokens(view.tank);
}

// The view of the other rank, over the same connection.
ServerView AttachDesk::view_beside(const ServerView& shown, const AttachedPicture& picture) const {
    ServerView view = shown;
    view.rank = *asked_.beside;
    view.tank = *picture.beside;
    set_trouble(view, picture);
    const RankCard* card = view.shown_rank();
    view.sequence = card == nullptr ? 0 : card->rank.last_sequence.value_or(0);
    view.newest_sequence = view.sequence + (picture.last_moment - picture.moment);
    fill_words(view);
    return view;
}

// Says once that the recording cannot be written any more.
void AttachDesk::note_failed_recording(const AttachedPicture& picture) {
    if (picture.record_problem.empty() || std::exchange(has_noted_failure_, true)) return;
    refused_ = Said("refused.attach.recording"_t, {{"why", picture.record_problem}});
}

void AttachDesk::take_picture(AttachUi& own, double now) {
    std::shared_ptr<const AttachedPicture> newest = session_ ? session_->newest() : picture_;
    if (!newest || (newest == picture_ && !std::exchange(asks_anew_, false))) return;
    picture_ = std::move(newest);
    ServerView view = view_of(*picture_, own);
    if (view.phase == AttachPhase::Live && !is_remembered_) remember(own);
    note_failed_recording(*picture_);
    if (asked_.beside && picture_->beside)
        own.other = std::make_shared<const ServerView>(view_beside(view, *picture_));
    own.view = std::make_shared<const ServerView>(std::move(view));
    own.made_at = now;
}

void AttachDesk::tick(AttachUi& own, double now, double seconds) {
    own.now = now;
    try {
        take_words(seconds);
        take_recording(own, seconds);
    } catch (const Error& failed) {
        refused_ = said_of(failed);
    }
    take_picture(own, now);
    own.travels = session_ && picture_ && !asked_.is_newest() &&
                  picture_->answers < asked_number_ && now > asked_at_ + kShortWait_s;
}

void AttachDesk::finish(AttachUi& own) {
    constexpr double kLong_s = 1e6;
    take_words(kLong_s);
    take_recording(own, kLong_s);
    take_picture(own, own.now);
}

std::optional<double> AttachDesk::acts_next_at(const AttachUi& own) const {
    if (!session_) return std::nullopt;
    const bool counts_down = own.view && own.view->phase == AttachPhase::Connecting;
    return own.now + (counts_down ? kEveryCountdown_s : kEveryPicture_s);
}

}  // namespace kv
