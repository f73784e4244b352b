#pragma once
// What the window remembers of a watched server: what was typed, what is selected, and the last
// picture. Commands change it; whoever holds the connection writes the picture.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/attach/view.hpp"
#include "app/shell/commands.hpp"
#include "app/widgets/fields.hpp"

namespace kv {

enum class AttachStep : std::uint8_t { Batch, Second, Minute };
enum class AttachServerKind : std::uint8_t { Vllm, Sglang, TensorRt };

// The fields of the page that opens a connection.
struct AttachAsk {
    std::string address = {}, replay = {}, metrics = {}, topic = {};
    std::string tokenizer = {};  // a file; makes words of ids while tokens are shown
    std::uint64_t ranks = 1;
    std::optional<std::uint64_t> pool = {};         // blocks of a rank; none: as the metrics say
    std::optional<std::uint64_t> most_blocks = {};  // that are kept; none: as a tank has it
    bool bind = false, show_tokens = false;
    bool full_reports = false;  // the server announces hits as well
    friend bool operator==(const AttachAsk&, const AttachAsk&) = default;
};

struct RecentServer {
    AttachAsk ask;
    std::string words;  // that `attach.open` was told, without tokens: those are asked for anew
    friend bool operator==(const RecentServer&, const RecentServer&) = default;
};

struct AttachUi {
    bool can_connect = true;  // a page of a browser opens no sockets, but recordings
    AttachAsk ask;
    PoolOrder order = PoolOrder::Prefix;
    AttachStep step = AttachStep::Batch;
    AttachServerKind words_for = AttachServerKind::Vllm;
    std::uint32_t selected = 0;  // the plate of a prefix; 0: none
    std::vector<RecentServer> recent;
    std::vector<Command> wishes;  // for whoever holds the connection

    std::shared_ptr<const ServerView> view;   // null: nothing was asked for yet
    std::shared_ptr<const ServerView> other;  // beside it in Compare; null: nothing is
    bool travels = false;                     // to a moment that takes its time
    double made_at = 0, now = 0;              // of the view, and of this frame: the window's clock
    FieldUi field;
    std::string wrong_pool = {};  // what was typed as its size and is none

    // A server has said something, or a recording is open.
    bool shows_server() const { return view && view->phase != AttachPhase::Connecting; }
    bool compares() const { return view && other; }
};

}  // namespace kv
