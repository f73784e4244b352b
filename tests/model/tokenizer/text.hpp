#pragma once
// A tiny tokenizer.json as text, with fields replaced, for tests that look at one thing at a time.

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/model/tokenizer/tokenizer.hpp"

namespace kv::test {

// Path of a field ("model.unk_token", "decoder") to its JSON text; an empty text leaves it out.
using Parts = std::map<std::string, std::string>;

inline std::string object_text(const Parts& fields) {
    std::string out = "{";
    for (const auto& [name, text] : fields) {
        if (text.empty()) continue;
        out += out.size() > 1 ? ",\"" : "\"";
        out.append(name).append("\":").append(text);
    }
    return out + "}";
}

// Entries a b c ab abc and the blank's letter, merges a+b and ab+c, one special token.
inline std::string tokenizer_text(const Parts& changes = {}) {
    Parts model{{"type", R"("BPE")"},
                {"unk_token", "null"},
                {"vocab", R"({"a":0,"b":1,"c":2,"ab":3,"abc":4,"\u0120":5,"<s>":6})"},
                {"merges", R"([["a","b"],["ab","c"]])"}};
    Parts root{{"version", R"("1.0")"},
               {"truncation", "null"},
               {"added_tokens", R"([{"id":6,"content":"<s>","single_word":false,"lstrip":false,
                    "rstrip":false,"normalized":false,"special":true}])"},
               {"normalizer", "null"},
               {"pre_tokenizer", R"({"type":"ByteLevel","add_prefix_space":false,
                    "trim_offsets":true,"use_regex":true})"},
               {"post_processor", "null"},
               {"decoder", R"({"type":"ByteLevel"})"}};
    for (const auto& [name, text] : changes) {
        if (name.rfind("model.", 0) == 0)
            model[name.substr(6)] = text;
        else
            root[name] = text;
    }
    if (changes.count("model") == 0) root["model"] = object_text(model);
    return object_text(root);
}

inline std::string refusal_of(const std::string& text) {
    const auto parsed = parse_tokenizer(text);
    const auto* no = std::get_if<TokenizerRefusal>(&parsed);
    return no ? no->rule + "; " + no->advice : "";
}

// What a change is refused with, or "" when the tokenizer is taken.
inline std::string refusal_with(const Parts& changes) {
    return refusal_of(tokenizer_text(changes));
}

// Throws std::bad_variant_access when it is refused.
inline Tokenizer tokenizer_with(const Parts& changes = {}) {
    return std::get<Tokenizer>(parse_tokenizer(tokenizer_text(changes)));
}

inline std::vector<TokenId> ids(const Tokenizer& tokenizer, std::string_view text) {
    return tokenizer.encode(text, Additions::None).ids;
}

}  // namespace kv::test
