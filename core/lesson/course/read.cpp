// The file of a lesson, line by line into a Lesson: front matter between two lines of dashes, then
// its steps. Left a step as it is written, right who reads that and where it goes:
//
//   ## reserve: The old way             heading(): LessonStep::id and title
//   scene: regions.kvscene              take_directive(), in step_lines.cpp: the run that the step
//   at: 4                               shows, the moment at which it opens, and the one at which
//   to: 7                               it ends; what a step does not say it has of the one before
//
//   [C](request:C) has {C.prompt} ...   paragraphs(): `text`, whose links and expressions in
//                                       braces prose.cpp parses, and nobody evaluates yet
//   > predict: How many are idle?       question(): a prediction, or "> do": a task
//   > answer: before(pool.idle)
//   ### Then
//   C waited until A ended.             `then`, which is read behind the reveal

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/files/bounded_file.hpp"
#include "core/base/files/utf8.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/course/step_lines.hpp"
#include "core/lesson/course/task.hpp"

namespace kv {
namespace {

constexpr std::uint64_t kMostBytes = 1u << 20;

class LessonReader {
public:
    LessonReader(std::string_view text, std::string file) : file_(std::move(file)) {
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            std::string_view line = text.substr(at, end - at);
            if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
            lines_.emplace_back(line);
            at = end + 1;
        }
        refuse_ = [this](std::uint32_t line, const std::string& rule, const std::string& advice) {
            throw Error(ErrorCode::World, shown(file_) + ":" + std::to_string(line) +
                                              ": the lesson " + rule + "; " + advice + ".");
        };
    }

    Lesson read() {
        refuse_other_bytes();
        lesson_.file = file_;
        const std::size_t slash = file_.rfind('/');
        lesson_.folder = slash == std::string::npos ? "." : file_.substr(0, slash);
        std::size_t i = front_matter();
        while (i < lines_.size()) {
            if (lines_[i].starts_with("## "))
                i = step(i);
            else if (is_blank(i))
                ++i;
            else
                refuse_(number(i), "has words outside of a step",
                        "put them under a \"## id: title\"");
        }
        check_whole();
        return std::move(lesson_);
    }

private:
    // A lesson's words reach pages, pictures and JSON, none of which can hold other bytes.
    void refuse_other_bytes() const {
        for (std::size_t i = 0; i < lines_.size(); ++i)
            if (valid_utf8_prefix(lines_[i]) != lines_[i].size())
                refuse_(number(i), "has bytes that are no UTF-8", "save the file as UTF-8");
    }

    static std::uint32_t number(std::size_t i) { return static_cast<std::uint32_t>(i + 1); }
    bool is_blank(std::size_t i) const {
        return lines_[i].find_first_not_of(' ') == std::string::npos;
    }

    std::size_t front_matter() {
        if (lines_.empty() || lines_[0] != "---")
            refuse_(1, "does not begin with \"---\"", "begin with its front matter");
        std::size_t i = 1;
        for (; i < lines_.size() && lines_[i] != "---"; ++i)
            if (!is_blank(i)) front_line(lines_[i], number(i));
        if (i == lines_.size())
            refuse_(number(0), "has no end of its front matter", "write \"---\"");
        return i + 1;
    }

    void front_line(const std::string& line, std::uint32_t at) {
        const std::size_t colon = line.find(": ");
        if (colon == std::string::npos)
            refuse_(at, "has \"" + shown(line) + "\" in its front matter", "write key: value");
        const std::string key = line.substr(0, colon), value = line.substr(colon + 2);
        if (key == "number") {
            lesson_.number = whole(value, at, 0, 99), has_number_ = true;
        } else if (key == "title") {
            lesson_.title = value;
        } else if (key == "minutes") {
            lesson_.minutes = whole(value, at, 1, 600);
        } else if (key == "prerequisites") {
            for (std::size_t from = 0; from < value.size();) {
                const std::size_t comma = std::min(value.find(", ", from), value.size());
                lesson_.prerequisites.push_back(whole(value.substr(from, comma - from), at, 1, 99));
                from = comma + 2;
            }
        } else if (key == "objective") {
            lesson_.objectives.push_back(value);
        } else if (key.starts_with("source ")) {
            lesson_.sources.push_back({key.substr(7), value});
        } else if (key == "leaves out") {
            lesson_.leaves_out = parse_prose({value}, at, refuse_);
        } else {
            refuse_(at, "has \"" + shown(key) + "\" in its front matter",
                    "write number, title, minutes, prerequisites, objective, source or leaves out");
        }
    }

    std::uint32_t whole(const std::string& text, std::uint32_t line, std::uint64_t min,
                        std::uint64_t max) const {
        std::string why;
        const auto value = parse_whole(text, min, max, why);
        if (!value)
            refuse_(line, "has \"" + shown(text) + "\", which " + why, "write a whole number");
        return static_cast<std::uint32_t>(*value);
    }

    std::size_t step(std::size_t i) {
        LessonStep step;
        step.line = number(i);
        heading(step, lines_[i]);
        inherit(step);
        for (++i; i < lines_.size() && is_blank(i);) ++i;
        const bool was_recorded = step.recording.has_value();
        bool begins = false, ends = false;
        for (; i < lines_.size() && !is_blank(i); ++i) {
            const auto directive = directive_of(lines_[i]);
            if (!directive) break;
            begins = begins || directive->key == "at";
            ends = ends || directive->key == "to";
            take_directive(step, *directive, number(i), refuse_);
        }
        // A moment of a scene is none of a recording, and the other way round.
        if (!begins && was_recorded != step.recording.has_value()) step.opens = {};
        if (!ends) step.ends = step.opens;
        Prose* prose = &step.text;
        while (i < lines_.size() && !lines_[i].starts_with("## ")) {
            if (lines_[i] == "### Then") {
                prose = &step.then, ++i;
            } else if (lines_[i] == "### Teacher") {
                prose = &step.notes, ++i;
            } else if (lines_[i].starts_with("#")) {
                refuse_(number(i), "has the heading \"" + shown(lines_[i]) + "\"",
                        "use \"## id: title\", \"### Then\" or \"### Teacher\"");
            } else if (lines_[i].starts_with(">")) {
                i = question(step, i);
            } else {
                i = paragraphs(*prose, i);
            }
        }
        finish(std::move(step));
        return i;
    }

    void heading(LessonStep& step, const std::string& line) const {
        const std::size_t colon = line.find(": ");
        if (colon == std::string::npos || colon < 4)
            refuse_(step.line, "has a step without a name", "write \"## name: Title\"");
        step.id = line.substr(3, colon - 3);
        step.title = line.substr(colon + 2);
        for (const LessonStep& earlier : lesson_.steps)
            if (earlier.id == step.id)
                refuse_(step.line, "has two steps named \"" + shown(step.id) + "\"",
                        "give each its own name");
    }

    // A step goes on with the run, or the recording, of the step before it, from where that ended.
    void inherit(LessonStep& step) const {
        if (lesson_.steps.empty()) return;
        const LessonStep& last = lesson_.steps.back();
        step.scene = last.scene;
        step.recording = last.recording;
        step.opens = last.ends;
        step.layout = last.layout;
        step.panels = last.panels;
        step.view = last.view;
    }

    // A prediction, or something to be done in the tank.
    std::size_t question(LessonStep& step, std::size_t i) {
        std::vector<NumberedLine> block;
        for (; i < lines_.size() && lines_[i].starts_with(">"); ++i) {
            std::string_view text = lines_[i];
            text.remove_prefix(std::min(text.find_first_not_of("> "), text.size()));
            block.push_back({number(i), text});
        }
        if (begins_task(block.front().text))
            step.tasks.push_back(task(block, step.recording.has_value()));
        else
            step.predictions.push_back(parse_prediction(block, refuse_));
        return i;
    }

    // Tasks are counted through the lesson, so that answers to them can be told apart.
    LessonTask task(const std::vector<NumberedLine>& block, bool over_recording) {
        LessonTask one = parse_task(block, over_recording, refuse_);
        const bool challenge = one.is_challenge();
        one.id = std::to_string(lesson_.number) + (challenge ? ".c" : ".t") +
                 std::to_string(++(challenge ? challenges_ : tasks_));
        return one;
    }

    std::size_t paragraphs(Prose& prose, std::size_t i) {
        const std::size_t first = i;
        std::vector<std::string> block;
        for (; i < lines_.size() && !lines_[i].starts_with("#") && !lines_[i].starts_with(">"); ++i)
            block.push_back(lines_[i]);
        Prose more = parse_prose(block, number(first), refuse_);
        std::move(more.begin(), more.end(), std::back_inserter(prose));
        return i;
    }

    void finish(LessonStep step) {
        if (step.text.empty())
            refuse_(step.line, "has the step \"" + shown(step.id) + "\" without a text",
                    "say what the reader sees");
        if (!step.scene && !step.recording && step.moves())
            refuse_(step.line, "moves in the step \"" + shown(step.id) + "\" without a scene",
                    "name one with scene:");
        if (step.recording && (step.other || !step.branch.empty()))
            refuse_(step.line,
                    "has a second run in the step \"" + shown(step.id) + "\" of a recording",
                    "leave it out");
        if (step.layout == "attach" && !step.recording)
            refuse_(step.line, "has the layout attach in a step without a recording",
                    "name one with recording:, or another layout");
        for (const LessonTask& task : step.tasks)
            if (!task.start && !step.scene && !step.recording)
                refuse_(task.line, "has a task without a scene", "name one with start:");
        if (step.figure && step.layout != "learn")
            refuse_(step.figure->line, "has a figure in the layout " + step.layout,
                    "write layout: learn");
        lesson_.steps.push_back(std::move(step));
    }

    void check_whole() const {
        const auto lacks = [&](bool is, const char* what) {
            if (is) refuse_(1, std::string("lacks its ") + what, "write it into the front matter");
        };
        lacks(!has_number_, "number");
        lacks(lesson_.title.empty(), "title");
        lacks(lesson_.minutes == 0, "minutes");
        lacks(lesson_.objectives.empty(), "objective");
        lacks(lesson_.leaves_out.empty(), "\"leaves out\"");
        if (lesson_.steps.empty()) refuse_(number(lines_.size()), "has no step", "write one");
        if (!lesson_.steps.front().scene)
            refuse_(lesson_.steps.front().line, "opens on a step without a scene",
                    "open on a live picture");
    }

    std::string file_;
    std::vector<std::string> lines_;
    RefuseLine refuse_;
    Lesson lesson_;
    bool has_number_ = false;  // zero is one
    std::uint32_t tasks_ = 0, challenges_ = 0;
};

}  // namespace

Lesson parse_lesson(std::string_view text, const std::string& file) {
    return LessonReader(text, file).read();
}

Lesson read_lesson(const std::string& file) {
    auto text = read_bounded_file(file, kMostBytes);
    if (const auto* refusal = std::get_if<FileRefusal>(&text))
        throw Error(ErrorCode::World,
                    shown(file) + " " + refusal->rule + "; " + refusal->advice + ".");
    return parse_lesson(std::get<std::string>(text), file);
}

}  // namespace kv
