#include "app/live/scene/view.hpp"

#include <algorithm>
#include <utility>

#include "app/live/scene/view_fields.hpp"
#include "app/panels/view/facts.hpp"
#include "app/shell/texts/said.hpp"
#include "core/base/files/json.hpp"
#include "core/base/numbers/codec.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/numbers/units.hpp"
#include "core/cost/model/presets.hpp"

namespace kv {
namespace {

using Json = nlohmann::ordered_json;

std::optional<std::uint32_t> number(const Json& view, const char* name) {
    const auto found = view.find(name);
    if (found == view.end() || !found->is_number_unsigned()) return std::nullopt;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(found->get<std::uint64_t>(), UINT32_MAX - 1));
}

std::string word(const Json& view, const char* name) {
    const auto found = view.find(name);
    return found != view.end() && found->is_string() ? found->get<std::string>() : std::string();
}

constexpr std::size_t kPreviews = 3;
static_assert(std::count(kEventMarkWords.begin(), kEventMarkWords.end(), ' ') + 1 == kEventMarks);
static_assert(std::count(kPreviewWords.begin(), kPreviewWords.end(), ' ') + 1 == kPreviews);

double real(const Json& view, const char* name, double otherwise, double least, double most) {
    const auto found = view.find(name);
    if (found == view.end() || !found->is_number()) return otherwise;
    const double x = found->get<double>();
    return x >= least && x <= most ? x : otherwise;
}

Json member(const Json& view, const char* name) {
    const auto found = view.find(name);
    return found != view.end() && found->is_object() ? *found : Json::object();
}

// How the panels are looked at. Only what differs from a fresh window is written.
void panels_of_view(RunState& run, const Json& view) {
    constexpr double kFar = 1e7;  // pixels
    const Json stage = member(view, "stage");
    run.stage.pool.zoom = static_cast<float>(real(stage, "zoom", 1, 1, 4096));
    run.stage.pool.pan = {static_cast<float>(real(stage, "x", 0, 0, kFar)),
                          static_cast<float>(real(stage, "y", 0, 0, kFar))};
    run.stage.row_scroll = static_cast<std::int64_t>(real(stage, "rows", 0, -kFar, kFar));
    run.stage.seen = run.focus.request;
    const Json charts = member(view, "charts");
    const double first = real(charts, "first", 0, 0, UINT32_MAX);
    const double last = real(charts, "last", 0, 0, UINT32_MAX);
    run.charts.zoom = last > first ? std::optional(StepRange{first, last}) : std::nullopt;
    run.roofline = word(view, "roofline") == "bill" ? RooflineOf::Bill : RooflineOf::Run;
    run.prefix.mode = word(view, "prefix") == "tree" ? PrefixMode::Tree : PrefixMode::Chain;
    run.events.hidden = {};
    if (const auto hidden = view.find("hidden_events"); hidden != view.end())
        for (std::size_t i = 0; i < kEventMarks; ++i)
            run.events.hidden[i] = std::find(hidden->begin(), hidden->end(),
                                             word_at(kEventMarkWords, i)) != hidden->end();
    const std::string preview = word(view, "preview");
    run.bytes.preview = PreviewCodec::Int8;
    for (std::size_t i = 0; i < kPreviews; ++i)
        if (preview == word_at(kPreviewWords, i)) run.bytes.preview = static_cast<PreviewCodec>(i);
}

// How the command line reads a rate: parse_bandwidth, parse_flops.
using ParseRate = std::optional<double> (*)(std::string_view, std::string&);

void set_rate(double& rate, const std::string& typed, ParseRate parse) {
    if (typed.empty()) return;
    std::string why;
    const std::optional<double> read = parse(typed, why);
    if (!read || *read <= 0) throw Refused("refused.view.rate"_t, {{"word", typed}});
    rate = *read;
}

// What is left out is as in a fresh window.
BillInputs bill_of(const Json& asked) {
    BillInputs bill = default_bill();
    if (const std::string model = word(asked, "model"); !model.empty())
        set_model(bill, BillSide::Left, model);
    if (const std::string device = word(asked, "device"); !device.empty()) set_device(bill, device);
    if (const auto tokens = number(asked, "tokens")) set_tokens(bill, *tokens);
    if (const auto batch = number(asked, "batch")) set_batch(bill, *batch);
    if (const auto window = number(asked, "window")) set_window(bill, *window);
    if (const auto cards = number(asked, "cards")) set_cards(bill, *cards);
    if (const auto ranks = number(asked, "ranks")) set_ranks(bill, *ranks);
    if (word(asked, "chart") == "fit") bill.chart = BillChart::Fit;
    set_rate(bill.bandwidth, word(asked, "bandwidth"), parse_bandwidth);
    set_rate(bill.flops, word(asked, "flops"), parse_flops);
    for (const Side side : {Side::K, Side::V})
        if (const std::string codec = word(asked, side == Side::K ? "k_codec" : "v_codec");
            !codec.empty())
            set_codec(bill, BillSide::Left, side, codec);
    return bill;
}

// What the Calculator prices, where a view says so. Undo brings back what a person had set.
void bill_of_view(AppState& state, const Json& view) {
    const Json asked = member(view, "bill");
    if (asked.empty()) return;
    state.change_bill(bill_of(asked));
}

std::string without_blanks(std::string text) {
    std::erase(text, ' ');
    return text;
}

// Only what differs from a fresh window, and of the left side; nothing where a fresh window would
// refuse it, because its right side has other layers.
void write_bill(Json& view, const BillInputs& bill) {
    const BillInputs fresh = default_bill();
    Json asked = Json::object();
    const auto write = [&](const char* name, const auto& now, const auto& before, auto text) {
        if (now != before) asked[name] = std::move(text);
    };
    const BillModel &left = bill.left, &usual = fresh.left;
    if (preset(left.shape.name)) write("model", left.shape.name, usual.shape.name, left.shape.name);
    write("device", bill.device.bytes, fresh.device.bytes, without_blanks(bill.device.spelled));
    write("tokens", bill.tokens, fresh.tokens, bill.tokens);
    write("batch", bill.batch, fresh.batch, bill.batch);
    write("window", bill.window, fresh.window, bill.window);
    write("cards", bill.cards, fresh.cards, bill.cards);
    write("ranks", bill.ranks, fresh.ranks, bill.ranks);
    write("chart", bill.chart, fresh.chart, "fit");
    write("bandwidth", bill.bandwidth, fresh.bandwidth, round_trip(bill.bandwidth) + "B/s");
    write("flops", bill.flops, fresh.flops, round_trip(bill.flops) + "FLOP/s");
    write("k_codec", left.codecs.k, usual.codecs.k, codec_name(left.codecs.k));
    write("v_codec", left.codecs.v, usual.codecs.v, codec_name(left.codecs.v));
    if (asked.empty()) return;
    try {
        bill_of(asked);
    } catch (const Refused&) {
        return;
    }
    view["bill"] = std::move(asked);
}

void write_panels(Json& view, const RunState& run) {
    const ZoomAndPan& pool = run.stage.pool;
    if (pool.zoom != 1 || pool.pan.x != 0 || pool.pan.y != 0)
        view["stage"] = {{"zoom", pool.zoom}, {"x", pool.pan.x}, {"y", pool.pan.y}};
    if (run.stage.row_scroll != 0) view["stage"]["rows"] = run.stage.row_scroll;
    if (run.charts.zoom)
        view["charts"] = {{"first", run.charts.zoom->first}, {"last", run.charts.zoom->last}};
    if (run.roofline == RooflineOf::Bill) view["roofline"] = "bill";
    if (run.prefix.mode == PrefixMode::Tree) view["prefix"] = "tree";
    for (std::size_t i = 0; i < kEventMarks; ++i)
        if (run.events.hidden[i]) view["hidden_events"].push_back(word_at(kEventMarkWords, i));
    if (run.bytes.preview != PreviewCodec::Int8)
        view["preview"] = word_at(kPreviewWords, static_cast<std::size_t>(run.bytes.preview));
}

}  // namespace

std::optional<std::uint64_t> moment_in_view(const std::string& text) {
    const Json view = parsed_ordered_json(text);
    const auto found = view.find("moment");
    if (found == view.end() || !found->is_number_unsigned()) return std::nullopt;
    return found->get<std::uint64_t>();
}

std::string focus_in_view(const std::string& text) {
    return word(parsed_ordered_json(text), "focus");
}

void apply_view(AppState& state, const Snapshot& now, const std::string& text) {
    const Json view = parsed_ordered_json(text);
    RunFocus focus;
    const std::string named = word(view, "focus");
    const auto request = request_named(now, named);
    if (request)
        focus.request = *request;
    else if (named.empty() && !now.running.empty())
        focus.request = now.running.back();
    // Before its request came the first one stands in, as for a cursor that is moved there.
    if (request || named.empty()) focus.token = number(view, "token");
    if (const auto block = number(view, "block")) focus.block = BlockId(*block);
    focus.layer = number(view, "layer").value_or(0);
    focus.kv_head = number(view, "kv_head").value_or(0);
    focus.query_head = number(view, "query_head").value_or(0);
    focus.dim = number(view, "dim").value_or(0);
    focus.side = word(view, "side") == "v" ? Side::V : Side::K;
    const Json marked = member(view, "marked");
    const auto first = number(marked, "first"), last = number(marked, "last");
    if (first && last && *first <= *last)
        focus.marked = MarkedTokens{word(marked, "request"), *first, *last};
    state.run.focus = focus;
    state.run.notes.page.clear();
    state.run.notes.text = word(view, "notes");
    for (const Granularity step :
         {Granularity::Operation, Granularity::Layer, Granularity::Token, Granularity::Iteration})
        if (word(view, "step") == name_of(step)) state.run.playback.step = step;
    panels_of_view(state.run, view);
    bill_of_view(state, view);
}

std::string without_proof(const std::string& text) {
    if (!proved_in_view(text)) return text;
    Json view = parsed_ordered_json(text);
    view.erase("proved");
    return view.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool proved_in_view(const std::string& text) {
    const Json view = parsed_ordered_json(text);
    const auto found = view.find("proved");
    return found != view.end() && found->is_boolean() && found->get<bool>();
}

std::optional<SceneChange> change_in_view(const std::string& text, const Snapshot& now) {
    const Json view = parsed_ordered_json(text);
    if (std::string words = word(view, "compare"); !words.empty())
        return SceneChange{std::move(words), {}};
    if (std::string words = word(view, "branch"); !words.empty())
        return SceneChange{std::move(words), number(view, "branch_at").value_or(now.iteration)};
    return std::nullopt;
}

std::string view_text(const AppState& state, const Snapshot& now,
                      const std::optional<SceneChange>& change, std::optional<std::uint64_t> moment,
                      bool proved) {
    const RunFocus& focus = state.run.focus;
    Json view = Json::object();
    view["focus"] = name_of_request(now, focus.request);
    if (focus.token) view["token"] = *focus.token;
    if (focus.block) view["block"] = focus.block->value;
    view["layer"] = focus.layer;
    view["kv_head"] = focus.kv_head;
    view["query_head"] = focus.query_head;
    view["side"] = focus.side == Side::K ? "k" : "v";
    view["dim"] = focus.dim;
    if (const auto& marked = focus.marked)
        view["marked"] = {
            {"request", marked->request}, {"first", marked->first}, {"last", marked->last}};
    view["step"] = name_of(state.run.playback.step);
    if (moment) view["moment"] = *moment;
    write_panels(view, state.run);
    write_bill(view, state.bill);
    if (!state.run.notes.text.empty()) view["notes"] = state.run.notes.text;
    if (proved) view["proved"] = true;
    if (change && !change->whole) {
        view[change->from ? "branch" : "compare"] = change->words;
        if (change->from) view["branch_at"] = *change->from;
    }
    return view.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace kv
