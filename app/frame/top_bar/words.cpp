#include "app/frame/top_bar/words.hpp"

#include <algorithm>

#include "app/panels/compare_runs/words.hpp"
#include "app/panels/whatif/words.hpp"
#include "core/base/letters.hpp"
#include "core/base/numbers/text.hpp"
#include "core/cost/model/presets.hpp"

namespace kv {
namespace {

// Quiet name, mono value; the first value is a name and stands in the text's own type.
class Readout {
public:
    Readout(const Ui& ui, TopBarWords& words) : ui_(ui), words_(words) { words_.values.reserve(9); }

    void add(TextId label, Text value) {
        const TextStyle quiet = colored(type::caption(ui_), ui_.colors.quiet_on_app());
        const bool first = words_.readout.empty();
        const TextStyle style = first ? colored(sized(type::strong(ui_), 12), ui_.colors.text)
                                      : type::number_small(ui_);
        words_.values.push_back(std::move(value));
        words_.readout.push_back({quiet, ui_.text[label], first ? 0.0f : 14.0f});
        words_.readout.push_back({style, words_.values.back(), 6});
    }

private:
    const Ui& ui_;
    TopBarWords& words_;
};

void read_bill(Readout& out, const BillInputs& bill) {
    out.add("top.model"_t, bill.left.shape.title);
    out.add("top.k"_t, upper_case(codec_name(bill.left.codecs.k)));
    out.add("top.v"_t, upper_case(codec_name(bill.left.codecs.v)));
    out.add("top.page"_t, with_commas(bill.block_size));
}

void read_record(Readout& out, const RunView& run) {
    out.add("trace.file"_t, run.scene);
    out.add("top.page"_t, with_commas(run.layout.block_size));
    out.add("top.pool"_t, with_commas(run.layout.n_blocks));
    if (run.now.host.size() > 0) out.add("top.host"_t, with_commas(run.now.host.size()));
}

void read_run(const Ui& ui, Readout& out, const RunView& run) {
    if (!run.has_engine) return read_record(out, run);
    out.add("top.model"_t,
            fill(ui.text["top.heads"_t], {{"name", model_word(run.model_name)},
                                          {"q", std::to_string(run.model.n_heads)},
                                          {"kv", std::to_string(run.model.n_kv_heads)}}));
    out.add("top.k"_t, upper_case(codec_name(run.k_codec)));
    out.add("top.v"_t, upper_case(codec_name(run.v_codec)));
    out.add("top.page"_t, with_commas(run.layout.block_size));
    out.add("top.pool"_t, with_commas(run.layout.n_blocks));
    if (!keeps_cache(run)) out.add("top.cache"_t, ui.text["top.cache.off"_t]);
    if (run.now.host.size() > 0) out.add("top.host"_t, with_commas(run.now.host.size()));
    out.add("top.on"_t, upper_case(run.backend));
}

// Says that a record is shown. Nothing can be proved of it: there is no engine to compute it again.
void say_recorded(const Ui& ui, TopBarWords& words) {
    words.badge_head = ui.text["trace.badge"_t];
    words.badge_look.quiet = true;
    words.badge_tip = ui.text["trace.badge.tip"_t];
    words.badge.push_back(
        {colored(type::caption(ui), ui.colors.text2), ui.text["trace.badge.what"_t]});
}

void say_proof(const Ui& ui, TopBarWords& words, const ProofView& proof) {
    const TextStyle quiet = colored(type::caption(ui), ui.colors.text2);
    const auto not_proved = [&](TextId text) {
        words.badge_head = ui.text["proof.not_checked"_t];
        words.badge_look.quiet = true;
        words.badge.push_back({quiet, ui.text[text]});
    };
    words.badge_tip = ui.text["proof.tip"_t];
    words.can_prove = true;
    switch (proof.state) {
        case ProofView::State::NotChecked:
            return not_proved("proof.press"_t);
        case ProofView::State::Checking:
            return not_proved("proof.checking"_t);
        case ProofView::State::Proved:
            words.badge_head = ui.text["proof.proved"_t];
            break;
        case ProofView::State::Lossy:
            words.badge_head = ui.text["proof.lossy"_t];
            words.badge_look.loss = true;
            words.badge_tip = ui.text["proof.lossy.tip"_t];
            break;
        case ProofView::State::Differs:
            words.badge_head = ui.text["proof.differs"_t];
            words.badge_look.loss = true;
            break;
    }
    words.values.push_back("= " + significant(proof.max_abs_difference, 3));
    words.badge.push_back({quiet, ui.text["proof.measure"_t]});
    words.badge.push_back(
        {colored(type::number_small(ui), ui.colors.text), words.values.back(), 6});
}

// Says that the race stands over all of Explore; it has no model.
void say_race(const Ui& ui, TopBarWords& words) {
    words.badge_head = ui.text["race.badge"_t];
    words.badge_look.quiet = true;
    words.badge_tip = ui.text["race.badge.tip"_t];
    words.badge.push_back(
        {colored(type::caption(ui), ui.colors.text2), ui.text["race.badge.what"_t]});
}

void say_whatif(const Ui& ui, const WhatIfUi& own, TopBarWords& words) {
    words.badge_head = ui.text["whatif.badge"_t];
    words.badge_look.quiet = true;
    words.badge_tip = ui.text["whatif.badge.tip"_t];
    if (!own.weighed) return;
    words.values.push_back(check_words(ui.text, *own.weighed));
    words.badge.push_back({colored(type::caption(ui), ui.colors.text2), words.values.back()});
}

// Another program's cache: nothing of it can be computed again here.
void say_server(const Ui& ui, Readout& readout, TopBarWords& words, const AttachUi& attach) {
    words.badge_look.quiet = true;
    words.badge_tip = ui.text["attach.badge.tip"_t];
    const TextStyle quiet = colored(type::caption(ui), ui.colors.text2);
    if (!attach.shows_server()) {
        words.badge_head = ui.text["attach.nothing"_t];
        return;
    }
    words.badge_head = ui.text["attach.badge"_t];
    words.badge.push_back({quiet, ui.text["attach.badge.what"_t]});
    const TankPicture& tank = attach.view->tank;
    std::int64_t block_size = 0;
    for (const ShelfCard& card : tank.shelves)
        block_size = std::max(block_size, card.shelf.block_size);
    readout.add("attach.top.server"_t, attach.view->address);
    readout.add("attach.top.block"_t, with_commas(static_cast<std::uint64_t>(block_size)));
    if (const RankCard* card = attach.view->shown_rank(); card != nullptr && card->pool)
        readout.add("top.pool"_t, with_commas(*card->pool));
}

}  // namespace

TopBarWords top_bar_words(const Ui& ui, const AppState& state, const RunView* run) {
    TopBarWords words;
    if (state.docks() == LayoutName::WhatIf) {
        say_whatif(ui, state.whatif, words);
        return words;
    }
    if (state.docks() == LayoutName::Race) {
        say_race(ui, words);
        return words;
    }
    Readout readout(ui, words);
    if (state.layout == LayoutName::Attach || shows_servers(state.docks())) {
        say_server(ui, readout, words, state.attach);
        return words;
    }
    if (run != nullptr) {
        if (!state.run.lesson.asks_settings) read_run(ui, readout, *run);
        if (run->has_engine)
            say_proof(ui, words, run->proof);
        else
            say_recorded(ui, words);
        return words;
    }
    read_bill(readout, state.bill);
    words.badge_head = ui.text["proof.not_checked"_t];
    words.badge_look.quiet = true;
    words.badge_tip = ui.text["proof.tip"_t];
    words.badge.push_back({colored(type::caption(ui), ui.colors.text2), ui.text["proof.no_run"_t]});
    return words;
}

}  // namespace kv
