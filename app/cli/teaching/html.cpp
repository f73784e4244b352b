#include "app/cli/teaching/html.hpp"

#include "app/export/svg/text.hpp"

namespace kv {
namespace {

constexpr std::string_view kPageStyle = R"(*{box-sizing:border-box}
:root{--panel:#fbfaf7;--inset:#f1eee7;--line:#d5d0c5;--edge:#857f73;--text:#14171c;--text-2:#434a54;--text-3:#636a75}
body{margin:0;color:var(--text);font-family:Inter,"Helvetica Neue",Arial,sans-serif;font-kerning:none}
.mono,kbd,code{font-family:"JetBrains Mono","DejaVu Sans Mono",Consolas,monospace}
)";

}  // namespace

std::string html_words(std::string_view words) {
    return xml_escaped(words);
}

std::string element(std::string_view name, std::string_view of, std::string_view inside) {
    std::string text = "<" + std::string(name);
    if (!of.empty()) text += " class=\"" + std::string(of) + "\"";
    return text + ">" + std::string(inside) + "</" + std::string(name) + ">\n";
}

std::string html_text(const HtmlPage& page) {
    std::string text =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
        html_words(page.title) + "</title>\n<style>\n" + std::string(kPageStyle) + page.style +
        "</style>\n</head>\n<body>\n" + page.body;
    if (!page.script.empty()) text += "<script>\n" + page.script + "</script>\n";
    return text + "</body>\n</html>\n";
}

}  // namespace kv
