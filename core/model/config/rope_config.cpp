#include "core/model/config/rope_config.hpp"

#include <string>

#include "core/base/files/json.hpp"
#include "core/base/shown.hpp"

namespace kv {
namespace {

using Json = nlohmann::json;

constexpr double kLargestTheta = 1e12;
constexpr double kLargestFactor = 1e6;
constexpr u64 kMostPositions = u64{1} << 31U;

// Some models rotate only the first part of each head; the whole head is what is implemented.
void refuse_partial_rotation(Fields& f) {
    const double part = f.maybe_number("partial_rotary_factor", 0, 1).value_or(1.0);
    if (f.ok() && part != 1.0) {
        f.refuse_value("partial_rotary_factor", "rotates only a part of each head",
                       "such a model is not read");
    }
}

// A factor below 1 would shorten the reach, which no scheme means.
double read_factor(Fields& f) {
    const double factor = f.number("factor", 0, kLargestFactor);
    if (f.ok() && factor < 1) f.refuse_value("factor", "is below 1", "use the published value");
    return factor;
}

LinearScaling read_linear(Fields& f) {
    return {read_factor(f)};
}

Llama3Scaling read_llama3(Fields& f) {
    Llama3Scaling s{read_factor(f), f.number("low_freq_factor", 0, kLargestFactor),
                    f.number("high_freq_factor", 0, kLargestFactor),
                    f.whole("original_max_position_embeddings", 1, kMostPositions)};
    if (f.ok() && s.high_freq_factor <= s.low_freq_factor) {
        f.refuse_value("high_freq_factor",
                       "is not above low_freq_factor (" + f.value_of("low_freq_factor") + ")",
                       "use the published values");
    }
    return s;
}

YarnScaling read_yarn(Fields& f, u64 max_positions) {
    YarnScaling s;
    s.factor = read_factor(f);
    s.beta_fast = f.maybe_number("beta_fast", 0, kLargestFactor).value_or(32.0);
    s.beta_slow = f.maybe_number("beta_slow", 0, kLargestFactor).value_or(1.0);
    s.attention_factor = f.maybe_number("attention_factor", 0, kLargestFactor);
    s.mscale = f.maybe_number("mscale", 0, kLargestFactor);
    s.mscale_all_dim = f.maybe_number("mscale_all_dim", 0, kLargestFactor);
    s.original_max_positions = f.maybe_whole("original_max_position_embeddings", 1, kMostPositions)
                                   .value_or(max_positions);
    if (f.ok() && s.beta_fast <= s.beta_slow) {
        f.refuse_value("beta_fast", "is not above beta_slow", "use the published values");
    }
    return s;
}

// Older files say "type", newer ones "rope_type", some say both.
std::string read_type(Fields& f) {
    const auto type = f.maybe_text("type"), rope_type = f.maybe_text("rope_type");
    if (type && rope_type && *type != *rope_type) {
        f.refuse_value("type", "differs from rope_type (" + f.value_of("rope_type") + ")",
                       "keep one of them");
    }
    if (rope_type) return *rope_type;
    return type.value_or("default");
}

RopeScaling read_scaling(Fields& f, u64 max_positions) {
    const std::string type = read_type(f);
    if (!f.ok() || type == "default") return {};
    if (type == "linear") return read_linear(f);
    if (type == "llama3") return read_llama3(f);
    if (type == "yarn") return read_yarn(f, max_positions);
    const std::string field = f.has("rope_type") ? "rope_type" : "type";
    f.refuse_value(field, "is a scaling that this program does not know",
                   "known are default, linear, llama3 and yarn");
    return {};
}

}  // namespace

Rope read_rope(Fields& fields, std::optional<ConfigRefusal>& refusal, u64 max_positions) {
    Rope rope;
    refuse_partial_rotation(fields);
    const auto theta = fields.maybe_number("rope_theta", 0, kLargestTheta);
    const Json* parameters = fields.maybe_object("rope_parameters");
    const Json* scaling = fields.maybe_object("rope_scaling");
    if (parameters && scaling && *parameters != *scaling) {
        fields.refuse("rope_parameters and rope_scaling are both given and differ",
                      "keep the one that the model was published with");
    }
    if (theta) rope.theta = *theta;
    if (const Json* source = parameters ? parameters : scaling) {
        Fields inner{*source, parameters ? "rope_parameters." : "rope_scaling.", refusal};
        const auto inner_theta = inner.maybe_number("rope_theta", 0, kLargestTheta);
        if (inner_theta && theta && *inner_theta != *theta) {
            inner.refuse_value("rope_theta",
                               "differs from rope_theta (" + fields.value_of("rope_theta") + ")",
                               "keep one of them");
        }
        if (inner_theta) rope.theta = *inner_theta;
        refuse_partial_rotation(inner);
        for (const auto& [key, value] : source->items()) {
            if (value.is_object()) {
                inner.refuse_value(key, "gives this kind of layer a rotation of its own",
                                   "such models are not read");
            }
        }
        rope.scaling = read_scaling(inner, max_positions);
    }
    return rope;
}

}  // namespace kv
