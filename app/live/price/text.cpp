#include "app/live/price/text.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"

namespace kv {

namespace live_files {
std::string_view embedded(std::string_view name);  // written by the build
}

namespace {

[[noreturn]] void refuse(std::size_t line, const std::string& what) {
    throw Error(ErrorCode::World, "Line " + std::to_string(line) + " of the text " + what + ".");
}

class Reader {
public:
    explicit Reader(const Tokenizer& words) : words_(words) {}

    void take(std::string_view line, std::size_t number) {
        if (line.empty() || line.front() == '#') {
            if (has_prompt_) refuse(number, "comes where the prompt above it has nothing told yet");
            return;
        }
        if (!has_prompt_) {
            passages_.push_back({{words_.encode(line, Additions::OfFile).ids, {}}, {}});
            has_prompt_ = true;
            return;
        }
        tell(line, number);
        has_prompt_ = false;
    }
    std::vector<PricePassage> finish(std::size_t lines) {
        if (has_prompt_) refuse(lines, "is a prompt with nothing told after it");
        return std::move(passages_);
    }

private:
    // Piece by piece, so that an answer is tokens of its own.
    void tell(std::string_view line, std::size_t number) {
        while (!line.empty()) {
            const std::size_t open = line.find('['), close = line.find(']');
            if ((open == line.npos) != (close == line.npos) || (open != line.npos && close < open))
                refuse(number, "has a bracket without the other one");
            add(line.substr(0, open), false);
            if (open == line.npos) return;
            add(line.substr(open + 1, close - open - 1), true);
            line.remove_prefix(close + 1);
        }
    }
    void add(std::string_view piece, bool answer) {
        PricePassage& passage = passages_.back();
        if (answer) passage.needles.push_back(static_cast<std::uint32_t>(passage.text.told.size()));
        if (piece.empty()) return;
        const auto ids = words_.encode(piece, Additions::None).ids;
        passage.text.told.insert(passage.text.told.end(), ids.begin(), ids.end());
    }

    const Tokenizer& words_;
    std::vector<PricePassage> passages_;
    bool has_prompt_ = false;
};

}  // namespace

std::vector<PricePassage> read_passages(std::string_view file, const Tokenizer& words) {
    Reader reader(words);
    std::size_t number = 0;
    while (!file.empty()) {
        const std::size_t end = std::min(file.find('\n'), file.size());
        reader.take(file.substr(0, end), ++number);
        file.remove_prefix(std::min(end + 1, file.size()));
    }
    return reader.finish(number);
}

std::string_view fixed_text() {
    return live_files::embedded("needles");
}

}  // namespace kv
