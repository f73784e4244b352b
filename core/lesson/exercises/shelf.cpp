#include "core/lesson/exercises/shelf.hpp"

#include <map>
#include <utility>

#include "core/base/error.hpp"
#include "core/lesson/exercises/kind.hpp"

namespace kv {
namespace {

constexpr unsigned kMostDraws = 2'000;
// Exercise i of lesson n, counted from 0, draws from stream 1,000 n + i, so no two share their
// numbers.
constexpr u64 kMostInLesson = 1'000;

struct Place {
    unsigned lesson = 0;
    std::size_t index = 0;
};

class AllExercises {
public:
    AllExercises()
        : lessons_{lesson_1_exercises(),  lesson_2_exercises(),
                   lesson_3_exercises(),  lesson_4_exercises(),
                   lesson_5_exercises(),  lesson_6_exercises(),
                   lesson_7_exercises(),  lesson_8_exercises(),
                   lesson_9_exercises(),  lesson_10_exercises(),
                   lesson_11_exercises(), lesson_12_exercises(),
                   lesson_13_exercises(), with_more_questions(lesson_14_exercises()),
                   ExerciseKinds(),  // the museum's
                   lesson_16_exercises()} {
        KV_ASSERT(lessons_.size() == kLessons && lessons_[kMuseum - 1].empty());
        for (unsigned lesson = 1; lesson <= kLessons; ++lesson)
            for (std::size_t i = 0; i < of(lesson).size(); ++i)
                places_[std::to_string(lesson) + "." + std::to_string(i + 1)] = {lesson, i};
    }

    const ExerciseKinds& of(unsigned lesson) const { return lessons_[lesson - 1]; }
    const Place* find(std::string_view id) const {
        const auto found = places_.find(id);
        return found == places_.end() ? nullptr : &found->second;
    }

private:
    // Ids count on through them in this order, behind the exercises of lesson 14.
    static ExerciseKinds with_more_questions(ExerciseKinds kinds) {
        for (ExerciseKinds more : {real_questions(), self_test_questions(), recorded_questions()})
            for (ExerciseKind& kind : more) kinds.push_back(std::move(kind));
        return kinds;
    }

    std::vector<ExerciseKinds> lessons_;
    std::map<std::string, Place, std::less<>> places_;
};

const AllExercises& all_exercises() {
    static const AllExercises all;
    return all;
}

Place place_of_exercise(std::string_view id) {
    const Place* place = all_exercises().find(id);
    KV_ASSERT(place != nullptr);
    return *place;
}

const ExerciseKind& kind_at(const Place& place) {
    return all_exercises().of(place.lesson)[place.index];
}

Exercise named(Exercise exercise, std::string_view id, const Place& place) {
    exercise.id = id;
    exercise.lesson = place.lesson;
    return exercise;
}

}  // namespace

std::vector<std::string> exercises_of(unsigned lesson) {
    KV_ASSERT(lesson >= 1 && lesson <= kLessons);
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < all_exercises().of(lesson).size(); ++i)
        ids.push_back(std::to_string(lesson) + "." + std::to_string(i + 1));
    return ids;
}

bool is_exercise(std::string_view id) {
    return all_exercises().find(id) != nullptr;
}

unsigned lesson_of(std::string_view id) {
    return place_of_exercise(id).lesson;
}

Exercise ask(std::string_view id, u64 seed) {
    const Place place = place_of_exercise(id);
    Dice dice(seed, place.lesson * kMostInLesson + place.index);
    for (unsigned drawn = 0; drawn < kMostDraws; ++drawn) {
        std::optional<Exercise> exercise = kind_at(place).random(dice);
        if (exercise && !is_degenerate(*exercise)) return named(std::move(*exercise), id, place);
    }
    KV_ASSERT(false && "every draw of an exercise was rejected");
    return {};
}

Exercise fixed_exercise(std::string_view id) {
    const Place place = place_of_exercise(id);
    return named(kind_at(place).fixed(), id, place);
}

std::string rejection_rule(std::string_view id) {
    const std::string rule =
        "A draw is made again when an answer would be 0 or 1 or the same as another one, or when a "
        "known slip would give the right answer.";
    const std::string& own = kind_at(place_of_exercise(id)).rejects;
    return own.empty() ? rule : rule + " So is one where " + own + ".";
}

}  // namespace kv
