#pragma once
// Which steps of which lessons somebody has read, and where he or she was last: a small file in the
// person's own folder. A file that is not ours is left as it is, and nothing is kept then.

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace kv {

struct LessonProgress {
    std::map<std::uint32_t, std::set<std::string>> done;  // ids of steps, by lesson
    std::string last;                                     // "8:walk"; empty: none
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
