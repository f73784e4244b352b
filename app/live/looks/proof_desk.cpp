#include "app/live/looks/proof_desk.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/live/looks/looks.hpp"
#include "app/shell/texts/said.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

// The iteration whose logits are there.
std::uint32_t last_whole_iteration(const Snapshot& now) {
    return now.iteration - (now.in_iteration ? 1 : 0);
}

}  // namespace

ProofDesk::~ProofDesk() {
    if (proving_.valid()) proving_.wait();
}

void ProofDesk::begin(const RunSession& session) {
    const std::uint32_t iteration = last_whole_iteration(session.now());
    std::vector<JudgedRow> rows;
    for (const JudgedRow& row : session.judged_rows())
        if (row.iteration == iteration) rows.push_back(row);
    if (rows.empty())
        throw Refused("refused.proof.no_logits"_t, {{"n", std::to_string(iteration)}});
    if (std::any_of(rows.begin(), rows.end(), [](const JudgedRow& row) { return row.recoded; }))
        throw Refused("refused.proof.recoded"_t, {{"n", std::to_string(iteration)}});
    iteration_ = iteration;
    proving_ = later([model = session.shared_model(), spec = look_spec_of(session),
                      rows = std::move(rows), wake = wake_] {
        ProofView proof = prove_rows(*model, spec, rows);
        if (wake) wake();
        return proof;
    });
}

void ProofDesk::take(double seconds) {
    if (proving_.is_ready(seconds)) proof_ = proving_.get();
}

ProofView ProofDesk::at(const Snapshot& now) const {
    if (busy()) {
        ProofView checking;
        checking.state = ProofView::State::Checking;
        return checking;
    }
    return iteration_ == last_whole_iteration(now) ? proof_ : ProofView();
}

}  // namespace kv
