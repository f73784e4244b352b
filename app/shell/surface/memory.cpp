// The surfaces that need neither display nor driver: one draws its picture in integers when
// somebody asks for it; one, for tests of logic, draws nothing and answers what a renderer answers,
// so that fonts and textures take the same way as on a screen.

#include <imgui.h>

#include "app/shell/picture/raster.hpp"
#include "app/shell/surface/surface.hpp"
#include "core/base/error.hpp"

namespace kv {
namespace {

constexpr ImGuiBackendFlags kRendererFlags =
    ImGuiBackendFlags_RendererHasTextures | ImGuiBackendFlags_RendererHasVtxOffset;
constexpr ImTextureID kInMemory = 1;  // any number but 0, which means "not made yet"

// Textures stay where Dear ImGui keeps them; there is nothing to copy.
void answer(ImTextureData& texture) {
    if (texture.Status == ImTextureStatus_WantDestroy) {
        texture.SetTexID(ImTextureID_Invalid);
        texture.SetStatus(ImTextureStatus_Destroyed);
    } else if (texture.Status != ImTextureStatus_OK) {
        texture.SetTexID(kInMemory);
        texture.SetStatus(ImTextureStatus_OK);
    }
}

class NullSurface : public Surface {
public:
    explicit NullSurface(PixelSize size) : size_(size) {}

    void attach() override { ImGui::GetIO().BackendFlags |= kRendererFlags; }
    void detach() override {
        for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
            texture->SetTexID(ImTextureID_Invalid);
            texture->SetStatus(ImTextureStatus_Destroyed);
        }
        ImGui::GetIO().BackendFlags &= ~kRendererFlags;
    }

    PixelSize size() const override { return size_; }
    void resize(PixelSize size) override { size_ = size; }

    void begin_frame() override {
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {static_cast<float>(size_.w), static_cast<float>(size_.h)};
        io.DeltaTime = 1.0f / 60.0f;
    }
    void present(Color) override {
        const ImDrawData* data = ImGui::GetDrawData();
        if (data == nullptr || data->Textures == nullptr) return;
        for (ImTextureData* texture : *data->Textures) answer(*texture);
    }
    Image read_pixels() override { return {}; }
    std::string renderer() override { return "none"; }

private:
    PixelSize size_;
};

// Most frames of a picture only let Dear ImGui learn its sizes, so pixels are made when they are
// read; what was presented last stays valid until the next frame begins.
class PictureSurface final : public NullSurface {
public:
    explicit PictureSurface(PixelSize size) : NullSurface(size) { check_picture_size(size); }

    void detach() override {
        NullSurface::detach();
        presented_ = nullptr;
    }
    void resize(PixelSize size) override {
        check_picture_size(size);
        NullSurface::resize(size);
    }
    void present(Color background) override {
        NullSurface::present(background);
        presented_ = ImGui::GetDrawData();
        background_ = background;
    }
    Image read_pixels() override {
        KV_ASSERT(presented_ == nullptr || presented_->Valid);
        return draw_picture(presented_, size(), background_);
    }
    std::string renderer() override { return "KVarium's own, in integers"; }

private:
    const ImDrawData* presented_ = nullptr;
    Color background_ = rgb(0);
};

}  // namespace

std::unique_ptr<Surface> open_null(PixelSize size) {
    return std::make_unique<NullSurface>(size);
}

std::unique_ptr<Surface> open_headless(PixelSize size, Renderer renderer) {
    if (renderer == Renderer::Gl) return open_egl(size);
    return std::make_unique<PictureSurface>(size);
}

}  // namespace kv
