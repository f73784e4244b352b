#pragma once
// Listens to the publishers of one server, a rank each, asks them again for what was missed, polls
// the metrics, and gives what came as entries of a tank, in order. One thread, nothing blocks
// longer than it is told to. All that it ever sends is subscriptions, questions for a replay, and
// GET.

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "app/attach/link.hpp"
#include "app/attach/poll.hpp"
#include "core/attach/stream/gap_mender.hpp"
#include "core/attach/tank/entry.hpp"
#include "core/trace/server/batch_msgpack.hpp"

namespace kv {

struct AttachPlan {
    Address events = {};
    bool bind = false;  // the server connects to us
    std::optional<Address> replay = {};
    std::string topic = {};
    std::optional<HttpAddress> metrics = {};
    std::uint32_t ranks = 1;  // rank r is at the port + r, and so is its replay
    double poll_s = 1;        // between two polls of the metrics
};

enum class StreamState { Connecting, Live, Gap };

struct StreamStatus {
    std::int64_t rank = 0;
    StreamState state = StreamState::Connecting;
    bool ever_ready = false;
    bool broke_protocol = false;        // the last end of the connection was for that
    std::string problem = {};           // why there is no connection
    unsigned tries = 0;                 // that failed, one after the other
    double pause_left_s = 0;            // until the next one
    std::uint64_t batches = 0;          // that could be read
    std::uint64_t unreadable = 0;       // that could not, and messages that are none
    std::string first_unreadable = {};  // why: "sends what is no batch of events ..., at byte 12"
    bool replay_answers = true;         // as far as is known
};

class AttachClient {
public:
    explicit AttachClient(const AttachPlan& plan);  // kv::Error (World) when it cannot listen
    ~AttachClient();
    AttachClient(const AttachClient&) = delete;
    AttachClient& operator=(const AttachClient&) = delete;

    // One turn: waits at most that long until something can be read or written, lets each
    // connection do so, and gives the entries that came of it.
    std::vector<TankEntry> wait(double seconds);

    bool is_behind() const;  // more had come than the last wait took
    std::vector<StreamStatus> status() const;
    const std::optional<MetricsPoll>& metrics() const { return poll_; }

private:
    struct Stream;

    void collect(std::vector<Waiting>& waits, double now_s, double& until_s);
    void take(Stream& stream, double now_s, std::vector<TankEntry>& out);
    void take_live(Stream& stream, double now_s, std::vector<TankEntry>& out) const;
    static void take_replay(Stream& stream, double now_s);
    static std::optional<MsgpackBatch> read(Stream& stream, const std::string& payload);
    static void give_news(Stream& stream, std::vector<TankEntry>& out);
    static void note(Stream& stream, MarkKind kind, std::uint64_t first,
                     std::vector<TankEntry>& out);

    AttachPlan plan_;
    std::deque<Stream> streams_;
    std::optional<MetricsPoll> poll_;
};

}  // namespace kv
