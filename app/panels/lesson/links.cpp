#include "app/panels/lesson/links.hpp"

#include <optional>
#include <utility>

#include "app/panels/lesson/prose.hpp"

namespace kv {
namespace {

std::optional<BillFactor> linked_factor(std::string_view name) {
    constexpr std::pair<std::string_view, BillFactor> kNames[] = {
        {"sides", BillFactor::Sides},        {"n_layers", BillFactor::Layers},
        {"n_kv_heads", BillFactor::KvHeads}, {"head_dim", BillFactor::HeadDim},
        {"bytes", BillFactor::ValueBytes},   {"element_bytes", BillFactor::ValueBytes},
        {"tokens", BillFactor::Tokens},      {"kv_len", BillFactor::Tokens},
        {"batch", BillFactor::Requests},     {"requests", BillFactor::Requests}};
    for (const auto& [known, factor] : kNames)
        if (known == name) return factor;
    return std::nullopt;
}

}  // namespace

void light(const ShownLink& link, RunFocus& focus) {
    RunPointer& pointed = focus.next_pointed;
    if (link.kind == LinkKind::Token && link.request && link.number)
        pointed.token = TokenAt{*link.request, *link.number};
    else if (link.kind == LinkKind::Entry && link.block)
        pointed.block = *link.block;
    else if (link.kind == LinkKind::Block && (link.block || link.number))
        pointed.block = link.block ? *link.block : BlockId(*link.number);
    else if (link.kind == LinkKind::Iteration && link.number)
        pointed.iteration = *link.number;
    else if (link.kind == LinkKind::Factor)
        pointed.factor = linked_factor(link.name);
}

std::vector<std::string> commands_of(const ShownLink& link) {
    const std::string number = std::to_string(link.number.value_or(0));
    switch (link.kind) {
        case LinkKind::Request:
            return {"focus.request " + link.name};
        case LinkKind::Token:
            return {"focus.request " + link.name, "select.token " + number};
        case LinkKind::Entry:
        case LinkKind::Block:
            if (!link.block && !link.number) return {};
            return {"select.block " + (link.block ? std::to_string(link.block->value) : number)};
        case LinkKind::Layer:
            return {"select.layer " + number};
        case LinkKind::Head:
            return {"select.query_head " + number};
        case LinkKind::KvHead:
            return {"select.kv_head " + number};
        case LinkKind::Iteration:
            return {"run.goto " + number};
        case LinkKind::Event:
            return {"panel.show events"};
        case LinkKind::Factor:
            return {"panel.show equation"};
        case LinkKind::Chart:
            return {"panel.show charts"};
        case LinkKind::Panel:
            return {"panel.show " + link.name};
        case LinkKind::Term:
            return {"panel.show glossary"};
        case LinkKind::Lesson:
            return {"lesson.open " + link.name};
        case LinkKind::Scene:
            return {"file.open_scene " + link.name};
        case LinkKind::Source:
            return {};
    }
    return {};
}

}  // namespace kv
