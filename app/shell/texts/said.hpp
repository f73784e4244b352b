#pragma once
// A sentence for the person that is not in words yet: an id of the table and what stands at its
// places, so that it is said in the language of whoever draws it, at the moment of drawing. What
// core says (of a file, a model, the engine) is English; a translation names it by those words
// (Texts::phrase). The same goes for what is put at {why} and {values}.

#include <exception>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/shell/texts/texts.hpp"
#include "core/base/error.hpp"

namespace kv {

class Said {
public:
    Said() = default;  // nothing
    explicit Said(TextId id, std::initializer_list<Place> places = {});
    Said(TextId id, std::span<const Place> places);
    static Said as_is(std::string words);
    void add(Said next);  // another whole sentence behind it

    bool empty() const { return !id_ && words_.empty(); }
    Text in(const Texts& texts) const;
    std::string english() const;

private:
    Text sentence_in(const Texts& texts) const;

    std::optional<TextId> id_;
    std::string words_;  // where there is no id
    std::vector<std::pair<std::string, std::string>> places_;
    std::vector<Said> next_;
};

// A refusal of the window. The command line and whoever knows no table read it as any other Error,
// in English.
class Refused : public Error {
public:
    explicit Refused(Said said, ErrorCode code = ErrorCode::Usage, Where where = here());
    explicit Refused(TextId id, std::initializer_list<Place> places = {},
                     ErrorCode code = ErrorCode::Usage, Where where = here());

    const Said& said() const { return said_; }

private:
    Said said_;
};

// What an error says: a refusal by its id, any other in its own words.
Said said_of(const std::exception& error);

}  // namespace kv
