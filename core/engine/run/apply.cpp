// Commands, carried out between iterations. Each function says what is in the way, or does it.

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/engine/run/drafting/draft_model.hpp"
#include "core/engine/run/engine.hpp"
#include "core/engine/run/evicting/fit.hpp"
#include "core/trace/event/event.hpp"

namespace kv {

using Refusal = std::optional<std::string>;

class CommandApply {
public:
    explicit CommandApply(Engine& engine) : e_(engine) {}

    Refusal operator()(const SetSetting& c) {
        if (const std::string why = setting_refusal(e_.settings_, c.name, c.value); !why.empty())
            return why + ".";
        const SettingRow* row = find_setting(c.name);
        EngineSettings changed = e_.settings_;
        row->read(changed, c.value);
        const EngineSettings old = e_.settings_;
        // What the next iteration reads is changed; a codec goes over to every filled slot;
        // anything else takes a new pool.
        if (row->while_running) {
            if (Refusal refusal = follow(changed)) return refusal;
        } else if (is_codec(c.name) && holder(LooksAt::Blocks)) {
            return recode(c.name, changed);
        } else if (Refusal refusal = change_pool(c.name, changed)) {
            return refusal;
        }
        tell(SettingChanged{c.name, row->write(changed)});
        // What has a value of its own may follow: positions go with the policy.
        for (const SettingRow& other : engine_setting_rows())
            if (other.name != c.name && other.write(changed) != other.write(old))
                tell(SettingChanged{std::string(other.name), other.write(changed)});
        return {};
    }

    Refusal operator()(const StopRequest& c) {
        const Found found = alive(c.name);
        if (!found.id) return found.refusal;
        e_.end(*found.id, Finish::Stopped, kReason);
        e_.release_ended();
        return {};
    }

    Refusal operator()(const PauseRequest& c) {
        const Found found = alive(c.name);
        if (!found.id) return found.refusal;
        Request& r = e_.request(*found.id);
        if (r.state == RequestState::Paused) return c.name + " is paused already.";
        Cache& cache = e_.pool_.cache();
        if (cache.is_loading(*found.id)) cache.finish_loads(*found.id);
        const bool swap = cache.holds_blocks(*found.id) && cache.stored(*found.id) > 0 &&
                          cache.has_plain_table(*found.id) &&
                          cache.places_needed(*found.id) <= cache.places_free();
        const bool swapped = swap || cache.is_swapped(*found.id);
        tell(*found.id, RequestPaused{swapped});
        r.state = RequestState::Paused;
        r.waits.reset();
        e_.scheduler_.pause(*found.id);
        if (swap) cache.swap_out(*found.id, kReason);
        return {};
    }

    Refusal operator()(const ResumeRequest& c) {
        const Found found = alive(c.name);
        if (!found.id) return found.refusal;
        Request& r = e_.request(*found.id);
        if (r.state != RequestState::Paused) return c.name + " is not paused.";
        tell(*found.id, RequestResumed{});
        r.state = r.admitted ? RequestState::Preempted : RequestState::Waiting;
        e_.scheduler_.resume(*found.id);
        return {};
    }

    Refusal operator()(const ForkRequest& c) {
        const auto parent = e_.named(c.parent);
        if (!parent) return c.parent + " is no request that has arrived; name one that has.";
        if (taken(c.name)) return c.name + " is the name of another request.";
        RequestSpec spec;
        spec.name = c.name;
        spec.arrive = e_.iteration_;
        spec.fork_of = c.parent;
        const RequestSpec& like = e_.request(*parent).spec;
        spec.max_new = like.max_new;
        spec.sampling = like.sampling;
        spec.stop_texts = like.stop_texts;
        e_.submit(std::move(spec));
        return {};
    }

    Refusal operator()(const SetPriority& c) {
        const Found found = alive(c.name);
        if (!found.id) return found.refusal;
        e_.request(*found.id).spec.priority = c.priority;
        tell(*found.id, PriorityChanged{c.priority});
        return {};
    }

    Refusal operator()(const AddRequest& c) {
        if (e_.parts_.tokenizer == nullptr)
            return "This model has no tokenizer.json, so a text cannot be added.";
        if (taken(c.name)) return c.name + " is the name of another request.";
        RequestSpec spec;
        spec.name = c.name;
        spec.arrive = e_.iteration_;
        for (const TokenId id : e_.parts_.tokenizer->encode(c.prompt, Additions::OfFile).ids)
            spec.prompt.push_back(id);
        if (spec.prompt.empty()) return "The text gives no token; write at least one word.";
        for (const std::uint32_t token : spec.prompt)
            if (token >= e_.config().vocab_size)
                return "The tokenizer gives ids that the model has no rows for.";
        e_.submit(std::move(spec));
        return {};
    }

    Refusal operator()(const ClearPrefixes&) {
        e_.pool_.cache().clear_prefixes();
        return {};
    }

private:
    static constexpr Reason kReason{Why::ByCommand};

    struct Found {
        std::optional<SeqId> id;
        std::string refusal;
    };

    void tell(EventBody what) { e_.log_.tell(kReason, std::move(what)); }
    void tell(SeqId id, EventBody what) { e_.log_.tell(id, kReason, std::move(what)); }

    bool taken(const std::string& name) const {
        return e_.named(name) ||
               std::any_of(e_.to_come_.begin(), e_.to_come_.end(),
                           [&](const RequestSpec& spec) { return spec.name == name; });
    }
    Found alive(const std::string& name) const {
        const auto id = e_.named(name);
        if (!id) return {{}, name + " is no request that has arrived; name one that has."};
        if (e_.request(*id).finish) return {{}, name + " has ended."};
        return {id, {}};
    }

    // A setting that may change while requests hold blocks.
    Refusal follow(const EngineSettings& changed) {
        const EngineSettings old = std::exchange(e_.settings_, changed);
        if (old.draft == changed.draft) {
            e_.pool_.follow_settings();
            return {};
        }
        std::string clash = clash_of(changed, e_.config());
        try {
            const KvLayout& pool = e_.pool_.backend().layout();
            if (clash.empty())
                e_.drafts_.start(e_.drafts_.drafter_with(pool.n_blocks, pool.block_size), kReason);
        } catch (const Error& error) {
            clash = error.what();
        }
        if (clash.empty()) return {};
        e_.settings_ = old;
        return clash;
    }

    static bool is_codec(const std::string& name) { return name == "k_codec" || name == "v_codec"; }

    // The name of a request that holds blocks of the pool, or has some in a lower tier.
    enum class LooksAt : std::uint8_t { Blocks, Tiers };
    std::optional<std::string> holder(LooksAt what) const {
        for (std::uint32_t i = 0; i < e_.requests_.size(); ++i) {
            const SeqId id(i);
            if (e_.requests_[i].finish) continue;
            const Cache& cache = e_.pool_.cache();
            const bool holds = what == LooksAt::Blocks
                                   ? cache.holds_blocks(id)
                                   : cache.is_swapped(id) || cache.is_loading(id);
            if (holds) return e_.requests_[i].spec.name;
        }
        return std::nullopt;
    }

    // While requests hold blocks: every filled slot goes over to the new codec, in as many blocks.
    // What could be found before is forgotten, since nobody would compute it like this.
    Refusal recode(const std::string& name, EngineSettings changed) {
        if (Refusal refusal = codec_refusal(e_.config(), changed)) return refusal;
        if (const auto swapped = holder(LooksAt::Tiers))
            return name + " cannot be changed while blocks of request " + *swapped +
                   " lie in a lower tier as they were coded; resume it or stop it first.";
        if (e_.pool_.cache().spec().has_residual || changed.k_codec.has_residual() ||
            changed.v_codec.has_residual())
            return name + " cannot be changed from or to kivi while requests hold blocks, since " +
                   "some of their tokens wait in full; stop them first, or start again with it.";
        if (e_.pool_.cache().spec().n_lanes > 1)
            return name + " cannot be changed while layers or heads have tables of their own; " +
                   "start again with the new value.";
        try {
            e_.recode(name, std::move(changed), kReason);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    }

    // A pool of another shape: only while it holds nothing, and if those who wait still fit.
    Refusal change_pool(const std::string& name, const EngineSettings& changed) {
        if (Refusal refusal = codec_refusal(e_.config(), changed)) return refusal;
        std::optional<std::string> in_the_way = holder(LooksAt::Blocks);
        if (!in_the_way) in_the_way = holder(LooksAt::Tiers);
        if (in_the_way)
            return name + " cannot be changed while request " + *in_the_way +
                   " holds blocks; stop it first, or start again with the new value.";
        const EngineSettings old = std::exchange(e_.settings_, changed);
        try {
            Refusal refusal = rebuild();
            if (refusal) e_.settings_ = old;
            return refusal;
        } catch (const Error& error) {
            e_.settings_ = old;
            return error.what();
        }
    }

    Refusal rebuild() {
        const std::uint32_t blocks = e_.pool_.spec().n_blocks;
        struct Open {
            SeqId id;
            std::vector<std::uint32_t> tokens;
        };
        std::vector<Open> open;
        for (std::uint32_t i = 0; i < e_.requests_.size(); ++i) {
            const Request& r = e_.requests_[i];
            if (r.finish) continue;
            const auto tokens = e_.pool_.cache().tokens(SeqId(i));
            open.push_back({SeqId(i), {tokens.begin(), tokens.end()}});
            const std::uint64_t longest = blocks_at_longest(e_.settings_, r);
            if (longest > blocks)
                return "Request " + r.spec.name + " needs " + counted(longest, "block") +
                       " at its longest, and the pool would have " + with_commas(blocks) +
                       "; make it larger or stop the request.";
        }
        e_.make_pool();
        for (Open& request : open) {
            Request& r = e_.request(request.id);
            e_.pool_.cache().open(request.id, std::move(request.tokens), r.spec.salt);
            // Under another policy its steps are not those that it took.
            r.steps.clear();
            r.repeats_steps = false;
            r.most_per_step = most_per_step(e_.settings_, r, blocks);
        }
        return {};
    }

    Engine& e_;
};

std::optional<std::string> Engine::apply(const EngineCommand& command) {
    std::optional<std::string> refusal = std::visit(CommandApply(*this), command);
    if (refusal) log_.tell({Why::SettingRefused}, CommandRefused{print(command), *refusal});
    return refusal;
}

}  // namespace kv
