#pragma once
// A step of a lesson with everything computed: prose with its numbers filled in, links resolved to
// things of the run, predictions with their answers. What a panel, a page and the command line
// draw; nothing in here refers to the lesson any more.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/ids.hpp"
#include "core/lesson/course/lesson.hpp"
#include "core/lesson/figures/facts.hpp"

namespace kv {

// Where a linked word points: `request`, a position or table entry in `number`, or by name.
struct ShownLink {
    LinkKind kind = LinkKind::Term;
    std::string name = {};
    std::optional<SeqId> request = {};
    std::optional<std::uint32_t> number = {};  // position, entry, block, layer, head, iteration
    std::optional<BlockId> block = {};         // of an entry: what it holds now, if anything
};

// A piece of prose. A misprint is a wrong figure of a text, quoted to be corrected.
struct ShownSpan {
    enum class Kind : std::uint8_t { Words, Computed, Published, Misprint, Link };
    Kind kind = Kind::Words;
    std::string text = {};
    std::string behind = {};  // of a value: its expression; of a published figure: its citation
    std::optional<ShownLink> link = {};
};
struct ShownBlock {
    ProseBlock::Kind kind = ProseBlock::Kind::Text;
    std::vector<std::vector<ShownSpan>> cells;
};
using ShownProse = std::vector<ShownBlock>;

struct ShownGiven {
    std::string label, value;
};
struct ShownPrediction {
    std::string question, unit;
    std::vector<ShownGiven> givens;       // what the answer follows from
    std::vector<std::string> choices;     // none: a value is written
    std::string answer;                   // the first that is right
    std::vector<std::string> also_right;  // others
    ShownProse hint, why;
};

// A task as its reader sees it, before anything is done.
struct ShownTask {
    std::string id;
    bool is_challenge = false;
    ShownProse text, hint;
    std::vector<std::string> conditions;  // in words
    std::vector<std::string> allow;       // changes
    bool at_end = false;
    std::uint32_t within = 0, at = 0;
    std::string score;  // in words; empty: it has none
    bool lower_is_better = false;
    std::vector<std::string> solution;  // commands of the palette
};

// A picture of its own: from a token through a table to a block. Its numbers go together.
struct ShownWalk {
    std::uint32_t position = 0, block_size = 1;
    std::vector<std::uint32_t> table = {};
    std::uint32_t logical() const { return position / block_size; }
    std::uint32_t offset() const { return position % block_size; }
    std::uint32_t physical() const { return table[logical()]; }
};

struct ShownStep {
    // Written out in shown_step.cpp: left implicit, each file that uses one compiles them again.
    ShownStep();
    ShownStep(const ShownStep&);
    ShownStep(ShownStep&&) noexcept;
    ShownStep& operator=(const ShownStep&);
    ShownStep& operator=(ShownStep&&) noexcept;
    ~ShownStep();

    std::string id, title, layout;
    std::string recording;  // that the step stands in; empty: in none
    std::vector<std::string> panels, checks, exercises;
    ShownProse text;   // read when the step opens
    ShownProse then;   // read when its predictions are answered, from the state at its end
    ShownProse notes;  // for who teaches
    std::vector<ShownPrediction> predictions;
    std::vector<ShownTask> tasks;
    std::optional<ShownWalk> walk;
    std::optional<FigureFacts> figure;
    const CodeSample* code = nullptr;
};

// The prose as plain text: spans joined, bullets with "- ", table cells with " | ".
std::string plain_text(const ShownProse& prose);

// The same without the end of its last line, for what stands in one place.
std::string plain_line(const ShownProse& prose);

// A task as it is read: what is to be done, and a bullet for each condition and for the score.
ShownProse whole_task(const ShownTask& task);

}  // namespace kv
