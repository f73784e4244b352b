#include "app/attach/client.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/attach/stream/message.hpp"
#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/trace/server/batch_msgpack.hpp"

namespace kv {
namespace {

// Where we listen, the newest connection that has greeted is the publisher. So many more may be
// about to greet.
constexpr std::size_t kMostGuests = 4;

Address with_offset(Address address, std::uint32_t rank) {
    address.port = static_cast<std::uint16_t>(address.port + rank);
    return address;
}

// What the wait saw of a socket that is open since before it.
const Waiting& seen_of(const std::vector<Waiting>& waits, int descriptor) {
    const auto seen = std::find_if(waits.begin(), waits.end(), [&](const Waiting& one) {
        return one.descriptor == descriptor;
    });
    KV_ASSERT(seen != waits.end());
    return *seen;
}

}  // namespace

// One publisher: its events, its replay, and the numbers of both.
struct AttachClient::Stream {
    Stream(std::int64_t of_rank, bool has_replay) : rank(of_rank), mender(has_replay) {
        status.rank = rank;
    }

    std::int64_t rank;
    GapMender mender;
    Socket listener = {};
    std::deque<WireLink> guests = {};     // where one listens
    std::optional<WireLink> events = {};  // the connection to the publisher
    std::optional<WireLink> replay = {};
    bool replay_busy = false;  // an answer is on its way
    StreamStatus status;
};

AttachClient::AttachClient(const AttachPlan& plan) : plan_(plan) {
    for (std::uint32_t rank = 0; rank < plan.ranks; ++rank) {
        Stream& stream = streams_.emplace_back(rank, plan.replay.has_value());
        const Address at = with_offset(plan.events, rank);
        if (plan.bind)
            stream.listener = listen_at(at);
        else
            stream.events.emplace(WireRole::Sub, at);
        if (plan.replay) stream.replay.emplace(WireRole::Dealer, with_offset(*plan.replay, rank));
    }
    if (plan.metrics) poll_.emplace(*plan.metrics, plan.poll_s);
}

AttachClient::~AttachClient() = default;

// One turn: each link says what it waits for, one wait for all, each hears what came, and what is
// in order becomes entries.
std::vector<TankEntry> AttachClient::wait(double seconds) {
    double now = steady_now_s(), until = now + seconds;
    std::vector<Waiting> waits;
    collect(waits, now, until);
    wait_for(waits, until - now);

    now = steady_now_s();
    for (const Waiting& seen : waits)
        if (seen.link != nullptr) seen.link->ready(seen, now);
    std::vector<TankEntry> out;
    for (Stream& stream : streams_) {
        const bool someone =
            stream.listener && seen_of(waits, stream.listener.descriptor()).can_read;
        if (someone && stream.guests.size() < kMostGuests)
            if (Socket guest = accept_from(stream.listener))
                stream.guests.emplace_back(WireRole::Sub, std::move(guest));
        take(stream, now, out);
    }
    if (poll_) {
        if (const auto one = poll_->waiting()) poll_->ready(seen_of(waits, one->descriptor), now);
        if (auto samples = poll_->take_samples())
            out.emplace_back(SampleEntry{unix_now_s(), std::move(*samples)});
    }
    return out;
}

void AttachClient::collect(std::vector<Waiting>& waits, double now_s, double& until_s) {
    const auto add = [&](WireLink& link) {
        link.step(now_s);
        until_s = std::min(until_s, link.next_step_s(now_s));
        add_waiting(waits, link);
    };
    for (Stream& stream : streams_) {
        if (stream.listener)
            waits.push_back({.descriptor = stream.listener.descriptor(), .to_read = true});
        for (WireLink& guest : stream.guests) add(guest);
        if (stream.events) add(*stream.events);
        if (stream.replay) add(*stream.replay);
    }
    if (!poll_) return;
    poll_->step(now_s);
    until_s = std::min(until_s, poll_->next_step_s());
    if (const auto one = poll_->waiting()) waits.push_back(*one);
}

void AttachClient::note(Stream& stream, MarkKind kind, std::uint64_t first,
                        std::vector<TankEntry>& out) {
    out.emplace_back(
        StreamMark{.kind = kind, .rank = stream.rank, .first = first, .time_s = unix_now_s()});
}

void AttachClient::take(Stream& stream, double now_s, std::vector<TankEntry>& out) {
    for (auto guest = stream.guests.begin(); guest != stream.guests.end();) {
        if (guest->is_ready()) stream.events = std::move(*guest);
        const bool gone = guest->is_over() || !guest->waiting();
        guest = gone ? stream.guests.erase(guest) : guest + 1;
    }
    take_live(stream, now_s, out);
    if (stream.replay) take_replay(stream, now_s);
    stream.mender.tick(now_s);
    give_news(stream, out);
}

void AttachClient::take_live(Stream& stream, double now_s, std::vector<TankEntry>& out) const {
    if (!stream.events) return;
    WireLink& link = *stream.events;
    StreamStatus& status = stream.status;
    bool was_live = status.state != StreamState::Connecting;
    if (link.take_became_ready()) {
        was_live = true;
        link.subscribe(plan_.topic);
        link.flush();
        status.ever_ready = true;
        note(stream, MarkKind::Connected, 0, out);
        stream.mender.connected(now_s);
    }
    while (auto message = link.take_message()) {
        if (auto batch = published_batch(std::move(*message))) {
            stream.mender.live(batch->sequence, std::move(batch->payload), now_s);
        } else {
            ++status.unreadable;
            if (status.first_unreadable.empty())
                status.first_unreadable =
                    "sends messages that are not a topic, a number and a batch";
        }
    }
    if (link.take_ended())  // the number of tries is said of a try that failed
        note(stream, was_live ? MarkKind::Disconnected : MarkKind::TryFailed, link.tries(), out);
    status.state = link.is_ready() ? StreamState::Live : StreamState::Connecting;
    status.problem = link.is_ready() ? "" : link.problem();
    status.broke_protocol = !link.is_ready() && link.broke_protocol();
    status.tries = link.tries();
    status.pause_left_s = link.pause_left_s(now_s);
    if (link.is_over()) stream.events.reset();
}

void AttachClient::take_replay(Stream& stream, double now_s) {
    WireLink& link = *stream.replay;
    while (auto message = link.take_message()) {
        auto batch = replayed_batch(std::move(*message));
        if (!batch) {
            stream.mender.replay_failed(now_s);
        } else if (batch->sequence == kEndOfReplay) {
            stream.replay_busy = false;
            stream.status.replay_answers = true;
            stream.mender.replay_ended(now_s);
        } else {
            stream.mender.replayed(batch->sequence, std::move(batch->payload), now_s);
        }
    }
    if (link.take_ended() && stream.replay_busy) {
        stream.replay_busy = false;
        stream.status.replay_answers = false;
        stream.mender.replay_failed(now_s);
    }
    // What is left of an answer that nobody waits for any more must not be taken for the next one.
    if (stream.replay_busy && !stream.mender.waits_for_answer()) {
        stream.replay_busy = false;
        stream.status.replay_answers = false;
        link.reconnect(now_s);
    }
    if (!link.is_ready()) return;
    if (const auto from = stream.mender.take_question()) {
        link.send(replay_question_message(*from));
        link.flush();
        stream.replay_busy = true;
    }
}

// Reads a payload; nothing where it is no batch. The status keeps why the first such one is none.
std::optional<MsgpackBatch> AttachClient::read(Stream& stream, const std::string& payload) {
    auto read = read_batch_msgpack(payload);
    if (auto* good = std::get_if<MsgpackBatch>(&read)) {
        ++stream.status.batches;
        // The server's own word counts, and not the port that it came from.
        stream.rank = stream.status.rank = good->batch.rank.value_or(stream.rank);
        return std::move(*good);
    }
    const auto& wrong = std::get<ServerRefusal>(read);
    ++stream.status.unreadable;
    if (stream.status.first_unreadable.empty())
        stream.status.first_unreadable =
            "sends what " + wrong.rule + ", at byte " + with_commas(wrong.offset);
    return std::nullopt;
}

void AttachClient::give_news(Stream& stream, std::vector<TankEntry>& out) {
    std::vector<NumberMark> marks;  // wait for the batch behind them, which says the rank
    const auto give_marks = [&] {
        for (const NumberMark& mark : marks)
            out.emplace_back(StreamMark{.kind = mark.kind,
                                        .rank = stream.rank,
                                        .first = mark.first,
                                        .last = mark.last,
                                        .time_s = unix_now_s()});
        marks.clear();
    };
    for (const NumberNews& news : stream.mender.take_news()) {
        if (const auto* mark = std::get_if<NumberMark>(&news)) {
            marks.push_back(*mark);
            continue;
        }
        const auto& batch = std::get<NumberedBatch>(news);
        auto good = read(stream, batch.payload);
        give_marks();
        if (good)
            out.emplace_back(BatchEntry{stream.rank, batch.sequence, std::move(good->batch),
                                        good->negative_hashes});
    }
    give_marks();
    if (stream.status.state == StreamState::Live && stream.mender.gap_is_open())
        stream.status.state = StreamState::Gap;
}

bool AttachClient::is_behind() const {
    return std::any_of(streams_.begin(), streams_.end(), [](const Stream& stream) {
        return stream.events && stream.events->is_behind();
    });
}

std::vector<StreamStatus> AttachClient::status() const {
    std::vector<StreamStatus> all;
    for (const Stream& stream : streams_) all.push_back(stream.status);
    return all;
}

}  // namespace kv
