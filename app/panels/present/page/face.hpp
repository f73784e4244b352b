#pragma once
// What one page of a lesson says in front of an audience, and which buttons it has now: a page to
// read, a question, its answer, what happened behind it, or an exercise. Pure.

#include <optional>

#include "app/panels/lesson/view.hpp"
#include "app/shell/texts/texts.hpp"
#include "core/base/reused.hpp"
#include "core/base/reused_text.hpp"

namespace kv {

enum class PageState : std::uint8_t { Read, Question, Answered, Revealed, Then, Exercise };

struct PageChoice {
    Text words;
    bool chosen = false;
    std::optional<bool> right = {};  // known once it is revealed
};

struct PageFace {
    PageState state = PageState::Read;
    Text headline;
    Text above;                         // "question 1 of 2", over the headline; mostly nothing
    const ShownProse* prose = nullptr;  // under it
    Text words;                         // in its place, of an exercise
    const ShownProse* hint = nullptr;   // once it was asked for
    Text hint_words;                    // of an exercise
    std::optional<std::size_t> prediction = {};
    List<PageChoice> choices;
    bool is_written = false;  // the answer is typed
    Text typed;
    Text beside;  // what was said instead of it
    std::optional<bool> typed_right = {};
    // The foot.
    bool has_reveal = false, may_reveal = false, reveal_is_primary = false;
    Text reveal_caption;  // why it cannot be revealed yet
    bool may_hint = false, has_hint = false;
    bool next_is_primary = false;
    bool of_run = false;  // back and next step through a run without a lesson
    bool may_go_back = true, may_go_on = true;

    bool is_question() const {
        return state == PageState::Question || state == PageState::Answered;
    }
    // The foot of a question stays as it is behind its reveal.
    bool has_large_foot() const { return is_question() || state == PageState::Revealed; }
};
PageFace page_face(const LessonView& lesson, const Texts& text);

}  // namespace kv
