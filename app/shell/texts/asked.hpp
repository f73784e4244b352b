#pragma once
// What the palette asks for when a command needs a value: which one, and an example.

#include "app/shell/texts/english_text.hpp"

namespace kv {

// clang-format off
inline constexpr auto kEnglishAsked = std::to_array<EnglishText>({
    {"asked.with", "{command}: {what}; Enter"},
    {"asked.read_as", "rank 1, group 1, hits announced or pool 4096"},
    {"asked.until", "an event (copy, free), a request (B) or block 7"},
    {"asked.steps", "steps such as 20..40, then a path if you like"},
    {"asked.branch", "one change, such as set share off or stop A"},
    {"asked.compare", "one change, such as model mqa or share off"},
    {"asked.set", "a setting and its value, such as block_size 8"},
    {"asked.do", "a command, such as stop A or fork A B"},
    {"asked.add", "the prompt, in your own words"},
    {"asked.race.workload", "a workload, such as sharegpt, or a file of requests"},
    {"asked.race.fault", "a fault to plant, such as one of those listed"},
    {"asked.race.rule", "an allocator, such as paged"},
    {"asked.whatif.file", "a recording of a server's events, or a trace of prompts with hashes"},
    {"asked.whatif.codec", "a codec, such as int8"},
    {"asked.whatif.view", "pool, block_size or order"},
    {"asked.whatif.model", "a model, such as llama-3-8b"},
    {"asked.whatif.card", "a card, such as h100"},
    {"asked.request", "a request's name, such as A"},
    {"asked.step", "the number of a step, such as 40"},
    {"asked.model", "mha, gqa, mqa or the folder of a model"},
    {"asked.address", "a byte of the pool, such as 0x3B160"},
    {"asked.price", "codecs and a policy, such as int8 window:48"},
    {"asked.lesson", "a lesson, such as 8, or a step of it, 8:3"},
    {"asked.known_model", "a known model, such as llama-3-8b"},
    {"asked.kv_heads", "a number, such as 8; 0 for its own"},
    {"asked.codec", "a format, such as bf16, int8 or int4"},
    {"asked.tokens", "a number of tokens, such as 4096"},
    {"asked.window", "a number of tokens; 0 keeps all"},
    {"asked.requests", "a number of requests, such as 32"},
    {"asked.page", "tokens of a block, 1 to 1024"},
    {"asked.memory", "a size, such as 80GB or 24GiB"},
    {"asked.cards", "a number of cards, such as 8"},
    {"asked.ranks", "a number that divides the cards, such as 4; 0 takes their memory together"},
    {"asked.panel", "a panel, such as stage"},
    {"asked.panel_file", "a panel, then a path if you like"},
    {"asked.table", "a panel or its table, stage/pool, then a path"},
    {"asked.scene", "a scene: a name or a .kvscene file"},
    {"asked.new_scene", "a path for it, ending in .kvscene"},
    {"asked.folder", "the folder of a model"},
    {"asked.config", "a model's config.json"},
    {"asked.picture", "a path that ends in .png or .svg"},
    {"asked.theme", "dark, light or contrast"},
    {"asked.scale", "0.8 to 3"},
    {"asked.size", "iteration, token, layer or operation"},
    {"asked.speed", "0.1 to 1000; 1 is two steps a second"},
    {"asked.number", "a whole number, such as 12"},
    {"asked.index", "a whole number, from 0 on"},
    {"asked.price_text", "fixed or request"},
    {"asked.price_scale", "kl or nll"},
    {"asked.marked", "positions, such as 28-35"},
    {"asked.said", "an answer, or a question and its answer: 2 57"},
    {"asked.answer", "an exercise and its answer: 8.1 53 blocks"},
    {"asked.recording", "a recording of a server, a .jsonl file"},
    {"asked.new_recording", "a path for it, ending in .jsonl"},
    {"asked.seconds", "seconds from the start, such as 90"},
    {"asked.exercise", "an exercise of this step, such as 8.1"},
});
// clang-format on

}  // namespace kv
