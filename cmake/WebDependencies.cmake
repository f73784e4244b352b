# The same libraries for a page in a browser (the preset `web`, emscripten). Headers alone come from the system's
# packages, through a folder that holds them and nothing else: /usr/include itself would hide the headers of
# emscripten. PCRE2 is compiled from the source distribution that scripts/setup unpacks beside Dear ImGui's.

set(web_headers ${PROJECT_BINARY_DIR}/system_headers)
function(kv_system_header name probe)
  find_path(KVARIUM_${name}_HEADERS ${probe} PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(MAKE_DIRECTORY ${web_headers}/${name})
  file(CREATE_LINK ${KVARIUM_${name}_HEADERS}/${name} ${web_headers}/${name}/${name} SYMBOLIC)
endfunction()
kv_system_header(nlohmann nlohmann/json.hpp)
add_library(kv_json INTERFACE)
target_include_directories(kv_json SYSTEM INTERFACE ${web_headers}/nlohmann)
add_library(nlohmann_json::nlohmann_json ALIAS kv_json)
kv_system_header(CLI CLI/CLI.hpp)
add_library(kv_cli11 INTERFACE)
target_include_directories(kv_cli11 SYSTEM INTERFACE ${web_headers}/CLI)
add_library(CLI11::CLI11 ALIAS kv_cli11)
kv_system_header(stb stb/stb_image_write.h)
set(KVARIUM_STB_DIR ${web_headers}/stb/stb)

kv_unpacked(PCRE2 pcre2.h.generic pcre2-0.7.1 src)  # 10.47
set(pcre2 ${PROJECT_BINARY_DIR}/pcre2)
foreach(pair pcre2.h.generic=pcre2.h config.h.generic=config.h pcre2_chartables.c.dist=pcre2_chartables.c)
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 from)
  list(GET pair 1 to)
  configure_file(${KVARIUM_PCRE2_DIR}/${from} ${pcre2}/${to} COPYONLY)
endforeach()
set(pcre2_sources "")
foreach(part auto_possess chkdint compile compile_cgroup compile_class config context convert dfa_match error extuni
    find_bracket jit_compile maketables match match_data match_next newline ord2utf pattern_info script_run serialize
    string_utils study substitute substring tables ucd valid_utf xclass)
  list(APPEND pcre2_sources ${KVARIUM_PCRE2_DIR}/pcre2_${part}.c)
endforeach()
add_library(kv_pcre2 STATIC ${pcre2_sources} ${pcre2}/pcre2_chartables.c)
target_compile_definitions(kv_pcre2 PRIVATE HAVE_CONFIG_H PCRE2_CODE_UNIT_WIDTH=8 SUPPORT_PCRE2_8 SUPPORT_UNICODE
  HAVE_STDINT_H HAVE_INTTYPES_H HAVE_MEMMOVE PCRE2_STATIC)
target_include_directories(kv_pcre2 PRIVATE ${pcre2} ${KVARIUM_PCRE2_DIR})
target_compile_options(kv_pcre2 PRIVATE -w)
set_target_properties(kv_pcre2 PROPERTIES UNITY_BUILD OFF)
set(KVARIUM_PCRE2_LIBRARY kv_pcre2)
set(KVARIUM_PCRE2_INCLUDE_DIR ${pcre2})

# What the picture is drawn with: the browser's own WebGL, under the names that the window's sources include.
add_library(kv_glad INTERFACE)
target_include_directories(kv_glad SYSTEM INTERFACE ${PROJECT_SOURCE_DIR}/cmake/web)
