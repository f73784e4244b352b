#include "core/lesson/tasks/deed.hpp"

#include <algorithm>
#include <array>

#include "core/base/letters.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

using Kind = TankDeed::Kind;

struct DeedWord {
    std::string_view name;
    Kind kind;
};
constexpr std::array kDeedWords = std::to_array<DeedWord>({{"run.set", Kind::Set},
                                                           {"run.model", Kind::Model},
                                                           {"run.goto", Kind::Go},
                                                           {"run.do", Kind::Tell},
                                                           {"run.add", Kind::Add},
                                                           {"run.fork", Kind::Fork}});
constexpr std::uint32_t kLastIteration = 100'000;
constexpr std::size_t kLetters = 26;

bool is_name_of(const Scene& scene, const std::string& name) {
    const auto brings_it = [&name](const SceneCommand& c) {
        const auto* added = std::get_if<AddRequest>(&c.command);
        const auto* fork = std::get_if<ForkRequest>(&c.command);
        return (added != nullptr && added->name == name) || (fork != nullptr && fork->name == name);
    };
    return std::any_of(scene.requests.begin(), scene.requests.end(),
                       [&name](const SceneRequest& r) { return r.id == name; }) ||
           std::any_of(scene.commands.begin(), scene.commands.end(), brings_it);
}

// The first letter that is nobody's; behind Z come A1, B1 and so on.
std::string free_letter(const Scene& scene) {
    for (std::size_t i = 0;; ++i) {
        std::string name(1, static_cast<char>('A' + i % kLetters));
        if (i >= kLetters) name += std::to_string(i / kLetters);
        if (!is_name_of(scene, name)) return name;
    }
}

// A command changes what comes behind the cursor; what was asked for behind it is another future.
std::string tell(const EngineCommand& command, TankScene& tank) {
    if (std::string why = command_refusal(tank.scene, command); !why.empty()) return why;
    std::vector<SceneCommand>& all = tank.scene.commands;
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const SceneCommand& c) { return c.at > tank.at; }),
              all.end());
    all.push_back({tank.at, command});
    return {};
}

std::string set_in(Scene& scene, const std::string& what) {
    const std::size_t blank = std::min(what.find(' '), what.size());
    const std::string name = what.substr(0, blank),
                      value = what.substr(std::min(blank + 1, what.size()));
    if (std::string why = setting_refusal(scene.settings, name, value); !why.empty()) return why;
    find_setting(name)->read(scene.settings, value);
    return {};
}

}  // namespace

std::optional<TankDeed> parse_deed(std::string_view words, std::string& why) {
    words = trimmed(words);
    const std::size_t blank = std::min(words.find(' '), words.size());
    const std::string_view name = words.substr(0, blank);
    const auto row = std::find_if(kDeedWords.begin(), kDeedWords.end(),
                                  [name](const DeedWord& w) { return w.name == name; });
    if (row == kDeedWords.end()) {
        why =
            "is no command of the tank; write run.set, run.model, run.goto, run.do, run.add or "
            "run.fork";
        return std::nullopt;
    }
    TankDeed deed{.kind = row->kind,
                  .what = std::string(trimmed(words.substr(blank))),
                  .words = std::string(words)};
    if (deed.what.empty()) {
        why = "lacks what it is about; write it behind " + std::string(name);
        return std::nullopt;
    }
    std::string rule;
    if (deed.kind == Kind::Go) {
        const auto n = parse_whole(deed.what, 0, kLastIteration, rule);
        if (!n) {
            why = "names an iteration that " + rule + "; write a whole number";
            return std::nullopt;
        }
        deed.iteration = static_cast<std::uint32_t>(*n);
    }
    if (deed.kind == Kind::Tell || deed.kind == Kind::Set) {
        const std::string text = deed.kind == Kind::Set ? "set " + deed.what : deed.what;
        deed.command = parse_engine_command(text, rule);
        if (!deed.command) {
            why = rule;
            return std::nullopt;
        }
    }
    return deed;
}

std::string carry_out(const TankDeed& deed, TankScene& tank) {
    switch (deed.kind) {
        case Kind::Set:
            return set_in(tank.scene, deed.what);
        case Kind::Model:
            tank.scene.model = deed.what;
            tank.scene.sha256.reset();
            return {};
        case Kind::Go:
            tank.at = deed.iteration;
            return {};
        case Kind::Tell:
            return tell(*deed.command, tank);
        case Kind::Add:
            return tell(AddRequest{free_letter(tank.scene), deed.what}, tank);
        case Kind::Fork:
            return tell(ForkRequest{deed.what, free_letter(tank.scene)}, tank);
        case Kind::Weigh:
            return "is over a recording, and this is a scene";
    }
    return {};
}

}  // namespace kv
