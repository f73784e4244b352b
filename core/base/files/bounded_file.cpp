#include "core/base/files/bounded_file.hpp"

#include "core/base/numbers/text.hpp"

namespace kv {

std::variant<std::string, FileRefusal> read_bounded_file(const std::string& path, u64 max_bytes) {
    auto opened = RegularFile::open(path);
    if (auto* no = std::get_if<FileRefusal>(&opened)) return std::move(*no);
    const RegularFile& file = std::get<RegularFile>(opened);
    if (file.size() > max_bytes) {
        return FileRefusal{"has " + with_commas(file.size()) + " bytes, and the limit is " +
                               with_commas(max_bytes),
                           "this is probably another file"};
    }
    std::string data(static_cast<std::size_t>(file.size()), '\0');
    if (auto no = file.read(0, data.data(), data.size())) return std::move(*no);
    return data;
}

}  // namespace kv
