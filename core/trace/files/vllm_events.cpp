#include "core/trace/files/vllm_events.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "core/base/files/json.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"
#include "core/trace/event/event.hpp"
#include "core/trace/trace.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;
using Answer = std::optional<EventRefusal>;

Answer refused(std::string field, std::string rule) {
    return EventRefusal{std::move(field), std::move(rule)};
}

std::optional<unsigned> hex_digit(char letter) {
    if (letter >= '0' && letter <= '9') return letter - '0';
    if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
    if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
    return std::nullopt;
}

// Servers write 64 bits as a number, with or without a sign, or a longer digest in hexadecimal; of
// that the last 64 bits are taken, which is what vLLM does when it is told to publish whole
// numbers.
std::optional<std::uint64_t> hash_from(const Json& json) {
    if (json.is_number_unsigned()) return json.get<std::uint64_t>();
    if (json.is_number_integer()) return static_cast<std::uint64_t>(json.get<std::int64_t>());
    if (!json.is_string()) return std::nullopt;
    std::string_view text = json.get_ref<const std::string&>();
    if (text.substr(0, 2) == "0x") text.remove_prefix(2);
    if (text.empty()) return std::nullopt;
    std::uint64_t hash = 0;
    for (const char letter : text) {
        const auto digit = hex_digit(letter);
        if (!digit) return std::nullopt;
        hash = hash << 4U | *digit;
    }
    return hash;
}

constexpr const char* kHashRule =
    "is neither a whole number of 64 bits nor a text of hexadecimal digits";

Answer read_hashes(const Json& event, Hashes& out) {
    const auto list = event.find("block_hashes");
    if (list == event.end() || !list->is_array()) return refused("block_hashes", "is not a list");
    for (const Json& element : *list) {
        const auto hash = hash_from(element);
        if (!hash)
            return refused("block_hashes",
                           "has at place " + with_commas(out.size()) + " what " + kHashRule);
        out.push_back(*hash);
    }
    return std::nullopt;
}

Answer read_parent(const Json& event, std::optional<std::uint64_t>& out) {
    const auto parent = event.find("parent_block_hash");
    if (parent == event.end() || parent->is_null()) return std::nullopt;
    out = hash_from(*parent);
    return out ? std::nullopt : refused("parent_block_hash", kHashRule);
}

Answer read_tokens(const Json& event, TokenIds& out) {
    const auto list = event.find("token_ids");
    if (list == event.end() || list->is_null()) return std::nullopt;
    if (!list->is_array()) return refused("token_ids", "is not a list");
    for (const Json& token : *list) {
        if (!token.is_number_unsigned() ||
            token.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max())
            return refused("token_ids",
                           "has at place " + with_commas(out.size()) + " what is not a token id");
        out.push_back(token.get<std::uint32_t>());
    }
    return std::nullopt;
}

// Servers that know one medium leave the word out.
Answer read_medium(const Json& event, Medium& out) {
    struct Word {
        std::string_view word;
        Medium medium;
    };
    constexpr std::array<Word, 10> kMediumWords{{{"GPU", Medium::Device},
                                                 {"gpu", Medium::Device},
                                                 {"device", Medium::Device},
                                                 {"CPU", Medium::Host},
                                                 {"cpu", Medium::Host},
                                                 {"host", Medium::Host},
                                                 {"DISK", Medium::File},
                                                 {"disk", Medium::File},
                                                 {"STORAGE", Medium::File},
                                                 {"file", Medium::File}}};
    const auto medium = event.find("medium");
    if (medium == event.end() || medium->is_null()) return std::nullopt;
    for (const Word& known : kMediumWords)
        if (*medium == known.word) {
            out = known.medium;
            return std::nullopt;
        }
    return refused("medium", "is none of GPU, CPU, DISK and null");
}

const Json* word_of(const Json& event) {
    for (const char* key : {"event", "type"})
        if (const auto found = event.find(key); found != event.end() && found->is_string())
            return &*found;
    return nullptr;
}

}  // namespace

std::uint32_t RecordedEvents::Ids::take(std::uint64_t hash) {
    std::uint32_t id = next_;
    if (free_.empty()) {
        most_ = std::max(most_, ++next_);
    } else {
        id = free_.top();
        free_.pop();
    }
    of_[hash].push_back(id);
    return id;
}

std::optional<std::uint32_t> RecordedEvents::Ids::give_back(std::uint64_t hash) {
    const auto found = of_.find(hash);
    if (found == of_.end()) return std::nullopt;
    const std::uint32_t id = found->second.front();
    found->second.pop_front();
    if (found->second.empty()) of_.erase(found);
    free_.push(id);
    return id;
}

std::optional<std::uint32_t> RecordedEvents::Ids::newest(std::uint64_t hash) const {
    const auto found = of_.find(hash);
    if (found == of_.end()) return std::nullopt;
    return found->second.back();
}

void RecordedEvents::Ids::clear() {
    of_.clear();
    free_ = {};
    next_ = 0;
}

bool RecordedEvents::recognises(const Json& line) {
    if (!line.is_object() || line.contains("n") || line.contains("why")) return false;
    return line.contains("events") || word_of(line) != nullptr;
}

Answer RecordedEvents::line(const Json& line) {
    ++iteration_;
    add(IterationStarted{});
    const auto batch = line.find("events");
    if (batch != line.end()) {
        if (!batch->is_array()) return refused("events", "is not a list");
        for (const Json& event : *batch)
            if (Answer wrong = one(event)) return wrong;
    } else if (Answer wrong = one(line)) {
        return wrong;
    }
    add(IterationFinished{.us = since_last(line)});
    return std::nullopt;
}

// Time stamps are in seconds; clocks that were set back count for nothing.
double RecordedEvents::since_last(const Json& line) {
    const auto ts = line.find("ts");
    if (ts == line.end() || !ts->is_number()) return 0;
    const auto now = ts->get<double>();
    const double passed = last_ts_ ? (now - *last_ts_) * 1e6 : 0;
    last_ts_ = now;
    return std::isfinite(passed) && passed > 0 ? passed : 0;
}

Answer RecordedEvents::one(const Json& event) {
    const Json* word = event.is_object() ? word_of(event) : nullptr;
    if (word == nullptr) return refused("events", "has an element that says no event");
    if (*word == "BlockStored") return store(event);
    if (*word == "BlockRemoved") return remove(event);
    if (*word != "AllBlocksCleared")
        return refused("event", "has the unknown word \"" + shown(word->get<std::string>()) + "\"");
    clear();
    return std::nullopt;
}

Answer RecordedEvents::store(const Json& event) {
    BlockStored stored;
    if (Answer wrong = read_hashes(event, stored.block_hashes)) return wrong;
    if (Answer wrong = read_parent(event, stored.parent_block_hash)) return wrong;
    if (Answer wrong = read_tokens(event, stored.token_ids)) return wrong;
    if (Answer wrong = read_medium(event, stored.medium)) return wrong;
    const auto size = event.find("block_size");
    if (size == event.end() || !size->is_number_unsigned() || *size < 1U || *size > 1024U)
        return refused("block_size", "is not a whole number from 1 to 1,024");
    stored.block_size = size->get<std::uint32_t>();
    if (stored.block_size != block_size_.value_or(stored.block_size))
        return refused("block_size", "is " + with_commas(stored.block_size) + " and was " +
                                         with_commas(*block_size_) + " before");
    block_size_ = stored.block_size;
    if (stored.medium != Medium::Device) {
        keep_below(std::move(stored));
    } else {
        counts_.stored += stored.block_hashes.size();
        for (const std::uint64_t hash : stored.block_hashes)
            stored.blocks.push_back(device_.take(hash));
        add(std::move(stored));
    }
    if (device_.most() > kMostRecordedBlocks || host_.most() > kMostRecordedBlocks ||
        file_.most() > kMostRecordedBlocks)
        return refused("block_hashes", "are more than " + with_commas(kMostRecordedBlocks) +
                                           " blocks that are stored at the same time");
    return std::nullopt;
}

Answer RecordedEvents::remove(const Json& event) {
    BlockRemoved removed;
    Hashes hashes;
    if (Answer wrong = read_hashes(event, hashes)) return wrong;
    if (Answer wrong = read_medium(event, removed.medium)) return wrong;
    if (removed.medium != Medium::Device) {
        removed.block_hashes = std::move(hashes);
        drop_below(std::move(removed));
        return std::nullopt;
    }
    for (const std::uint64_t hash : hashes) {
        const auto block = device_.give_back(hash);
        if (!block) {
            ++counts_.removed_unknown;
            continue;
        }
        removed.block_hashes.push_back(hash);
        removed.blocks.push_back(*block);
    }
    counts_.removed += removed.blocks.size();
    if (!removed.blocks.empty()) add(std::move(removed));
    return std::nullopt;
}

void RecordedEvents::clear() {
    device_.clear();
    add(AllBlocksCleared{});
}

// A content that the device holds is seen to move down. One that it does not hold any more has no
// place in the picture; it is counted.
void RecordedEvents::keep_below(BlockStored stored) {
    counts_.below += stored.block_hashes.size();
    for (const std::uint64_t hash : stored.block_hashes) {
        const auto block = device_.newest(hash);
        if (!block) {
            ++counts_.below_unseen;
            continue;
        }
        const std::uint32_t place = ids_in(stored.medium).take(hash);
        add(TransferStarted{.from = Medium::Device,
                            .to = stored.medium,
                            .from_id = *block,
                            .to_id = place,
                            .hash = hash,
                            .slots = stored.block_size});
        add(TransferFinished{
            .from = Medium::Device, .to = stored.medium, .from_id = *block, .to_id = place});
    }
    add(std::move(stored));
}

void RecordedEvents::drop_below(BlockRemoved removed) {
    for (const std::uint64_t hash : removed.block_hashes) {
        const auto place = ids_in(removed.medium).give_back(hash);
        if (place)
            add(TierPlaceFreed{removed.medium, *place});
        else
            ++counts_.removed_unknown;
    }
    add(std::move(removed));
}

RecordedEvents::Ids& RecordedEvents::ids_in(Medium medium) {
    return medium == Medium::Host ? host_ : file_;
}

void RecordedEvents::add(EventBody what) {
    pack({iteration_, std::nullopt, {Why::Recorded}, std::move(what)}, events_);
}

Answer RecordedEvents::write(Trace& trace, std::optional<std::uint32_t> n_blocks) const {
    if (!block_size_) return refused("", "stores no block, so there is no pool to show");
    const std::uint32_t needed = std::max(1U, device_.most());
    if (n_blocks.value_or(needed) < needed)
        return refused("", "stores " + with_commas(needed) +
                               " blocks at the same time and the pool has " +
                               with_commas(*n_blocks));
    if (n_blocks.value_or(needed) > kMostRecordedBlocks)
        return refused("", "cannot be shown in a pool of more than " +
                               with_commas(kMostRecordedBlocks) + " blocks");
    trace.append({0,
                  std::nullopt,
                  {Why::Recorded},
                  PoolMade{.n_blocks = n_blocks.value_or(needed),
                           .block_size = *block_size_,
                           .n_host = host_.most(),
                           .n_file = file_.most()}});
    for (std::size_t at = 0; at < events_.size();) trace.append(unpack(events_, at));
    return std::nullopt;
}

}  // namespace kv
