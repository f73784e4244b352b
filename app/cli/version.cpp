#include "app/cli/version.hpp"

namespace kv {

std::string version() {
    return KVARIUM_VERSION;
}

std::string version_text() {
    return "kvarium " KVARIUM_VERSION "\ncommit " KVARIUM_GIT_HASH "\nbuild " KVARIUM_BUILD_TYPE
           "\n";
}

}  // namespace kv
