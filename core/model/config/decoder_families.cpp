#include "core/model/config/decoder_families.hpp"

#include <array>
#include <vector>

namespace kv {
namespace {

constexpr std::array kDecoderFamilies{
    DecoderFamily{Family::Llama, "llama", true},
    DecoderFamily{Family::Mistral, "mistral", true},
    DecoderFamily{Family::Qwen2, "qwen2", true},
    DecoderFamily{Family::Qwen3, "qwen3", true},
    DecoderFamily{Family::DeepSeekV2, "deepseek_v2", false},
    DecoderFamily{Family::DeepSeekV3, "deepseek_v3", false},
};

std::string in_a_row(bool only_run, std::string_view before_last) {
    std::vector<std::string_view> names;
    for (const DecoderFamily& row : kDecoderFamilies)
        if (row.runs || !only_run) names.push_back(row.name);
    std::string words;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) words += i + 1 == names.size() ? " " + std::string(before_last) + " " : ", ";
        words += names[i];
    }
    return words;
}

}  // namespace

std::span<const DecoderFamily> decoder_families() {
    return kDecoderFamilies;
}

std::string names_of_read_families(std::string_view before_last) {
    return in_a_row(false, before_last);
}

std::string names_of_run_families(std::string_view before_last) {
    return in_a_row(true, before_last);
}

}  // namespace kv
