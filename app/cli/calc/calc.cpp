#include "app/cli/calc/calc.hpp"

#include "app/cli/calc/input.hpp"
#include "app/cli/calc/picture.hpp"
#include "app/cli/calc/print.hpp"
#include "app/cli/terminal/output.hpp"
#include "core/base/error.hpp"
#include "core/base/shown.hpp"
#include "core/cost/time/roofline.hpp"

namespace kv {
namespace {

int list_presets(const GivenOptions& given, const CommonOptions& common) {
    for (const OptionSpec& option : calc_options()) {
        if (option.name != "--list" && given.has(option.name)) {
            throw Error{ErrorCode::Usage, "--list prints the presets alone; leave " +
                                              std::string(option.name) + " out."};
        }
    }
    write_output(common.out, common.json ? presets_json() : presets_table());
    return 0;
}

// Each model is priced by the same options, as if it stood alone.
CalcInput read_compared(const GivenOptions& given, const std::string& model) {
    const bool file = model.find('/') != std::string::npos ||
                      (model.size() > 5 && model.compare(model.size() - 5, 5, ".json") == 0);
    GivenOptions one = given;
    one.positional.reset();
    one.positionals.clear();
    one.values.erase("--compare");
    one.values.erase("--markdown");
    one.values.erase("--theme");
    one.values[file ? "--config" : "--preset"] = {model};
    return read_calc(one);
}

// The format of a picture, by the ending of --out; a table may go to a file with any other ending.
std::optional<ExportFormat> picture_asked(const GivenOptions& given, const CommonOptions& common) {
    if (!common.out) {
        if (given.has("--theme")) {
            throw usage_error("--theme belongs to a picture; add --out FILE.png or FILE.svg.");
        }
        return std::nullopt;
    }
    const auto ends = [&](std::string_view ending) { return common.out->ends_with(ending); };
    const std::optional<ExportFormat> format = ends(".png")   ? std::optional(ExportFormat::Png)
                                               : ends(".svg") ? std::optional(ExportFormat::Svg)
                                                              : std::nullopt;
    if (format && (common.json || given.has("--markdown"))) {
        throw usage_error("--out names a picture, and " +
                          std::string(common.json ? "--json" : "--markdown") +
                          " is a text; choose one.");
    }
    return format;
}

int compare_models(const GivenOptions& given, const CommonOptions& common) {
    for (const char* other : {"--preset", "--config", "--layers", "--kv-heads", "--head-dim"}) {
        if (given.has(other)) {
            throw usage_error(std::string("--compare names its models itself; leave ") + other +
                              " out.");
        }
    }
    if (given.has("--markdown") && common.json) {
        throw usage_error("--markdown and --json are two ways to print; choose one.");
    }
    std::vector<CalcInput> models{read_compared(given, *given.text("--compare"))};
    for (const std::string& more : given.positionals) models.push_back(read_compared(given, more));
    if (const auto picture = picture_asked(given, common)) {
        write_output(common.out,
                     compared_picture(models, *picture, given.text("--theme").value_or("light")));
        return 0;
    }
    write_output(common.out, common.json               ? compared_json(models)
                             : given.has("--markdown") ? compared_markdown(models)
                                                       : compared_table(models));
    return 0;
}

// The least time to the first token, where a device and a text are named.
void add_first_token(const BillRequest& r, std::vector<Derived>& bill) {
    const Derived* work = find_result(bill, "prefill_flops");
    const Derived* weights = find_result(bill, "weight_bytes");
    if (!work || !weights || !r.flops || !r.bandwidth) return;
    bill.push_back(derive_first_token(work->whole(), weights->whole(), *r.flops, *r.bandwidth));
}

int run_calc(const GivenOptions& given, const CommonOptions& common) {
    if (given.has("--list")) return list_presets(given, common);
    if (given.has("--compare")) return compare_models(given, common);
    if (given.has("--markdown")) {
        throw usage_error(
            "--markdown belongs to --compare; leave it out or name models to compare.");
    }
    if (given.has("--theme")) {
        throw usage_error("--theme belongs to a picture of --compare; leave it out.");
    }
    if (given.positional) {
        throw usage_error(shown(*given.positional) +
                          " is one argument too many; put the option's name in front of it or "
                          "leave it out.");
    }
    const CalcInput input = read_calc(given);
    std::vector<Derived> bill = make_bill(input.request);
    add_first_token(input.request, bill);
    write_output(common.out,
                 common.json ? calc_json(input, bill) : calc_table(input, bill, common.quiet));
    return 0;
}

}  // namespace

Subcommand calc_command() {
    return {"calc",
            "price a model: bytes, blocks, capacity and the time of a step",
            {"calc --preset llama-2-7b --tokens 4096", "calc --config DIR/config.json --pool 24GiB",
             "calc --layers 32 --kv-heads 8 --head-dim 128 --codec int8 --tokens 8192 --json",
             "calc --compare gemma-3-27b qwen3-32b llama-3.3-70b --tokens 131072",
             "calc --compare gemma-3-27b qwen3-next-80b-a3b --tokens 131072 --out caches.svg"},
            "MODEL...",
            calc_options(),
            run_calc};
}

}  // namespace kv
