#pragma once
// Own work is never dropped without a question: which commands would drop it, and what the answers
// do.

#include "app/frame/state/app_state.hpp"

namespace kv {

// Whether a person is asked first: then the command waits in the question.
bool asks_first(AppState& state, const Command& command);

// The answers of a person: save the work first, let it go, stay.
void save_first(AppState& state, const Command& command);
void drop_work(AppState& state, const Command& command);
void stay(AppState& state, const Command& command);

}  // namespace kv
