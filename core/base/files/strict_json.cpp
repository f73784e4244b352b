#include "core/base/files/strict_json.hpp"

#include <utility>
#include <vector>

#include "core/base/files/json.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

// A value of three bytes takes up to a hundred in memory.
constexpr u64 kMaxValues = 1'000'000;

// Walks over the text and counts the bytes taken, so that refusals of our own have a place too.
struct Counting {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    const char* at;
    u64* taken;

    reference operator*() const { return *at; }
    Counting& operator++() {
        ++at;
        ++*taken;
        return *this;
    }
    bool operator==(const Counting& other) const { return at == other.at; }
    bool operator!=(const Counting& other) const { return at != other.at; }
};

// Builds the document while it watches the rules; returning false stops the parser.
class Builder {
public:
    using number_integer_t = Json::number_integer_t;
    using number_unsigned_t = Json::number_unsigned_t;
    using number_float_t = Json::number_float_t;
    using string_t = Json::string_t;
    using binary_t = Json::binary_t;

    Builder(u64 max_depth, JsonTap* tap) : max_depth_(max_depth), tap_(tap) {}

    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(number_integer_t value) { return add(value); }
    bool number_unsigned(number_unsigned_t value) { return add(value); }
    bool number_float(number_float_t value, const string_t&) { return add(value); }
    bool string(string_t& value) { return add(std::move(value)); }
    bool binary(binary_t&) { return false; }

    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(string_t& name) {
        if (tapped_ > 0) return fine(tap_->key(name));
        if (open_.back()->contains(name)) {
            refusal_ = {0, "names the key \"" + shown(name) + "\" twice"};
            return false;
        }
        key_ = std::move(name);
        return true;
    }

    bool parse_error(std::size_t position, const std::string&, const Json::exception& error) {
        refusal_ = {position, plain_reason(error.what())};
        return false;
    }

    Json take() { return std::move(root_); }
    const JsonRefusal& refusal() const { return refusal_; }

private:
    // "[json.exception.parse_error.101] parse error at line 1, column 2: ..." -> the part after ":
    // "
    static std::string plain_reason(const std::string& what) {
        if (what.find("out_of_range") != what.npos)
            return "has a number that is too large to be read";
        const std::size_t start = what.find(": ");
        return "is not JSON (" + shown(start == std::string::npos ? what : what.substr(start + 2)) +
               ")";
    }

    bool fine(const std::string& broken_rule) {
        if (!broken_rule.empty()) refusal_ = {0, broken_rule};
        return broken_rule.empty();
    }

    template <class T>
    bool add(T&& value) {
        if (tapped_ > 0) return fine(tap_->value(Json(std::forward<T>(value))));
        place(Json(std::forward<T>(value)));
        return count();
    }

    bool count() {
        const bool too_many = ++values_ > kMaxValues;
        return fine(too_many ? "holds more than 1,000,000 values" : "");
    }

    bool open(Json container) {
        if (depth_ >= max_depth_) {
            return fine("is nested deeper than " + std::to_string(max_depth_) + " levels");
        }
        ++depth_;
        if (tapped_ > 0) return fine(tap_->open());
        if (!open_.empty()) keys_.push_back(open_.back()->is_array() ? "" : key_);
        open_.push_back(place(std::move(container)));
        if (tap_ && tap_->wants(keys_)) tapped_ = depth_;
        return count();
    }

    bool close() {
        const u64 closed = depth_--;
        if (tapped_ > 0 && closed > tapped_) return fine(tap_->close());
        tapped_ = 0;
        open_.pop_back();
        if (!open_.empty()) keys_.pop_back();
        return true;
    }

    Json* place(Json value) {
        if (open_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        Json& parent = *open_.back();
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        Json& slot = parent[key_];
        slot = std::move(value);
        return &slot;
    }

    u64 max_depth_;
    JsonTap* tap_;
    u64 depth_ = 0, values_ = 0;
    u64 tapped_ = 0;  // the depth of the container whose contents go to the tap, if one is open
    Json root_;
    // Containers not yet closed; a parent's array does not grow meanwhile.
    std::vector<Json*> open_;
    std::vector<std::string> keys_;  // that lead to the innermost of them
    std::string key_;
    JsonRefusal refusal_{0, "is not JSON"};
};

}  // namespace

std::variant<Json, JsonRefusal> parse_strict_json(std::string_view text, u64 max_depth,
                                                  JsonTap* tap) {
    // The library takes a NUL for the end of the text and would not look at what follows.
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
        return JsonRefusal{nul, "is not JSON (it holds a NUL byte)"};
    }
    Builder builder{max_depth, tap};
    u64 taken = 0;
    const Counting begin{text.data(), &taken}, end{text.data() + text.size(), &taken};
    if (Json::sax_parse(begin, end, &builder)) return builder.take();
    JsonRefusal refusal = builder.refusal();
    if (refusal.offset == 0) refusal.offset = taken;
    return refusal;
}

}  // namespace kv
