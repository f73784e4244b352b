#include "core/sim/traces/csv.hpp"

#include <algorithm>
#include <array>

#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

// What a format calls the columns that count.
struct Dialect {
    TraceFormat format;
    std::string_view time, prompt, output;
    bool time_is_date, time_may_lack;
};
constexpr std::array<Dialect, 3> kDialects{{
    {.format = TraceFormat::Azure,
     .time = "TIMESTAMP",
     .prompt = "ContextTokens",
     .output = "GeneratedTokens",
     .time_is_date = true,
     .time_may_lack = false},
    {.format = TraceFormat::BurstGpt,
     .time = "Timestamp",
     .prompt = "Request tokens",
     .output = "Response tokens",
     .time_is_date = false,
     .time_may_lack = false},
    {.format = TraceFormat::Vidur,
     .time = "arrived_at",
     .prompt = "num_prefill_tokens",
     .output = "num_decode_tokens",
     .time_is_date = false,
     .time_may_lack = true},
}};

constexpr std::size_t kMostColumns = 64;

std::optional<std::size_t> place_of(const std::vector<std::string>& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names.begin());
}

std::optional<std::string> name_that_stands_twice(std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice == names.end()) return std::nullopt;
    return *twice;
}

FieldRefusal unknown_header(std::string_view line) {
    return {"", "\"" + shown(line.substr(0, 60)) + "\" is the header of no trace known here",
            "give an Azure, BurstGPT or Vidur CSV file or a Mooncake or Qwen-Bailian JSONL file"};
}

}  // namespace

std::string split_csv(std::string_view line, std::vector<std::string>& fields) {
    fields.clear();
    std::size_t at = 0;
    for (;;) {
        fields.emplace_back();
        std::string& field = fields.back();
        if (fields.size() > kMostColumns) return "has more than 64 fields";
        if (at < line.size() && line[at] == '"') {
            for (++at;; ++at) {
                if (at == line.size()) return "has a quote that is not closed on the line";
                if (line[at] == '"' && (++at == line.size() || line[at] != '"')) break;
                field += line[at];
            }
            if (at < line.size() && line[at] != ',') return "goes on behind a closing quote";
        } else {
            const std::size_t end = std::min(line.find(',', at), line.size());
            field = line.substr(at, end - at);
            if (field.find('"') != std::string::npos) return "has a quote inside a plain field";
            at = end;
        }
        if (at == line.size()) return "";
        ++at;
    }
}

std::variant<CsvTrace, FieldRefusal> CsvTrace::from_header(std::string_view line) {
    std::vector<std::string> names;
    const std::string rule = split_csv(line, names);
    if (!rule.empty()) return FieldRefusal{"", rule, kCopyAgain};
    for (const Dialect& dialect : kDialects) {
        const auto prompt = place_of(names, dialect.prompt);
        const auto output = place_of(names, dialect.output);
        const auto time = place_of(names, dialect.time);
        if (!prompt || !output || !(time || dialect.time_may_lack)) continue;
        if (const auto twice = name_that_stands_twice(names))
            return FieldRefusal{shown(*twice), "stands twice in the header", kCopyAgain};
        std::optional<Column> time_column;
        if (time) time_column = Column{std::string(dialect.time), *time};
        return CsvTrace{dialect.format,
                        dialect.time_is_date ? TimeAs::Date : TimeAs::Seconds,
                        names.size(),
                        std::move(time_column),
                        Column{std::string(dialect.prompt), *prompt},
                        Column{std::string(dialect.output), *output}};
    }
    return unknown_header(line);
}

std::optional<FieldRefusal> CsvTrace::read(std::string_view line, TraceRow& row) {
    std::string why = split_csv(line, fields_);
    if (!why.empty()) return FieldRefusal{"", why, kCopyAgain};
    if (fields_.size() != n_columns_) {
        return FieldRefusal{"",
                            "has " + with_commas(fields_.size()) + " fields where the header has " +
                                with_commas(n_columns_),
                            kCopyAgain};
    }
    row.hash_ids.clear();
    row.arrival_ns = 0;
    if (time_) {
        const std::string& text = fields_[time_->at];
        const auto ns =
            time_as_ == TimeAs::Date ? parse_date_ns(text, why) : parse_seconds_ns(text, why);
        if (!ns) return FieldRefusal{time_->name, why, kCopyAgain};
        row.arrival_ns = *ns;
    }
    const auto prompt = parse_length(fields_[prompt_.at], why);
    if (!prompt) return FieldRefusal{prompt_.name, why, kCopyAgain};
    const auto output = parse_length(fields_[output_.at], why);
    if (!output) return FieldRefusal{output_.name, why, kCopyAgain};
    row.prompt = *prompt;
    row.output = *output;
    return std::nullopt;
}

}  // namespace kv
