#include "core/attach/metrics/http.hpp"

#include <algorithm>

#include "core/base/letters.hpp"
#include "core/base/numbers/text.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

constexpr std::string_view kTooLong = "answers with more than 8,388,608 bytes";
constexpr std::string_view kNoHttp = "does not answer as HTTP does";

// The value of a header, in any case of letters.
std::optional<std::string> header(std::string_view head, std::string_view name) {
    while (!head.empty()) {
        const std::size_t end = std::min(head.find('\n'), head.size());
        const std::string_view line = head.substr(0, end);
        head.remove_prefix(std::min(end + 1, head.size()));
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        if (lower_case(trimmed(line.substr(0, colon))) == name)
            return std::string(trimmed(line.substr(colon + 1)));
    }
    return std::nullopt;
}

}  // namespace

std::string http_get(std::string_view host, std::string_view path) {
    return "GET " + std::string(path) + " HTTP/1.1\r\nHost: " + std::string(host) +
           "\r\nAccept: text/plain\r\nUser-Agent: kvarium\r\nConnection: close\r\n\r\n";
}

std::string HttpAnswer::feed(std::string_view bytes) {
    all_ += bytes.size();
    if (all_ > kMostHttpBytes) return std::string(kTooLong);
    in_ += bytes;
    stuck_ = false;
    while (!stuck_ && state_ != State::Done)
        if (std::string wrong = step(); !wrong.empty()) return wrong;
    in_.erase(0, read_);
    read_ = 0;
    return {};
}

std::string HttpAnswer::finish() {
    if (state_ == State::ToTheEnd) state_ = State::Done;
    return done() ? "" : "ends in the middle of its answer";
}

std::optional<std::string_view> HttpAnswer::line() {
    const std::size_t end = in_.find('\n', read_);
    if (end == std::string::npos) {
        stuck_ = true;
        return std::nullopt;
    }
    const std::string_view text = std::string_view(in_).substr(read_, end - read_);
    read_ = end + 1;
    return trimmed(text);
}

void HttpAnswer::take_body() {
    const std::size_t there = in_.size() - read_;
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left_, there));
    body_.append(in_, read_, n);
    read_ += n;
    left_ -= n;
    stuck_ = left_ > 0;
}

std::string HttpAnswer::step() {
    switch (state_) {
        case State::Head: {
            std::size_t end = in_.find("\r\n\r\n");
            constexpr std::size_t kLongestHead = 65'536;
            if (end == std::string::npos) {
                stuck_ = true;
                return in_.size() > kLongestHead ? std::string(kNoHttp) : std::string();
            }
            const std::string text = in_.substr(0, end);
            read_ = end + 4;
            return head(text);
        }
        case State::Length:
            take_body();
            if (left_ == 0) state_ = State::Done;
            return {};
        case State::ChunkHead: {
            const auto text = line();
            return text ? chunk_head(*text) : std::string();
        }
        case State::Chunk:
            take_body();
            if (left_ == 0) state_ = State::ChunkEnd;
            return {};
        case State::ChunkEnd: {
            const auto text = line();
            if (text) state_ = State::ChunkHead;
            return text && !text->empty() ? std::string(kNoHttp) : std::string();
        }
        case State::Trailer: {
            const auto text = line();
            if (text && text->empty()) state_ = State::Done;
            return {};
        }
        case State::ToTheEnd:
            left_ = in_.size() - read_;
            take_body();
            stuck_ = true;
            return {};
        case State::Done:
            return {};
    }
    return {};
}

std::string HttpAnswer::head(std::string_view text) {
    const std::string_view first = text.substr(0, text.find('\r'));
    if (first.substr(0, 7) != "HTTP/1." || first.size() < 12) return std::string(kNoHttp);
    const std::string_view status = first.substr(9, 3);
    if (status != "200") return "answers " + shown(first.substr(9));
    const std::string_view rest = text.substr(std::min(first.size() + 1, text.size()));
    const auto coding = header(rest, "transfer-encoding");
    if (coding && lower_case(*coding) != "identity") {
        if (lower_case(*coding) != "chunked") return "answers in a coding that was not asked for";
        state_ = State::ChunkHead;
        return {};
    }
    const auto length = header(rest, "content-length");
    if (!length) {
        state_ = State::ToTheEnd;
        return {};
    }
    std::string why;
    const auto n = parse_whole(*length, 0, kMostHttpBytes, why);
    if (!n) return "answers with a length that " + why;
    left_ = *n;
    state_ = left_ == 0 ? State::Done : State::Length;
    return {};
}

// Hexadecimal; what follows a semicolon is nobody's business.
std::string HttpAnswer::chunk_head(std::string_view line) {
    line = trimmed(line.substr(0, line.find(';')));
    if (line.empty() || line.size() > 8) return std::string(kNoHttp);
    std::uint64_t n = 0;
    for (const char letter : lower_case(line)) {
        const bool digit = letter >= '0' && letter <= '9';
        if (!digit && (letter < 'a' || letter > 'f')) return std::string(kNoHttp);
        n = n * 16 + static_cast<std::uint64_t>(digit ? letter - '0' : letter - 'a' + 10);
    }
    if (n > kMostHttpBytes) return std::string(kTooLong);
    left_ = n;
    state_ = n == 0 ? State::Trailer : State::Chunk;
    return {};
}

}  // namespace kv
