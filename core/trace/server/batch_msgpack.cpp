#include "core/trace/server/batch_msgpack.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/shown.hpp"
#include "core/trace/server/fields.hpp"
#include "core/trace/server/hash.hpp"
#include "core/trace/server/msgpack.hpp"

namespace kv {
namespace {

// Far above what one step does: a million tokens are 65,536 blocks of 16.
constexpr std::size_t kMostEvents = 1U << 18U, kMostHashes = 1U << 20U, kMostTokens = 1U << 24U;
constexpr std::size_t kLongestDigest = 256, kLongestWord = 128;

// What the events of one batch have taken together.
struct Taken {
    std::size_t hashes = 0, tokens = 0;
    bool negative = false;
    bool too_much = false;  // the batch is refused as a whole
};

// One event while its fields are read in any order; which of them count, its kind says at the end.
struct EventFields {
    std::optional<std::string> kind;
    ServerStored stored;
    bool has_hashes = false;
    std::string wrong;  // the first field that has another form than it may have
};

// Each reader of a field takes one value, or says that its form is another one.
class FieldReader {
public:
    FieldReader(MsgReader& in, Taken& taken) : in_(in), taken_(taken) {}

    // False where the bytes are broken.
    bool take(std::string_view name, EventFields& out) {
        const std::size_t start = in_.at();
        if (read(name, out)) return true;
        if (out.wrong.empty()) out.wrong = name;
        in_.go_back(start);
        return in_.skip();
    }

private:
    bool read(std::string_view name, EventFields& out) {
        ServerStored& to = out.stored;
        if (name == "type" || name == "event") return kind(out.kind);
        if (name == "block_hashes") return hashes(out);
        if (name == "parent_block_hash") return parent(to.parent);
        if (name == "token_ids") return tokens(to.tokens);
        if (name == "block_size") return not_negative(to.block_size);
        if (name == "medium") return word(to.medium);
        if (name == "group_idx") return not_negative(to.group);
        if (name == "lora_id") return any_whole(to.lora);
        if (name == "kv_cache_spec_sliding_window") return any_whole(to.window);
        if (name == "kv_cache_spec_kind") return any_word(to.layer_kind);
        return in_.skip();
    }

    bool kind(std::optional<std::string>& out) {
        const auto item = in_.next();
        if (!item || item->kind != MsgKind::Text) return false;
        out = std::string(item->bytes.substr(0, kLongestWord));
        return true;
    }

    std::optional<ServerHash> hash_of(const MsgItem& item) {
        taken_.negative = taken_.negative || item.kind == MsgKind::Negative;
        if (item.kind == MsgKind::Whole || item.kind == MsgKind::Negative)
            return server_hash(item.number);
        if (item.kind == MsgKind::Text && item.bytes.size() <= kLongestDigest)
            return server_hash_of_text(item.bytes);
        if (item.kind != MsgKind::Bytes || item.bytes.size() > kLongestDigest) return std::nullopt;
        return ServerHash{std::string(item.bytes), false};
    }

    bool hashes(EventFields& out) {
        const auto list = in_.next();
        if (!list || list->kind != MsgKind::List) return false;
        for (std::uint64_t i = 0; i < list->number; ++i) {
            const auto item = in_.next();
            auto hash = item ? hash_of(*item) : std::nullopt;
            if (!hash) return false;
            taken_.too_much = taken_.too_much || ++taken_.hashes > kMostHashes;
            if (taken_.too_much) return false;
            out.stored.hashes.push_back(std::move(*hash));
        }
        out.has_hashes = true;
        return true;
    }

    bool parent(std::optional<ServerHash>& out) {
        const auto item = in_.next();
        if (!item) return false;
        if (item->kind == MsgKind::Nil) return true;
        out = hash_of(*item);
        return out.has_value();
    }

    static std::optional<std::int64_t> whole(const MsgItem& item) {
        if (item.kind == MsgKind::Negative) return item.signed_number();
        const bool fits = item.kind == MsgKind::Whole &&
                          item.number <= std::uint64_t{std::numeric_limits<std::int64_t>::max()};
        if (!fits) return std::nullopt;
        return item.signed_number();
    }

    // A token. Drafting makes a pair of a token and the one after it: then the first of the pair.
    std::optional<std::int64_t> token() {
        auto item = in_.next();
        if (!item) return std::nullopt;
        if (item->kind != MsgKind::List) return whole(*item);
        const std::uint64_t n = item->number;
        item = n > 0 ? in_.next() : std::nullopt;
        for (std::uint64_t i = 1; i < n; ++i)
            if (!in_.skip()) return std::nullopt;
        return item ? whole(*item) : std::nullopt;
    }

    bool tokens(std::vector<std::int64_t>& out) {
        const auto list = in_.next();
        if (!list) return false;
        if (list->kind == MsgKind::Nil) return true;
        if (list->kind != MsgKind::List) return false;
        for (std::uint64_t i = 0; i < list->number; ++i) {
            const auto id = token();
            if (!id) return false;
            taken_.too_much = taken_.too_much || ++taken_.tokens > kMostTokens;
            if (taken_.too_much) return false;
            out.push_back(*id);
        }
        return true;
    }

    bool not_negative(std::int64_t& out) {
        const auto item = in_.next();
        if (!item) return false;
        if (item->kind == MsgKind::Nil) return true;
        const auto number = whole(*item);
        if (!number || *number < 0) return false;
        out = *number;
        return true;
    }

    // An absent field and nil are the same: servers leave defaults out or write them.
    bool word(std::string& out) {
        const auto item = in_.next();
        if (!item) return false;
        if (item->kind == MsgKind::Nil) return true;
        if (item->kind != MsgKind::Text || item->bytes.size() > kLongestWord) return false;
        out = std::string(item->bytes);
        return true;
    }

    // What only describes a block may have any form; what we do not understand of it is left out.
    bool any_whole(std::optional<std::int64_t>& out) {
        const std::size_t start = in_.at();
        const auto item = in_.next();
        if (item) out = whole(*item);
        in_.go_back(start);
        return in_.skip();
    }
    bool any_word(std::string& out) {
        const std::size_t start = in_.at();
        if (!word(out)) out.clear();
        in_.go_back(start);
        return in_.skip();
    }

    MsgReader& in_;
    Taken& taken_;
};

ServerEvent event_of(EventFields&& fields) {
    if (!fields.kind) return ServerUnknown{};
    const std::string& kind = *fields.kind;
    if (kind == "AllBlocksCleared") return ServerCleared{};
    const bool stored = kind == "BlockStored";
    if (!stored && kind != "BlockRemoved") return ServerUnknown{shown(kind)};
    if (fields.wrong.empty() && !fields.has_hashes) fields.wrong = "block_hashes";
    if (!fields.wrong.empty()) return ServerUnknown{kind + "." + fields.wrong};
    if (stored) return std::move(fields.stored);
    return ServerRemoved{std::move(fields.stored.hashes), std::move(fields.stored.medium),
                         fields.stored.group};
}

// The name of a value in an array, by the kind of event that its tag says.
std::string_view field_name(const EventFields& fields, std::uint64_t place) {
    if (!fields.kind) return {};
    if (*fields.kind == "BlockStored" && place < kServerStoredFields.size())
        return kServerStoredFields[static_cast<std::size_t>(place)];
    if (*fields.kind == "BlockRemoved" && place < kServerRemovedFields.size())
        return kServerRemovedFields[static_cast<std::size_t>(place)];
    return {};
}

// Reads one event; nothing where the bytes are broken.
std::optional<ServerEvent> read_event(MsgReader& in, Taken& taken) {
    const std::size_t start = in.at();
    const auto head = in.next();
    if (!head) return std::nullopt;
    EventFields fields;
    FieldReader reader(in, taken);
    if (head->kind == MsgKind::Map) {
        for (std::uint64_t i = 0; i < head->number; ++i) {
            const std::size_t key_start = in.at();
            const auto key = in.next();
            if (!key) return std::nullopt;
            const bool named = key->kind == MsgKind::Text;
            in.go_back(key_start);
            if (!in.skip() || !reader.take(named ? key->bytes : std::string_view(), fields))
                return std::nullopt;
        }
    } else if (head->kind == MsgKind::List) {
        for (std::uint64_t i = 0; i < head->number; ++i)
            if (!reader.take(i == 0 ? "type" : field_name(fields, i - 1), fields))
                return std::nullopt;
    } else {
        in.go_back(start);
        if (!in.skip()) return std::nullopt;
    }
    return event_of(std::move(fields));
}

class BatchReader {
public:
    explicit BatchReader(std::string_view bytes) : in_(bytes) {}

    bool read() {
        const auto head = in_.next();
        if (!head) return false;
        if (head->kind == MsgKind::List) return read_list(head->number);
        return head->kind == MsgKind::Map && read_map(head->number);
    }
    bool ends() const { return in_.at_end(); }
    std::size_t at() const { return in_.at(); }
    bool has_events() const { return has_events_; }
    bool too_much() const { return taken_.too_much; }
    MsgpackBatch take() {
        out_.negative_hashes = taken_.negative;
        return std::move(out_);
    }

private:
    bool read_list(std::uint64_t n) {
        for (std::uint64_t i = 0; i < n; ++i) {
            constexpr std::array<std::string_view, 3> kNames{"ts", "events", "data_parallel_rank"};
            if (!field(i < kNames.size() ? kNames[static_cast<std::size_t>(i)] : "")) return false;
        }
        return true;
    }

    bool read_map(std::uint64_t n) {
        for (std::uint64_t i = 0; i < n; ++i) {
            const auto key = in_.next();
            if (!key || key->kind != MsgKind::Text || !field(key->bytes)) return false;
        }
        return true;
    }

    bool field(std::string_view name) {
        if (name == "events") return events();
        const std::size_t start = in_.at();
        const auto item = in_.next();
        if (!item) return false;
        const bool whole = item->kind == MsgKind::Whole || item->kind == MsgKind::Negative;
        if (name == "ts" && (whole || item->kind == MsgKind::Real)) out_.batch.time_s = item->real;
        // One server calls the field after the attention that is split by data.
        const bool rank = name == "data_parallel_rank" || name == "attn_dp_rank";
        if (rank && whole) out_.batch.rank = item->signed_number();
        in_.go_back(start);
        return in_.skip();
    }

    bool events() {
        const auto list = in_.next();
        if (!list || list->kind != MsgKind::List || has_events_) return false;
        has_events_ = true;
        for (std::uint64_t i = 0; i < list->number; ++i) {
            auto event = read_event(in_, taken_);
            taken_.too_much = taken_.too_much || i >= kMostEvents;
            if (!event || taken_.too_much) return false;
            out_.batch.events.push_back(std::move(*event));
        }
        return true;
    }

    MsgReader in_;
    Taken taken_;
    MsgpackBatch out_;
    bool has_events_ = false;
};

}  // namespace

std::variant<MsgpackBatch, ServerRefusal> read_batch_msgpack(std::string_view bytes) {
    BatchReader reader(bytes);
    const bool sound = reader.read();
    const std::uint64_t at = reader.at();
    if (reader.too_much()) return ServerRefusal{at, "holds more than one step of a server can do"};
    if (!sound) return ServerRefusal{at, "is no batch of events in msgpack"};
    if (!reader.has_events()) return ServerRefusal{at, "is msgpack without a list of events"};
    if (!reader.ends()) return ServerRefusal{at, "goes on after the end of its batch"};
    return reader.take();
}

}  // namespace kv
