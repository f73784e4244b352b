#pragma once
// One question of HTTP/1.1 and its answer, fed as it comes: GET, then a body of known length, in
// chunks, or up to the end of the connection. Bounded, headers and all.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kv {

inline constexpr std::size_t kMostHttpBytes = 8U << 20U;

std::string http_get(std::string_view host, std::string_view path);

class HttpAnswer {
public:
    // Empty while nothing is wrong; else what the other side does, "answers 404".
    std::string feed(std::string_view bytes);
    std::string finish();  // the other side has closed the connection

    bool done() const { return state_ == State::Done; }
    const std::string& body() const { return body_; }

private:
    enum class State : std::uint8_t {
        Head,
        Length,
        ChunkHead,
        Chunk,
        ChunkEnd,
        Trailer,
        ToTheEnd,
        Done
    };

    std::string step();  // as far as the bytes go; sets stuck_ where more are needed
    std::string head(std::string_view text);
    std::string chunk_head(std::string_view line);
    std::optional<std::string_view> line();  // up to a line's end, which is taken
    void take_body();

    State state_ = State::Head;
    std::string in_, body_;
    std::size_t read_ = 0;  // of in_
    std::uint64_t left_ = 0, all_ = 0;
    bool stuck_ = false;
};

}  // namespace kv
