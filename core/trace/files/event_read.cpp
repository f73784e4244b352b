#include "core/trace/files/event_read.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/files/json.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;
using Rule = std::string;  // the one that is broken, or ""

Rule whole(const Json& json, std::uint64_t max, std::uint64_t& out) {
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() > max)
        return "is not a whole number from 0 to " + with_commas(max);
    out = json.get<std::uint64_t>();
    return {};
}

// Makes each kind of event in turn until one has that name. The comma's fold calls emplace<0>(),
// emplace<1>() and so on, and || stops it at the first that answers yes.
template <std::size_t... kIndex>
std::optional<EventBody> empty_event_named(std::string_view name,
                                           std::index_sequence<kIndex...> /*all*/) {
    std::optional<EventBody> out;
    (void)((out.emplace(std::in_place_index<kIndex>), name_of(*out) == name) || ...);
    if (name_of(*out) != name) out.reset();
    return out;
}

// Takes the fields of one line, by name. The first broken rule stops it.
class LineFields {
public:
    LineFields(const Json& line, const RequestIds& ids) : line_(line), ids_(ids) {}

    template <class T>
    void operator()(std::string_view field, T& value) {
        if (refusal_) return;
        const auto found = line_.find(field);
        if (found == line_.end()) {
            if (!is_measured(field)) refuse(field, "is missing");
            return;
        }
        taken_.push_back(field);
        if (Rule rule = get(*found, value); !rule.empty()) refuse(field, std::move(rule));
    }
    template <class T>
    void may_have(std::string_view field, T& value) {
        if (line_.contains(field)) (*this)(field, value);
    }

    void refuse(std::string_view field, Rule rule) {
        if (!refusal_) refusal_ = EventRefusal{std::string(field), std::move(rule)};
    }
    // Besides those that were taken.
    void no_others() {
        if (refusal_ || taken_.size() == line_.size()) return;
        for (const auto& item : line_.items())
            if (std::find(taken_.begin(), taken_.end(), item.key()) == taken_.end())
                return refuse(shown(item.key()), "is not a field of this event");
    }
    // The request that this line makes known, which it may already name.
    void arriving(const std::string& name) { arriving_ = name; }
    const std::optional<EventRefusal>& refusal() const { return refusal_; }

private:
    Rule get(const Json& json, std::uint64_t& out) {
        return whole(json, std::numeric_limits<std::uint64_t>::max(), out);
    }
    Rule get(const Json& json, std::uint32_t& out) {
        std::uint64_t value = 0;
        Rule rule = whole(json, std::numeric_limits<std::uint32_t>::max(), value);
        out = static_cast<std::uint32_t>(value);
        return rule;
    }
    Rule get(const Json& json, std::int32_t& out) {
        using Limits = std::numeric_limits<std::int32_t>;
        const bool fits = json.is_number_unsigned() ? json.get<std::uint64_t>() <= Limits::max()
                                                    : json.is_number_integer() &&
                                                          json.get<std::int64_t>() >= Limits::min();
        if (!fits) return "is not a whole number from -2,147,483,648 to 2,147,483,647";
        out = json.get<std::int32_t>();
        return {};
    }
    static Rule get(const Json& json, double& out) {
        if (!json.is_number()) return "is not a number";
        out = json.get<double>();
        if (!std::isfinite(out) || out < 0) return "is not a number from 0 up";
        return {};
    }
    static Rule get(const Json& json, float& out) {  // a score may be anything that has a value
        if (!json.is_number()) return "is not a number";
        out = static_cast<float>(json.get<double>());
        if (!std::isfinite(out)) return "is not a number of single precision";
        return {};
    }
    static Rule get(const Json& json, bool& out) {
        if (!json.is_boolean()) return "is not true or false";
        out = json.get<bool>();
        return {};
    }
    static Rule get(const Json& json, std::string& out) {
        if (!json.is_string()) return "is not a text";
        out = json.get<std::string>();
        return {};
    }
    Rule get(const Json& json, SeqId& out) {
        std::string name;
        if (Rule rule = get(json, name); !rule.empty()) return rule;
        if (arriving_ && name == *arriving_) {
            out = ids_.next();
            return {};
        }
        const auto id = ids_.find(name);
        if (!id) return "names \"" + shown(name) + "\", a request that has not arrived";
        out = *id;
        return {};
    }
    template <class Tag>
    Rule get(const Json& json, Id<Tag>& out) {
        return get(json, out.value);
    }
    template <class Enum>
    Rule word(const Json& json, Enum& out, std::optional<Enum> (*from)(std::string_view)) {
        std::string name;
        if (Rule rule = get(json, name); !rule.empty()) return rule;
        const auto value = from(name);
        if (!value) return "has the unknown word \"" + shown(name) + "\"";
        out = *value;
        return {};
    }
    Rule get(const Json& json, Finish& out) { return word(json, out, finish_named); }
    Rule get(const Json& json, Medium& out) { return word(json, out, medium_named); }
    Rule get(const Json& json, Op& out) { return word(json, out, op_named); }
    Rule get(const Json& json, Why& out) { return word(json, out, why_named); }

    static std::uint64_t empty_value(const std::optional<std::uint64_t>& /*for_type*/) { return 0; }
    static float empty_value(const std::optional<float>& /*for_type*/) { return 0; }
    static std::string empty_value(const std::optional<std::string>& /*for_type*/) { return {}; }
    template <class Tag>
    static Id<Tag> empty_value(const std::optional<Id<Tag>>& /*for_type*/) {
        return Id<Tag>(0);
    }
    template <class T>
    Rule get(const Json& json, std::optional<T>& out) {
        out.reset();
        if (json.is_null()) return {};
        T value = empty_value(out);
        Rule rule = get(json, value);
        if (rule.empty()) out = std::move(value);
        return rule;
    }
    template <class T>
    Rule get(const Json& json, std::vector<T>& out) {
        if (!json.is_array()) return "is not a list";
        out.reserve(json.size());
        for (const Json& element : json) {
            T value{};
            if (Rule rule = get(element, value); !rule.empty())
                return "has at place " + with_commas(out.size()) + " what " + rule;
            out.push_back(value);
        }
        return {};
    }
    Rule get(const Json& json, Reason& out) {
        if (!json.is_array() || json.size() != 4)
            return "is not a list of a word, a request or null, and two numbers";
        Rule rule = get(json[0], out.why);
        if (rule.empty()) rule = get(json[1], out.request);
        if (rule.empty()) rule = get(json[2], out.a);
        if (rule.empty()) rule = get(json[3], out.b);
        return rule;
    }

    const Json& line_;
    const RequestIds& ids_;
    std::vector<std::string_view> taken_;  // the fields so far
    std::optional<std::string> arriving_;
    std::optional<EventRefusal> refusal_;
};

// A request gets its number from its arrival, so the name there has to be new.
void check_arrival(LineFields& fields, const Json& line, const RequestIds& ids) {
    const auto request = line.find("request");
    const auto name = line.find("name");
    if (request == line.end() || name == line.end() || !name->is_string()) return;
    if (*request != *name) return fields.refuse("request", "is not the name of who arrives");
    const auto text = name->get<std::string>();
    if (ids.find(text)) return fields.refuse("name", "\"" + shown(text) + "\" has arrived before");
    fields.arriving(text);
}

}  // namespace

std::optional<SeqId> RequestIds::find(const std::string& name) const {
    const auto found = ids_.find(name);
    if (found == ids_.end()) return std::nullopt;
    return SeqId(found->second);
}

std::variant<EventLine, EventRefusal> read_event(const Json& json, const RequestIds& ids) {
    EventLine line;
    LineFields fields(json, ids);
    std::string event, reason;
    fields("n", line.n);
    fields("event", event);
    if (fields.refusal()) return *fields.refusal();
    auto what = empty_event_named(event, std::make_index_sequence<std::variant_size_v<AnyEvent>>());
    if (!what) return EventRefusal{"event", "has the unknown word \"" + shown(event) + "\""};
    line.event.what = std::move(*what);
    if (std::holds_alternative<RequestArrived>(line.event.what)) check_arrival(fields, json, ids);
    fields("iteration", line.event.iteration);
    fields("request", line.event.request);
    std::visit([&](auto& body) { body.fields(body, fields); }, line.event.what);
    fields("reason", reason);
    if (reason.empty()) fields.refuse("reason", "is empty");
    fields("why", line.event.reason);
    if (line.n == 0) {
        fields.may_have("kvarium_trace", line.version);
        fields.may_have("model", line.model);
    }
    fields.no_others();
    if (fields.refusal()) return *fields.refusal();
    return line;
}

}  // namespace kv
