#pragma once
// How a backend offers its numbers to a tap: as float, and only when somebody wants them.

#include <cstddef>
#include <vector>

#include "core/engine/seam/taps.hpp"

namespace kv {

struct TapPoint {
    TapSink* sink = nullptr;
    std::uint32_t sequence = 0;

    bool wants(Tap tap, LayerId layer) const { return sink != nullptr && sink->wants(tap, layer); }

    template <class Real>
    void operator()(Tap tap, LayerId layer, std::size_t row, std::uint32_t head, const Real* values,
                    std::size_t n) const {
        if (!wants(tap, layer)) return;
        const std::vector<float> copy(values, values + n);
        sink->take({tap, layer, sequence, static_cast<std::uint32_t>(row), head}, copy);
    }

    // Heads of equal size, side by side.
    template <class Real>
    void heads(Tap tap, LayerId layer, std::size_t row, const Real* values, std::size_t count,
               std::size_t dim) const {
        if (!wants(tap, layer)) return;
        for (std::size_t head = 0; head < count; ++head)
            (*this)(tap, layer, row, static_cast<std::uint32_t>(head), values + head * dim, dim);
    }

    // A table with a row for each token; each row as a whole, or as `count` heads.
    template <class Table>
    void rows(Tap tap, LayerId layer, const Table& table) const {
        for (std::size_t i = 0; i < table.size(); ++i)
            (*this)(tap, layer, i, 0, table[i], table.columns());
    }
    template <class Table>
    void heads(Tap tap, LayerId layer, const Table& table, std::size_t count) const {
        for (std::size_t i = 0; i < table.size(); ++i)
            heads(tap, layer, i, table[i], count, table.columns() / count);
    }
};

}  // namespace kv
