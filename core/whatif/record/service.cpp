#include "core/whatif/record/service.hpp"

#include <cmath>
#include <deque>
#include <map>
#include <vector>

#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/random.hpp"
#include "core/cache/cache.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/server/batch_json.hpp"
#include "core/trace/server/hash.hpp"

namespace kv {
namespace {

constexpr double kSecondsPerToken = 0.025;  // of an answer
constexpr double kPollEvery = 60;           // seconds, of the metrics
constexpr double kThinksAtLeast = 5, kThinksMore = 60;
constexpr u64 kLongestConversation = 3000;  // tokens; then it is over
constexpr std::size_t kSystemPrompts = 5;
constexpr double kNewConversation = 0.4;
constexpr std::uint32_t kVocabulary = 32'000;

// What the cache tells, as events of a server.
class Published : public EventLog {
public:
    void append(const Event& event) override {
        if (const auto* stored = std::get_if<BlockStored>(&event.what)) {
            if (stored->medium != Medium::Device) return;
            ServerStored out;
            for (const u64 hash : stored->block_hashes) out.hashes.push_back(server_hash(hash));
            if (stored->parent_block_hash) out.parent = server_hash(*stored->parent_block_hash);
            out.tokens.assign(stored->token_ids.begin(), stored->token_ids.end());
            out.block_size = stored->block_size;
            events_.emplace_back(std::move(out));
        } else if (const auto* removed = std::get_if<BlockRemoved>(&event.what)) {
            ServerRemoved out;
            for (const u64 hash : removed->block_hashes) out.hashes.push_back(server_hash(hash));
            events_.emplace_back(std::move(out));
        }
    }
    std::vector<ServerEvent> take() { return std::exchange(events_, {}); }

private:
    std::vector<ServerEvent> events_;
};

CacheSpec pool_of(const ServiceRules& rules) {
    CacheSpec spec;
    spec.n_blocks = rules.pool_blocks;
    spec.block_size = rules.block_size;
    spec.free_order = FreeOrder::UnhashedFirst;
    return spec;
}

struct Conversation {
    std::vector<std::uint32_t> tokens;
    double ready_s = 0;  // when its person has read the answer
};

struct Running {
    std::size_t conversation;
    u64 left;  // tokens of the answer still to come
};

class Service {
public:
    Service(const ServiceRules& rules, const std::function<void(const std::string&)>& take)
        : rules_(rules), take_(take), random_(rules.seed, 1), cache_(pool_of(rules), &published_) {
        for (std::size_t i = 0; i < kSystemPrompts; ++i)
            system_prompts_.push_back(some_tokens(120 + 150 * i));
    }

    void run() {
        double arrival = next_arrival(0), poll = kPollEvery;
        for (;;) {
            const double step = steps_.empty() ? rules_.seconds : steps_.begin()->first;
            const double now = std::min({arrival, step, poll});
            if (now >= rules_.seconds) break;
            if (now == poll) {
                write_metrics(now);
                poll += kPollEvery;
            } else if (now == step) {
                const SeqId id = steps_.begin()->second;
                steps_.erase(steps_.begin());
                answer(id, now);
            } else {
                waiting_.push_back(ask(now));
                arrival = next_arrival(now);
            }
            admit(now);
            publish(now);
        }
        write_metrics(rules_.seconds);
    }

private:
    std::uint32_t below(std::uint32_t bound) { return random_.below(draw_++, bound); }
    double unit() { return random_.unit(draw_++); }
    double next_arrival(double now) {
        return now - math::log(1 - unit()) / rules_.requests_per_second;
    }
    std::vector<std::uint32_t> some_tokens(std::size_t n) {
        std::vector<std::uint32_t> tokens(n);
        for (std::uint32_t& token : tokens) token = below(kVocabulary);
        return tokens;
    }
    void add_tokens(Conversation& to, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) to.tokens.push_back(below(kVocabulary));
    }

    // A turn of a conversation whose person is ready, or the first one of a new conversation.
    std::size_t ask(double now) {
        std::vector<std::size_t> ready;
        for (std::size_t i = 0; i < conversations_.size(); ++i)
            if (conversations_[i].ready_s <= now &&
                conversations_[i].tokens.size() < kLongestConversation)
                ready.push_back(i);
        std::size_t chosen = conversations_.size();
        if (ready.empty() || unit() < kNewConversation) {
            // The first system prompts are asked for most.
            const std::size_t app = std::min(below(kSystemPrompts), below(kSystemPrompts));
            conversations_.push_back({system_prompts_[app], 0});
        } else {
            chosen = ready[below(static_cast<std::uint32_t>(ready.size()))];
        }
        add_tokens(conversations_[chosen], 30 + below(200));
        conversations_[chosen].ready_s = rules_.seconds;  // while it is answered
        return chosen;
    }

    // Admits requests in order, as long as there is room.
    void admit(double now) {
        while (!waiting_.empty()) {
            const std::size_t chosen = waiting_.front();
            const SeqId id(next_id_);
            const auto n = static_cast<std::uint32_t>(conversations_[chosen].tokens.size());
            cache_.open(id, conversations_[chosen].tokens);
            const Prefix prefix = cache_.find_prefix(id);
            if (!cache_.grow(id, n, prefix)) {
                cache_.close(id, {Why::RequestEnds, id});
                return;
            }
            ++next_id_;
            cache_.set_stored(id, n);
            queries_ += n;
            hits_ += prefix.tokens;
            running_.insert_or_assign(id.value, Running{chosen, 40 + below(220)});
            waiting_.pop_front();
            steps_.emplace(now + rules_.block_size * kSecondsPerToken, id);
        }
    }

    void answer(SeqId id, double now) {
        Running& running = running_.at(id.value);
        Conversation& conversation = conversations_[running.conversation];
        const u64 n = std::min<u64>(running.left, rules_.block_size);
        for (u64 i = 0; i < n; ++i) cache_.append(id, below(kVocabulary));
        const auto all = static_cast<std::uint32_t>(cache_.tokens(id).size());
        running.left -= n;
        const bool has_room = cache_.grow(id, all);
        if (has_room) cache_.set_stored(id, all);
        if (has_room && running.left > 0) {
            steps_.emplace(now + rules_.block_size * kSecondsPerToken, id);
            return;
        }
        const auto tokens = cache_.tokens(id);
        conversation.tokens.assign(tokens.begin(), tokens.end());
        conversation.ready_s = now + kThinksAtLeast - kThinksMore * math::log(1 - unit());
        cache_.close(id, {Why::RequestEnds, id});
        running_.erase(id.value);
    }

    void publish(double now) {
        ServerBatch batch;
        batch.time_s = now;
        batch.rank = 0;
        batch.events = published_.take();
        if (batch.events.empty()) return;
        take_(server_line_text(batch, sequence_++,
                               rules_.with_tokens ? LineTokens::Written : LineTokens::LeftOut));
    }
    void write_metrics(double now) const {
        const auto used = static_cast<double>(rules_.pool_blocks - cache_.n_free());
        take_("{\"ts\":" + std::to_string(static_cast<u64>(now)) +
              ",\"metrics\":{\"vllm:cache_config_info{num_gpu_blocks=\\\"" +
              std::to_string(rules_.pool_blocks + 1) + "\\\"}\":1,\"vllm:kv_cache_usage_perc\":" +
              fixed(used / static_cast<double>(rules_.pool_blocks), 6) +
              ",\"vllm:num_requests_running\":" + std::to_string(running_.size()) +
              ",\"vllm:num_requests_waiting\":" + std::to_string(waiting_.size()) +
              ",\"vllm:prefix_cache_queries\":" + std::to_string(queries_) +
              ",\"vllm:prefix_cache_hits\":" + std::to_string(hits_) + "}}");
    }

    const ServiceRules& rules_;
    const std::function<void(const std::string&)>& take_;
    Random random_;
    u64 draw_ = 0, sequence_ = 0, queries_ = 0, hits_ = 0;
    Published published_;
    Cache cache_;
    std::vector<std::vector<std::uint32_t>> system_prompts_;
    std::vector<Conversation> conversations_;
    std::deque<std::size_t> waiting_;
    std::map<std::uint32_t, Running> running_;
    std::multimap<double, SeqId> steps_;
    std::uint32_t next_id_ = 0;
};

}  // namespace

void record_service(const ServiceRules& rules,
                    const std::function<void(const std::string&)>& take) {
    Service(rules, take).run();
}

}  // namespace kv
