#include "app/live/price/text.hpp"

#include <algorithm>
#include <utility>

#include "app/shell/texts/said.hpp"

namespace kv {

namespace live_files {
std::string_view embedded(std::string_view name);  // written by the build
}

namespace {

[[noreturn]] void refuse(std::size_t line, TextId why) {
    throw Refused(why, {{"line", std::to_string(line)}}, ErrorCode::World);
}

class Reader {
public:
    explicit Reader(const Tokenizer& words) : words_(words) {}

    void take(std::string_view line, std::size_t number) {
        if (line.empty() || line.front() == '#') {
            if (has_prompt_) refuse(number, "refused.price.text.prompt"_t);
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
        if (has_prompt_) refuse(lines, "refused.price.text.told"_t);
        return std::move(passages_);
    }

private:
    // Piece by piece, so that an answer is tokens of its own.
    void tell(std::string_view line, std::size_t number) {
        while (!line.empty()) {
            const std::size_t open = line.find('['), close = line.find(']');
            if ((open == line.npos) != (close == line.npos) || (open != line.npos && close < open))
                refuse(number, "refused.price.text.bracket"_t);
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
