#include "app/shell/texts/said.hpp"

namespace kv {
namespace {

bool is_of_core(std::string_view place) {
    return place == "why" || place == "values";
}

}  // namespace

Said::Said(TextId id, std::initializer_list<Place> places)
    : Said(id, std::span(places.begin(), places.size())) {}

Said::Said(TextId id, std::span<const Place> places) : id_(id) {
    places_.reserve(places.size());
    for (const auto& [place, value] : places) places_.emplace_back(place, value);
}

Said Said::as_is(std::string words) {
    Said said;
    said.words_ = std::move(words);
    return said;
}

void Said::add(Said next) {
    if (empty())
        *this = std::move(next);
    else
        next_.push_back(std::move(next));
}

Text Said::in(const Texts& texts) const {
    Text said = sentence_in(texts);
    for (const Said& next : next_) said.append(" ").append(next.in(texts));
    return said;
}

Text Said::sentence_in(const Texts& texts) const {
    if (!id_) return texts.phrase(words_);
    List<Text> values;
    values.reserve(places_.size());  // what is seen of them below stays where it is
    List<Place> places;
    for (const auto& [place, value] : places_) {
        values.push_back(is_of_core(place) ? texts.phrase(value) : Text(value));
        places.emplace_back(place, values.back().view());
    }
    return fill(texts[*id_], places);
}

std::string Said::english() const {
    const List<Place> places(places_.begin(), places_.end());
    std::string said = id_ ? std::string(fill(kv::english(*id_), places)) : words_;
    for (const Said& next : next_) said += " " + next.english();
    return said;
}

Refused::Refused(Said said, ErrorCode code, Where where)
    : Error(code, said.english(), where), said_(std::move(said)) {}

Refused::Refused(TextId id, std::initializer_list<Place> places, ErrorCode code, Where where)
    : Refused(Said(id, places), code, where) {}

Said said_of(const std::exception& error) {
    const auto* refused = dynamic_cast<const Refused*>(&error);
    return refused == nullptr ? Said::as_is(error.what()) : refused->said();
}

}  // namespace kv
