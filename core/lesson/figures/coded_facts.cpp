// Facts about codes: an outlier and the ladder of the others, the tokens that KIVI has coded, and
// the fields of a coded vector. All are asked of the codecs and of the cost model.

#include <algorithm>
#include <cmath>
#include <set>

#include "core/cache/codec/int_codes.hpp"
#include "core/cache/codec/vector_codec.hpp"
#include "core/cost/cache/vector_bytes.hpp"
#include "core/engine/reference/hadamard.hpp"
#include "core/lesson/figures/ask.hpp"

namespace kv {
namespace {

constexpr std::uint32_t kMostChannels = 16, kMostTicks = 24;
constexpr u64 kCurvePoints = 96;

double largest_of(const std::vector<double>& values) {
    double most = 0;
    for (const double x : values) most = std::max(most, std::abs(x));
    return most;
}

// Each group as a vector of its own: codes, then a scale of sixteen bits.
OutlierFacts::Coded coded(const Codec& codec, const std::vector<double>& values,
                          std::size_t group) {
    OutlierFacts::Coded out;
    out.values = values;
    const std::uint32_t bits = codec.bits();
    for (std::size_t first = 0; first < values.size(); first += group) {
        const std::vector<double> part(
            values.begin() + static_cast<std::ptrdiff_t>(first),
            values.begin() + static_cast<std::ptrdiff_t>(std::min(first + group, values.size())));
        const auto dim = static_cast<std::uint32_t>(part.size());
        std::vector<std::byte> bytes(vector_of(codec, dim).bytes);
        encode_vector(codec, part.data(), dim, bytes.data());
        std::vector<double> back(dim);
        decode_vector(codec, bytes.data(), dim, back.data());
        out.scales.push_back(largest_of(part) / largest_code(bits));
        for (std::uint32_t i = 0; i < dim; ++i) {
            out.codes.push_back(meant_code(get_code(bytes.data(), bits, i), bits));
            out.errors.push_back(std::abs(back[i] - part[i]));
        }
    }
    return out;
}

// The same after a rotation, which is turned back behind the codec.
OutlierFacts::Coded turned(const Codec& codec, const std::vector<double>& values) {
    std::vector<double> moved = values;
    hadamard(moved.data(), moved.size());
    OutlierFacts::Coded out = coded(codec, moved, moved.size());
    const auto dim = static_cast<std::uint32_t>(moved.size());
    std::vector<std::byte> bytes(vector_of(codec, dim).bytes);
    encode_vector(codec, moved.data(), dim, bytes.data());
    std::vector<double> back(dim);
    decode_vector(codec, bytes.data(), dim, back.data());
    hadamard(back.data(), back.size());  // its own inverse
    for (std::uint32_t i = 0; i < dim; ++i) out.errors[i] = std::abs(back[i] - values[i]);
    return out;
}

void judge_others(OutlierFacts::Coded& coded, std::uint32_t channel) {
    std::set<std::int32_t> codes;
    double squares = 0;
    for (std::size_t i = 0; i < coded.codes.size(); ++i) {
        if (i == channel) continue;
        codes.insert(coded.codes[i]);
        squares += coded.errors[i] * coded.errors[i];
    }
    coded.distinct = static_cast<std::uint32_t>(codes.size());
    coded.rms = std::sqrt(squares / static_cast<double>(coded.codes.size() - 1));
}

}  // namespace

// second: "groups" of `group` channels, each with a scale; or "turned" by Hadamard before coding.
FigureFacts ask_outlier(const FigureAsk& ask) {
    std::vector<double> key = ask.given.numbers("key");
    const std::size_t n = key.size();
    if (n < 4 || n > kMostChannels || (n & (n - 1)) != 0)
        ask.given.refuse("wants a key of 4, 8 or " + std::to_string(kMostChannels) + " channels");
    OutlierFacts facts;
    facts.channel = static_cast<std::uint32_t>(ask.given.whole("channel"));
    if (facts.channel >= n) ask.given.refuse("has no such channel");
    const Codec codec =
        ask.given.codec_for(ask.given.text_or("codec", "int4"), static_cast<std::uint32_t>(n));
    if (codec.scale != ScaleMode::PerVector || codec.bits() > 4)
        ask.given.refuse("wants int4, int3 or int2");
    facts.largest_code = static_cast<std::uint32_t>(largest_code(codec.bits()));
    facts.code_bits = codec.bits(), facts.scale_bits = 8 * codec.scale_bytes;
    const std::string second = ask.given.text_or("second", "groups");
    if (second != "groups" && second != "turned")
        ask.given.refuse("has a second part that is neither groups nor turned");
    facts.kind = second == "groups" ? OutlierFacts::Second::Groups : OutlierFacts::Second::Turned;
    facts.group = static_cast<std::uint32_t>(ask.given.whole_or("group", 4));
    if (facts.group < 2 || n % facts.group != 0 || facts.group == n)
        ask.given.refuse("wants groups of equal size, more than one");
    const double from = ask.given.number("from"), to = ask.given.number("to"),
                 by = ask.given.number("by");
    if (!(by > 0) || !(from > 0) || to < from || (to - from) / by >= kMostTicks)
        ask.given.refuse("wants a value from above zero to no less, in at most " +
                         std::to_string(kMostTicks) + " steps");
    for (double at = from; at <= to + by / 1024; at += by) {
        key[facts.channel] = at;
        OutlierFacts::At tick{at, coded(codec, key, n),
                              facts.kind == OutlierFacts::Second::Groups
                                  ? coded(codec, key, facts.group)
                                  : turned(codec, key)};
        judge_others(tick.whole, facts.channel), judge_others(tick.second, facts.channel);
        facts.ticks.push_back(std::move(tick));
    }
    const double open = ask.given.optional_number("open").value_or(to);
    facts.open = static_cast<std::uint32_t>(
        std::count_if(facts.ticks.begin(), facts.ticks.end(),
                      [&](const OutlierFacts::At& tick) { return tick.value <= open; }));
    if (facts.open == 0) ask.given.refuse("opens before its first value");
    facts.whole_bits = effective_bits(codec, Side::K, n);
    facts.second_bits = facts.kind == OutlierFacts::Second::Groups
                            ? effective_bits(codec, Side::K, facts.group)
                            : facts.whole_bits;
    key[facts.channel] = 0;
    facts.vanishes_at = 2.0 * facts.largest_code * largest_of(key);
    facts.second_revealed = ask.when("second_when", "now") == FigureWhen::Revealed;
    facts.marks_vanishing = ask.when("vanishing", "never") != FigureWhen::Never;
    return facts;
}

FigureFacts ask_residual(const FigureAsk& ask) {
    const auto dim = static_cast<std::uint32_t>(ask.given.whole_or("dim", 128));
    const Codec codec = ask.given.codec_for(ask.given.text_or("codec", "int2:kivi"), dim);
    if (!codec.has_residual()) ask.given.refuse("wants int2:kivi or int4:kivi");
    ResidualFacts facts;
    facts.group = kKiviGroup, facts.residual = kKiviResidual;
    facts.coded_bits = effective_bits(codec, Side::K, dim);
    facts.plain_bits = effective_bits(Codec::Fp16, Side::K, dim);
    const auto at = [&](u64 tokens) {
        ResidualFacts::At one{.tokens = tokens};
        for (const Side side : {Side::K, Side::V}) {
            const auto s = static_cast<std::size_t>(side == Side::V);
            one.coded[s] = kivi_coded_tokens(side, tokens);
            one.bits[s] = 8.0 * static_cast<double>(head_bytes(codec, side, dim, tokens)) /
                          static_cast<double>(u64{dim} * tokens);
        }
        return one;
    };
    for (const double length : ask.given.numbers("lengths")) {
        const auto tokens = static_cast<u64>(length);
        if (!(length >= 1 && length <= 8192) || static_cast<double>(tokens) != length ||
            (!facts.ticks.empty() && tokens <= facts.ticks.back().tokens))
            ask.given.refuse("wants lengths from 1 to 8,192, rising");
        facts.ticks.push_back(at(tokens));
    }
    if (facts.ticks.empty() || facts.ticks.size() > kMostTicks)
        ask.given.refuse("wants 1 to " + std::to_string(kMostTicks) + " lengths");
    const u64 open = ask.given.whole_or("open", facts.ticks.size());
    if (open == 0 || open > facts.ticks.size()) ask.given.refuse("opens with 1 length or more");
    facts.open = static_cast<std::uint32_t>(open);
    // Where keys leave all at once the curve has an edge: both of its sides are points.
    const u64 longest = facts.ticks.back().tokens, step = std::max<u64>(1, longest / kCurvePoints);
    std::set<u64> lengths{longest};
    for (u64 tokens = step; tokens < longest; tokens += step) lengths.insert(tokens);
    for (u64 edge = kKiviResidual; edge <= longest; edge += kKiviResidual)
        lengths.insert({edge - 1, edge});
    for (const ResidualFacts::At& tick : facts.ticks) lengths.insert(tick.tokens);
    for (const u64 tokens : lengths) facts.curve.push_back(at(tokens));
    return facts;
}

FigureFacts ask_fields(const FigureAsk& ask) {
    constexpr std::size_t kMostRows = 8;
    FieldsFacts facts;
    facts.numbers = ask.given.whole("numbers", 1);
    if (facts.numbers > 4096) ask.given.refuse("wants at most 4,096 numbers");
    const LessonList& names = ask.given.list("names");
    const LessonList& codecs = ask.given.list("codecs");
    if (names.empty() || names.size() > kMostRows || names.size() != codecs.size())
        ask.given.refuse("wants 1 to " + std::to_string(kMostRows) +
                         " names, and a codec for each");
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto *name = names[i].plain<std::string>(), *word = codecs[i].plain<std::string>();
        if (name == nullptr || word == nullptr) ask.given.refuse("wants names in quotes");
        const Codec codec = ask.given.codec_for(*word, static_cast<std::uint32_t>(facts.numbers));
        const VectorBytes bytes = vector_bytes(codec, Side::V, facts.numbers);
        const bool has_zero = codec.scale == ScaleMode::Groups || codec.scale == ScaleMode::Kivi;
        const u64 zeros = has_zero ? bytes.scales / 2 : 0;
        facts.rows.push_back({*name, bytes.payload, bytes.scales - zeros, zeros});
    }
    const u64 open = ask.given.whole_or("open", facts.rows.size());
    if (open == 0 || open > facts.rows.size()) ask.given.refuse("opens with 1 row or more");
    facts.open = static_cast<std::uint32_t>(open);
    return facts;
}

}  // namespace kv
