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
# COLD: see kv_effort; COLD_ROOMS names rooms that are COLD where the others are not: these are compiled as a
# library of their own, NAME_cold, whose objects NAME takes in. Whoever links sees one library.
function(kv_module name)
  cmake_parse_arguments(arg "LIGHT;COLD" "" "LINKS;PRIVATE_LINKS;SOURCES;COLD_ROOMS" ${ARGN})
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
  set(rest ${sources})
  foreach(room IN LISTS arg_COLD_ROOMS)
    if(NOT IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${room})
      message(FATAL_ERROR "${name} has no room ${room}: take it off COLD_ROOMS, or name it as its folder is named.")
    endif()
    list(FILTER rest EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${room}/")
  endforeach()
  list(REMOVE_ITEM sources ${rest})
  add_library(${name} STATIC ${rest} ${arg_SOURCES})
  set(parts ${name})
  if(sources)
    add_library(${name}_cold OBJECT ${sources})
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${name}_cold>)
    kv_effort(${name}_cold COLD)
    list(APPEND parts ${name}_cold)
  endif()
  foreach(part IN LISTS parts)
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
  kv_read_headers_once(${name} ${effort})
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

# kv_read_headers_once(NAME EFFORT <header> ...): the compiler reads these headers, and those that many files include, once for
# all libraries of one effort, not once for each batch of files: a tenth of the time of the first build. It keeps what it read
# for one set of options only, hence a set of headers for each effort. JSON is among those of COLD: ten libraries that are COLD
# use it, and only two others. Headers of ours are not among them, so a change of one compiles only what includes it.
set(kv_std_headers <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <condition_variable> <deque> <filesystem> <fstream>
    <functional> <map> <memory> <mutex> <numeric> <optional> <set> <span> <sstream> <string> <thread> <tuple> <unordered_map>
    <utility> <variant> <vector>)
function(kv_read_headers_once name effort)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
    return()
  endif()
  set(headers ${kv_std_headers} ${ARGN})
  if(effort STREQUAL COLD)
    list(APPEND headers <nlohmann/json.hpp>)
  endif()
  get_target_property(type ${name} TYPE)
  string(TOLOWER kv_headers_${effort} once)
  if(type STREQUAL EXECUTABLE)
    string(APPEND once _of_programs)
  endif()
  if(NOT TARGET ${once})
    add_library(${once} OBJECT ${PROJECT_SOURCE_DIR}/cmake/nothing.cpp)
    target_link_libraries(${once} PRIVATE kv_flags nlohmann_json::nlohmann_json)
    kv_optimise(${once} ${effort})
    target_precompile_headers(${once} PRIVATE ${headers})
    if(type STREQUAL EXECUTABLE AND CMAKE_POSITION_INDEPENDENT_CODE)  # where CMake would say -fPIC of a library
      set_target_properties(${once} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
      target_compile_options(${once} PRIVATE -fPIE)
    endif()
  endif()
  target_precompile_headers(${name} REUSE_FROM ${once})
endfunction()
