#include "app/cli/calc/picture.hpp"

#include "app/cli/terminal/values.hpp"
#include "app/export/svg/svg.hpp"
#include "app/panels/compare_bills/models.hpp"
#include "app/shell/picture/image.hpp"
#include "app/shell/surface/gui.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr int kWidth = 960, kEdge = 24;
constexpr u64 kUsualTokens = 131'072;
// Dear ImGui knows sizes a frame later.
constexpr int kFrames = 3;

ComparedModels compared_of(const std::vector<CalcInput>& models) {
    ComparedModels compared;
    const BillRequest& first = models.front().request;
    compared.tokens = first.tokens.value_or(kUsualTokens);
    compared.batch = first.batch;
    for (const CalcInput& model : models) {
        compared.models.push_back({model.title, model.request.cache, model.request.codecs});
    }
    return compared;
}

class ModelsPicture {
public:
    ModelsPicture(const ComparedModels& compared, std::unique_ptr<Surface> surface, PixelSize size,
                  const Palette& colors)
        : compared_(compared),
          surface_(std::move(surface)),
          gui_(*surface_),
          colors_(colors),
          size_(size) {
        gui_.set_style(colors_, 1);
    }

    void draw(bool finish) {
        surface_->wait_events(0.0);
        gui_.begin_frame();
        const Ui ui{colors_, gui_.fonts(), texts_, sink_, 1, true};
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({static_cast<float>(size_.w), static_cast<float>(size_.h)});
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{kEdge, kEdge});
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
        ImGui::Begin("models", nullptr, ImGuiWindowFlags_NoDecoration);
        draw_models(ui, compared_);
        ImGui::End();
        ImGui::PopStyleVar(2);
        if (finish) gui_.end_frame(colors_.panel);
    }

    Surface& surface() { return *surface_; }

private:
    const ComparedModels& compared_;
    std::unique_ptr<Surface> surface_;
    Gui gui_;
    const Palette& colors_;
    PixelSize size_;
    Texts texts_;
    CommandSink sink_;
};

}  // namespace

std::string compared_picture(const std::vector<CalcInput>& models, ExportFormat format,
                             const std::string& theme) {
    const auto name = theme_named(theme);
    if (!name) refuse_value("--theme", theme, "is not a theme", "use dark, light or contrast");
    const Palette& colors = palette(*name);
    const ComparedModels compared = compared_of(models);
    const PixelSize size{kWidth, models_height(models.size()) + 2 * kEdge};
    const bool vectors = format == ExportFormat::Svg;
    ModelsPicture picture(compared, vectors ? open_null(size) : open_headless(size), size, colors);
    for (int i = 0; i < kFrames; ++i) picture.draw(true);
    if (!vectors) return encode_png(picture.surface().read_pixels(), {});
    unsmoothed(true);
    picture.draw(false);
    ImGui::Render();
    unsmoothed(false);
    SvgAsk ask;
    ask.title = Texts()["compared.title"_t];
    ask.background = colors.panel;
    ask.area = {0, 0, static_cast<float>(size.w), static_cast<float>(size.h)};
    return svg_of(*ImGui::GetDrawData(), ask).text;
}

}  // namespace kv
