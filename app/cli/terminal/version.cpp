#include "app/cli/terminal/version.hpp"

#include <imgui.h>
#include <implot.h>

#include "app/shell/surface/surface.hpp"
#include "core/engine/cpu/kernels/path.hpp"
#include "cuda/device/device.hpp"

namespace kv {

std::string version() {
    return KVARIUM_VERSION;
}

std::string build_text() {
    return "kvarium " KVARIUM_VERSION "\ncommit " KVARIUM_GIT_HASH "\nbuild " KVARIUM_BUILD_TYPE
           "\n";
}

std::string version_text() {
    return build_text() + libraries() + "\ncpu path " + std::string(cpu_path_name()) + "\n" +
           query_devices().sentence + "\n";
}

std::string libraries() {
    return "Dear ImGui " IMGUI_VERSION ", ImPlot " IMPLOT_VERSION ", GLFW " + window_library();
}

}  // namespace kv
