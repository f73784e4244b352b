#pragma once
// Every lesson figure as one row of one table: its words, its keys, its plan, and what of it is
// written as data. The facts it is made from are asked in core/lesson/figures, in the same order.

#include <span>
#include <string_view>

#include "app/export/data_table.hpp"
#include "app/panels/figure/plans/plans.hpp"
#include "app/panels/figure/pool/plans.hpp"

namespace kv::figure {

struct Row {
    std::string_view name;
    TextId word;    // what a key is: "Step"
    TextId leaves;  // what the picture leaves out
    Keys (*keys)(const FigureFacts&);
    Plan (*plan)(const FigureFacts&, const Ask&);
    // Without what answers the question, until it is revealed.
    std::vector<DataTable> (*tables)(const FigureFacts&, bool revealed);
};
std::span<const Row> table();
const Row& row_of(const FigureFacts& facts);

}  // namespace kv::figure
