#pragma once
// The public traces that are CSV: Azure (2023, 2024, 2025), BurstGPT and Vidur. The header says
// which one it is and where the columns are; columns that the simulator does not need are passed
// over, but every row has as many fields as the header. Internal to the readers.

#include "core/sim/traces/row.hpp"

namespace kv {

// Fields of one line: commas between them, double quotes around those that hold commas or quotes
// ("" is one quote). A quoted field ends on its own line. Answers with the broken rule, or "".
std::string split_csv(std::string_view line, std::vector<std::string>& fields);

class CsvTrace {
public:
    static std::variant<CsvTrace, FieldRefusal> from_header(std::string_view line);

    TraceFormat format() const { return format_; }
    std::optional<FieldRefusal> read(std::string_view line, TraceRow& row);

private:
    enum class TimeAs { Date, Seconds };
    struct Column {
        std::string name;
        std::size_t at;
    };
    CsvTrace(TraceFormat format, TimeAs time_as, std::size_t n_columns, std::optional<Column> time,
             Column prompt, Column output)
        : format_(format),
          time_as_(time_as),
          n_columns_(n_columns),
          time_(std::move(time)),
          prompt_(std::move(prompt)),
          output_(std::move(output)) {}

    TraceFormat format_;
    TimeAs time_as_;
    std::size_t n_columns_;
    std::optional<Column> time_;
    Column prompt_, output_;
    std::vector<std::string> fields_;
};

}  // namespace kv
