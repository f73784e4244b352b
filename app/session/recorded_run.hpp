#pragma once
// A run that was read from a file of events, with a cursor in it. No engine stands behind it: it
// cannot grow, and what no event says (keys, values, how many bytes a token takes) is not known.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "app/session/run_cursor.hpp"
#include "core/cache/codec/vector_codec.hpp"
#include "core/cache/layout/kv_layout.hpp"
#include "core/cache/layout/lane_shape.hpp"
#include "core/model/config/config.hpp"
#include "core/trace/files/read.hpp"
#include "core/trace/payloads.hpp"

namespace kv {

class RecordedRun : public RunCursor {
public:
    // The cursor stands at the end of what was recorded.
    RecordedRun(ImportedTrace imported, std::string name);

    const std::string& name() const { return name_; }
    // What another server's file held that cannot be shown; nothing for a file of our own.
    const std::optional<RecordedBlocks>& recorded() const { return recorded_; }
    bool at_end() const { return moment() == trace().size(); }

    // The pool at the cursor, as the events tell of it: blocks, slots and the layers that computed,
    // but no bytes.
    const KvLayout& layout() const { return layout_; }
    // The lanes that the pool was made with: of layers, or of KV heads where there are more.
    const LaneShape& lanes() const { return lanes_; }
    // What the file does not have, as values that say so: empty.
    const ModelConfig& no_model() const { return model_; }
    const PayloadLog& no_payloads() const { return payloads_; }

    // A token by its number: a file of events has no words.
    const std::string& word(std::uint32_t token);

private:
    void cursor_moved() override;

    std::string name_;
    std::uint32_t n_layers_ = 0;
    std::optional<RecordedBlocks> recorded_;
    KvLayout layout_;
    LaneShape lanes_;
    ModelConfig model_;
    PayloadLog payloads_{0};
    std::map<std::uint32_t, std::string> words_;
};

}  // namespace kv
