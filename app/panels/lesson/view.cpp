#include "app/panels/lesson/view.hpp"

#include <algorithm>

namespace kv {

const LessonHead* LessonView::head() const {
    const auto found = std::find_if(shelf.begin(), shelf.end(),
                                    [&](const LessonHead& head) { return head.number == lesson; });
    return found == shelf.end() ? nullptr : &*found;
}

std::size_t LessonView::in_course() const {
    return static_cast<std::size_t>(
        std::count_if(shelf.begin(), shelf.end(),
                      [](const LessonHead& head) { return is_of_course(head.number); }));
}

std::uint32_t LessonView::last_number() const {
    std::uint32_t highest = 0;
    for (const LessonHead& head : shelf)
        if (is_of_course(head.number)) highest = std::max(highest, head.number);
    return highest;
}

std::optional<std::size_t> LessonView::next_unanswered() const {
    for (std::size_t i = 0; i < predictions.size(); ++i)
        if (!predictions[i].said) return i;
    return std::nullopt;
}

namespace {

// Faces of the step itself, before its exercises.
std::size_t own_faces(const LessonView& view) {
    if (!view.revealed) return 1;
    return std::max<std::size_t>(1, view.predictions.size() + (view.shown.then.empty() ? 0 : 1));
}

}  // namespace

std::size_t LessonView::n_faces() const {
    return has_more && !revealed ? 1 : own_faces(*this) + exercises.size() + tasks.size();
}

std::optional<std::size_t> LessonView::reason_in_front() const {
    return revealed && face < predictions.size() ? std::optional(face) : std::nullopt;
}

std::optional<std::size_t> LessonView::exercise_in_front() const {
    const std::size_t own = own_faces(*this);
    if (face < own || face >= n_faces() - tasks.size()) return std::nullopt;
    return face - own;
}

std::optional<std::size_t> LessonView::task_in_front() const {
    const std::size_t before = n_faces() - tasks.size();
    if ((has_more && !revealed) || face < before || face >= n_faces()) return std::nullopt;
    return face - before;
}

bool LessonView::shows_then() const {
    return revealed && !reason_in_front() && !exercise_in_front() && !task_in_front();
}

std::optional<std::size_t> LessonView::asks() const {
    if (!lesson || revealed || predictions.empty()) return std::nullopt;
    return next_unanswered().value_or(predictions.size() - 1);
}

bool LessonView::is_at_last_face() const {
    return (!has_more || revealed) && face + 1 >= n_faces();
}

bool LessonView::may_hint() const {
    if (const auto at = exercise_in_front())
        return !exercises[*at].hinted && !exercises[*at].exercise.hint.empty();
    const auto at = asks();
    return at && !predictions[*at].hinted && !predictions[*at].prediction.hint.empty();
}

bool LessonView::may_reveal() const {
    return has_more && !revealed && !busy && !next_unanswered();
}

bool LessonView::is_done(std::uint32_t number, const std::string& step_id) const {
    const auto found = done.find(number);
    return found != done.end() && found->second.count(step_id) > 0;
}

bool LessonView::is_page() const {
    return !shown.figure && shown.panels == std::vector<std::string>{"lesson"};
}

LessonView::LessonView() = default;
LessonView::LessonView(const LessonView&) = default;
LessonView::LessonView(LessonView&&) noexcept = default;
LessonView& LessonView::operator=(const LessonView&) = default;
LessonView& LessonView::operator=(LessonView&&) noexcept = default;
LessonView::~LessonView() = default;

}  // namespace kv
