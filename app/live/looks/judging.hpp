#pragma once
// The text that both sides of a comparison are judged by (FullText in app/panels/view/run.hpp): the
// answer of a full cache, told to both, or where that cannot be done what the left side sampled.
// Computed once for a state of their recordings, on a thread of its own; PairDifference in
// app/panels/view/pair/pair.hpp judges each token of it.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/live/scene/played_side.hpp"
#include "app/panels/view/run.hpp"
#include "core/base/background/later.hpp"

namespace kv {

class Judging {
public:
    explicit Judging(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~Judging();

    // Who is judged: two sides (a null one is not there) and the request in focus.
    struct Asked {
        const PlayedSide* left;
        const PlayedSide* right;
        SeqId request;
    };
    void follow(const Asked& asked, double seconds);
    bool busy() const { return judging_.valid(); }
    // Null where the text was not made for these two sides and that request.
    const FullText* text_for(const Asked& asked) const;

private:
    // What a text was made for.
    struct Sources {
        std::uint64_t left = 0, right = 0;
        SeqId request{0};
        std::vector<std::uint32_t> tokens, rows;  // of what the left side sampled
        std::uint32_t told = 0;                   // tokens of the told answer at most; 0: none
        friend bool operator==(const Sources&, const Sources&) = default;
    };
    void take(double seconds);

    std::function<void()> wake_;
    Later<std::shared_ptr<const FullText>> judging_;
    std::shared_ptr<const FullText> text_;
    std::shared_ptr<std::atomic<bool>> stop_ = std::make_shared<std::atomic<bool>>(false);
    Sources made_of_, in_work_;
};

}  // namespace kv
