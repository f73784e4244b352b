// model.safetensors.index.json. What is accepted names plain files only, and lists each of them.

#include <algorithm>
#include <string>
#include <variant>

#include "core/model/checkpoint/index.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using kv::fuzz::expect;

void check_index(const kv::WeightIndex& index) {
    expect(!index.file_of.empty() && !index.files.empty(), "an accepted index is not empty");
    for (const auto& [tensor, file] : index.file_of) {
        expect(!tensor.empty() && tensor.size() <= 256, "names of tensors are bounded");
        expect(std::binary_search(index.files.begin(), index.files.end(), file),
               "every file is listed");
    }
    for (const std::string& file : index.files) {
        expect(!file.empty() && file != "." && file != "..", "a file is no folder");
        for (const char letter : file) {
            expect(letter != '/' && letter != '\\' && letter != '\0', "a file lies in the folder");
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto parsed = kv::parse_weight_index(kv::fuzz::text_of(data, size));
    if (const auto* refusal = std::get_if<kv::FileRefusal>(&parsed)) {
        expect(!refusal->rule.empty() && !refusal->advice.empty(),
               "a refusal has a rule and an advice");
        expect(refusal->rule.find('\n') == std::string::npos, "a refusal is one line");
    } else {
        check_index(std::get<kv::WeightIndex>(parsed));
    }
    return 0;
}
