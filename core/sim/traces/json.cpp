#include "core/sim/traces/json.hpp"

#include "core/base/files/json.hpp"
#include "core/base/files/strict_json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

constexpr u64 kDepth = 8;
constexpr double kMsPerSecond = 1000;

// hash_ids can be thousands of numbers long; they go straight into the row.
class HashIds : public JsonTap {
public:
    explicit HashIds(std::vector<u64>& ids) : ids_(ids) { ids_.clear(); }

    bool wants(const std::vector<std::string>& keys) override {
        return keys.size() == 1 && keys.front() == "hash_ids";
    }
    std::string key(const std::string&) override { return kWrong; }
    std::string value(const Json& value) override {
        if (!value.is_number_unsigned()) return kWrong;
        ids_.push_back(value.get<u64>());
        return "";
    }
    std::string open() override { return kWrong; }
    std::string close() override { return ""; }

private:
    static constexpr const char* kWrong = "has something in hash_ids that is no whole number";
    std::vector<u64>& ids_;
};

std::variant<Json, FieldRefusal> object_of(std::string_view line, std::vector<u64>& hash_ids) {
    HashIds tap{hash_ids};
    auto parsed = parse_strict_json(line, kDepth, &tap);
    if (const auto* refusal = std::get_if<JsonRefusal>(&parsed))
        return FieldRefusal{"", refusal->rule + " at byte " + with_commas(refusal->offset),
                            kCopyAgain};
    Json json = std::get<Json>(std::move(parsed));
    if (!json.is_object()) return FieldRefusal{"", "is no JSON object", kCopyAgain};
    return json;
}

std::string text_of(const Json& value) {
    return shown(value.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 60));
}

std::optional<FieldRefusal> read_length(const Json& line, const char* name, u64& length) {
    const auto found = line.find(name);
    if (found == line.end()) return FieldRefusal{name, "is missing", kCopyAgain};
    if (!found->is_number_unsigned())
        return FieldRefusal{name, text_of(*found) + " is not a whole number", kCopyAgain};
    length = found->get<u64>();
    if (length > kLongestRequest)
        return FieldRefusal{name,
                            with_commas(length) + " is larger than " + with_commas(kLongestRequest),
                            kCopyAgain};
    return std::nullopt;
}

}  // namespace

std::variant<JsonTrace, FieldRefusal> JsonTrace::from_first_line(std::string_view line) {
    std::vector<u64> hash_ids;
    auto parsed = object_of(line, hash_ids);
    if (auto* refusal = std::get_if<FieldRefusal>(&parsed)) return std::move(*refusal);
    const Json& json = std::get<Json>(parsed);
    if (!json.contains("input_length") || !json.contains("output_length")) {
        return FieldRefusal{"",
                            "has no input_length and output_length, so it is no trace known here",
                            "give a Mooncake or Qwen-Bailian JSONL file"};
    }
    return JsonTrace{json.contains("chat_id") ? TraceFormat::QwenBailian : TraceFormat::Mooncake};
}

std::optional<FieldRefusal> JsonTrace::read(std::string_view line, TraceRow& row) const {
    auto parsed = object_of(line, row.hash_ids);
    if (auto* refusal = std::get_if<FieldRefusal>(&parsed)) return std::move(*refusal);
    const Json& json = std::get<Json>(parsed);
    const auto time = json.find("timestamp");
    if (time == json.end()) return FieldRefusal{"timestamp", "is missing", kCopyAgain};
    std::optional<u64> ns;
    if (time->is_number())
        ns = seconds_to_ns(time->get<double>() /
                           (format_ == TraceFormat::Mooncake ? kMsPerSecond : 1));
    if (!ns) {
        return FieldRefusal{"timestamp", text_of(*time) + " is no time from 0 on", kCopyAgain};
    }
    row.arrival_ns = *ns;
    if (auto refusal = read_length(json, "input_length", row.prompt)) return refusal;
    if (const auto ids = json.find("hash_ids"); ids != json.end() && !ids->is_array())
        return FieldRefusal{"hash_ids", text_of(*ids) + " is no list", kCopyAgain};
    return read_length(json, "output_length", row.output);
}

}  // namespace kv
