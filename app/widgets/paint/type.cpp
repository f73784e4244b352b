#include "app/widgets/paint/type.hpp"

namespace kv::type {

TextStyle lesson_title(const Ui& ui) {
    return {ui.fonts.bold, 26, ui.colors.text};
}
TextStyle object_title(const Ui& ui) {
    return {ui.fonts.bold, 19, ui.colors.text};
}
TextStyle prose(const Ui& ui) {
    return {ui.fonts.regular, 15, ui.colors.text2};
}
TextStyle section(const Ui& ui) {
    return {ui.fonts.semibold, 14, ui.colors.text};
}
TextStyle body(const Ui& ui) {
    return {ui.fonts.regular, 13, ui.colors.text2};
}
TextStyle strong(const Ui& ui) {
    return {ui.fonts.semibold, 13, ui.colors.text};
}
TextStyle caption(const Ui& ui) {
    return {ui.fonts.regular, 12, ui.colors.text3};
}

TextStyle number(const Ui& ui) {
    return {ui.fonts.mono, 13, ui.colors.text};
}
TextStyle number_strong(const Ui& ui) {
    return {ui.fonts.mono_bold, 14, ui.colors.text};
}
TextStyle number_small(const Ui& ui) {
    return {ui.fonts.mono, 12, ui.colors.text2};
}
TextStyle tick_label(const Ui& ui) {
    return {ui.fonts.mono, 11, ui.colors.text3};
}

}  // namespace kv::type
