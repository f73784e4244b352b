#pragma once
// The arguments of a function of the lesson language, asked for one by one with their type: first
// by name, then the next one without a name. What nobody asked for is refused.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/numbers/checked.hpp"
#include "core/base/numbers/codec.hpp"
#include "core/lesson/language/expression.hpp"
#include "core/lesson/language/value.hpp"

namespace kv {

class LessonArguments {
public:
    struct Given {
        std::string label;  // empty: by its place
        LessonValue value;
        bool used = false;
    };
    LessonArguments(std::string function, std::vector<Given> given, std::size_t at)
        : function_(std::move(function)), given_(std::move(given)), at_(at) {}

    // Throws ExpressionRefusal when it is missing or of another kind.
    double number(std::string_view name, Dimension unit = kCount);
    std::optional<double> optional_number(std::string_view name, Dimension unit = kCount);
    u64 whole(std::string_view name, u64 min = 0);
    u64 whole_or(std::string_view name, u64 otherwise);
    u64 bytes(std::string_view name);
    u64 bytes_or(std::string_view name, u64 otherwise);
    bool yes_or(std::string_view name, bool otherwise);
    std::string text(std::string_view name);
    std::string text_or(std::string_view name, std::string otherwise);
    const LessonList& list(std::string_view name);
    std::vector<double> numbers(std::string_view name);
    const ModelShape& shape(std::string_view name);
    const LessonValue& value(std::string_view name) { return need(name); }  // of any kind
    bool has(std::string_view name);                                        // by its name
    // codec= for both sides, or k_codec= and v_codec=; bf16 without any.
    CodecPair codecs();
    Codec codec(std::string_view name);
    // A codec that can store vectors of so many elements.
    Codec codec_for(const std::string& name, std::uint32_t dim) const;
    bool has_more() const;  // without a name
    LessonValue next();     // the next one without a name
    void done() const;      // refuses what was not asked for

    [[noreturn]] void refuse(const std::string& rule) const;

private:
    const LessonValue* find(std::string_view name);
    const LessonValue& need(std::string_view name);
    Codec known_codec(const std::string& name) const;

    std::string function_;
    std::vector<Given> given_;
    std::size_t at_;
};

}  // namespace kv
