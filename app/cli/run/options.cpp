#include "app/cli/run/input.hpp"
#include "core/base/numbers/codec.hpp"

namespace kv {

const std::vector<OptionSpec>& run_options() {
    static const std::string key_codecs = "how keys are stored: " + plain_codec_names(", ") +
                                          ", or int4:g32 with a scale and a zero for each 32 "
                                          "channels, or int8:tensor with one for all; default bf16";
    static const std::vector<OptionSpec> options{
        {"--scene", "FILE",
         "requests, settings and commands from a file, or a shipped scene by its name"},
        {"--model", "DIR",
         "a Hugging Face folder, or mha, gqa or mqa; with +kv2 behind it, its KV heads folded to "
         "2; "
         "default gqa"},
        {"--prompt", "TEXT", "what to go on from"},
        {"--prompt-tokens", "LIST", "the same as token ids: 1,17,5; nothing is added to them"},
        {"--max-new", "N", "new tokens at most; default 32"},
        {"--temperature", "X", "0 takes the most probable token; default 0"},
        {"--top-k", "N", "draw from the N most probable tokens"},
        {"--top-p", "X", "draw from the fewest tokens that reach this probability, 0 to 1"},
        {"--stop", "TEXT", "end when the text has this; may be repeated", true},
        {"--force", "TEXT", "feed this after the prompt, as if the model had said it"},
        {"--force-tokens", "LIST", "the same as token ids"},
        {"--backend", "NAME",
         "reference (the truth), cpu (fast) or cuda; default cuda where a GPU is found, else cpu"},
        {"--device", "NAME", "the GPU of the cuda backend, cuda:0 for the first"},
        {"--block-size", "N", "tokens of a block, 1 to 1024; default 16"},
        {"--pool", "SIZE", "384KiB or 48blocks; default what is needed, at least 48 blocks"},
        {"--order", "NAME", "token_major or head_major; default token_major"},
        {"--k-codec", "NAME", key_codecs},
        {"--v-codec", "NAME", "how values are stored; default bf16"},
        {"--rotation", "NAME", "none or hadamard: each head is spread over its channels first"},
        {"--quantized-prefill", "",
         "with fp8 and integers: a prompt reads its own keys and values as they are stored"},
        {"--share", "NAME", "full_blocks_only, copy_on_write or off; default full_blocks_only"},
        {"--free-order", "NAME",
         "unhashed_first, or tail_reverse as in vLLM until May 2026: where freed blocks queue; "
         "default unhashed_first"},
        {"--prefix-index", "NAME", "chain or radix: which cached block is given up; default chain"},
        {"--radix-order", "NAME",
         "with radix, which leaf goes first: lru-strict, lru-sglang, lfu, slru, tlru, fifo, mru, "
         "filo or priority; default lru-strict"},
        {"--evict", "SPEC",
         "drop tokens: window:64, streaming:4+60, h2o:16+16, snapkv:64, tova:64, expected:0.5 ...; "
         "or read fewer: quest:64; default none"},
        {"--positions", "NAME",
         "true, cache, original or shift: where survivors stand; default what the policy's paper "
         "uses"},
        {"--draft", "SPEC",
         "propose tokens that one pass checks together: ngram:3 looks back in the text, mqa lets a "
         "model that lies beside this one draft; behind it ,k=4 or ,k=auto; default off"},
        {"--max-batch-tokens", "N", "the prompt goes in in chunks of this size; default 512"},
        {"--host-blocks", "N", "places for blocks in host memory; default 0"},
        {"--preempt", "NAME", "recompute or swap: what is done with who must wait"},
        {"--keep", "WHAT", "between steps: nothing, x (each layer's input) or kv; default kv"},
        {"--no-cache", "", "the same as --keep nothing: compute everything again at each step"},
        {"--logits", "", "with --json: the logits behind each new token"},
        {"--prove", "", "recompute each step without a cache and compare"},
        {"--events", "FILE", "write all that happened, one JSON object a line", false, true},
        {"--metrics", "FILE",
         "write what a server's dashboard shows, iteration by iteration, as CSV", false, true},
        {"--publish", "tcp://HOST:PORT",
         "listen there and publish what is cached, as vLLM's publisher does; kvarium attach shows "
         "it"},
        {"--publish-replay", "tcp://HOST:PORT", "give there again what a subscriber missed"},
        {"--publish-pause", "SECONDS", "with --publish: wait so long after each iteration"},
        {"--publish-stay", "SECONDS", "with --publish: stay so long after the last one"},
        {"--until-step", "N", "stop after iteration N; 0 is the state before the first"},
        {"--save-scene", "FILE", "write the scene of this line", false, true},
        {"--any-weights", "", "with --scene: run it with other weights than it was made with"},
        {"--no-times", "", "leave measured times out, so that two runs print the same"}};
    return options;
}

}  // namespace kv
