"""A decoder with a quantised cache in numpy, written from the specification alone.

    python3 codec_model.py PROGRAM [FIRST_SEED [COUNT]]

Runs `kvarium run --logits` on the shipped models with random prompts, codecs, chunks and modes, computes every row of
logits once more, and prints how far apart they are, and the bytes. Codes are whole numbers, not packed: what is
compared is what they mean. It needs numpy.
"""
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

import numpy as np

F = np.float32
MODELS = pathlib.Path(__file__).resolve().parents[2] / "assets" / "models"
Q_MAX = {"int8": 127, "int4": 7, "int3": 3, "int2": 1}
BITS = {"int8": 8, "int4": 4, "int3": 3, "int2": 2}
PLAIN = ("f32", "bf16", "fp16")


# ---- numbers
def bf16(x):
    bits = np.ascontiguousarray(x, dtype=F).view(np.uint32).astype(np.uint64)
    return (((bits + 0x7FFF + (bits >> 16 & 1)) >> 16 << 16).astype(np.uint32)).view(F)


def fp16(x):
    return np.asarray(x, dtype=F).astype(np.float16).astype(F)


def fp8(x, exponent_bits, fraction_bits, most):
    """Round to nearest even on the grid of the format, and no further out than its largest."""
    x = np.clip(np.asarray(x, dtype=np.float64), -most, most)
    bias = 2 ** (exponent_bits - 1) - 1
    _, e = np.frexp(np.abs(x))
    power = np.maximum(e - 1, 1 - bias) - fraction_bits
    return F(np.clip(np.rint(np.ldexp(x, -power)) * np.ldexp(1.0, power), -most, most))


# ---- codecs: a vector (d) of one token and KV head, there and back
def coded(x, codec):
    word, _, suffix = codec.partition(":")
    if word == "f32":
        return F(x)
    if word == "bf16":
        return bf16(x)
    if word == "fp16":
        return fp16(x)
    if word == "fp8_e4m3":
        return fp8(x, 4, 3, 448.0)
    if word == "fp8_e5m2":
        return fp8(x, 5, 2, 57344.0)
    if suffix.startswith("g"):
        return grouped(x, BITS[word], int(suffix[1:]))
    top = np.abs(x).max()
    if top == 0:
        return np.zeros_like(x)
    scale = fp16(F(top) / F(Q_MAX[word]))
    return scale * np.clip(np.rint(F(x) / scale), -Q_MAX[word], Q_MAX[word])


def grouped(x, bits, n):
    out = []
    for part in np.asarray(x, dtype=F).reshape(-1, n):
        scale, zero = fp16((part.max() - part.min()) / F(2**bits - 1)), fp16(part.min())
        q = np.zeros(n, F) if scale == 0 else np.rint(np.clip((part - zero) / scale, 0, 2**bits - 1))
        out.append(q * scale + zero)
    return np.concatenate(out)


def vector_bytes(codec, d):
    word, _, suffix = codec.partition(":")
    if word in ("f32", "bf16", "fp16", "fp8_e4m3", "fp8_e5m2"):
        return d * {"f32": 4, "bf16": 2, "fp16": 2}.get(word, 1)
    payload = -(-BITS[word] * d // 8)
    return payload + (4 * d // int(suffix[1:]) if suffix.startswith("g") else 2)


# ---- the model
def tensors(folder):
    out = {}
    for file in sorted(folder.glob("*.safetensors")):
        data = file.read_bytes()
        size = struct.unpack("<Q", data[:8])[0]
        for name, t in json.loads(data[8:8 + size]).items():
            if name == "__metadata__":
                continue
            a, b = t["data_offsets"]
            raw = data[8 + size + a:8 + size + b]
            if t["dtype"] == "BF16":
                values = (np.frombuffer(raw, "<u2").astype(np.uint32) << 16).view(F)
            else:
                values = np.frombuffer(raw, {"F32": "<f4", "F16": "<f2"}[t["dtype"]]).astype(F)
            out[name] = values.reshape(t["shape"])
    return out


class Decoder:
    def __init__(self, name, k_codec, v_codec, quantized):
        folder = MODELS / name
        self.c, self.w = json.loads((folder / "config.json").read_text()), tensors(folder)
        self.codecs, self.quantized = (k_codec, v_codec), quantized
        self.stored = [[[], []] for _ in range(self.c["num_hidden_layers"])]  # (layer, side): rows (heads, d)

    def norm(self, x, weight):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + F(self.c["rms_norm_eps"])) * weight

    def rotate(self, x, positions):
        """x: (tokens, heads, d)"""
        half = x.shape[-1] // 2
        angles = np.outer(positions, float(self.c["rope_theta"]) ** (-np.arange(half) / half))[:, None, :]
        cos, sin, a, b = np.cos(angles), np.sin(angles), x[..., :half], x[..., half:]
        return np.concatenate([a * cos - b * sin, b * cos + a * sin], -1).astype(F)

    def feed(self, tokens, first):
        """One pass: all of `tokens` at once. The logits after the last of them."""
        c, w = self.c, self.w
        d, heads, kv_heads = c["head_dim"], c["num_attention_heads"], c["num_key_value_heads"]
        positions = np.arange(first, first + len(tokens))
        x = w["model.embed_tokens.weight"][tokens]
        for layer in range(c["num_hidden_layers"]):
            def mat(name, layer=layer):
                return w[f"model.layers.{layer}.{name}.weight"].T
            h = self.norm(x, w[f"model.layers.{layer}.input_layernorm.weight"])
            q = self.rotate((h @ mat("self_attn.q_proj")).reshape(-1, heads, d), positions)
            k = self.rotate((h @ mat("self_attn.k_proj")).reshape(-1, kv_heads, d), positions)
            v = (h @ mat("self_attn.v_proj")).reshape(-1, kv_heads, d)
            seen = [self.store(layer, side, own) for side, own in enumerate((k, v))]
            mixed = self.attend(q, *seen, first).reshape(len(tokens), -1)
            x = x + mixed @ mat("self_attn.o_proj")
            h = self.norm(x, w[f"model.layers.{layer}.post_attention_layernorm.weight"])
            gate = h @ mat("mlp.gate_proj")
            x = x + (gate / (1 + np.exp(-gate)) * (h @ mat("mlp.up_proj"))) @ mat("mlp.down_proj")
        return self.norm(x[-1], w["model.norm.weight"]) @ w["model.embed_tokens.weight"].T

    def store(self, layer, side, own):
        """Appends the pass's own vectors; what it attends to: the coded past, and itself."""
        codec, past = self.codecs[side], list(self.stored[layer][side])
        codes = [np.stack([coded(vector, codec) for vector in token]) for token in own]
        self.stored[layer][side] += codes
        exact = not self.quantized and codec not in PLAIN
        return np.stack(past + (list(own) if exact else codes))

    def attend(self, q, k, v, first):
        group = self.c["num_attention_heads"] // self.c["num_key_value_heads"]
        out = np.empty_like(q)
        for i in range(q.shape[0]):
            for head in range(q.shape[1]):
                keys, values = k[:first + i + 1, head // group], v[:first + i + 1, head // group]
                s = keys @ q[i, head] / np.sqrt(F(q.shape[-1]))
                p = np.exp(s - s.max())
                out[i, head] = (p / p.sum()) @ values
        return out


# ---- one run of the program and of the model
def line_of(rng):
    words = ["fp8_e4m3", "fp8_e5m2", "int8", "int4", "int3", "int2", "int8:g16", "int4:g16", "int4:g8", "int3:g8",
             "int2:g4", "bf16", "fp16", "f32"]
    return {"model": rng.choice(["mha", "gqa", "mqa"]), "k": rng.choice(words), "v": rng.choice(words),
            "quantized": rng.random() < 0.4, "chunk": rng.choice([1, 3, 7, 16, 64, 512]),
            "prompt": [rng.randrange(2, 512) for _ in range(rng.randint(1, 60))], "new": rng.randint(1, 12),
            "block": rng.choice([1, 3, 16]), "order": rng.choice(["token_major", "head_major"])}


def play(program, line, backend):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.json"
        command = [program, "run", "--model", line["model"], "--prompt-tokens", ",".join(map(str, line["prompt"])),
                   "--max-new", str(line["new"]), "--k-codec", line["k"], "--v-codec", line["v"], "--order",
                   line["order"], "--block-size", str(line["block"]), "--max-batch-tokens", str(line["chunk"]),
                   "--backend", backend, "--logits", "--prove", "--json", "--out", str(out)]
        subprocess.run(command + ["--quantized-prefill"] * line["quantized"], check=True, timeout=300)
        return json.loads(out.read_text())


def compare(line, found):
    model = Decoder(line["model"], line["k"], line["v"], line["quantized"])
    request, rows, at = found["requests"][0], [], 0
    prompt = line["prompt"]
    while at < len(prompt):
        chunk = prompt[at:at + line["chunk"]]
        logits = model.feed(chunk, at)
        at += len(chunk)
    rows.append(logits)
    for token in request["output_tokens"][:-1]:
        rows.append(model.feed([token], at))
        at += 1
    theirs = np.array(request["logits"])
    off = np.abs(np.array(rows) - theirs).max() / np.abs(theirs).max()
    c = model.c
    per_token = c["num_hidden_layers"] * c["num_key_value_heads"] * (
        vector_bytes(line["k"], c["head_dim"]) + vector_bytes(line["v"], c["head_dim"]))
    b = found["bytes"]
    same = b["per_token"] == per_token and b["live"] == b["formula"] == per_token * at
    return off, same, found["proof"]["mode"]


def main(program, first=0, count=40, backend="reference"):
    worst, wrong = 0.0, 0
    for seed in range(int(first), int(first) + int(count)):
        line = line_of(random.Random(seed))
        off, same, mode = compare(line, play(program, line, backend))
        # A sum that rounds differently may tip a code over to its neighbour; then the rest of the run differs by more.
        tipped = off > 1e-4
        if tipped or not same or mode == "differs":
            wrong += 1
            print(f"seed {seed}: {off:.2e} of the largest logit, bytes {'as' if same else 'not as'} expected, {mode}: "
                  f"{line['model']} K {line['k']} V {line['v']} chunk {line['chunk']} quantized {line['quantized']}")
        else:
            worst = max(worst, off)
    print(f"{count} runs: {wrong} to look at, the others within {worst:.1e} of their largest logit")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
