#pragma once
// Puts one publisher's batches in order by their numbers. Whoever listens late asks for what was
// before; a gap is asked for again from its first missing number; what comes twice is dropped; a
// number that falls to 0 is a server that began again. What will not come is said, and nothing
// waits for it for ever. Without sockets and clocks: moments are handed in. The README has a table
// of its states.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/attach/tank/entry.hpp"

namespace kv {

// What a mender tells, in order: a batch whose turn it is, or a mark.
struct NumberedBatch {
    std::uint64_t sequence = 0;
    std::string payload;
};
struct NumberMark {
    MarkKind kind = MarkKind::Began;
    std::uint64_t first = 0, last = 0;
};
using NumberNews = std::variant<NumberedBatch, NumberMark>;

class GapMender {
public:
    // Whether anybody can be asked for older batches.
    explicit GapMender(bool has_replay) : has_replay_(has_replay) {}

    void connected(double now_s);  // live batches may come from here on
    void live(std::uint64_t sequence, std::string payload, double now_s);
    void replayed(std::uint64_t sequence, std::string payload, double now_s);
    void replay_ended(double now_s);
    void replay_failed(double now_s);  // nobody answered, or the answer was no answer
    void tick(double now_s);           // a question without an answer is given up in time

    // From which number on somebody has to be asked, once.
    std::optional<std::uint64_t> take_question();
    bool waits_for_answer() const { return asked_.has_value(); }
    bool gap_is_open() const { return gap_.has_value(); }
    std::vector<NumberNews> take_news();

    std::uint64_t next() const { return next_; }
    bool has_begun() const { return begun_; }

private:
    // What a question is for. Until the first two are answered, live batches wait.
    enum class Purpose : std::uint8_t {
        CheckServer,  // from the last known batch on: is it the same server, and what was missed?
        CatchUp,      // what was published before this connection heard its first batch
        MendGap,      // what is missing between live batches
    };
    // What came in answer so far.
    enum class Answer : std::uint8_t {
        Nothing,
        Known,        // only what had been delivered before
        News,         // a batch whose turn it was
        OtherServer,  // the last known batch is another one now
    };
    struct Question {
        Purpose purpose = Purpose::CatchUp;
        std::uint64_t from = 0;
        double waits_until_s = 0;  // a moment: then nobody waits for its answer any more
        Answer answer = Answer::Nothing;
        bool overtaken = false;  // a gap showed after it was asked

        bool holds_live_back() const { return purpose != Purpose::MendGap; }
    };

    void ask(Purpose purpose, std::uint64_t from, double now_s);
    void deliver(std::uint64_t sequence, std::string payload);
    void keep(std::uint64_t sequence, std::string payload, double now_s);
    void take_kept();
    void say_gap(std::uint64_t before);
    void lose_up_to(std::uint64_t sequence);
    void restart();
    void answer_is_over(double now_s);
    bool seems_another_server() const;
    void drop_known();  // of what is kept, what was delivered before
    bool is_last_one_again(std::uint64_t sequence, const std::string& payload) const;
    bool falls_to_0(std::uint64_t sequence, const std::string& payload) const;
    bool began_unseen(std::uint64_t first_live) const;
    void mark(MarkKind kind, std::uint64_t first, std::uint64_t last);

    bool has_replay_;
    bool begun_ = false;            // a batch was delivered, since the server last began
    std::uint64_t next_ = 0;        // the number whose turn it is
    bool heard_live_ = false;       // a live batch came on this connection
    std::size_t last_payload_ = 0;  // a hash of the batch that was delivered last

    struct Gap {
        std::uint64_t first = 0, last = 0;
    };
    std::optional<Gap> gap_;  // the batches that are missing, once that has been said

    std::optional<Question> asked_;
    bool unsent_ = false;    // the question was not taken yet
    bool answered_ = false;  // a question was answered to its end, on this connection
    // When to ask for what was published between the answer and the subscription.
    std::optional<double> look_again_s_;

    std::map<std::uint64_t, std::string> kept_;  // live batches whose turn has not come
    std::size_t kept_bytes_ = 0;
    std::vector<NumberNews> news_;
};

}  // namespace kv
