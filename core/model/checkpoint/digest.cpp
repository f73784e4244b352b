#include "core/model/checkpoint/digest.hpp"

#include <algorithm>

#include "core/base/background/give_way.hpp"
#include "core/base/error.hpp"
#include "core/base/sha256.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

std::string name_in_folder(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

constexpr std::size_t kSumPiece = std::size_t{1} << 16;  // bytes: less than a millisecond

class Summing {
public:
    Summing(const Checkpoint& checkpoint, const LoadProgress& progress)
        : checkpoint_(checkpoint), progress_(progress), buffer_(kReadPiece) {
        for (const SafetensorsFile& each : checkpoint.files()) total_ += each.file().size();
    }

    std::variant<std::string, LoadCancelled> run() {
        std::string lines;
        for (const SafetensorsFile& file : checkpoint_.files()) {
            const auto sum = sum_of(file);
            if (!sum) return LoadCancelled{};
            if (checkpoint_.files().size() == 1) return *sum;
            lines += *sum + "  " + name_in_folder(file.path()) + "\n";
        }
        return sha256_hex(lines);
    }

private:
    // The sum of a file; nothing when the caller wants to stop.
    std::optional<std::string> sum_of(const SafetensorsFile& file) {
        Sha256 sum;
        const u64 size = file.file().size();
        for (u64 at = 0; at < size;) {
            const auto n = static_cast<std::size_t>(std::min<u64>(kReadPiece, size - at));
            if (const auto no = file.file().read(at, buffer_.data(), n)) {
                throw Error{ErrorCode::World,
                            shown(file.path()) + " " + no->rule + "; " + no->advice + "."};
            }
            for (std::size_t i = 0; i < n; i += kSumPiece) {
                sum.update(buffer_.data() + i, std::min(kSumPiece, n - i));
                give_way();
            }
            at += n;
            done_ += n;
            if (progress_ && !progress_(done_, total_)) return std::nullopt;
        }
        return sum.hex();
    }

    const Checkpoint& checkpoint_;
    const LoadProgress& progress_;
    std::vector<std::byte> buffer_;
    u64 done_ = 0, total_ = 0;
};

}  // namespace

std::variant<std::string, LoadCancelled> weights_sha256(const Checkpoint& checkpoint,
                                                        const LoadProgress& progress) {
    auto sum = Summing{checkpoint, progress}.run();
    if (auto* files = std::get_if<std::string>(&sum); files != nullptr && checkpoint.is_folded())
        *files = sha256_hex(*files + "+kv" + std::to_string(checkpoint.config().n_kv_heads));
    return sum;
}

}  // namespace kv
