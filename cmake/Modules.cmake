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
# between folders; tests/gates/arrows checks the #includes against the same picture, room by room. LIGHT:
# see kv_light.
function(kv_module name)
  cmake_parse_arguments(arg "LIGHT" "" "LINKS;PRIVATE_LINKS;SOURCES" ${ARGN})
  kv_sources(sources)
  add_library(${name} STATIC ${sources} ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS} $<BUILD_INTERFACE:kv_flags>)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  if(arg_LIGHT)
    kv_light(${name})
  endif()
endfunction()

# kv_light(NAME): code that waits for a person or runs once, as tests do, is compiled a quarter faster at -O1, and a
# newcomer waits for the whole first build. What multiplies or fills pixels stays at -O2. With sanitizers it
# is the optimiser that takes longest, so there it is not called at all.
function(kv_light name)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  if(KVARIUM_SANITIZE)
    target_compile_options(${name} PRIVATE $<$<CONFIG:Debug>:-O0>)
  endif()
endfunction()
