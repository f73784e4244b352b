// Slides as one file of HTML: a slide a page on paper and in PDF, one at a time on a screen, and
// with
// "?notes" each beside the words of the speaker.

#include "app/cli/teaching/html.hpp"
#include "app/cli/teaching/slides.hpp"

namespace kv {
namespace {

// A length is a number of pixels of a slide of 1920 times --u, so that a slide fits any screen.
constexpr const char* kSlideStyle = R"(:root{--u:min(100vw/1920,100vh/1080)}
@page{size:1920px 1080px;margin:0}
@page notes{size:210mm 297mm;margin:12mm}
html,body{background:var(--panel)}
.slide{position:relative;width:calc(1920*var(--u));height:calc(1080*var(--u));overflow:hidden;background:var(--panel);display:flex;flex-direction:column;font-size:calc(32*var(--u));line-height:1.34}
.slide>header{height:calc(76*var(--u));padding:0 calc(66*var(--u));display:flex;align-items:center;gap:calc(24*var(--u));font-size:calc(24*var(--u));color:var(--text-2);flex:none}
.slide>header b{color:var(--text);flex:1;font-size:calc(28*var(--u))}
.picture{flex:1 1 0;min-height:0;border-bottom:calc(2*var(--u)) solid var(--line)}
.picture svg{display:block;width:100%;height:100%}
.words{flex:none;padding:calc(26*var(--u)) calc(66*var(--u)) calc(36*var(--u))}
.words p{margin:0}
.asks{font-weight:700;font-size:calc(38*var(--u));line-height:calc(48*var(--u))}
.asked,.givens{font-size:calc(27*var(--u));line-height:calc(38*var(--u));color:var(--text-2)}
.words .givens{margin-top:calc(8*var(--u))}
.givens span{white-space:nowrap;margin-right:calc(36*var(--u))}
.givens b{color:var(--text)}
.answer{font-weight:700;font-size:calc(44*var(--u));line-height:calc(56*var(--u))}
.words .answer{margin-top:calc(4*var(--u))}
.says{font-size:calc(32*var(--u));line-height:calc(43*var(--u))}
.words .says{margin-top:calc(4*var(--u))}
.words .field{margin-top:calc(14*var(--u));display:flex;align-items:center;gap:calc(18*var(--u));font-size:calc(32*var(--u))}
.field span{width:calc(300*var(--u));height:calc(68*var(--u));border:calc(2.5*var(--u)) dashed var(--edge);border-radius:calc(5*var(--u));display:grid;place-items:center;color:var(--text-3);font-weight:700}
.field i{font-style:normal;color:var(--text-2)}
.choices{list-style:none;margin:calc(14*var(--u)) 0 0;padding:0;display:grid;gap:calc(12*var(--u)) calc(20*var(--u))}
.choices li{display:flex;align-items:center;gap:calc(18*var(--u));min-height:calc(66*var(--u));border:calc(2*var(--u)) solid var(--edge);border-radius:calc(5*var(--u));background:#fff;padding:calc(4*var(--u)) calc(20*var(--u));line-height:calc(40*var(--u))}
.choices kbd{flex:none;border:calc(1.5*var(--u)) solid var(--edge);border-radius:calc(4*var(--u));width:calc(40*var(--u));height:calc(40*var(--u));display:grid;place-items:center;font-size:calc(22*var(--u))}
.plain .words{flex:1;display:flex;flex-direction:column;justify-content:center;padding:0 calc(66*var(--u)) calc(76*var(--u));border:0}
.plain .asks{font-size:calc(58*var(--u))!important;line-height:1.25!important;font-weight:700}
.plain .words .givens{font-size:calc(36*var(--u));line-height:1.5;margin-top:calc(28*var(--u))}
.plain .choices,.plain .field{margin-top:calc(44*var(--u))!important}
.plain .says{font-size:calc(48*var(--u));line-height:1.35}
.plain h1{font-size:calc(92*var(--u));line-height:1.1;margin:0 0 calc(44*var(--u))}
.end h1{font-size:calc(58*var(--u))}
.plain h2{font-size:calc(32*var(--u));margin:calc(44*var(--u)) 0 calc(8*var(--u))}
.plain .number{color:var(--text-2);font-size:calc(36*var(--u));margin-bottom:calc(12*var(--u))}
.plain .words ul{margin:0;padding-left:1.1em;font-size:calc(36*var(--u));line-height:1.45}
.plain .words p{font-size:calc(36*var(--u));line-height:1.45}
.plain .words .sources{font-size:calc(26*var(--u));line-height:1.4}
.value{font-weight:700;font-size:.95em}
s{color:#b02e0c}
aside{display:none}
aside h3{font-size:10.5pt;margin:3mm 0 1mm;color:var(--text-3)}
aside p,aside ul,aside pre,aside table{font-size:11pt;line-height:1.42;margin:0 0 2mm}
aside pre,aside table,aside code{font-size:9.5pt}
aside th,aside td{text-align:left;padding:.4mm 4mm .4mm 0;vertical-align:top}
.command{color:var(--text-3)}
.notes .pair{page:notes;break-after:page;max-width:186mm;margin:0 auto 10mm;--u:calc(186mm/1920)}
.notes .slide{border:.8pt solid var(--line)}
.notes .pair.now .slide{outline:2.5pt solid var(--text)}
.notes aside{display:block}
body.notes{background:#fff}
@media screen{
.one .pair{display:none}.one .pair.now{display:grid;place-items:center;min-height:100vh}
.one{overflow:hidden}
}
@media print{body:not(.notes){--u:1px}.pair{break-after:page}.pair:last-of-type{break-after:auto}.notes .pair.now .slide{outline:0}}
)";

constexpr const char* kSlideScript =
    R"(// Arrows, Page Up and Page Down, Space, Home and End turn the pages; N opens the notes; F fills the screen.
const pairs = [...document.querySelectorAll(".pair")];
const notes = location.search.includes("notes");
document.body.classList.add(notes ? "notes" : "one");
let other = window.opener, at = 0;
function show(n, tell) {
  at = Math.max(0, Math.min(pairs.length - 1, n));
  pairs.forEach((pair, i) => pair.classList.toggle("now", i === at));
  history.replaceState(null, "", "#" + (at + 1));
  if (notes) pairs[at].scrollIntoView({ block: "start" });
  if (tell && other && !other.closed) other.postMessage({ slide: at }, "*");
}
const steps = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, Enter: 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Backspace: -1, Home: -1e6, End: 1e6 };
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key in steps) show(at + steps[event.key], true);
  else if (event.key.toLowerCase() === "n" && !notes) other = open(location.pathname + "?notes#" + (at + 1), "notes", "width=900,height=1000");
  else if (event.key.toLowerCase() === "f") document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  else return;
  event.preventDefault();
});
addEventListener("message", (event) => {
  if (event.source === other && Number.isInteger(event.data?.slide)) show(event.data.slide, false);
});
if (!notes) addEventListener("click", (event) => show(at + (event.clientX < innerWidth / 3 ? -1 : 1), true));
addEventListener("hashchange", () => show(parseInt(location.hash.slice(1)) - 1 || 0, true));
show(parseInt(location.hash.slice(1)) - 1 || 0, false);
)";

void replace_all(std::string& text, std::string_view from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

// The part between two marks, both of them included; empty where one is missing.
std::string taken_out(std::string& text, std::string_view from, std::string_view to) {
    const std::size_t begin = text.find(from);
    const std::size_t end = begin == std::string::npos ? begin : text.find(to, begin);
    if (end == std::string::npos) return {};
    std::string part = text.substr(begin, end + to.size() - begin);
    text.erase(begin, part.size());
    return part;
}

// A drawing within a page: ids are of the whole page, and one style serves all drawings.
struct Drawings {
    std::string style;
    std::size_t n = 0;

    std::string take(std::string svg, const std::string& words) {
        ++n;
        taken_out(svg, "<?xml", "?>\n");
        taken_out(svg, "<title>", "</title>\n");
        taken_out(svg, "<desc>", "</desc>\n");
        if (std::string own = taken_out(svg, "<style>", "</style>\n"); style.empty()) style = own;
        const std::string mine = "p" + std::to_string(n) + "-";
        replace_all(svg, " id=\"", " id=\"" + mine);
        replace_all(svg, "url(#", "url(#" + mine);
        const std::size_t open = svg.find("<svg ");
        if (open != std::string::npos)
            svg.insert(open + 5, "role=\"img\" aria-label=\"" + html_words(words) + "\" ");
        return svg;
    }
};

std::string title_of_slides(const Lesson& lesson) {
    return std::to_string(lesson.number) + ". " + lesson.title;
}

const char* class_of(const Slide& slide) {
    if (slide.kind == SlideKind::End) return "slide plain end";
    return slide.picture.empty() ? "slide plain" : "slide";
}

std::string slide_html(const Lesson& lesson, const Slide& slide, Drawings& drawings) {
    std::string inside;
    if (slide.kind != SlideKind::Title)
        inside +=
            element("header", "",
                    element("span", "", html_words(title_of_slides(lesson))) +
                        (slide.kind == SlideKind::End ? element("b", "", "")
                                                      : element("b", "", html_words(slide.head))) +
                        element("span", "", slide.place));
    if (!slide.picture.empty())
        inside += element("div", "picture", drawings.take(slide.picture, slide.head));
    inside += element("div", "words", slide.words);
    return element("div", "pair",
                   element("section", class_of(slide), inside) + element("aside", "", slide.notes));
}

}  // namespace

std::string slides_html(const Lesson& lesson, const std::vector<Slide>& slides) {
    HtmlPage page{title_of_slides(lesson), kSlideStyle, "", kSlideScript};
    Drawings drawings;
    for (const Slide& slide : slides) page.body += slide_html(lesson, slide, drawings);
    std::string style = drawings.style;
    taken_out(style, "<style>", "\n");
    taken_out(style, "</style>", "\n");
    page.style += style;
    return html_text(page);
}

}  // namespace kv
