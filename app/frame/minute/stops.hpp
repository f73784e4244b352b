#pragma once
// The eight stops of the guided minute: where the run stands, what is looked at, which parts are
// lit and what is said of them. Every number comes from the run. Pure.

#include <cstdint>
#include <optional>

#include "app/frame/state/minute_ui.hpp"
#include "app/frame/state/panel_table.hpp"
#include "app/panels/view/run.hpp"
#include "app/panels/view/sentence.hpp"
#include "app/shell/drawn_parts.hpp"
#include "app/shell/texts/texts.hpp"

namespace kv {

// The stops by number, in the order in which they are shown.
enum class MinuteStop : std::uint8_t {
    Tokens = 1,
    KeyValue,
    BlockTable,
    Bytes,
    Attention,
    Step,
    Cost,
    Yours
};

// What a stop asks of the run and of the window before it is drawn.
struct MinuteLook {
    std::uint32_t iteration = 1;
    std::optional<std::uint32_t> token = {};  // selected; none: the newest is looked at
    List<PanelId> panels = {};                // that come to the front
};
MinuteLook look_of(std::uint32_t stop);

// A part that stays uncovered: the names together, or its panel where none of them is in sight.
struct LitPart {
    PanelId panel = PanelId::Stage;
    List<PartName> names;
    std::uint32_t disc = 0;  // its number in the text; 0: none
};
struct StopItem {
    std::uint32_t disc = 0;
    List<SentencePiece> words;
};
struct StopPlan {
    TextId title = "minute.tokens"_t;
    List<StopItem> items;
    List<LitPart> lit;
};
struct StopAsk {
    const RunView& run;
    const RunFocus& focus;
    const Texts& text;
    std::uint32_t first_lesson = 1;
};
StopPlan plan_stop(std::uint32_t stop, const StopAsk& ask);

// What the tokens of a prompt are.
struct PromptKinds {
    std::uint32_t tokens = 0, words = 0, marks = 0;
    bool has_pieces = false;  // of words that the model does not know whole
    std::string begin, mark;  // the token that only says where a text begins; the first mark
};
PromptKinds prompt_kinds(const RunView& run, SeqId request);

}  // namespace kv
