#pragma once
// What the commands of a watched server do to what the window remembers of it. Those that concern
// the connection are wishes, which whoever holds it carries out.

#include <cstdint>
#include <optional>
#include <string>

#include "app/panels/attach/ui.hpp"
#include "app/shell/commands.hpp"

namespace kv {

// Throws kv::Error for what is refused, state unchanged.
void ask_attach(AttachUi& attach, const Command& command);
// Whether the command brings the layout of the server with it.
bool opens_attach(const Command& command);
// Whether the command brings Compare with it.
bool compares_servers(const Command& command);

// What is named to stand beside a server: "rank:1" is one of its own ranks, "tcp://HOST:PORT ..."
// another server with what is known of it, and anything else a recording.
std::optional<std::int64_t> rank_beside(const std::string& word);
bool is_address(const std::string& word);
AttachAsk read_attach_ask(
    const std::string& words);  // throws kv::Error for a word it has no use for
// The other way round, for another day: without tokens, which are asked for each time.
std::string words_of(const AttachAsk& ask);

}  // namespace kv
