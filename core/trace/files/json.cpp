#include "core/trace/files/json.hpp"

#include <charconv>
#include <cmath>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/files/utf8.hpp"
#include "core/base/numbers/text.hpp"
#include "core/trace/event/event.hpp"

namespace kv {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 16;  // of a text, written at once

// JSON straight into a text: a long trace has more lines than a document could hold in memory.
class Line {
public:
    Line(std::string& out, const NameOfRequest& name, bool with_times)
        : out_(out), name_(name), with_times_(with_times) {}

    template <class T>
    void operator()(std::string_view field, const T& value) {
        if (!with_times_ && is_measured(field)) return;
        out_ += out_.back() == '{' ? "\"" : ",\"";
        out_ += field;
        out_ += "\":";
        put(value);
    }

    void put(std::uint64_t value) { digits(value); }
    void put(std::uint32_t value) { digits(value); }
    void put(std::int32_t value) { digits(value); }
    void put(bool value) { out_ += value ? "true" : "false"; }
    void put(double value) {
        KV_ASSERT(std::isfinite(value));
        out_ += round_trip(value);
    }
    void put(float value) {
        KV_ASSERT(std::isfinite(value));
        out_ += round_trip(value);
    }
    void put(std::string_view text);
    void put(const std::string& text) { put(std::string_view(text)); }
    void put(SeqId request) { put(name_(request)); }
    template <class Tag>
    void put(Id<Tag> id) {
        put(id.value);
    }
    template <class Enum, std::enable_if_t<std::is_enum_v<Enum>, int> = 0>
    void put(Enum value) {
        put(name_of(value));
    }
    template <class T>
    void put(const std::optional<T>& value) {
        if (value)
            put(*value);
        else
            out_ += "null";
    }
    template <class T>
    void put(const std::vector<T>& list) {
        out_ += '[';
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (i > 0) out_ += ',';
            put(list[i]);
        }
        out_ += ']';
    }
    void put(const Reason& reason) {
        out_ += '[';
        put(name_of(reason.why));
        out_ += ',';
        put(reason.request);
        out_ += ',';
        put(reason.a);
        out_ += ',';
        put(reason.b);
        out_ += ']';
    }

private:
    template <class Whole>
    void digits(Whole value) {
        char text[24];
        const auto written = std::to_chars(text, text + sizeof text, value);
        out_.append(text, written.ptr);
    }

    std::string& out_;
    const NameOfRequest& name_;
    bool with_times_;
};

void append_escaped(std::string& out, char letter) {
    constexpr char kDigits[] = "0123456789abcdef";
    if (letter == '"' || letter == '\\') {
        out += '\\';
        out += letter;
        return;
    }
    const auto byte = static_cast<unsigned char>(letter);
    out += "\\u00";
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
}

void Line::put(std::string_view text) {
    out_ += '"';
    for (std::size_t at = 0; at < text.size();) {
        const char letter = text[at];
        const std::size_t length = utf8_length(text, at);
        if (length == 0)  // a command may have been typed as any bytes, JSON is UTF-8
            out_ += kReplacementCharacter;
        else if (letter == '"' || letter == '\\' || static_cast<unsigned char>(letter) < 0x20U)
            append_escaped(out_, letter);
        else
            out_ += text.substr(at, length);
        at += std::max<std::size_t>(length, 1);
    }
    out_ += '"';
}

void append_event(std::string& out, std::uint64_t n, const Event& event, const NameOfRequest& name,
                  const TraceJson& how) {
    out += '{';
    Line line(out, name, how.with_times);
    line("n", n);
    line("iteration", event.iteration);
    line("event", name_of(event.what));
    line("request", event.request);
    // Each kind says its members itself, to whoever asks: core/trace/event/event.hpp.
    std::visit([&](const auto& what) { what.fields(what, line); }, event.what);
    line("reason", text_of(event.reason, name));
    line("why", event.reason);
    if (n == 0) {
        line("kvarium_trace", kTraceVersion);
        line("model", how.model);
    }
    out += '}';
}

}  // namespace

std::string event_json(std::uint64_t n, const Event& event, const NameOfRequest& name,
                       const TraceJson& how) {
    std::string out;
    append_event(out, n, event, name, how);
    return out;
}

void export_trace(const Trace& trace, const TraceJson& how,
                  const std::function<void(std::string_view)>& write) {
    const auto& requests = trace.end().requests;
    const NameOfRequest name = [&](SeqId id) { return requests[id.index()].name; };
    std::string piece;
    trace.each(0, trace.size(), [&](std::uint64_t n, const Event& event) {
        append_event(piece, n, event, name, how);
        piece += '\n';
        if (piece.size() < kPieceBytes) return;
        write(piece);
        piece.clear();
    });
    if (!piece.empty()) write(piece);
}

std::string trace_json(const Trace& trace, const TraceJson& how) {
    std::string out;
    export_trace(trace, how, [&](std::string_view piece) { out += piece; });
    return out;
}

}  // namespace kv
