#include "core/trace/server/batch_json.hpp"

#include <array>
#include <limits>
#include <utility>

#include "core/base/files/json.hpp"
#include "core/base/files/strict_json.hpp"
#include "core/base/shown.hpp"
#include "core/trace/server/hash.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

// A batch in a list of lists of lists; what is deeper is nothing that a server sends.
constexpr std::uint64_t kDeepestLine = 32;

// The fields of an event as an array, after the tag. A server that leaves the last ones out writes
// a shorter array.
constexpr std::array<std::string_view, 11> kStoredFields{"block_hashes",
                                                         "parent_block_hash",
                                                         "token_ids",
                                                         "block_size",
                                                         "lora_id",
                                                         "medium",
                                                         "lora_name",
                                                         "extra_keys",
                                                         "group_idx",
                                                         "kv_cache_spec_kind",
                                                         "kv_cache_spec_sliding_window"};
constexpr std::array<std::string_view, 3> kRemovedFields{"block_hashes", "medium", "group_idx"};

// The fields of one event, by name, whichever way it was written. An absent field and null are the
// same: servers leave defaults out or write them.
class Fields {
public:
    Fields(const Json& event, const std::string_view* names, std::size_t n_names)
        : event_(event), names_(names), n_names_(n_names) {}

    const Json* find(std::string_view name) const {
        const Json* field = event_.is_array() ? in_order(name) : by_name(name);
        return field != nullptr && field->is_null() ? nullptr : field;
    }

private:
    const Json* by_name(std::string_view name) const {
        const auto found = event_.find(std::string(name));
        return found == event_.end() ? nullptr : &*found;
    }

    const Json* in_order(std::string_view name) const {
        for (std::size_t at = 0; at < n_names_ && at + 1 < event_.size(); ++at)
            if (names_[at] == name) return &event_[at + 1];
        return nullptr;
    }

    const Json& event_;
    const std::string_view* names_;
    std::size_t n_names_;
};

std::optional<std::int64_t> whole(const Json& json) {
    if (json.is_number_unsigned()) {
        const auto number = json.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    if (json.is_number_integer()) return json.get<std::int64_t>();
    return std::nullopt;
}

std::optional<ServerHash> hash_of(const Json& json) {
    if (json.is_number_unsigned()) return server_hash(json.get<std::uint64_t>());
    if (json.is_number_integer())
        return server_hash(static_cast<std::uint64_t>(json.get<std::int64_t>()));
    if (json.is_string()) return server_hash_of_text(json.get_ref<const std::string&>());
    if (!json.is_binary()) return std::nullopt;
    const auto& bytes = json.get_binary();
    return ServerHash{.bytes = std::string(bytes.begin(), bytes.end()), .number = false};
}

// Each of these returns false where the field has another form than it may have.

bool read_hashes(const Fields& fields, std::vector<ServerHash>& out) {
    const Json* list = fields.find("block_hashes");
    if (list == nullptr || !list->is_array()) return false;
    for (const Json& element : *list) {
        auto hash = hash_of(element);
        if (!hash) return false;
        out.push_back(std::move(*hash));
    }
    return true;
}

bool read_parent(const Fields& fields, std::optional<ServerHash>& out) {
    const Json* parent = fields.find("parent_block_hash");
    if (parent == nullptr) return true;
    out = hash_of(*parent);
    return out.has_value();
}

// Drafting by pairs makes a token's key of itself and the one after it; the first of a pair is the
// token that lies at its place.
bool read_tokens(const Fields& fields, std::vector<std::int64_t>& out) {
    const Json* list = fields.find("token_ids");
    if (list == nullptr) return true;
    if (!list->is_array()) return false;
    for (const Json& element : *list) {
        const bool pair = element.is_array() && !element.empty();
        const auto token = whole(pair ? element.front() : element);
        if (!token) return false;
        out.push_back(*token);
    }
    return true;
}

bool read_whole(const Fields& fields, std::string_view name, std::int64_t& out) {
    const Json* field = fields.find(name);
    if (field == nullptr) return true;
    const auto number = whole(*field);
    if (number) out = *number;
    return number && *number >= 0;
}

// What only describes a block may have any form; what we do not understand of it is left out.
std::optional<std::int64_t> any_whole(const Fields& fields, std::string_view name) {
    const Json* field = fields.find(name);
    return field == nullptr ? std::nullopt : whole(*field);
}

bool read_text(const Fields& fields, std::string_view name, std::string& out) {
    const Json* field = fields.find(name);
    if (field == nullptr) return true;
    if (!field->is_string()) return false;
    out = field->get<std::string>();
    return true;
}

ServerEvent wrong_form(std::string_view kind, std::string_view field) {
    return ServerUnknown{std::string(kind) + "." + std::string(field)};
}

ServerEvent stored(const Json& event) {
    const Fields fields(event, kStoredFields.data(), kStoredFields.size());
    ServerStored out;
    constexpr std::string_view kKind = "BlockStored";
    if (!read_hashes(fields, out.hashes)) return wrong_form(kKind, "block_hashes");
    if (!read_parent(fields, out.parent)) return wrong_form(kKind, "parent_block_hash");
    if (!read_tokens(fields, out.tokens)) return wrong_form(kKind, "token_ids");
    if (!read_whole(fields, "block_size", out.block_size)) return wrong_form(kKind, "block_size");
    if (!read_text(fields, "medium", out.medium)) return wrong_form(kKind, "medium");
    if (!read_whole(fields, "group_idx", out.group)) return wrong_form(kKind, "group_idx");
    if (!read_text(fields, "kv_cache_spec_kind", out.layer_kind)) out.layer_kind.clear();
    out.lora = any_whole(fields, "lora_id");
    out.window = any_whole(fields, "kv_cache_spec_sliding_window");
    return out;
}

ServerEvent removed(const Json& event) {
    const Fields fields(event, kRemovedFields.data(), kRemovedFields.size());
    ServerRemoved out;
    constexpr std::string_view kKind = "BlockRemoved";
    if (!read_hashes(fields, out.hashes)) return wrong_form(kKind, "block_hashes");
    if (!read_text(fields, "medium", out.medium)) return wrong_form(kKind, "medium");
    if (!read_whole(fields, "group_idx", out.group)) return wrong_form(kKind, "group_idx");
    return out;
}

// The word that says what happened: the tag of an array, or the field of a map.
const std::string* kind_word(const Json& event) {
    if (event.is_array())
        return !event.empty() && event.front().is_string()
                   ? event.front().get_ptr<const std::string*>()
                   : nullptr;
    if (!event.is_object()) return nullptr;
    for (const char* key : {"type", "event"})
        if (const auto found = event.find(key); found != event.end() && found->is_string())
            return found->get_ptr<const std::string*>();
    return nullptr;
}

ServerEvent event_of(const Json& json) {
    const std::string* word = kind_word(json);
    if (word == nullptr) return ServerUnknown{};
    if (*word == "BlockStored") return stored(json);
    if (*word == "BlockRemoved") return removed(json);
    if (*word == "AllBlocksCleared") return ServerCleared{};
    return ServerUnknown{shown(*word)};
}

// One server calls the field of the rank after the attention that is split by data.
std::optional<std::int64_t> rank_of(const Json& batch) {
    for (const char* key : {"data_parallel_rank", "attn_dp_rank"})
        if (const auto found = batch.find(key); found != batch.end())
            if (const auto rank = whole(*found)) return rank;
    return std::nullopt;
}

ServerBatch batch_of(const Json& time, const Json& events, std::optional<std::int64_t> rank) {
    ServerBatch batch{.time_s = time.is_number() ? time.get<double>() : 0, .rank = rank};
    if (!events.is_array()) {
        batch.events.emplace_back(ServerUnknown{});
        return batch;
    }
    batch.events.reserve(events.size());
    for (const Json& event : events) batch.events.push_back(event_of(event));
    return batch;
}

std::optional<ServerLine> line_of_array(const Json& json) {
    if (kind_word(json) != nullptr)
        return ServerLine{.batch = ServerBatch{.events = {event_of(json)}}};
    if (json.size() < 2 || !json[0].is_number() || !json[1].is_array()) return std::nullopt;
    const auto rank = json.size() > 2 ? whole(json[2]) : std::nullopt;
    return ServerLine{.batch = batch_of(json[0], json[1], rank)};
}

std::optional<ServerLine> line_of_map(const Json& json) {
    const auto events = json.find("events");
    const auto time = json.find("ts");
    const Json& ts = time == json.end() ? Json() : *time;
    ServerLine line;
    if (const auto seq = json.find("seq"); seq != json.end() && seq->is_number_unsigned())
        line.sequence = seq->get<std::uint64_t>();
    if (events != json.end())
        line.batch = batch_of(ts, *events, rank_of(json));
    else if (kind_word(json) != nullptr)
        line.batch = batch_of(ts, Json::array({json}), rank_of(json));
    else if (!json.contains("metrics"))
        return std::nullopt;
    return line;
}

OrderedJson json_of(const ServerHash& hash) {
    return hash.number ? OrderedJson(low_bits(hash)) : OrderedJson(hash_text(hash));
}

OrderedJson json_of(const std::vector<ServerHash>& hashes) {
    OrderedJson list = OrderedJson::array();
    for (const ServerHash& hash : hashes) list.push_back(json_of(hash));
    return list;
}

OrderedJson json_of(const ServerStored& event, LineTokens tokens) {
    OrderedJson out{{"type", "BlockStored"},
                    {"block_hashes", json_of(event.hashes)},
                    {"parent_block_hash", nullptr},
                    {"token_ids", OrderedJson::array()},
                    {"block_size", event.block_size}};
    if (event.parent) out["parent_block_hash"] = json_of(*event.parent);
    if (tokens == LineTokens::Written) out["token_ids"] = event.tokens;
    if (event.lora) out["lora_id"] = *event.lora;
    out["medium"] = event.medium;
    if (event.group != 0) out["group_idx"] = event.group;
    if (!event.layer_kind.empty()) out["kv_cache_spec_kind"] = event.layer_kind;
    if (event.window) out["kv_cache_spec_sliding_window"] = *event.window;
    return out;
}

OrderedJson json_of(const ServerRemoved& event, LineTokens) {
    OrderedJson out{{"type", "BlockRemoved"},
                    {"block_hashes", json_of(event.hashes)},
                    {"medium", event.medium}};
    if (event.group != 0) out["group_idx"] = event.group;
    return out;
}

OrderedJson json_of(const ServerCleared&, LineTokens) {
    return {{"type", "AllBlocksCleared"}};
}

OrderedJson json_of(const ServerUnknown& event, LineTokens) {
    return {{"type", event.kind}};
}

}  // namespace

std::optional<ServerLine> server_line(const nlohmann::json& json) {
    if (json.is_array()) return line_of_array(json);
    if (json.is_object()) return line_of_map(json);
    return std::nullopt;
}

std::optional<ServerLine> parsed_server_line(std::string_view text) {
    const auto parsed = parse_strict_json(text, kDeepestLine);
    const auto* json = std::get_if<Json>(&parsed);
    return json == nullptr ? std::nullopt : server_line(*json);
}

std::string server_line_text(const ServerBatch& batch, std::optional<std::uint64_t> sequence,
                             LineTokens tokens) {
    OrderedJson line = OrderedJson::object();
    if (sequence) line["seq"] = *sequence;
    line["ts"] = batch.time_s;
    if (batch.rank) line["data_parallel_rank"] = *batch.rank;
    OrderedJson& events = line["events"] = OrderedJson::array();
    for (const ServerEvent& event : batch.events)
        events.push_back(std::visit([&](const auto& e) { return json_of(e, tokens); }, event));
    return line.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace kv
