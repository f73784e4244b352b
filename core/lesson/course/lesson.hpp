#pragma once
// A lesson as it is written: a Markdown file with front matter and steps. Prose holds references in
// braces, which are computed, and links to things on the screen; a number that somebody typed is
// refused. docs/lessons.md is the page for authors.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/code/sample.hpp"
#include "core/lesson/exercises/shelf.hpp"
#include "core/lesson/language/expression.hpp"
#include "core/lesson/tasks/deed.hpp"

namespace kv {

// The museum has the form of a lesson, a room for each wrong rule that was once shipped, and stands
// behind the course whatever its number.
constexpr bool is_of_course(std::uint32_t lesson) {
    return lesson <= kLessons && lesson != kMuseum;
}

// The table of checks, which says what the course must show, has the rows C001 to C163.
constexpr std::uint32_t kCheckRows = 163;

// An expression in a lesson file, with the place that a refusal names.
struct LessonExpression {
    std::string text;
    ExpressionPtr tree;
    std::uint32_t line = 0;
};

// What a word of prose can point at. Arguments are expressions, so that they follow the run.
//   request:A  token:A:5  entry:A:2  block:7  layer:1  head:3  kv_head:1  iteration:4
//   event:BlockCopied  factor:n_kv_heads  chart:memory  panel:bytes  term:block
//   lesson:8  lesson:8:walk  scene:needle  source:paged
enum class LinkKind : std::uint8_t {
    Request,
    Token,
    Entry,
    Block,
    Layer,
    Head,
    KvHead,
    Iteration,
    Event,
    Factor,
    Chart,
    Panel,
    Term,
    Lesson,
    Scene,
    Source
};
std::string_view name_of(LinkKind kind);
std::optional<LinkKind> link_kind_named(std::string_view name);

struct LessonLink {
    LinkKind kind = LinkKind::Term;
    std::string name;                     // the first word: a request, an event, a panel
    std::vector<LessonExpression> where;  // numbers behind it
};

// A piece of prose: plain words, a computed value, or words that point at something.
struct ProseSpan {
    std::string words = {};  // as written; empty for a value
    std::optional<LessonExpression> value = {};
    std::string format = {};  // of the value
    std::optional<LessonLink> link = {};
};

struct ProseBlock {
    enum class Kind : std::uint8_t { Text, Bullet, Row, Code };
    Kind kind = Kind::Text;
    std::vector<std::vector<ProseSpan>> cells;  // one, but for rows of a table
};
using Prose = std::vector<ProseBlock>;

// Where a step stands in its run.
struct LessonMoment {
    enum class Kind : std::uint8_t { Start, Iteration, Event, Operation, Time, End };
    Kind kind = Kind::End;
    // The number of the iteration; for an event which of its kind, from 1; in a recording seconds.
    std::uint32_t number = 0;
    std::string name = {};  // of the event, or of the operation
    std::optional<std::uint32_t> layer = {};
    friend bool operator==(const LessonMoment&, const LessonMoment&) = default;
};

// A number that a question builds on: its name and its value.
struct PredictionGiven {
    std::string label;
    Prose value;
};

struct Prediction {
    std::string question;
    std::vector<PredictionGiven> givens;
    LessonExpression answer;                  // read after the step
    std::vector<LessonExpression> choices;    // none: the reader writes the answer
    std::optional<LessonExpression> accepts;  // a list: any of these is right as well
    std::string format, unit;
    Prose hint, why;
    std::uint32_t line = 0;
};

// Words and what they say as an expression: "request B waits = B.state == ..."
struct TaskLine {
    Prose words;
    LessonExpression means;
};

// Something to be done in the tank. A challenge is done better or worse, by its score.
struct LessonTask {
    enum class Kind : std::uint8_t { Do, Challenge };
    Kind kind = Kind::Do;
    std::string id;  // "8.t1", and "8.c1" for a challenge
    Prose text;
    std::optional<std::string> start;  // a scene; none: that of the step
    std::uint32_t at = 0;              // the iteration at which the tank opens
    std::vector<TaskLine> reach;       // of a challenge: what must hold as well
    bool at_end = false;               // of the run; else at any moment
    std::uint32_t within = 0;          // iterations
    std::vector<std::string> allow;    // changes: core/lesson/tasks/changes.hpp
    Prose hint, why;
    // Commands: on a scene, or over a recording, where the step stands in one.
    std::vector<TankDeed> solution;            // of a challenge: the best that is known
    std::vector<std::vector<TankDeed>> wrong;  // ways that do not do it
    std::vector<std::vector<TankDeed>> other;  // of a challenge: ways that do it worse
    std::optional<TaskLine> score;
    bool lower_is_better = false;
    std::string format;  // of the score
    std::uint32_t line = 0;
    bool is_challenge() const { return kind == Kind::Challenge; }
};

struct LessonStep {
    std::string id, title;
    std::optional<std::string> scene;  // a file of the lesson's folder, or a stock scene
    // In place of a scene, a recording of a server: a file of the lesson's folder, or one made up.
    std::optional<std::string> recording;
    LessonMoment opens, ends;
    std::optional<std::string> other;  // the scene of a second run beside it
    std::vector<std::pair<std::uint32_t, std::string>> branch;  // or: commands from an iteration on
    std::optional<LessonMoment> other_opens, other_ends;
    std::string layout = "learn";
    std::vector<std::string> panels;  // to be on top, first the most important
    std::string view;                 // JSON of the scene's view, where this step looks elsewhere
    std::vector<std::string> checks;  // rows of the table of checks that it shows
    std::vector<std::string> exercises;
    std::vector<LessonExpression> expects;
    std::vector<Prediction> predictions;
    std::vector<LessonTask> tasks;
    std::optional<LessonExpression> walk;    // a picture: position, block size, table
    std::optional<LessonExpression> figure;  // a call: its name and parameters
    const CodeSample* code = nullptr;        // that the step shows, if it shows any
    Prose text;                              // before the key is pressed
    Prose then;                              // after it
    Prose notes;                             // for the teacher
    std::uint32_t line = 0;
    bool moves() const { return !(opens == ends); }
};

struct LessonSource {
    std::string name, citation;
};

struct Lesson {
    std::string file, folder;
    std::uint32_t number = 0, minutes = 0;
    std::string title;
    std::vector<std::uint32_t> prerequisites;
    std::vector<std::string> objectives;
    std::vector<LessonSource> sources;
    Prose leaves_out;
    std::vector<LessonStep> steps;
};

// Throws kv::Error (World): "FILE:LINE: what is wrong; what to do."
Lesson parse_lesson(std::string_view text, const std::string& file);
Lesson read_lesson(const std::string& file);

}  // namespace kv
