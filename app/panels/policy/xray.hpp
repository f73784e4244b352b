#pragma once
// X-ray: every token of the request in focus through the eyes of the eviction policy.

#include <string>

#include "app/panels/policy/xray_rows.hpp"
#include "app/panels/view/focus.hpp"
#include "app/panels/view/run.hpp"
#include "app/shell/ui.hpp"

namespace kv {

// The rows of the moment, gathered anew when it changes.
class XrayUi {
public:
    void follow(const RunView& run, const RunFocus& focus, const Texts& text);
    const Xray& xray() const { return xray_; }

private:
    struct Key {
        std::uint64_t run = 0, moment = 0, size = 0;
        SeqId request{0};
        std::uint32_t layer = 0, kv_head = 0;
        std::optional<std::uint32_t> seen, full;  // the queries whose attention is known
        friend bool operator==(const Key&, const Key&) = default;
    };
    std::optional<Key> key_;
    XrayDrops drops_;
    Xray xray_;
};

void draw_xray(const Ui& ui, const RunView& run, RunFocus& focus, XrayUi& own);

}  // namespace kv
