#include "app/live/start/picture.hpp"

#include <algorithm>
#include <utility>

#include "app/live/loading/seconds_now.hpp"
#include "app/live/start/own_sentence.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr const char* kPictureScene = "first-page";

}  // namespace

StartPicture::StartPicture(StartPlaces places)
    : places_(std::move(places)), loader_(places_.wake) {}

void StartPicture::open() {
    place_ = places_.scene_file(kPictureScene);
    scene_ = read_scene(place_);
    folder_ = places_.model_folder(scene_->model);
    id_ = places_.next_id();
}

void StartPicture::close() {
    loader_.stop();
    scene_.reset();
    run_.reset(), session_.reset(), model_.reset();
    sentence_.reset(), round_.reset();
    view_ = {};
}

// The window reads the same model at a start; it is not read twice.
void StartPicture::take_model(double seconds) {
    if (model_) return;
    model_ = places_.at_hand(folder_);
    if (!model_ && loader_.busy()) model_ = loader_.take(seconds);
    if (model_ || loader_.busy() || places_.is_coming(folder_)) return;
    start_loading(loader_, folder_, [settings = scene_->settings](const ModelConfig& config) {
        return pool_bytes(config, settings);
    });
}

// Plays the scene to its end, an iteration at a time on a thread of its own.
void StartPicture::run_on(double seconds) {
    if (!model_) return;
    if (!session_) session_ = std::make_unique<RunSession>(model_, *scene_, place_);
    const double until = seconds_now() + seconds;
    while (session_->settle(std::max(0.0, until - seconds_now())) && session_->can_run_ahead())
        session_->start_ahead(places_.wake);
}

// The steps after which the request still holds its blocks.
std::uint32_t StartPicture::n_steps() const {
    if (!session_ || session_->may_grow()) return 0;
    const std::uint32_t last = session_->trace().end().iteration;
    return last == 0 ? 0 : last - 1;
}

void StartPicture::follow(StartUi& ui, bool still, double now, double seconds) {
    if (!ui.open) return scene_ ? close() : void();
    try {
        if (!scene_ && view_.problem.empty()) open();
        if (!scene_) return;
        take_model(seconds);
        run_on(seconds);
    } catch (const Error& failed) {
        close();
        view_.problem = said_of(failed);
        return;
    }
    move_picture(ui, {now, n_steps(), still});
    if (n_steps() > 0 && session_->now().iteration != ui.step)
        static_cast<void>(session_->try_to_iteration(ui.step));
    describe(ui);
}

// A sentence is cut into tokens when it changes, not in every frame.
void StartPicture::read_sentence(const std::string& sentence) {
    if (sentence_ == sentence) return;
    sentence_ = sentence;
    view_.sentence = facts_of(*model_->tokenizer, sentence);
    view_.refusal =
        problem_of(view_.sentence, sentence, most_prompt_tokens(model_->config())).value_or(Said());
}

void StartPicture::describe(const StartUi& ui) {
    constexpr std::size_t kShown = 6;  // words
    run_.reset();
    view_.run = nullptr;
    view_.read = loader_.busy() ? std::optional(loader_.progress()) : std::nullopt;
    view_.page = kOwnPage;
    view_.blocks = model_ ? own_blocks(model_->config()) : 0;
    view_.knows_words = model_ && model_->tokenizer;
    if (view_.knows_words) {
        read_sentence(ui.sentence);
        if (round_ != ui.rounds)
            view_.known = known_words(*model_->tokenizer, ui.rounds * std::size_t{24} + 24, kShown);
        round_ = ui.rounds;
    }
    view_.n_steps = n_steps();
    view_.computed = session_ ? session_->trace().end().iteration : 0;
    if (view_.n_steps == 0) return;
    run_.emplace(view_of(*session_, id_, RunFocus()));
    view_.run = &*run_;
}

bool StartPicture::under_way() const {
    return scene_ && (loader_.busy() || !session_ || session_->may_grow());
}

std::optional<double> StartPicture::acts_next_at(const StartUi& ui, bool still, double now) const {
    return picture_due(ui, {now, n_steps(), still});
}

}  // namespace kv
