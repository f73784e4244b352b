#pragma once
// What a person sees of an attached server: a few lines that are written over each other on a
// terminal, a line now and then in a pipe, and a table at the end.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/attach/client.hpp"
#include "app/cli/attach/input.hpp"
#include "core/attach/tank/tank.hpp"

namespace kv {

class AttachView {
public:
    explicit AttachView(bool shown);
    ~AttachView();
    AttachView(const AttachView&) = delete;
    AttachView& operator=(const AttachView&) = delete;

    void show(std::string text, double now_s);
    // A sentence on standard error, above what is shown.
    void tell(const std::string& sentence);

private:
    void erase();

    bool shown_, terminal_;
    std::optional<double> last_s_;
    std::string last_text_;
    std::size_t lines_ = 0;  // that are on the terminal now
};

std::string batches_text(std::uint64_t n);  // "1 batch", "2 batches"
// A line a rank, while it runs.
std::string attach_lines(const AttachInput& input, const Tank& tank,
                         const std::vector<StreamStatus>& streams);
std::string attach_text(const AttachInput& input, const Tank& tank,
                        const std::vector<StreamStatus>& streams);

}  // namespace kv
