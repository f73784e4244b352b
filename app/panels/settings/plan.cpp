#include "app/panels/settings/plan.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/numbers/elementary.hpp"
#include "core/base/numbers/text.hpp"

namespace kv {

PageChoices page_choices(u64 block_size) {
    PageChoices choices;
    choices.sizes = {4, 8, 16, 32};
    const auto place = std::lower_bound(choices.sizes.begin(), choices.sizes.end(), block_size);
    choices.chosen = static_cast<std::size_t>(place - choices.sizes.begin());
    if (place == choices.sizes.end() || *place != block_size)
        choices.sizes.insert(place, block_size);
    for (const u64 size : choices.sizes) choices.labels.push_back(with_commas(size));
    return choices;
}

double power_of_window(u64 window) {
    const double power = std::round(math::log2(static_cast<double>(std::max<u64>(window, 1))));
    return std::clamp(power, double{kWindowPowers.least}, double{kWindowPowers.most});
}

u64 window_of_power(double power) {
    const double inside =
        std::clamp(std::round(power), double{kWindowPowers.least}, double{kWindowPowers.most});
    return u64{1} << static_cast<unsigned>(inside);
}

u64 first_window(u64 tokens) {
    return window_of_power(std::ceil(math::log2(static_cast<double>(std::max<u64>(tokens, 1)))) -
                           1);
}

}  // namespace kv
