#pragma once
// Matrices of a small model, widened once: a pass over one token reads each weight once, so that
// widening it would take longer than its multiplication. The same bits as project(). Large models
// are widened anew in each pass, because their strips would take more room than the model.

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "core/base/background/give_way.hpp"
#include "core/engine/reference/tensor.hpp"

namespace kv {

template <class Real>
class KeptStrips {
public:
    // `w` stays where it is as long as this lives.
    Rows<Real> project(const Rows<Real>& x, const Matrix& w, const std::vector<float>& bias = {}) {
        const Strips* strips = strips_of(w);
        if (strips == nullptr) return kv::project(x, w, bias);
        Rows<Real> y(x.size(), w.rows());
        for (std::size_t s = 0; s < strips->size(); ++s) {
            project_strip(x, (*strips)[s], s * kAbreast, bias, y);
            give_way();
        }
        return y;
    }

private:
    using Strips = std::vector<std::vector<Real>>;
    static constexpr std::size_t kMostBytes = 32u << 20;  // of all strips: a small model

    struct Known {
        Strips strips;
        bool is_kept = false;
    };

    // Null the first time that a matrix comes: a single pass gains nothing from strips.
    const Strips* strips_of(const Matrix& w) {
        const auto [at, is_new] = known_.try_emplace(&w);
        Known& known = at->second;
        if (is_new) return nullptr;
        if (!known.is_kept && !keep(w, known)) return nullptr;
        return &known.strips;
    }

    bool keep(const Matrix& w, Known& known) {
        const std::size_t n = (w.rows() + kAbreast - 1) / kAbreast,
                          bytes = n * kAbreast * w.columns() * sizeof(Real);
        if (bytes > kMostBytes - bytes_) return false;
        bytes_ += bytes, known.is_kept = true;
        known.strips.assign(n, std::vector<Real>(w.columns() * kAbreast));
        for (std::size_t s = 0; s < n; ++s) widen_strip(w, s * kAbreast, known.strips[s]);
        return true;
    }

    std::unordered_map<const Matrix*, Known> known_;
    std::size_t bytes_ = 0;
};

}  // namespace kv
