# cmake -DOUT=FILE -DTABLES=a.hpp;b.hpp -P text_ids.cmake: the ids of the tables of words, without their
# words, as a header. It is written only when an id came or went, so whoever changes an English sentence
# rebuilds the table of words and not all that name a text.
set(rows "")
set(count 0)
foreach(table IN LISTS TABLES)
  file(READ ${table} content)
  string(REGEX MATCHALL "\n *{\"[a-z0-9_.]+\"," ids "${content}")
  foreach(id IN LISTS ids)
    string(REGEX REPLACE "\n *{(\"[a-z0-9_.]+\"),"  "    \\1,\n" row "${id}")
    list(APPEND rows "${row}")
    math(EXPR count "${count} + 1")
  endforeach()
endforeach()
# By name: the compiler looks one up for each mention of a text.
list(SORT rows)
list(JOIN rows "" rows)
file(WRITE ${OUT}.new "// Written by cmake/text_ids.cmake; do not edit.
#pragma once

#include <array>
#include <string_view>

namespace kv {
inline constexpr std::array<std::string_view, ${count}> kTextIds{
${rows}};
}  // namespace kv
")
file(COPY_FILE ${OUT}.new ${OUT} ONLY_IF_DIFFERENT)
