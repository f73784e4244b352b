#include "app/frame/state/app_state.hpp"

#include <utility>

namespace kv {

constexpr std::size_t kUndoDepth = 200;

AppState::AppState() = default;
AppState::AppState(AppState&&) noexcept = default;
AppState& AppState::operator=(AppState&&) noexcept = default;
AppState::~AppState() = default;

void AppState::change_bill(BillInputs changed) {
    bill_undo.push_back(std::exchange(bill, std::move(changed)));
    if (bill_undo.size() > kUndoDepth) bill_undo.erase(bill_undo.begin());
    bill_redo.clear();
}

RunState::RunState() = default;
RunState::RunState(RunState&&) noexcept = default;
RunState& RunState::operator=(RunState&&) noexcept = default;
RunState::~RunState() = default;

}  // namespace kv
