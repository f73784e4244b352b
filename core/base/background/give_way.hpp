#pragma once
// Long work says now and then that something else may be done first. Where there are threads that
// is nothing; a page in a browser has one, and draws a frame here once the work's slice is over.
// Outside of background work it is nothing as well, so whatever computes may say it. Not with a
// lock held.

namespace kv {

void give_way();

// A clock that stands still while the work that asks has given way: what it measures of itself is
// its own time. Seconds, from any beginning.
double seconds_at_work();

}  // namespace kv
