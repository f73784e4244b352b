// Facts of small sums that need no run: passes counted, a row of attention, the bits of a number,
// the sectors of a layer.

#include <cmath>

#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/formats.hpp"
#include "core/cost/time/flops.hpp"
#include "core/lesson/figures/ask.hpp"

namespace kv {
namespace {

constexpr u64 kMostPasses = 4096;
constexpr std::size_t kMostKeys = 6, kWidest = 8;

std::vector<double> row_in(const FigureAsk& ask, const LessonValue& value) {
    const auto* list = value.shared<LessonList>();
    if (list == nullptr || list->empty() || list->size() > kWidest)
        ask.given.refuse("wants lists of 1 to " + std::to_string(kWidest) + " numbers");
    std::vector<double> row;
    for (const LessonValue& x : *list) {
        if (x.plain<Number>() == nullptr) ask.given.refuse("wants lists of numbers");
        row.push_back(x.plain<Number>()->value);
    }
    return row;
}

AttendRowFacts::Shared shared_out(const std::vector<AttendRowFacts::Key>& keys, std::size_t n) {
    AttendRowFacts::Shared shared;
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += keys[i].power;
    shared.output.resize(keys[0].value.size());
    for (std::size_t i = 0; i < n; ++i) {
        shared.weights.push_back(keys[i].power / sum);
        for (std::size_t c = 0; c < shared.output.size(); ++c)
            shared.output[c] += shared.weights[i] * keys[i].value[c];
    }
    return shared;
}

}  // namespace

FigureFacts ask_passes(const FigureAsk& ask) {
    PassesFacts facts;
    facts.prompt = ask.given.whole("prompt", 1), facts.fresh = ask.given.whole("new", 1);
    facts.then = ask.given.whole_or("then", 0);
    if (std::max(facts.fresh, facts.then) > kMostPasses || facts.prompt > kMostPasses)
        ask.given.refuse("wants a prompt and an answer of at most " + std::to_string(kMostPasses) +
                         " tokens");
    if (facts.then != 0 && facts.then <= facts.fresh)
        ask.given.refuse("wants a longer answer behind the reveal");
    facts.without = positions_without_cache(facts.prompt, facts.fresh);
    facts.with = positions_with_cache(facts.prompt, facts.fresh);
    facts.last = ask.when("last", "now"), facts.cache = ask.when("cache", "now");
    facts.sums = ask.when("sums", "revealed");
    return facts;
}

FigureFacts ask_attend_row(const FigureAsk& ask) {
    AttendRowFacts facts;
    facts.query = ask.given.numbers("query");
    const LessonList keys = ask.given.list("keys"), values = ask.given.list("values");
    if (keys.empty() || keys.size() != values.size() || keys.size() > kMostKeys)
        ask.given.refuse("wants 1 to " + std::to_string(kMostKeys) + " keys, and as many values");
    for (std::size_t i = 0; i < keys.size(); ++i) {
        AttendRowFacts::Key one{row_in(ask, keys[i]), row_in(ask, values[i])};
        if (one.key.size() != facts.query.size())
            ask.given.refuse("wants keys as long as the query");
        if (one.value.size() != row_in(ask, values[0]).size())
            ask.given.refuse("wants values of one length");
        for (std::size_t c = 0; c < one.key.size(); ++c) one.dot += facts.query[c] * one.key[c];
        one.score = one.dot / std::sqrt(static_cast<double>(one.key.size()));
        one.power = math::exp(one.score);
        facts.keys.push_back(std::move(one));
    }
    const u64 open = ask.given.whole_or("open", keys.size());
    if (open == 0 || open > keys.size()) ask.given.refuse("opens with 1 key or more of its own");
    facts.open = static_cast<std::uint32_t>(open);
    facts.before = shared_out(facts.keys, open);
    facts.after = shared_out(facts.keys, keys.size());
    return facts;
}

FigureFacts ask_bits(const FigureAsk& ask) {
    const u64 bits = ask.given.whole("bits");
    if (bits > 0xFFFF) ask.given.refuse("wants sixteen bits");
    BitsFacts facts{.bits = static_cast<std::uint16_t>(bits)};
    facts.number = bf16_to_float(facts.bits);
    if (facts.exponent() == 0 || facts.exponent() == 0xFF)
        ask.given.refuse("wants a number with a one before its fraction");
    facts.value = ask.when("value", "now");
    return facts;
}

FigureFacts ask_sectors(const FigureAsk& ask) {
    const auto whole = [&](const char* name) {
        const u64 n = ask.given.whole(name, 1);
        if (n > 64) ask.given.refuse(std::string("wants ") + name + " up to 64");
        return static_cast<std::uint32_t>(n);
    };
    const std::uint32_t tokens = whole("tokens"), heads = whole("kv_heads"),
                        dims = whole("head_dim");
    if (tokens * heads > 64) ask.given.refuse("has more than 64 vectors a side");
    const KvVector vector =
        vector_of(ask.given.codec_for(ask.given.text_or("codec", "bf16"), dims), dims);
    const auto layout = [&](KvOrder order) {
        return KvLayout{1, heads, tokens, 1, order, vector, vector};
    };
    return SectorsFacts{.token_major = layout(KvOrder::TokenMajor),
                        .head_major = layout(KvOrder::HeadMajor),
                        .other = ask.when("other", "now")};
}

}  // namespace kv
