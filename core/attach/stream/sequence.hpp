#pragma once
// The numbers of one publisher's batches. Who listens late asks for what was before; a gap is asked
// for again from its first missing number; what comes twice is dropped; a number that falls to 0 is
// a server that began again. What will not come is said, and nothing waits for it for ever. Without
// sockets and clocks: moments are handed in.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/attach/tank/entry.hpp"

namespace kv {

// What a sequence tells, in order: a batch whose turn it is, or a mark.
struct SequencePayload {
    std::uint64_t sequence = 0;
    std::string payload;
};
struct SequenceMark {
    MarkKind kind = MarkKind::Began;
    std::uint64_t first = 0, last = 0;
};
using SequenceNews = std::variant<SequencePayload, SequenceMark>;

class Sequence {
public:
    // Whether anybody can be asked for older batches.
    explicit Sequence(bool has_replay) : has_replay_(has_replay) {}

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
    std::vector<SequenceNews> take_news();

    std::uint64_t next() const { return next_; }
    bool has_begun() const { return begun_; }
    std::uint64_t duplicates() const { return duplicates_; }

private:
    void ask(std::uint64_t from, bool first_look, double now_s);
    void deliver(std::uint64_t sequence, std::string payload);
    void keep(std::uint64_t sequence, std::string payload, double now_s);
    void take_kept();
    void say_gap(std::uint64_t before);
    void lose_up_to(std::uint64_t sequence);
    void restart();
    void answer_is_over(double now_s);
    bool is_last_one_again(std::uint64_t sequence, const std::string& payload) const;
    void mark(MarkKind kind, std::uint64_t first, std::uint64_t last);

    bool has_replay_;
    bool begun_ = false;                      // a batch was delivered, since the server last began
    std::uint64_t next_ = 0;                  // the number whose turn it is
    std::optional<std::uint64_t> last_live_;  // on this connection
    std::size_t last_payload_ = 0;            // a hash of the last one that was delivered

    struct Gap {
        std::uint64_t first = 0, last = 0;
    };
    std::optional<Gap> gap_;  // that was said to be asked for

    struct Question {
        std::uint64_t from = 0;
        bool first_look = false;  // on this connection
        bool checks = false;      // begins with the last known one: is it still the same server?
        bool anything = false;    // something came in answer
        bool news = false;        // and its turn was now
        bool other = false;       // the last known one is another: the server began again
        bool overtaken = false;   // a gap showed after it was asked
        double patience_s = 0;    // until when it is waited for
    };
    std::optional<Question> asked_;
    bool unsent_ = false;                 // the question was not taken yet
    bool answered_ = false;               // one was answered to its end, on this connection
    std::optional<double> look_again_s_;  // when to ask whether something fell between two chairs

    std::map<std::uint64_t, std::string> kept_;  // live ones whose turn has not come
    std::size_t kept_bytes_ = 0;
    std::uint64_t duplicates_ = 0;
    std::vector<SequenceNews> news_;
};

}  // namespace kv
