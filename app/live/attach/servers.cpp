#include "app/live/attach/servers.hpp"

#include <algorithm>
#include <utility>

#include "app/frame/attach.hpp"
#include "app/panels/compare_servers/axis.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr double kLong_s = 1e6;

// How both sides are drawn.
bool is_of_both(const Command& wish) {
    return wish.id == "attach.order" || wish.id == "attach.group" || wish.id == "attach.tokens" ||
           wish.id == "attach.tokenizer";
}

}  // namespace

ServersDesk::ServersDesk(std::function<void()> wake)
    : wake_(std::move(wake)), left_(std::make_unique<AttachDesk>(wake_)) {}

// Servers that answered are remembered in one list.
template <class Step>
void ServersDesk::beside(AppState& state, const Step& step) {
    if (!right_) return;
    std::swap(right_ui_.recent, state.attach.recent);
    try {
        step();
    } catch (...) {
        std::swap(right_ui_.recent, state.attach.recent);
        throw;
    }
    std::swap(right_ui_.recent, state.attach.recent);
}

// A rank of a recording that is still read.
bool ServersDesk::must_wait(const Command& wish) const {
    return wish.id == "attach.against" && rank_beside(word_argument(wish)) && left_->busy();
}

void ServersDesk::carry_out(AppState& state, const Command& wish) {
    if (wish.id == "attach.against") return compare(state, word_argument(wish));
    if (wish.id == "attach.rank_beside") return choose_beside(state, wish);
    if (wish.id == "attach.swap") return swap(state);
    if (wish.id == "attach.alone") return end(state);
    if (wish.id == "attach.close") end(state);
    left_->carry_out(state.attach, wish);
    if (!is_of_both(wish) || !right_) return;
    right_ui_.order = state.attach.order;
    right_ui_.ask.tokenizer = state.attach.ask.tokenizer;
    right_ui_.ask.show_tokens = state.attach.ask.show_tokens;
    beside(state, [&] { right_->carry_out(right_ui_, wish); });
}

void ServersDesk::compare(AppState& state, const std::string& word) {
    if (const auto rank = rank_beside(word)) {
        if (!left_->has_server()) throw Refused("refused.attach.none"_t);
        end(state);
        return left_->put_beside(state.attach, rank);
    }
    const bool is_server = is_address(word);
    AttachAsk ask = is_server ? read_attach_ask(word) : AttachAsk{};
    ask.show_tokens = ask.show_tokens || state.attach.ask.show_tokens;
    if (ask.tokenizer.empty()) ask.tokenizer = state.attach.ask.tokenizer;
    end(state);
    right_ = std::make_unique<AttachDesk>(wake_);
    right_ui_ = {};
    right_ui_.ask = std::move(ask);
    right_ui_.order = state.attach.order;
    ServerView comes;
    comes.address = word;
    right_ui_.view = std::make_shared<const ServerView>(std::move(comes));
    try {
        if (is_server)
            right_->carry_out(right_ui_, {"attach.open", {}});
        else
            right_->carry_out(right_ui_, {"attach.file", word});
    } catch (...) {
        end(state);
        throw;
    }
}

// A rank of the same server, or of the other one.
void ServersDesk::choose_beside(AppState& state, const Command& wish) {
    const std::uint64_t rank = whole_argument(wish);
    if (left_->has_beside())
        return left_->put_beside(state.attach, static_cast<std::int64_t>(rank));
    if (!right_) throw Refused("refused.attach.alone"_t);
    beside(state, [&] { right_->carry_out(right_ui_, {"attach.rank", rank}); });
}

void ServersDesk::swap(AppState& state) {
    if (left_->has_beside()) return left_->swap_ranks(state.attach);
    if (!right_) throw Refused("refused.attach.alone"_t);
    std::swap(left_, right_);
    std::swap(right_ui_.view, state.attach.view);
    std::swap(right_ui_.ask, state.attach.ask);
    std::swap(right_ui_.made_at, state.attach.made_at);
    state.attach.selected = 0;
}

void ServersDesk::end(AppState& state) {
    if (left_->has_beside()) left_->put_beside(state.attach, std::nullopt);
    right_.reset();
    right_ui_ = {};
    state.attach.other.reset();
}

void ServersDesk::show_recording(AppState& state, const std::string& place,
                                 std::optional<double> at_s) {
    end(state);
    left_->show(state.attach, place, at_s);
}

// Two that live are both shown as they are now.
void ServersDesk::follow(const AppState& state) {
    if (!right_ || !right_->has_server() || !state.attach.view || !right_ui_.view) return;
    const ServerView &left = *state.attach.view, &right = *right_ui_.view;
    if (left.events == 0) return;
    if (left.phase == AttachPhase::Live && left_->is_newest())
        return right_->go_to(right_ui_, std::nullopt);
    right_->go_to(right_ui_, left.tank.now_s + pair_axis(left, right).right_later_s);
}

void ServersDesk::show(AppState& state) {
    if (right_ && !right_->has_server() && !right_->busy()) {
        end(state);  // what could not be read is told; the left side goes on alone
        if (state.layout == LayoutName::Compare) state.layout = LayoutName::Attach;
    }
    if (right_) state.attach.other = right_ui_.view;
}

// Servers that answered are offered again at the next start.
void ServersDesk::keep_recent(AppState& state) {
    std::vector<std::string>& kept = state.settings.recent_servers;
    if (!std::exchange(has_recent_, true)) {
        for (const std::string& words : kept) {
            try {
                state.attach.recent.push_back({.ask = read_attach_ask(words), .words = words});
            } catch (const Error&) {
                continue;  // of a version that knew more of a server
            }
        }
        return;
    }
    const auto is_kept = [](const RecentServer& server, const std::string& words) {
        return server.words == words;
    };
    const auto& recent = state.attach.recent;
    if (std::equal(recent.begin(), recent.end(), kept.begin(), kept.end(), is_kept)) return;
    kept.clear();
    for (const RecentServer& server : recent) kept.push_back(server.words);
}

void ServersDesk::tick(AppState& state, double now, double seconds) {
    keep_recent(state);
    left_->tick(state.attach, now, seconds);
    try {
        auto wishes = std::exchange(state.attach.wishes, {});
        for (std::size_t i = 0; i < wishes.size(); ++i) {
            if (must_wait(wishes[i])) {
                state.attach.wishes.assign(wishes.begin() + std::ptrdiff_t(i), wishes.end());
                break;
            }
            carry_out(state, wishes[i]);
        }
    } catch (const Error& failed) {
        state.notice = Notice{.said = said_of(failed), .refused = true};
    }
    left_->tick(state.attach, now, 0);
    follow(state);
    beside(state, [&] { right_->tick(right_ui_, now, seconds); });
    for (AttachDesk* desk : {left_.get(), right_.get()})
        if (desk != nullptr)
            if (auto refusal = desk->take_refusal())
                state.notice = Notice{.said = std::move(*refusal), .refused = true};
    show(state);
}

void ServersDesk::finish(AppState& state) {
    for (const Command& wish : std::exchange(state.attach.wishes, {})) {
        carry_out(state, wish);
        left_->finish(state.attach);
        try {
            beside(state, [&] { right_->finish(right_ui_); });
        } catch (...) {
            show(state);
            throw;
        }
    }
    left_->tick(state.attach, state.attach.now, kLong_s);
    for (int i = 0; i < 2; ++i) {  // where the right side stands follows from what it holds
        follow(state);
        beside(state, [&] { right_->finish(right_ui_); });
    }
    show(state);
}

std::optional<double> ServersDesk::acts_next_at(const AppState& state) const {
    const std::optional<double> left = left_->acts_next_at(state.attach);
    const std::optional<double> right = right_ ? right_->acts_next_at(right_ui_) : std::nullopt;
    if (!left || !right) return left ? left : right;
    return std::min(*left, *right);
}

}  // namespace kv
