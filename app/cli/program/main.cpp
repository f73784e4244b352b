#include "app/cli/program/program.hpp"

int main(int argc, char** argv) {
    return kv::run_program({argv + (argc > 0 ? 1 : 0), argv + argc});
}
