#include "app/cli/lessons.hpp"

#include "app/cli/lessons_ask.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

int run(const GivenOptions& given, const CommonOptions& common) {
    if (asks_or_grades(given)) return run_lessons_ask(given, common);
    throw Error{ErrorCode::Usage,
                "lessons wants --ask N or --grade FILE; see kvarium lessons --help."};
}

}  // namespace

Subcommand lessons_command() {
    return {"lessons",
            "questions on the KV cache, and what answers to them are worth",
            {"lessons --ask 8 --seed 3 --json", "lessons --ask 8 --fixed",
             "lessons --grade FILE --json"},
            "",
            lessons_ask_options(),
            run};
}

}  // namespace kv
