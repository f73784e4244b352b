#include "core/base/error.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/lesson/scene/scene.hpp"

namespace kv {
namespace {

class Reader {
public:
    Reader(const Tokenizer* tokenizer, std::uint64_t vocab_size, std::string place)
        : tokenizer_(tokenizer), vocab_size_(vocab_size), place_(std::move(place)) {}

    std::vector<std::uint32_t> read(const std::string& text,
                                    const std::vector<std::uint32_t>& tokens, Additions additions,
                                    const std::string& what) const {
        if (!tokens.empty() || text.empty()) return checked(tokens, what);
        if (tokenizer_ == nullptr)
            refuse(what, "is a text, and the model has no tokenizer.json", "give token ids");
        const auto ids = tokenizer_->encode(text, additions).ids;
        if (ids.empty()) refuse(what, "gives no token", "write at least one word");
        return checked({ids.begin(), ids.end()}, what);
    }

    [[noreturn]] void refuse(const std::string& what, const std::string& rule,
                             const std::string& advice) const {
        throw Error(ErrorCode::World,
                    shown(place_) + ": " + what + " " + rule + "; " + advice + ".");
    }

private:
    std::vector<std::uint32_t> checked(std::vector<std::uint32_t> tokens,
                                       const std::string& what) const {
        for (const std::uint32_t token : tokens)
            if (token >= vocab_size_)
                refuse(what,
                       "has token " + with_commas(token) + ", and the model has " +
                           with_commas(vocab_size_),
                       "use ids below that, or files that belong together");
        return tokens;
    }

    const Tokenizer* tokenizer_;
    std::uint64_t vocab_size_;
    std::string place_;
};

}  // namespace

std::vector<RequestSpec> request_specs(const Scene& scene, const Tokenizer* tokenizer,
                                       std::uint64_t vocab_size, const std::string& place) {
    const Reader reader(tokenizer, vocab_size, place);
    std::vector<RequestSpec> specs;
    for (std::size_t i = 0; i < scene.requests.size(); ++i) {
        const SceneRequest& r = scene.requests[i];
        const std::string at = "requests[" + std::to_string(i) + "].";
        RequestSpec spec;
        spec.name = r.id;
        spec.arrive = r.arrive;
        // A fork goes on from a text that has its beginning already.
        const Additions additions = r.fork_of ? Additions::None : Additions::OfFile;
        spec.prompt = reader.read(r.prompt.value_or(""), r.tokens, additions,
                                  at + (r.tokens.empty() ? "prompt" : "tokens"));
        if (spec.prompt.empty() && !r.fork_of)
            reader.refuse(at + "prompt", "gives no token", "write at least one word");
        spec.forced = reader.read(r.force, r.force_tokens, Additions::None,
                                  at + (r.force_tokens.empty() ? "force" : "force_tokens"));
        spec.max_new = r.max_new;
        spec.sampling = {r.temperature, r.top_k, r.top_p, scene.seed};
        spec.stop_texts = r.stop;
        if (!r.stop.empty() && tokenizer == nullptr)
            reader.refuse(at + "stop", "is a text, and the model has no tokenizer.json",
                          "leave it out");
        spec.priority = r.priority;
        spec.fork_of = r.fork_of;
        spec.salt = r.salt;
        specs.push_back(std::move(spec));
    }
    return specs;
}

}  // namespace kv
