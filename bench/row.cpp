#include "bench/row.hpp"

namespace kv::bench {

const std::vector<Row>& rows() {
    static const std::vector<Row> all{
        {"startup", measure_startup}, {"picture", measure_picture}, {"idle", measure_idle}};
    return all;
}

}  // namespace kv::bench
