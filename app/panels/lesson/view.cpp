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

std::optional<std::size_t> LessonView::next_unanswered() const {
    for (std::size_t i = 0; i < predictions.size(); ++i)
        if (!predictions[i].said) return i;
    return std::nullopt;
}

bool LessonView::may_reveal() const {
    return has_more && !revealed && !busy && !next_unanswered();
}

bool LessonView::is_done(std::uint32_t number, const std::string& step_id) const {
    const auto found = done.find(number);
    return found != done.end() && found->second.count(step_id) > 0;
}

}  // namespace kv
