#include "app/widgets/texel_image.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace kv {

// Known to the context as long as both live.
struct TexelImage::Owned {
    Owned(int width, int height) : context(ImGui::GetCurrentContext()) {
        data.Create(ImTextureFormat_RGBA32, width, height);
        data.SetStatus(ImTextureStatus_WantCreate);
        ImGui::RegisterUserTexture(&data);
    }
    ~Owned() {
        if (context == nullptr || ImGui::GetCurrentContext() != context) return;
        ImGui::UnregisterUserTexture(&data);
        ImGui::GetPlatformIO().Textures.find_erase(&data);  // the list of the frame at hand
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;

    ImTextureData data;
    ImGuiContext* context;
};

TexelImage::TexelImage() = default;
TexelImage::~TexelImage() = default;
TexelImage::TexelImage(TexelImage&&) noexcept = default;
TexelImage& TexelImage::operator=(TexelImage&&) noexcept = default;

bool TexelImage::resize(int width, int height) {
    drop_retired();
    if (texture_ != nullptr && texture_->data.Width == width && texture_->data.Height == height)
        return false;
    if (texture_ != nullptr) {
        texture_->data.UnusedFrames = 1;  // nothing of this frame shows it
        texture_->data.WantDestroyNextFrame = true;
        texture_->data.SetStatus(ImTextureStatus_WantDestroy);
        retired_.push_back(std::move(texture_));
    }
    texture_ = std::make_unique<Owned>(std::max(1, width), std::max(1, height));
    clear();
    return true;
}

void TexelImage::drop_retired() {
    std::erase_if(retired_, [](const std::unique_ptr<Owned>& owned) {
        return owned->data.Status == ImTextureStatus_Destroyed;
    });
}

void TexelImage::clear() {
    ImTextureData& data = texture_->data;
    std::memset(data.GetPixels(), 0, static_cast<std::size_t>(data.GetSizeInBytes()));
    dirty_begin_ = 0, dirty_end_ = data.Height;
}

void TexelImage::put(int x, int y, int width, int height, Color color) {
    ImTextureData& data = texture_->data;
    const int left = std::max(0, x), right = std::min(data.Width, x + width);
    const int top = std::max(0, y), bottom = std::min(data.Height, y + height);
    if (left >= right || top >= bottom) return;
    const unsigned char bytes[4] = {color.r, color.g, color.b, color.a};
    for (int row = top; row < bottom; ++row) {
        auto* at = static_cast<unsigned char*>(data.GetPixelsAt(left, row));
        for (int column = left; column < right; ++column, at += 4) std::memcpy(at, bytes, 4);
    }
    const bool clean = dirty_begin_ >= dirty_end_;
    dirty_begin_ = clean ? top : std::min(dirty_begin_, top);
    dirty_end_ = clean ? bottom : std::max(dirty_end_, bottom);
}

void TexelImage::show(const Painter& p, Vec2 at) {
    ImTextureData& data = texture_->data;
    if (data.Status == ImTextureStatus_OK && dirty_begin_ < dirty_end_) {
        const auto edge = [](int i) { return static_cast<unsigned short>(i); };
        data.UpdateRect = {0, edge(dirty_begin_), edge(data.Width),
                           edge(dirty_end_ - dirty_begin_)};
        data.Updates.resize(0);
        data.Updates.push_back(data.UpdateRect);
        data.SetStatus(ImTextureStatus_WantUpdates);
        dirty_begin_ = dirty_end_ = 0;
    }
    // Creation brings all pixels.
    if (data.Status == ImTextureStatus_WantCreate) dirty_begin_ = dirty_end_ = 0;
    const Vec2 size{static_cast<float>(data.Width), static_cast<float>(data.Height)};
    p.list.AddImage(data.GetTexRef(), {at.x, at.y}, {at.x + size.x, at.y + size.y});
}

}  // namespace kv
