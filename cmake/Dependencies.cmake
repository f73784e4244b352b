# Third-party code, all of it. System packages come first; Dear ImGui, ImPlot, imgui_md and md4c come out
# of one hashed source distribution that scripts/setup unpacks into a cache outside the tree. Each can be
# replaced: -DKVARIUM_IMGUI_DIR=... and so on. Nothing here reaches a network.

# Where scripts/setup unpacks. Not cached: a build tree outlives a moved cache folder.
set(cache_root "$ENV{KVARIUM_CACHE_DIR}")
if(NOT cache_root AND NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
  set(cache_root "$ENV{XDG_CACHE_HOME}/kvarium")
elseif(NOT cache_root)
  set(cache_root "$ENV{HOME}/.cache/kvarium")
endif()

# kv_unpacked(NAME FILE BUNDLE FOLDER): KVARIUM_<NAME>_DIR is what -D says, else the folder of the distribution.
# A macro, because it sets a variable of the caller's scope.
macro(kv_unpacked name file bundle folder)
  if(NOT KVARIUM_${name}_DIR)
    set(KVARIUM_${name}_DIR ${cache_root}/third_party/${bundle}/${folder})
  endif()
  if(NOT EXISTS ${KVARIUM_${name}_DIR}/${file})
    message(FATAL_ERROR "${file} is not in ${KVARIUM_${name}_DIR}: run scripts/setup once, or pass "
                        "-DKVARIUM_${name}_DIR=FOLDER.")
  endif()
endmacro()
if(EMSCRIPTEN)
  include(WebDependencies)
else()
  find_package(nlohmann_json 3.11 REQUIRED)

  # The tokenizer's split patterns need look-ahead and Unicode classes, hence PCRE2.
  find_library(KVARIUM_PCRE2_LIBRARY pcre2-8)
  find_path(KVARIUM_PCRE2_INCLUDE_DIR pcre2.h)
endif()

if(KVARIUM_TESTS)
  find_package(Catch2 3 REQUIRED)
  find_library(KVARIUM_RAPIDCHECK_LIBRARY rapidcheck)
  find_path(KVARIUM_RAPIDCHECK_INCLUDE_DIR rapidcheck.h)
endif()

if(NOT KVARIUM_APP)
  return()
endif()

if(NOT EMSCRIPTEN)
  find_package(CLI11 REQUIRED)
  find_package(glfw3 3.3 REQUIRED)
  find_path(KVARIUM_STB_DIR stb_image_write.h PATH_SUFFIXES stb REQUIRED)
  find_program(KVARIUM_GLAD glad REQUIRED)
endif()

set(bundle imgui_bundle-1.92.900)
kv_unpacked(IMGUI imgui.h ${bundle} hello_imgui/hello_imgui/external/imgui)  # 1.92.9b, docking
kv_unpacked(IMPLOT implot.h ${bundle} implot/implot)                         # 1.1 WIP
kv_unpacked(IMGUI_MD imgui_md.h ${bundle} imgui_md/imgui_md)
kv_unpacked(MD4C md4c.h ${bundle} imgui_md/md4c/src)                         # 0.5.2
set(KVARIUM_FONTS_DIR /usr/share/fonts CACHE PATH "Where fonts-inter and fonts-jetbrains-mono are installed")

file(STRINGS ${KVARIUM_IMGUI_DIR}/imgui.h version REGEX "^#define IMGUI_VERSION_NUM +")
if(NOT version MATCHES "19291")
  message(FATAL_ERROR "${KVARIUM_IMGUI_DIR} is not Dear ImGui 1.92.9b (${version}): run scripts/setup, or "
                      "point -DKVARIUM_IMGUI_DIR at that version. Golden images depend on it.")
endif()

# One unity source per library: the headers are the cost.
set(im ${KVARIUM_IMGUI_DIR})
set(window_library glfw)
set(window_backend ${im}/backends/imgui_impl_glfw.cpp)
if(EMSCRIPTEN)  # the page hands its events over itself
  set(window_library "")
  set(window_backend "")
endif()
add_library(kv_imgui STATIC
  ${im}/imgui.cpp ${im}/imgui_draw.cpp ${im}/imgui_tables.cpp ${im}/imgui_widgets.cpp
  ${im}/misc/cpp/imgui_stdlib.cpp ${im}/backends/imgui_impl_opengl3.cpp
  ${window_backend}
  ${KVARIUM_IMPLOT_DIR}/implot.cpp ${KVARIUM_IMPLOT_DIR}/implot_items.cpp
  ${KVARIUM_IMGUI_MD_DIR}/imgui_md.cpp ${KVARIUM_MD4C_DIR}/md4c.c)
# Each by itself: a program without a window links none of them, nor what they ask for.
set_source_files_properties(${window_backend} ${KVARIUM_IMGUI_MD_DIR}/imgui_md.cpp
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# So that a chart's lines are the same on every processor; and for the one type that charts are drawn
# from, since each further type costs ten seconds.
set_source_files_properties(${KVARIUM_IMPLOT_DIR}/implot_items.cpp PROPERTIES
  COMPILE_OPTIONS "-include;${PROJECT_SOURCE_DIR}/app/shell/kv_implot_exact.h"
  COMPILE_DEFINITIONS "IMPLOT_CUSTOM_NUMERIC_TYPES=(double)")
target_include_directories(kv_imgui SYSTEM PUBLIC ${im} ${im}/backends ${im}/misc/cpp
  ${KVARIUM_IMPLOT_DIR} ${KVARIUM_IMGUI_MD_DIR} ${KVARIUM_MD4C_DIR})
target_include_directories(kv_imgui PUBLIC ${PROJECT_SOURCE_DIR})
target_compile_definitions(kv_imgui PUBLIC IMGUI_USER_CONFIG="app/shell/kv_imconfig.h")
target_compile_options(kv_imgui PRIVATE -w)
if(KVARIUM_SANITIZE)
  # Every frame of a test goes through it. Its memory is watched; undefined behaviour in it is for its authors to find.
  target_compile_options(kv_imgui PRIVATE -fno-sanitize=undefined)
endif()
kv_optimise(kv_imgui LIGHT)
target_link_libraries(kv_imgui PUBLIC ${window_library} PRIVATE ${CMAKE_DL_LIBS})

if(NOT EMSCRIPTEN)
  set(glad ${PROJECT_BINARY_DIR}/glad)
  add_custom_command(
    OUTPUT ${glad}/src/gl.c ${glad}/src/egl.c ${glad}/include/glad/gl.h ${glad}/include/glad/egl.h
    COMMAND ${KVARIUM_GLAD} --api gl:core=3.3,egl=1.5 --out-path ${glad} --reproducible --quiet --extensions
      EGL_EXT_platform_base,EGL_EXT_platform_device,EGL_EXT_device_enumeration,EGL_MESA_platform_surfaceless,GL_KHR_debug
      c --loader
    VERBATIM)
  add_library(kv_glad STATIC ${glad}/src/gl.c ${glad}/src/egl.c)
  target_include_directories(kv_glad SYSTEM PUBLIC ${glad}/include)
  target_link_libraries(kv_glad PUBLIC ${CMAKE_DL_LIBS})
endif()

add_library(kv_stb INTERFACE)
target_include_directories(kv_stb SYSTEM INTERFACE ${KVARIUM_STB_DIR})
