#include "core/model/safetensors/safetensors.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

SafetensorsRefusal io_refusal(FileRefusal no) {
    return {.fault = SafetensorsFault::IoError,
            .rule = std::move(no.rule),
            .advice = std::move(no.advice),
            .tensor = "",
            .offset = {}};
}

}  // namespace

SafetensorsFile::SafetensorsFile(std::string path, RegularFile file, u64 data_start,
                                 std::vector<TensorInfo> tensors)
    : path_(std::move(path)),
      file_(std::move(file)),
      data_start_(data_start),
      tensors_(std::move(tensors)),
      by_name_(tensors_.size()) {
    std::iota(by_name_.begin(), by_name_.end(), std::size_t{0});
    std::sort(by_name_.begin(), by_name_.end(),
              [this](std::size_t a, std::size_t b) { return tensors_[a].name < tensors_[b].name; });
}

std::variant<SafetensorsFile, SafetensorsRefusal> SafetensorsFile::open(const std::string& path) {
    auto opened = RegularFile::open(path);
    if (auto* no = std::get_if<FileRefusal>(&opened)) return io_refusal(std::move(*no));
    RegularFile& file = std::get<RegularFile>(opened);

    std::string first(static_cast<std::size_t>(std::min(file.size(), kSafetensorsLengthBytes)),
                      '\0');
    if (auto no = file.read(0, first.data(), first.size())) return io_refusal(std::move(*no));
    auto length = safetensors_header_length(first, file.size());
    if (auto* no = std::get_if<SafetensorsRefusal>(&length)) return std::move(*no);

    std::string header(static_cast<std::size_t>(std::get<u64>(length)), '\0');
    if (auto no = file.read(kSafetensorsLengthBytes, header.data(), header.size())) {
        return io_refusal(std::move(*no));
    }
    const u64 data_start = kSafetensorsLengthBytes + header.size();
    auto tensors = parse_safetensors_header(header, file.size() - data_start);
    if (auto* no = std::get_if<SafetensorsRefusal>(&tensors)) return std::move(*no);
    return SafetensorsFile{path, std::move(file), data_start,
                           std::get<std::vector<TensorInfo>>(std::move(tensors))};
}

const TensorInfo* SafetensorsFile::find(std::string_view name) const {
    const auto at = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                     [this](std::size_t index, std::string_view wanted) {
                                         return tensors_[index].name < wanted;
                                     });
    return at != by_name_.end() && tensors_[*at].name == name ? &tensors_[*at] : nullptr;
}

std::optional<SafetensorsRefusal> SafetensorsFile::read(const TensorInfo& tensor, u64 from,
                                                        void* out, std::size_t n) const {
    KV_ASSERT(from <= tensor.bytes() && n <= tensor.bytes() - from);
    auto no = file_.read(data_start_ + tensor.begin + from, out, n);
    if (!no) return std::nullopt;
    SafetensorsRefusal refusal = io_refusal(std::move(*no));
    refusal.tensor = tensor.name;
    return refusal;
}

std::string sentence_of(const std::string& path, const SafetensorsRefusal& refusal) {
    const bool about_file = refusal.fault == SafetensorsFault::IoError;
    if (!about_file) return shown(path) + ": " + text_of(refusal) + ".";
    const std::string tensor =
        refusal.tensor.empty() ? "" : ", at tensor \"" + shown(refusal.tensor) + "\"";
    return shown(path) + " " + refusal.rule + tensor + "; " + refusal.advice + ".";
}

}  // namespace kv
