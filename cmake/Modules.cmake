# kv_module(NAME LINKS a b ...): the library of the current folder, made of its *.cpp. LINKS are the
# arrows of the house; tests/gates/arrows checks the #includes against the same picture.
function(kv_module name)
  cmake_parse_arguments(arg "" "" "LINKS;PRIVATE_LINKS;SOURCES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(${name} STATIC ${sources} ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS} $<BUILD_INTERFACE:kv_flags>)
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
endfunction()
