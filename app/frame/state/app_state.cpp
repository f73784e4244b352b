#include "app/frame/state/app_state.hpp"

namespace kv {

AppState::AppState() = default;
AppState::AppState(AppState&&) noexcept = default;
AppState& AppState::operator=(AppState&&) noexcept = default;
AppState::~AppState() = default;

RunState::RunState() = default;
RunState::RunState(RunState&&) noexcept = default;
RunState& RunState::operator=(RunState&&) noexcept = default;
RunState::~RunState() = default;

}  // namespace kv
