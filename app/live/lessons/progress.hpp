#pragma once
// Which steps of which lessons somebody has read, what he or she has answered and noted, and where
// this ended: a small file in the person's own folder. A file that is not ours is left as it is,
// and nothing is kept then.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/panels/lesson/view.hpp"

namespace kv {

// What was answered last to an exercise.
struct GivenAnswer {
    std::string said;
    std::optional<std::uint64_t> seed;  // none: to the printed numbers
    friend bool operator==(const GivenAnswer&, const GivenAnswer&) = default;
};

struct LessonProgress {
    std::map<std::uint32_t, std::set<std::string>> done;  // ids of steps, by lesson
    std::string last;                                     // "8:walk"; empty: none
    std::map<std::string, GivenAnswer> answers;           // by exercise: "8.1"
    // What was predicted, by step; empty: nothing yet. "8:walk".
    std::map<std::string, std::vector<std::string>> predicted;
    std::map<std::string, TaskRecord> tasks;   // what was done in the tank: "8.t1"
    std::map<std::string, std::string> notes;  // own words about a page: "8:walk"
    friend bool operator==(const LessonProgress&, const LessonProgress&) = default;
};

class ProgressFile {
public:
    // Empty: nothing is read or kept.
    explicit ProgressFile(std::string path);

    const LessonProgress& progress() const { return progress_; }
    // Writes the file where something is new. What cannot be written is not asked for again.
    void keep(LessonProgress progress);

private:
    std::string path_;
    LessonProgress progress_;
};

std::string progress_text(const LessonProgress& progress);
// Throws kv::Error (World) for a text that is not ours.
LessonProgress parse_progress(const std::string& text);

}  // namespace kv
