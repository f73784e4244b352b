#pragma once
// One config read by the rules of its family: the value of a rule, and how it was obtained. The
// first thing that is wrong with the config is remembered; after that every read answers 0, so that
// the caller reads straight on and looks at the end. Internal to the families.

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/cost/family/config_values.hpp"
#include "core/cost/family/expression.hpp"
#include "core/cost/model/derivation.hpp"

namespace kv {

// What is wrong, in two parts that make one sentence.
struct FamilyRefusal {
    std::string rule;    // "num_hidden_layers is missing"
    std::string advice;  // "use the file as it was published"
};

class FamilyReading {
public:
    FamilyReading(const FamilyRules& rules, const ConfigValues& config,
                  const ConfigValues& defaults)
        : rules_(rules), config_(config), defaults_(defaults) {}

    void at_layer(u64 layer);  // what rules call `i`

    u64 whole(std::string_view rule);
    std::string text(std::string_view rule);                        // "" when it is no text
    std::optional<u64> given_length(std::string_view field) const;  // of a list of the config

    // The rule as an expression over the config's own fields, simplified: what is 0 or was not
    // chosen is left out. The value is that of whole().
    Derived derived(std::string_view rule, const std::string& name, const std::string& meaning);

    void refuse(std::string rule, std::string advice);
    const std::optional<FamilyRefusal>& refusal() const { return refusal_; }

private:
    using Found = std::variant<std::monostate, double, std::string>;  // nothing: not in the config
    struct Shown {
        std::string text;
        enum class Binds { Sum, Product, Tight } binds = Binds::Tight;
        double value = 0;
    };

    Found evaluate(const FamilyExpression& e, std::string_view own);
    Found evaluate_name(const std::string& name, std::string_view own);
    Found evaluate_call(const FamilyExpression& e, std::string_view own);
    Found evaluate_binary(const FamilyExpression& e, std::string_view own);
    Found field(std::string_view name);
    const ConfigValue* find(std::string_view name) const;
    double number(const FamilyExpression& e, std::string_view own);

    Shown show(const FamilyExpression& e, std::string_view own, std::vector<Operand>& operands);
    Shown show_name(const FamilyExpression& e, std::string_view own,
                    std::vector<Operand>& operands);
    Shown show_call(const FamilyExpression& e, std::string_view own,
                    std::vector<Operand>& operands);
    Shown show_sum(const FamilyExpression& e, std::string_view own, std::vector<Operand>& operands);
    Shown show_product(const FamilyExpression& e, std::string_view own,
                       std::vector<Operand>& operands);

    const FamilyRules& rules_;
    const ConfigValues& config_;
    const ConfigValues& defaults_;
    double layer_ = 0;
    int depth_ = 0;
    std::string missing_;  // the last field that was looked for and not there
    std::map<std::string, Found, std::less<>> known_;
    std::optional<FamilyRefusal> refusal_;
};

}  // namespace kv
