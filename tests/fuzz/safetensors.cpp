// A safetensors file. Each input is read twice: as a whole file, and, so that most inputs get past
// the length, as the text of a header before 24 bytes of data. What is accepted covers its data
// from the first byte to the last, each byte by one tensor.

#include <algorithm>
#include <set>
#include <string>
#include <variant>

#include "core/model/safetensors/header.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using kv::u64;
using kv::fuzz::expect;

constexpr u64 kDataBytes = 24;  // of the headers in the corpus that stand without a length

void check_refusal(const kv::SafetensorsRefusal& refusal) {
    const std::string text = kv::text_of(refusal);
    expect(!refusal.rule.empty() && !refusal.advice.empty(), "a refusal has a rule and an advice");
    expect(text.find('\n') == std::string::npos, "a refusal is one line");
    expect(text.size() < 2000, "a refusal is short");
}

// Counted without trust in the reader: no product here can wrap, each is bounded by the data.
void check_size(const kv::TensorInfo& tensor, u64 data_bytes) {
    u64 bytes = tensor.type == kv::TensorType::F32 ? 4 : 2;
    const bool empty = std::count(tensor.shape.begin(), tensor.shape.end(), u64{0}) > 0;
    for (const u64 dimension : tensor.shape) {
        if (empty) break;
        expect(dimension <= data_bytes / bytes, "no tensor is larger than the data");
        bytes *= dimension;
    }
    expect(tensor.end - tensor.begin == (empty ? 0 : bytes), "a range has its shape's bytes");
}

void check_tensors(const std::vector<kv::TensorInfo>& tensors, u64 data_bytes) {
    std::set<std::string> names;
    u64 covered = 0;
    for (const kv::TensorInfo& tensor : tensors) {
        expect(!tensor.name.empty() && tensor.name.size() <= 256, "names are bounded");
        expect(names.insert(tensor.name).second, "names are unique");
        expect(tensor.shape.size() <= 4, "ranks are bounded");
        expect(tensor.begin == covered && tensor.end >= tensor.begin, "no overlap and no hole");
        check_size(tensor, data_bytes);
        covered = tensor.end;
    }
    expect(covered == data_bytes, "the last range ends with the data");
}

void read_header(std::string_view header, u64 data_bytes) {
    const auto parsed = kv::parse_safetensors_header(header, data_bytes);
    if (const auto* refusal = std::get_if<kv::SafetensorsRefusal>(&parsed))
        check_refusal(*refusal);
    else
        check_tensors(std::get<std::vector<kv::TensorInfo>>(parsed), data_bytes);
}

void read_file(std::string_view file) {
    const auto length = kv::safetensors_header_length(file.substr(0, 8), file.size());
    if (const auto* refusal = std::get_if<kv::SafetensorsRefusal>(&length)) {
        check_refusal(*refusal);
        return;
    }
    const u64 header = std::get<u64>(length);
    expect(header <= file.size() - 8, "the header lies in the file");
    read_header(file.substr(8, header), file.size() - 8 - header);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = kv::fuzz::text_of(data, size);
    read_file(text);
    read_header(text, kDataBytes);
    return 0;
}
