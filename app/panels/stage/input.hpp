#pragma once
// What mouse and keyboard do in the Stage, and what a tooltip says.

#include "app/panels/stage/paint.hpp"
#include "app/panels/stage/plan/hits.hpp"
#include "app/widgets/hit.hpp"

namespace kv {

// The pool as it is now looked at; the wheel and a drag change it for the next frame.
void steer_stage(const StagePicture& s, const Hit& hit, const PoolGrid& fit, RunFocus& focus);
void explain_stage(const StagePicture& s, const StageHit& at);

}  // namespace kv
