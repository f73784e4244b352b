#pragma once
// Models side by side as one picture: what a sequence's cache takes in each, by what its layers
// keep, beside what it would take were all layers full; and below, how each grows. `plan_models` is
// pure.

#include <string>
#include <vector>

#include "app/shell/texts/texts.hpp"
#include "app/shell/ui.hpp"
#include "app/widgets/chart/ticks.hpp"
#include "core/base/numbers/codec.hpp"
#include "core/base/numbers/units.hpp"
#include "core/base/reused_text.hpp"
#include "core/cost/model/shape.hpp"

namespace kv {

struct ComparedModel {
    std::string title;
    CacheShape cache;
    CodecPair codecs;
};
struct ComparedModels {
    std::vector<ComparedModel> models;
    u64 tokens = 1, batch = 1;
};

enum class KeptKind : std::uint8_t { All, Window, Latent, State };
inline constexpr std::size_t kKeptKinds = 4;

struct ModelPart {
    KeptKind kind = KeptKind::All;
    u64 bytes = 0;
};
struct ModelBar {
    std::string title, value, ghost;  // "16 GiB", "64 GiB were all layers full"
    std::vector<ModelPart> parts;
    u64 bytes = 0, full_bytes = 0;
    std::vector<double> tokens, sizes;  // its line
};
struct ModelsPlan {
    std::vector<ModelBar> bars;
    std::string head, chart_head;
    std::vector<KeptKind> kinds;  // that some model has
    double most_bytes = 1, max_bytes = 1, max_tokens = 1;
    List<AxisMark> token_marks, byte_marks;
};
ModelsPlan plan_models(const ComparedModels& compared, const Texts& text);

// The height in logical pixels that so many models need.
int models_height(std::size_t models);
void draw_models(const Ui& ui, const ComparedModels& compared);

}  // namespace kv
