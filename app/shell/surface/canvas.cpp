// The picture in a page: a canvas with WebGL 2. The page's script hands over what a person does to
// it, by the functions at the end; everything else is as with a window.

#include <emscripten/em_js.h>
#include <emscripten/html5.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/shell/picture/raster.hpp"
#include "app/shell/surface/gl_target.hpp"
#include "app/shell/surface/surface.hpp"
#include "core/base/error.hpp"

// Asked of the page while a frame is made.
EM_JS(void, kv_page_copies, (const char* text), { Module.kvCopies(UTF8ToString(text)); });
EM_JS(void, kv_page_shows_cursor, (int cursor), { Module.kvShowsCursor(cursor); });
EM_JS(void, kv_page_fills_screen, (int on), { Module.kvFillsScreen(on != 0); });
EM_JS(int, kv_page_fills_screen_now, (), { return document.fullscreenElement ? 1 : 0; });

namespace kv {
namespace {

constexpr const char* kCanvas = "#picture";
constexpr const char* kShaders = "#version 300 es";

class CanvasSurface;
CanvasSurface* the_canvas = nullptr;  // a page has one

class CanvasSurface final : public Surface {
public:
    CanvasSurface() {
        EmscriptenWebGLContextAttributes wanted;
        emscripten_webgl_init_context_attributes(&wanted);
        wanted.majorVersion = 2;
        wanted.alpha = wanted.depth = wanted.antialias = false;
        context_ = emscripten_webgl_create_context(kCanvas, &wanted);
        if (context_ <= 0)
            throw Error(
                ErrorCode::Missing,
                "No picture: this browser offers no WebGL 2. Switch hardware acceleration "
                "on, or use another browser; what the page computes is there all the same.");
        make_current();
        the_canvas = this;
    }
    ~CanvasSurface() override {
        the_canvas = nullptr;
        emscripten_webgl_destroy_context(context_);
    }

    void attach() override {
        ImGuiIO& io = ImGui::GetIO();
        io.BackendPlatformName = "a page";
        io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
        ImGui::GetPlatformIO().Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
            kv_page_copies(text);
        };
        ImGui::GetPlatformIO().Platform_GetClipboardTextFn = [](ImGuiContext*) {
            return the_canvas->pasted_.c_str();
        };
        ImGui_ImplOpenGL3_Init(kShaders);
    }
    void detach() override { ImGui_ImplOpenGL3_Shutdown(); }

    PixelSize size() const override { return size_; }
    float scale() const override { return scale_; }
    void resize(PixelSize) override {}  // the page's own

    // A page never waits: its script comes back when something arrives, or when the time is up.
    bool wait_events(double) override { return std::exchange(arrived_, false); }
    void wake() override { arrived_ = true; }
    bool has_news() const { return arrived_; }

    void make_current() override { emscripten_webgl_make_context_current(context_); }
    void begin_frame() override {
        make_current();
        ImGui_ImplOpenGL3_NewFrame();
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {static_cast<float>(size_.w), static_cast<float>(size_.h)};
        const double now = emscripten_get_now() / 1000;
        io.DeltaTime = std::clamp(static_cast<float>(now - drawn_at_), 1e-4f, 60.0f);
        drawn_at_ = now;
    }
    void present(Color background) override {
        background_ = background;
        draw_gui(size_, background);
        const int cursor = ImGui::GetMouseCursor();
        if (cursor != cursor_) kv_page_shows_cursor(cursor);
        cursor_ = cursor;
    }
    Image read_pixels() override { return draw_picture(ImGui::GetDrawData(), size_, background_); }
    Image picture(Color background) override {
        background_ = background;
        return read_pixels();
    }

    bool focused() const override { return focused_; }
    bool fullscreen() const override { return kv_page_fills_screen_now() != 0; }
    void set_fullscreen(bool on) override { kv_page_fills_screen(on ? 1 : 0); }
    std::vector<std::string> take_dropped() override { return std::exchange(dropped_, {}); }
    std::string renderer() override { return gl_renderer(); }

    // What the page tells the canvas.
    void place(PixelSize size, float scale) {
        size_ = lost_ ? PixelSize{} : size;
        kept_ = size, scale_ = std::isfinite(scale) ? std::clamp(scale, 0.5f, 4.0f) : 1.0f;
        arrived_ = true;
    }
    void focus(bool on) {
        focused_ = on, arrived_ = true;
        ImGui::GetIO().AddFocusEvent(on);
    }
    void drop(const char* path) { dropped_.emplace_back(path), arrived_ = true; }
    void paste(const char* text) { pasted_ = text; }
    // Without a context nothing is drawn, as in a minimised window; a new one has none of the
    // textures and shaders of the old one.
    void lose() { lost_ = true, size_ = {}; }
    void regain() {
        make_current();
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplOpenGL3_Init(kShaders);
        lost_ = false, size_ = kept_, arrived_ = true;
    }

private:
    EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context_ = 0;
    PixelSize size_{1, 1}, kept_{1, 1};
    float scale_ = 1;
    bool arrived_ = true, focused_ = true, lost_ = false;
    double drawn_at_ = 0;
    int cursor_ = -1;
    Color background_ = rgb(0);
    std::string pasted_;
    std::vector<std::string> dropped_;
};

struct NamedKey {
    std::string_view code;  // of KeyboardEvent
    ImGuiKey key;
};
constexpr NamedKey kNamedKeys[] = {
    {"ArrowLeft", ImGuiKey_LeftArrow},
    {"ArrowRight", ImGuiKey_RightArrow},
    {"ArrowUp", ImGuiKey_UpArrow},
    {"ArrowDown", ImGuiKey_DownArrow},
    {"PageUp", ImGuiKey_PageUp},
    {"PageDown", ImGuiKey_PageDown},
    {"Home", ImGuiKey_Home},
    {"End", ImGuiKey_End},
    {"Insert", ImGuiKey_Insert},
    {"Delete", ImGuiKey_Delete},
    {"Backspace", ImGuiKey_Backspace},
    {"Space", ImGuiKey_Space},
    {"Enter", ImGuiKey_Enter},
    {"Escape", ImGuiKey_Escape},
    {"Tab", ImGuiKey_Tab},
    {"Quote", ImGuiKey_Apostrophe},
    {"Comma", ImGuiKey_Comma},
    {"Minus", ImGuiKey_Minus},
    {"Period", ImGuiKey_Period},
    {"Slash", ImGuiKey_Slash},
    {"Semicolon", ImGuiKey_Semicolon},
    {"Equal", ImGuiKey_Equal},
    {"BracketLeft", ImGuiKey_LeftBracket},
    {"Backslash", ImGuiKey_Backslash},
    {"BracketRight", ImGuiKey_RightBracket},
    {"Backquote", ImGuiKey_GraveAccent},
    {"CapsLock", ImGuiKey_CapsLock},
    {"NumpadEnter", ImGuiKey_KeypadEnter},
    {"NumpadDecimal", ImGuiKey_KeypadDecimal},
    {"NumpadDivide", ImGuiKey_KeypadDivide},
    {"NumpadMultiply", ImGuiKey_KeypadMultiply},
    {"NumpadSubtract", ImGuiKey_KeypadSubtract},
    {"NumpadAdd", ImGuiKey_KeypadAdd},
    {"ShiftLeft", ImGuiKey_LeftShift},
    {"ShiftRight", ImGuiKey_RightShift},
    {"ControlLeft", ImGuiKey_LeftCtrl},
    {"ControlRight", ImGuiKey_RightCtrl},
    {"AltLeft", ImGuiKey_LeftAlt},
    {"AltRight", ImGuiKey_RightAlt},
    {"MetaLeft", ImGuiKey_LeftSuper},
    {"MetaRight", ImGuiKey_RightSuper},
    {"ContextMenu", ImGuiKey_Menu},
};

ImGuiKey after(ImGuiKey first, int steps) {
    return static_cast<ImGuiKey>(static_cast<int>(first) + steps);
}

// Letters and digits go by what is printed on the key, all others by where the key lies.
ImGuiKey key_of(std::string_view code, std::string_view printed) {
    if (printed.size() == 1) {
        const char c = printed[0];
        if (c >= 'a' && c <= 'z') return after(ImGuiKey_A, c - 'a');
        if (c >= 'A' && c <= 'Z') return after(ImGuiKey_A, c - 'A');
    }
    for (const NamedKey& named : kNamedKeys)
        if (named.code == code) return named.key;
    const auto number = [&](std::size_t from) {
        int n = 0;
        for (const char c : code.substr(from)) n = c >= '0' && c <= '9' ? n * 10 + (c - '0') : 99;
        return n;
    };
    if (code.size() == 6 && code.starts_with("Digit")) return after(ImGuiKey_0, number(5));
    if (code.size() == 7 && code.starts_with("Numpad")) return after(ImGuiKey_Keypad0, number(6));
    if (code.size() > 1 && code[0] == 'F' && number(1) >= 1 && number(1) <= 12)
        return after(ImGuiKey_F1, number(1) - 1);
    if (code.size() == 4 && code.starts_with("Key")) return after(ImGuiKey_A, code[3] - 'A');
    return ImGuiKey_None;
}

enum Modifier : int { kCtrl = 1, kShift = 2, kAlt = 4, kSuper = 8 };
void hold(ImGuiIO& io, int modifiers) {
    io.AddKeyEvent(ImGuiMod_Ctrl, (modifiers & kCtrl) != 0);
    io.AddKeyEvent(ImGuiMod_Shift, (modifiers & kShift) != 0);
    io.AddKeyEvent(ImGuiMod_Alt, (modifiers & kAlt) != 0);
    io.AddKeyEvent(ImGuiMod_Super, (modifiers & kSuper) != 0);
}

}  // namespace

std::unique_ptr<Surface> open_window(const WindowRequest&) {
    if (the_canvas != nullptr)
        throw Error(ErrorCode::Missing,
                    "A page has one picture and opens no second window. Use what is on it, or a "
                    "second tab.");
    return std::make_unique<CanvasSurface>();
}

std::unique_ptr<Surface> open_egl(PixelSize) {
    throw Error(ErrorCode::Missing,
                "No picture by OpenGL without a display in a page; leave --renderer gl away: "
                "pictures need no driver.");
}

std::string window_library() {
    return "none: the page of a browser";
}

}  // namespace kv

extern "C" {
EMSCRIPTEN_KEEPALIVE void kv_canvas_is(int width, int height, float scale) {
    if (kv::the_canvas != nullptr) kv::the_canvas->place({width, height}, scale);
}
// 1 when something arrived that no turn of the loop has taken yet.
EMSCRIPTEN_KEEPALIVE int kv_canvas_has_news() {
    return kv::the_canvas != nullptr && kv::the_canvas->has_news() ? 1 : 0;
}
EMSCRIPTEN_KEEPALIVE void kv_canvas_has_focus(int on) {
    if (kv::the_canvas != nullptr) kv::the_canvas->focus(on != 0);
}
EMSCRIPTEN_KEEPALIVE void kv_canvas_lost(int lost) {
    if (kv::the_canvas == nullptr) return;
    if (lost != 0)
        kv::the_canvas->lose();
    else
        kv::the_canvas->regain();
}
EMSCRIPTEN_KEEPALIVE void kv_dropped(const char* path) {
    if (kv::the_canvas != nullptr) kv::the_canvas->drop(path);
}
EMSCRIPTEN_KEEPALIVE void kv_pasted(const char* text) {
    if (kv::the_canvas != nullptr) kv::the_canvas->paste(text);
}
// `button` -1: it only moved. `source`: 0 a mouse, 1 a finger, 2 a pen.
EMSCRIPTEN_KEEPALIVE void kv_pointer(float x, float y, int button, int down, int source) {
    if (kv::the_canvas == nullptr) return;
    ImGuiIO& io = ImGui::GetIO();
    io.AddMouseSourceEvent(static_cast<ImGuiMouseSource>(source));
    io.AddMousePosEvent(x, y);
    if (button >= 0 && button < ImGuiMouseButton_COUNT) io.AddMouseButtonEvent(button, down != 0);
    kv::the_canvas->wake();
}
EMSCRIPTEN_KEEPALIVE void kv_pointer_left() {
    kv_pointer(-FLT_MAX, -FLT_MAX, -1, 0, 0);
}
EMSCRIPTEN_KEEPALIVE void kv_wheel(float x, float y, int modifiers) {
    if (kv::the_canvas == nullptr) return;
    kv::hold(ImGui::GetIO(), modifiers);
    ImGui::GetIO().AddMouseWheelEvent(x, y);
    kv::the_canvas->wake();
}
EMSCRIPTEN_KEEPALIVE void kv_key(const char* code, const char* printed, int modifiers, int down) {
    if (kv::the_canvas == nullptr) return;
    ImGuiIO& io = ImGui::GetIO();
    kv::hold(io, modifiers);
    const ImGuiKey key = kv::key_of(code, printed);
    if (key != ImGuiKey_None) io.AddKeyEvent(key, down != 0);
    kv::the_canvas->wake();
}
EMSCRIPTEN_KEEPALIVE void kv_typed(const char* text) {
    if (kv::the_canvas == nullptr) return;
    ImGui::GetIO().AddInputCharactersUTF8(text);
    kv::the_canvas->wake();
}
// 1 while a field of the picture takes letters.
EMSCRIPTEN_KEEPALIVE int kv_takes_text() {
    return kv::the_canvas != nullptr && ImGui::GetIO().WantTextInput ? 1 : 0;
}
}
