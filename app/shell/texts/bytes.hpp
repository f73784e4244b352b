#pragma once
// The words of the panels that look at one token: Inspector, Bytes, Attention.

#include "app/shell/texts/english_text.hpp"

namespace kv {

// clang-format off
inline constexpr auto kEnglishBytes = std::to_array<EnglishText>({
    // What is looked at
    {"bytes.token", "Token {n} {word} of request {tag}"},
    {"bytes.block", "Block {n} {state}"},
    {"bytes.block.free", "free"},
    {"bytes.block.cached", "free, still cached"},
    {"bytes.block.used", "used"},
    {"bytes.block.shared", "shared"},
    {"bytes.layer", "Layer"},
    {"bytes.kv_head", "KV head"},
    {"bytes.nothing", "A token has an address once its keys and values are stored. Step forward until one is."},
    {"bytes.no_block", "Token {n} has no block on the device at this step, so it has no address."},
    {"bytes.no_block.swapped", "Request {request} waits with its blocks in the host tier, so token {n} has no address on the device."},
    {"bytes.no_block.ended", "Request {request} has ended and gave its blocks back, so token {n} has no address any more."},

    // The address
    {"bytes.address", "Address"},
    {"bytes.part.token", "token"},
    {"bytes.part.page", "page"},
    {"bytes.part.entry", "logical block"},
    {"bytes.part.remainder", "remainder"},
    {"bytes.part.offset", "offset"},
    {"bytes.part.physical", "physical block"},
    {"bytes.table", "table {request} [{entry}]"},
    {"bytes.product", "{n} × {bytes}"},
    {"bytes.base", "base of {side}, layer {layer}"},
    {"bytes.base.values", "{layers} + {plane}"},
    {"bytes.term.block", "block"},
    {"bytes.term.slot", "offset"},
    {"bytes.term.head", "KV head"},
    {"bytes.first", "first byte of this {side} vector"},

    // A block that was selected by itself
    {"bytes.facts", "Block"},
    {"bytes.fact.holders", "in the tables of"},
    {"bytes.fact.holder", "{request} [{entry}]"},
    {"bytes.fact.nobody", "nobody"},
    {"bytes.fact.references", "reference count"},
    {"bytes.fact.filled", "filled slots"},
    {"bytes.fact.filled.value", "{n} of {size}"},
    {"bytes.fact.hash", "hash it is found by"},
    {"bytes.fact.no_hash", "none"},
    {"bytes.fact.first", "first address of {side}, layer {layer}"},

    // The byte map
    {"bytes.map", "Block {block}, layer {layer}"},
    {"bytes.map.written", "{n} of {size} {size:slot|slots} written"},
    {"bytes.map.head", "head {n}"},
    {"bytes.map.empty", "not written yet"},
    {"bytes.map.forgotten", "no longer kept"},
    {"bytes.map.apart.k", "in no slot alone (KIVI)"},
    {"bytes.map.apart.v", "in full, behind the pool (KIVI)"},
    {"bytes.map.tip", "{side} of slot {slot}, head {head}, dim {dim}"},
    {"bytes.map.tip.pooled", "Each pixel shows the largest of several values."},

    // One vector
    {"bytes.vector", "{side} slot {slot}, head {head}"},
    {"bytes.vector.one", "{dim} × {format} = {bytes} = 1 sector"},
    {"bytes.vector.many", "{dim} × {format} = {bytes} = {n} sectors"},
    {"bytes.vector.part", "{dim} × {format} = {bytes}"},
    {"bytes.not_written", "Not written yet: the keys and values of this slot are stored at the end of the step that computes them."},
    {"bytes.forgotten", "These bytes are no longer kept: only the newest writes of a long run are. Step closer to its end."},
    {"bytes.apart", "Not in this slot alone: KIVI codes a key together with the 32 tokens of its group, and keeps the newest 128 tokens in full behind the pool."},
    {"bytes.dim", "dim {n}"},
    {"bytes.dim.scale", "dim {n}, scale {scale}"},
    {"bytes.dim.scale_zero", "dim {n}, scale {scale}, zero {zero}"},
    {"bytes.code", "{n}-bit code"},
    {"bytes.sign", "sign"},
    {"bytes.exponent", "{n}-bit exponent"},
    {"bytes.fraction", "{n}-bit fraction"},
    {"bytes.equals", "= {value}"},
    {"bytes.read.none", "Reading {side}, head {head} of this block: nothing is written yet"},
    {"bytes.read.one", "Reading {side}, head {head} of this block: {n} of {size}"},
    {"bytes.read.apart", "Reading {side}, head {head} of this block: {n} of {size}, {stride} apart"},
    {"bytes.read.run", "Reading {side}, head {head} of this block: {n} of {size} in one run"},
    {"bytes.read.runs", "Reading {side}, head {head} of this block: {n} of {size} in runs of {run}, {stride} apart"},
    {"bytes.sectors", "{n} {n:sector|sectors}"},

    // Bytes
    {"bytes.at", "Block {block} slot {slot} {word} layer {layer}"},
    {"bytes.at.free", "Block {block} slot {slot} layer {layer}"},
    {"bytes.lie.one", "1 sector of {size}, little endian; next slot at +{stride}"},
    {"bytes.lie.many", "{n} sectors of {size}, little endian; next slot at +{stride}"},
    {"bytes.find", "Go to 0x…"},
    {"bytes.find.refused", "An address is 0x and hexadecimal digits, below {end}, the end of the pool."},
    {"bytes.preview", "Preview as"},
    {"bytes.preview.not_stored", "not stored"},
    {"bytes.column.dim", "dim"},
    {"bytes.column.value", "value"},
    {"bytes.column.code", "code"},
    {"bytes.column.back", "back"},
    {"bytes.column.error", "error"},
    {"bytes.scale", "scale {scale}  FP16 {code}  max {max}"},
    {"bytes.scale.tensor", "scale {scale} for the whole tensor  max {max}"},
    {"bytes.becomes", "{from} becomes {codes} + {scales} = {to}"},
    {"bytes.becomes.plain", "{from} becomes {to}"},
    {"bytes.rms", "RMS error {rms}"},

    // Attention
    {"attention.query", "Query {n} {word} of {tag}"},
    {"attention.first", "Token 0 has no earlier token to look back at."},
    {"attention.none", "Step forward until a token of request {request} has been computed."},
    {"attention.block", "block {n}"},
    {"attention.no_block", "no block"},
    {"attention.head", "q{n}"},
    {"attention.kv", "kv"},
    {"attention.weight", "weight"},
    {"attention.scale", "square-root scale"},
    {"attention.pooled", "largest per pixel, square-root scale"},
    {"attention.selected", "{n} {word}"},
    {"attention.sum", "Head {head} weights sum to {sum}"},
    {"attention.others", "{n} others"},
    {"attention.other", "1 other"},
    {"attention.tip", "{head} on {n} {word}: {weight}"},
});
// clang-format on

}  // namespace kv
