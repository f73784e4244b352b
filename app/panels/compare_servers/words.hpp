#pragma once
// What two servers differ in, as one sentence and as a table. Pure.

#include "app/panels/attach/paint.hpp"
#include "app/panels/attach/view.hpp"
#include "app/panels/view/sentence.hpp"
#include "app/shell/texts/texts.hpp"
#include "core/attach/picture/facts.hpp"

namespace kv {

TankFacts facts_of(const ServerView& view);  // of its shown rank

// The blocks that each holds, what each finds again, and how long its blocks live; of what is not
// known of both there is no word.
List<SentencePiece> servers_sentence(const ServerView& left, const ServerView& right,
                                     const Texts& text);

// "tcp://localhost:5557, rank 1"
Text name_of_server(const ServerView& view, const Texts& text);

struct ServersRow {
    Text what, left, right, apart;
    NumberSource left_from = NumberSource::Exact, right_from = NumberSource::Exact;
    bool is_known = true;  // of both
};
List<ServersRow> servers_rows(const ServerView& left, const ServerView& right, const Texts& text);

}  // namespace kv
