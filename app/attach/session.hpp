#pragma once
// A client with its past on a thread of its own. The window asks and is given pictures; neither
// ever waits for the other, and no tank is seen from two threads.

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/attach/client.hpp"
#include "app/attach/recorder.hpp"
#include "core/attach/history/tank_history.hpp"
#include "core/attach/picture/tank_picture.hpp"

namespace kv {

struct SessionPlan {
    AttachPlan attach = {};
    TankSettings tank = {};
    std::uint64_t history_bytes = std::uint64_t{512} << 20U;
    std::optional<std::uint64_t> pool_blocks = {};
};

// What is to be seen. Without a moment it is what happens now.
struct SessionAsk {
    PictureAsk picture = {};
    std::optional<PictureAsk> beside = {};     // another rank of the same moment
    std::optional<std::uint64_t> moment = {};  // a number of entries; or
    std::optional<double> time_s = {};         // the last moment that is not later
};

struct AttachedPicture {
    std::uint64_t answers = 0;  // the number of the newest question that it answers
    TankPicture tank = {};
    std::optional<TankPicture> beside = {};
    std::vector<StreamStatus> streams = {};
    std::uint64_t first_moment = 0, moment = 0, last_moment = 0;  // kept, seen, newest
    double newest_s = 0;                             // of the server's clock, at the newest moment
    std::uint64_t kept_bytes = 0, budget_bytes = 0;  // of the past
    std::uint64_t recorded_bytes = 0;
    bool records = false;
    std::string record_problem = {};   // why recording stopped; empty while nothing is wrong
    std::string metrics_problem = {};  // of the last poll
    std::uint64_t missed_polls = 0;    // one after the other
};

class AttachSession {
public:
    explicit AttachSession(const SessionPlan& plan);  // kv::Error (World) when it cannot listen
    ~AttachSession();
    AttachSession(const AttachSession&) = delete;
    AttachSession& operator=(const AttachSession&) = delete;

    // The number of this question: a far moment takes its time, and older pictures come until it is
    // there.
    std::uint64_t ask(const SessionAsk& what);
    // Writes what comes from here on into that file, until another file or none is asked for.
    void record(const std::optional<std::string>& path, LineTokens tokens);
    // Made anew a few times a second; never none.
    std::shared_ptr<const AttachedPicture> newest() const;

private:
    struct Asked {
        SessionAsk ask = {};
        bool record_changed = false;
        std::optional<std::string> record = {};
        LineTokens tokens = LineTokens::LeftOut;
        std::uint64_t number = 0;  // of the newest question
    };
    void run();
    Asked take_asked();
    void change_record(const Asked& asked);
    void keep(const TankEntry& entry);
    bool arrives_at(const Asked& asked);  // or goes on to the moment that is asked for
    void make_picture(const Asked& asked);

    SessionPlan plan_;
    AttachClient client_;
    TankHistory history_;
    std::optional<ServerRecorder> recorder_;
    std::string record_problem_;
    std::optional<TankJourney> past_;

    mutable std::mutex mutex_;  // of what both threads see
    Asked asked_;
    std::shared_ptr<const AttachedPicture> newest_;
    std::atomic<bool> ends_{false};
    std::thread thread_;
};

}  // namespace kv
