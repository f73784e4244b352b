#include "core/lesson/course/task.hpp"

#include <algorithm>
#include <array>

#include "core/base/letters.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/recording/ask.hpp"
#include "core/lesson/tasks/changes.hpp"

namespace kv {
namespace {

constexpr std::uint32_t kMostTaskIterations = 1'000;

struct KeyedLine {
    std::string_view key, value;  // no key: the line goes on
};

constexpr std::array<std::string_view, 16> kTaskKeys{
    "do",   "challenge", "start", "at",     "reach",  "when",     "within", "allow",
    "hint", "why",       "score", "better", "format", "solution", "wrong",  "other"};

KeyedLine keyed(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return {{}, line};
    const std::string_view key = line.substr(0, colon);
    if (std::find(kTaskKeys.begin(), kTaskKeys.end(), key) == kTaskKeys.end()) return {{}, line};
    return {key, trimmed(line.substr(colon + 1))};
}

class TaskReader {
public:
    TaskReader(const std::vector<NumberedLine>& lines, bool over_recording,
               const RefuseLine& refuse)
        : lines_(lines), over_recording_(over_recording), refuse_(refuse) {}

    LessonTask read() {
        task_.line = lines_.front().line;
        for (const auto& [line, text] : lines_) take(line, text);
        for (Words* words : {&text_, &hint_, &why_})
            if (!words->text.empty()) *words->to = parse_prose({words->text}, words->line, refuse_);
        check();
        return std::move(task_);
    }

private:
    // Prose of several lines, until it is whole.
    struct Words {
        Prose* to;
        std::string text = {};
        std::uint32_t line = 0;
    };

    void take(std::uint32_t line, std::string_view text) {
        const auto [key, value] = keyed(text);
        if (key.empty()) return go_on(line, text);
        if (value.empty())
            refuse_(line, "has nothing behind \"" + std::string(key) + ":\"", "fill it in");
        goes_on_ = nullptr;
        if (key == "do" || key == "challenge") {
            task_.kind = key == "do" ? LessonTask::Kind::Do : LessonTask::Kind::Challenge;
            begin(text_, line, value);
        }
        if (key == "hint") begin(hint_, line, value);
        if (key == "why") begin(why_, line, value);
        const bool is_of_run = key == "start" || key == "at" || key == "within" || key == "when";
        if (over_recording_ && is_of_run)
            refuse_(line, "has \"" + std::string(key) + ":\" in a task over a recording",
                    "leave it out");
        if (key == "start") task_.start = value;
        if (key == "at") task_.at = whole(line, value, 0);
        if (key == "within") task_.within = whole(line, value, 1);
        if (key == "reach") task_.reach.push_back(task_line(line, value));
        if (key == "score") task_.score = task_line(line, value);
        if (key == "when") task_.at_end = one_of(line, value, "sometime", "end");
        if (key == "better") task_.lower_is_better = one_of(line, value, "higher", "lower");
        if (key == "better") has_better_ = true;
        if (key == "format") take_format(line, value);
        if (key == "allow") take_allowed(line, value);
        if (key == "solution") append(task_.solution, deeds(line, value));
        if (key == "wrong") task_.wrong.push_back(deeds(line, value));
        if (key == "other") task_.other.push_back(deeds(line, value));
    }

    void begin(Words& words, std::uint32_t line, std::string_view value) {
        words.text = value, words.line = line;
        goes_on_ = &words;
    }

    void go_on(std::uint32_t line, std::string_view text) {
        if (goes_on_ == nullptr) {
            std::string keys;
            for (const std::string_view key : kTaskKeys)
                keys += (keys.empty() ? "" : ", ") + std::string(key);
            refuse_(line, "has \"" + shown(text) + "\" in a task", "write one of " + keys);
        }
        goes_on_->text += " " + std::string(text);
    }

    std::uint32_t whole(std::uint32_t line, std::string_view text, std::uint64_t least) const {
        std::string why;
        const auto n = parse_whole(text, least, kMostTaskIterations, why);
        if (!n) refuse_(line, "has \"" + shown(text) + "\", which " + why, "write an iteration");
        return static_cast<std::uint32_t>(*n);
    }

    // Whether it is the second.
    bool one_of(std::uint32_t line, std::string_view word, std::string_view first,
                std::string_view second) const {
        if (word != first && word != second)
            refuse_(line, "has \"" + shown(word) + "\" in a task",
                    "write " + std::string(first) + " or " + std::string(second));
        return word == second;
    }

    // "request B waits = B.state == \"waiting\""
    TaskLine task_line(std::uint32_t line, std::string_view value) const {
        constexpr std::string_view kMeans = " = ";
        const std::size_t means = value.find(kMeans);
        if (means == std::string_view::npos)
            refuse_(line, "has \"" + shown(value) + "\" without its words",
                    "write what it says and what it means: words = expression");
        return {parse_prose({std::string(value.substr(0, means))}, line, refuse_),
                parse_lesson_expression(value.substr(means + kMeans.size()), line, refuse_)};
    }

    void take_format(std::uint32_t line, std::string_view value) {
        task_.format = value;
        if (!is_format(value))
            refuse_(line, "has the format \"" + shown(value) + "\"", "use one that is known");
    }

    void take_allowed(std::uint32_t line, std::string_view value) {
        for (std::size_t at = 0; at <= value.size();) {
            const std::size_t comma = std::min(value.find(',', at), value.size());
            const std::string_view word = value.substr(at, comma - at);
            const auto change = over_recording_ ? recording_change(word) : change_named(word);
            if (!change && over_recording_)
                refuse_(line, "allows \"" + shown(trimmed(word)) + "\", which is no change",
                        "write whatif.host or whatif.codec");
            if (!change)
                refuse_(line, "allows \"" + shown(trimmed(word)) + "\", which is no change",
                        "write model, add, fork, stop, pause, resume, priority, clear, or set with "
                        "the name of a setting");
            task_.allow.push_back(*change);
            at = comma + 1;
        }
    }

    static std::optional<std::string> recording_change(std::string_view word) {
        word = trimmed(word);
        return is_recording_change(word) ? std::optional(std::string(word)) : std::nullopt;
    }

    std::optional<TankDeed> deed(std::string_view words, std::string& why) const {
        if (!over_recording_) return parse_deed(words, why);
        RecordingAsk tried;
        why = carry_out(words, tried);
        if (!why.empty()) return std::nullopt;
        return TankDeed{.kind = TankDeed::Kind::Weigh, .words = std::string(trimmed(words))};
    }

    // "run.set pool 4blocks ; run.goto 3"
    std::vector<TankDeed> deeds(std::uint32_t line, std::string_view value) const {
        constexpr std::string_view kThen = " ; ";
        std::vector<TankDeed> all;
        for (std::size_t at = 0; at <= value.size();) {
            const std::size_t end = std::min(value.find(kThen, at), value.size());
            const std::string_view words = value.substr(at, end - at);
            std::string why;
            auto one = deed(words, why);
            if (!one)
                refuse_(line, "has the command \"" + shown(words) + "\", which " + why,
                        "correct it");
            all.push_back(*std::move(one));
            at = end + kThen.size();
        }
        return all;
    }

    static void append(std::vector<TankDeed>& to, std::vector<TankDeed> more) {
        std::move(more.begin(), more.end(), std::back_inserter(to));
    }

    void check() {
        const auto lacks = [&](bool is, const std::string& what) {
            if (is) refuse_(task_.line, "has a task without its " + what, "write it");
        };
        lacks(task_.within == 0 && !over_recording_, "\"within\"");
        lacks(task_.allow.empty(), "\"allow\"");
        lacks(task_.hint.empty(), "\"hint\"");
        lacks(task_.why.empty(), "\"why\"");
        lacks(task_.solution.empty(), "\"solution\"");
        if (task_.is_challenge()) {
            lacks(!task_.score, "\"score\"");
            lacks(!has_better_, "\"better\"");
            task_.at_end = true;
            return;
        }
        lacks(task_.reach.empty(), "\"reach\"");
        if (task_.score || has_better_ || !task_.other.empty())
            refuse_(task_.line, "has a score in a task that is done or not",
                    "write challenge: instead of do:");
    }

    const std::vector<NumberedLine>& lines_;
    bool over_recording_;
    const RefuseLine& refuse_;
    LessonTask task_;
    Words text_{&task_.text}, hint_{&task_.hint}, why_{&task_.why};
    Words* goes_on_ = nullptr;
    bool has_better_ = false;
};

}  // namespace

bool begins_task(std::string_view line) {
    const std::string_view key = keyed(line).key;
    return key == "do" || key == "challenge";
}

LessonTask parse_task(const std::vector<NumberedLine>& lines, bool over_recording,
                      const RefuseLine& refuse) {
    return TaskReader(lines, over_recording, refuse).read();
}

}  // namespace kv
