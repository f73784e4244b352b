#pragma once
// What of a code sample runs now, line by line. The step's figure says it where the sample knows
// the figure: the lines that its newest key stands for. Elsewhere the events of the step's run do.
// A beat has a mark of the sample, and the values that its line has at that moment. Pure: it holds
// no more than picture and run show at that key, so no beat gives an answer away.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/lesson/view.hpp"
#include "app/panels/view/run.hpp"
#include "core/lesson/code/shown_code.hpp"

namespace kv {

struct CodeBeat {
    std::string_view mark;
    std::string value = {};                    // "block = table[2] = 44"
    std::optional<std::uint64_t> moment = {};  // of the run, behind the event that did it
    friend bool operator==(const CodeBeat&, const CodeBeat&) = default;
};
struct CodeBeats {
    std::vector<CodeBeat> all;
    bool of_run = false;  // the cursor of the run leads through them, not the key of a figure
};

// The beats of the open step, which shows `sample`.
CodeBeats code_beats(const CodeSample& sample, const LessonView& lesson, const RunView* run);

// The two sources of beats. The first says nothing about a figure that the sample does not know.
std::optional<std::vector<CodeBeat>> figure_beats(const CodeSample& sample, const ShownStep& step,
                                                  std::uint32_t key);
// What events [first, last) did.
std::vector<CodeBeat> run_beats(const CodeSample& sample, const RunView& run, std::uint64_t first,
                                std::uint64_t last);

}  // namespace kv
