# What every file of ours is compiled with. Third-party code does not link kv_flags, so it keeps its own
# warnings to itself.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT EMSCRIPTEN)  # where a program has one place, and looking for it would cost time
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# ccache makes a second clean clone cheap; the base directory makes its entries independent of where
# the clone lies.
find_program(KVARIUM_CCACHE ccache)
if(KVARIUM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros ${KVARIUM_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${launcher})
endif()

add_library(kv_flags INTERFACE)
target_include_directories(kv_flags INTERFACE ${PROJECT_SOURCE_DIR})
# Messages name files of the project, not the folder that it was built in.
target_compile_options(kv_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>)
# A fused multiply-add rounds once less, so where the compiler may choose it numbers differ between machines.
add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-ffp-contract=off>)
# Where sizes have 32 bits, warnings about them say nothing about the code; the builds for desktops warn.
if(EMSCRIPTEN)
  target_compile_options(kv_flags INTERFACE -w)
  add_compile_options(-fexceptions -msimd128)
endif()
target_compile_options(kv_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wconversion -Wpedantic>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow>)
# g++ 12 takes `"literal" + std::string` at -O2 for an overlapping copy (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(kv_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(KVARIUM_WERROR)
  target_compile_options(kv_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror>
    $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()

# g++ tidies its memory up ever again unless it may take a gigabyte first; that is a seventh of its time.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1000000>)
endif()

if(KVARIUM_PLANTED_BUGS)
  target_compile_definitions(kv_flags INTERFACE KVARIUM_PLANTED_BUGS)
  # A bug that may or may not be there makes g++ 12 doubt optionals that are set.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(kv_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
  endif()
endif()
if(KVARIUM_SANITIZE)
  # The checks that sanitizers weave in make g++ 12 doubt variants and optionals of the library.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(kv_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
  endif()
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${KVARIUM_SANITIZE}>
                      $<$<COMPILE_LANGUAGE:C,CXX>:-fno-omit-frame-pointer>)
  add_link_options(-fsanitize=${KVARIUM_SANITIZE})
  if(NOT KVARIUM_SANITIZE STREQUAL "thread")
    add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fno-sanitize-recover=all>)
  endif()
  # These two checks stand at every pointer that is followed. A sentence for each would be a quarter of what clang writes, so
  # they stop the program without one; Catch2 then names the test and the line it had reached, a debugger the place.
  if(KVARIUM_SANITIZE MATCHES "undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize-trap=null,alignment>)
  endif()
endif()
