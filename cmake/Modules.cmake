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
# COLD: see kv_light.
function(kv_module name)
  cmake_parse_arguments(arg "LIGHT;COLD" "" "LINKS;PRIVATE_LINKS;SOURCES" ${ARGN})
  kv_sources(sources)
  add_library(${name} STATIC ${sources} ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS} $<BUILD_INTERFACE:kv_flags>)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  if(arg_COLD)
    kv_light(${name} COLD)
  elseif(arg_LIGHT)
    kv_light(${name} LIGHT)
  endif()
endfunction()

# kv_light(NAME EFFORT): the code of a library that a newcomer waits for in the first build, compiled with less effort than
# -O2. COLD is what runs once or waits for a person: by g++ at -Og, which makes loops twice as slow and takes two
# fifths less time. LIGHT is what goes through many numbers in each frame: -O1, a quarter less. What multiplies or fills
# pixels is neither. A page is loaded whole, so there COLD is made small. With sanitizers it is the optimiser that
# takes longest, so there it is not called at all.
set(kv_cold -O1)
if(EMSCRIPTEN)
  set(kv_cold -Oz)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(kv_cold -Og)
endif()
function(kv_light name effort)
  set(option -O1)
  if(effort STREQUAL COLD)
    set(option ${kv_cold})
  endif()
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:${option}>)
  if(KVARIUM_SANITIZE)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Debug>:-O0>)
  endif()
endfunction()
