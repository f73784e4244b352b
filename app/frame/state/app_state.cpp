#include "app/frame/state/app_state.hpp"

#include <utility>

namespace kv {

AppState::AppState() = default;
AppState::AppState(AppState&&) noexcept = default;
AppState& AppState::operator=(AppState&&) noexcept = default;
AppState::~AppState() = default;

void AppState::change_bill(BillInputs changed) {
    bill_undo.remember(std::exchange(bill, std::move(changed)));
}

RunState::RunState() = default;
RunState::RunState(RunState&&) noexcept = default;
RunState& RunState::operator=(RunState&&) noexcept = default;
RunState::~RunState() = default;

}  // namespace kv
