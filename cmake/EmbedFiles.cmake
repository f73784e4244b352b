# kv_embed(TARGET NAMESPACE name=path ...): puts files into the program, so that it runs from any
# directory. The assembler copies the bytes (.incbin), which keeps megabytes of font out of the compiler.
# C++ reaches them through `std::string_view embedded(std::string_view name)` in that namespace.
#
# `kv_embed(kv_live kv::live_files needles=needles.txt)` makes a symbol kv_embedded_kv_live_0 before the bytes,
# another with _end behind them, and in kv::live_files::embedded a row `if (name == "needles")` that answers with
# what lies between the two.
function(kv_embed target namespace)
  set(out ${CMAKE_CURRENT_BINARY_DIR}/embedded_${target}.cpp)
  set(assembly "")
  set(externs "")
  set(rows "")
  set(files "")
  set(index 0)
  foreach(entry ${ARGN})
    string(REGEX MATCH "^([^=]+)=(.+)$" unused "${entry}")
    set(name ${CMAKE_MATCH_1})
    set(path ${CMAKE_MATCH_2})
    if(NOT EXISTS ${path})
      message(FATAL_ERROR "${path}, to be embedded as ${name}, does not exist.")
    endif()
    set(symbol kv_embedded_${target}_${index})
    list(APPEND files ${path})
    math(EXPR index "${index} + 1")
    if(EMSCRIPTEN)  # where data lie in sections of their own, and have a size
      string(APPEND assembly "__asm__(\".section .rodata.${symbol},\\\"\\\",@\\n.globl ${symbol}\\n.p2align 4\\n"
        ".type ${symbol},@object\\n${symbol}:\\n.incbin \\\"${path}\\\"\\n.byte 0\\n.size ${symbol}, .-${symbol}\\n\");\n")
      file(SIZE ${path} size)
      string(APPEND externs "extern \"C\" const char ${symbol}[];\n")
      string(APPEND rows "    if (name == \"${name}\") return {${symbol}, ${size}};\n")
    else()
      string(APPEND assembly "__asm__(\".section .rodata\\n.balign 16\\n.global ${symbol}\\n${symbol}:\\n.incbin \\\"${path}\\\"\\n"
                             ".global ${symbol}_end\\n${symbol}_end:\\n.byte 0\\n.text\\n\");\n")
      string(APPEND externs "extern \"C\" const char ${symbol}[], ${symbol}_end[];\n")
      string(APPEND rows "    if (name == \"${name}\") return {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})};\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT
"// Written by kv_embed; do not edit.
#include <string_view>
@assembly@
@externs@
namespace @namespace@ {
std::string_view embedded(std::string_view name) {
@rows@    return {};
}
}  // namespace @namespace@
")
  set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS "${files}")
  target_sources(${target} PRIVATE ${out})
endfunction()
