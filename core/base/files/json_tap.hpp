#pragma once
// Takes what one container of a JSON document holds while the document is read, so that a list of
// hundreds of thousands of entries never exists as JSON. Internal to the parsers.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kv {

// Every function that returns a text answers with the rule that is broken, or "".
class JsonTap {
public:
    virtual ~JsonTap() = default;

    // A container opens that these keys lead to, from the outermost; an element of a list has the
    // key "". True: its contents come here, and the document keeps an empty container in its place.
    virtual bool wants(const std::vector<std::string>& keys) = 0;

    virtual std::string key(const std::string& name) = 0;
    virtual std::string value(const nlohmann::json& value) = 0;  // no list and no object
    virtual std::string open() = 0;                              // one of these, inside
    virtual std::string close() = 0;
};

}  // namespace kv
