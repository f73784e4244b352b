#include "core/lesson/course/shown_step.hpp"

namespace kv {
namespace {

std::string joined(const std::vector<ShownSpan>& spans) {
    std::string text;
    for (const ShownSpan& span : spans) {
        text += span.text;
        if (span.kind == ShownSpan::Kind::Published)
            text += " (published: " + span.link->name + ")";
    }
    return text;
}

}  // namespace

std::string plain_text(const ShownProse& prose) {
    std::string text;
    ProseBlock::Kind last = ProseBlock::Kind::Text;
    for (const ShownBlock& block : prose) {
        const bool tight = block.kind == last && block.kind != ProseBlock::Kind::Text;
        if (!text.empty() && !tight) text += "\n";
        if (block.kind == ProseBlock::Kind::Bullet) text += "- ";
        if (block.kind == ProseBlock::Kind::Code) text += "    $ ";
        for (std::size_t i = 0; i < block.cells.size(); ++i)
            text += (i > 0 ? " | " : "") + joined(block.cells[i]);
        text += "\n";
        last = block.kind;
    }
    return text;
}

std::string plain_line(const ShownProse& prose) {
    std::string text = plain_text(prose);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
}

ShownProse whole_task(const ShownTask& task) {
    ShownProse whole = task.text;
    const auto bullet = [&whole](const std::string& words) {
        whole.push_back({.kind = ProseBlock::Kind::Bullet, .cells = {{{.text = words}}}});
    };
    for (const std::string& condition : task.conditions) bullet(condition);
    if (task.is_challenge)
        bullet("Score: " + task.score + ", " + (task.lower_is_better ? "lower" : "higher") +
               " is better");
    return whole;
}

ShownStep::ShownStep() = default;
ShownStep::ShownStep(const ShownStep&) = default;
ShownStep::ShownStep(ShownStep&&) noexcept = default;
ShownStep& ShownStep::operator=(const ShownStep&) = default;
ShownStep& ShownStep::operator=(ShownStep&&) noexcept = default;
ShownStep::~ShownStep() = default;

}  // namespace kv
