// The surface that draws nothing, for tests of logic: it answers what a renderer answers, so that
// fonts and textures take the same way as on a screen.

#include <imgui.h>

#include "app/shell/surface.hpp"

namespace kv {
namespace {

constexpr ImTextureID kNoTexture = 1;  // any number but 0, which means "not made yet"

void answer(ImTextureData& texture) {
    if (texture.Status == ImTextureStatus_WantDestroy) {
        texture.SetTexID(ImTextureID_Invalid);
        texture.SetStatus(ImTextureStatus_Destroyed);
    } else if (texture.Status != ImTextureStatus_OK) {
        texture.SetTexID(kNoTexture);
        texture.SetStatus(ImTextureStatus_OK);
    }
}

class NullSurface final : public Surface {
public:
    explicit NullSurface(PixelSize size) : size_(size) {}

    void attach() override {
        ImGui::GetIO().BackendFlags |=
            ImGuiBackendFlags_RendererHasTextures | ImGuiBackendFlags_RendererHasVtxOffset;
    }
    void detach() override {
        for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
            texture->SetTexID(ImTextureID_Invalid);
            texture->SetStatus(ImTextureStatus_Destroyed);
        }
        ImGui::GetIO().BackendFlags &=
            ~(ImGuiBackendFlags_RendererHasTextures | ImGuiBackendFlags_RendererHasVtxOffset);
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

}  // namespace

std::unique_ptr<Surface> open_null(PixelSize size) {
    return std::make_unique<NullSurface>(size);
}

}  // namespace kv
