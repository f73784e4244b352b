# Two files stand behind one seam where a desktop and a page in a browser differ: a build takes one of them.
set(kv_left_out background/slices background/page_stack surface/canvas)
if(EMSCRIPTEN)
  set(kv_left_out background/threads surface/glfw surface/egl)
endif()
list(JOIN kv_left_out "|" kv_left_out)

# kv_sources(OUT): the *.cpp of the current folder and of the rooms in it. A room with a CMakeLists.txt
# of its own is a library of its own.
function(kv_sources out)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  file(GLOB_RECURSE own RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt)
  foreach(file IN LISTS own)
    get_filename_component(room ${file} DIRECTORY)
    list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${room}/")
  endforeach()
  list(FILTER sources EXCLUDE REGEX "/(${kv_left_out})\\.cpp$")
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# kv_module(NAME LINKS a b ...): the library of the current folder and its rooms. LINKS are the arrows
# between folders; tests/gates/arrows checks the #includes against the same picture, room by room. LIGHT,
# COLD: see kv_effort; COLD_ROOMS and FULL_ROOMS name rooms that are so where the others are not: these are compiled
# as a library of their own, NAME_cold or NAME_full, whose objects NAME takes in. Whoever links sees one library.
function(kv_module name)
  cmake_parse_arguments(arg "LIGHT;COLD" "" "LINKS;PRIVATE_LINKS;SOURCES;COLD_ROOMS;FULL_ROOMS" ${ARGN})
  kv_sources(sources)
  set(effort FULL)
  if(arg_COLD)
    set(effort COLD)
  elseif(arg_LIGHT)
    set(effort LIGHT)
  endif()
  if(KVARIUM_SANITIZE AND effort STREQUAL "FULL")  # there COLD is not optimised at all, and readers read megabytes
    set(arg_COLD_ROOMS "")
  endif()
  set(parts ${name})
  foreach(other COLD FULL)
    set(rest ${sources})
    foreach(room IN LISTS arg_${other}_ROOMS)
      if(NOT IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${room})
        message(FATAL_ERROR "${name} has no room ${room}: take it off ${other}_ROOMS, or name it as its folder is named.")
      endif()
      list(FILTER rest EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${room}/")
    endforeach()
    list(REMOVE_ITEM sources ${rest})
    if(sources)
      string(TOLOWER ${name}_${other} part)
      add_library(${part} OBJECT ${sources})
      kv_effort(${part} ${other})
      list(APPEND parts ${part})
    endif()
    set(sources ${rest})
  endforeach()
  add_library(${name} STATIC ${sources} ${arg_SOURCES})
  foreach(part IN LISTS parts)
    if(NOT part STREQUAL name)
      target_sources(${name} PRIVATE $<TARGET_OBJECTS:${part}>)
    endif()
    target_link_libraries(${part} PUBLIC ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS} $<BUILD_INTERFACE:kv_flags>)
    target_include_directories(${part} PUBLIC ${PROJECT_SOURCE_DIR})
  endforeach()
  kv_effort(${name} ${effort})
endfunction()

# kv_effort(NAME FULL|LIGHT|COLD): what the compiler spends on a library, which a newcomer waits for in the first build:
# kv_optimise says how hard it tries, kv_read_headers_once which headers it reads in advance. FULL
# is -O2. COLD is what runs once or waits for a person: by g++ at -Og, which makes loops twice as slow and takes two
# fifths less time. LIGHT is what goes through many numbers in each frame: -O1, a quarter less. What multiplies or fills
# pixels is neither. A page is loaded whole, so there COLD is made small. With sanitizers the optimiser takes longest, so
# there it is called for FULL alone: tests spend a third of their time in the few loops of the reference.
function(kv_effort name effort)
  kv_optimise(${name} ${effort})
  if(effort STREQUAL COLD)
    kv_read_headers_once(${name})
  endif()
endfunction()

set(kv_cold -O1)
if(EMSCRIPTEN)
  set(kv_cold -Oz)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(kv_cold -Og)
endif()
# kv_optimise(NAME FULL|LIGHT|COLD): the option of that effort. A Debug build has its own options, and one with
# sanitizers is a Debug build.
function(kv_optimise name effort)
  if(effort STREQUAL FULL)
    if(KVARIUM_SANITIZE)
      target_compile_options(${name} PRIVATE $<$<CONFIG:Debug>:-O2>)
    endif()
    return()
  endif()
  set(option -O1)
  if(effort STREQUAL COLD)
    set(option ${kv_cold})
  endif()
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:${option}>)
  if(KVARIUM_SANITIZE)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Debug>:-O0>)
  endif()
endfunction()

# kv_read_headers_once(NAME <header> ...): the compiler reads these headers, JSON and the standard library's, once for all
# libraries that are COLD, not once for each batch of files. JSON is what pays: more than a second, and most libraries that read
# it are COLD. It keeps what it read for one set of options only, and reading it costs four seconds, so FULL and LIGHT read
# theirs themselves: there it would spare three. Headers of ours are not among them, so a change of one compiles only
# what includes it.
function(kv_read_headers_once name)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  get_target_property(type ${name} TYPE)
  set(once kv_headers)
  if(type STREQUAL EXECUTABLE)
    string(APPEND once _of_programs)
  endif()
  if(NOT TARGET ${once})
    add_library(${once} OBJECT ${PROJECT_SOURCE_DIR}/cmake/nothing.cpp)
    target_link_libraries(${once} PRIVATE kv_flags nlohmann_json::nlohmann_json)
    kv_optimise(${once} COLD)
    target_precompile_headers(${once} PRIVATE <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <condition_variable>
      <deque> <filesystem> <fstream> <functional> <map> <memory> <mutex> <numeric> <optional> <set> <span> <sstream> <string>
      <thread> <tuple> <unordered_map> <utility> <variant> <vector> <nlohmann/json.hpp> ${ARGN})
    if(type STREQUAL EXECUTABLE AND CMAKE_POSITION_INDEPENDENT_CODE)  # where CMake would say -fPIC of a library
      set_target_properties(${once} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${once} PRIVATE -fPIE)
    endif()
  endif()
  target_precompile_headers(${name} REUSE_FROM ${once})
endfunction()
