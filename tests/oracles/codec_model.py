"""A decoder with a quantised cache in numpy, written from the specification alone.

    python3 codec_model.py PROGRAM [FIRST_SEED [COUNT [any|kivi [BACKEND]]]]

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


def kivi_keys(group, bits):
    """Per channel over 32 tokens. group: (32, d), fp16 numbers."""
    return np.stack([grouped(channel, bits, len(channel)) for channel in group.T], axis=1)


def kivi_values(vector, bits):
    return grouped(vector, bits, min(32, len(vector)))


def kivi_coded(side, n):
    return n // 128 * 128 if side == 0 else max(0, n - 128)


def kivi_bytes(side, codec, d, n):
    bits, coded_n = BITS[codec.partition(":")[0]], kivi_coded(side, n)
    scales = d * 4 / 32 if side == 0 else d / min(32, d) * 4
    return int(coded_n * (d * bits / 8 + scales)) + (n - coded_n) * d * 2


def hadamard(x):
    d = x.shape[-1]
    h = np.array([[1.0]])
    while len(h) < d:
        h = np.block([[h, h], [h, -h]])
    return (x @ (h / np.sqrt(d))).astype(x.dtype)


def vector_bytes(codec, d):
    word, _, suffix = codec.partition(":")
    if word in ("f32", "bf16", "fp16", "fp8_e4m3", "fp8_e5m2"):
        return d * {"f32": 4, "bf16": 2, "fp16": 2}.get(word, 1)
    payload = -(-BITS[word] * d // 8)
    if suffix == "tensor":
        return payload
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
    def __init__(self, name, k_codec, v_codec, quantized, rotate_heads=False):
        folder = MODELS / name
        self.c, self.w = json.loads((folder / "config.json").read_text()), tensors(folder)
        self.codecs, self.quantized, self.uses_hadamard = (k_codec, v_codec), quantized, rotate_heads
        self.scales = {}  # of ':tensor', by (layer, side)
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
            if self.uses_hadamard:
                q, k, v = hadamard(q), hadamard(k), hadamard(v)
            seen = [self.store(layer, side, own) for side, own in enumerate((k, v))]
            output = self.attend(q, *seen, first)
            output = (hadamard(output) if self.uses_hadamard else output).reshape(len(tokens), -1)
            x = x + output @ mat("self_attn.o_proj")
            h = self.norm(x, w[f"model.layers.{layer}.post_attention_layernorm.weight"])
            gate = h @ mat("mlp.gate_proj")
            x = x + (gate / (1 + np.exp(-gate)) * (h @ mat("mlp.up_proj"))) @ mat("mlp.down_proj")
        return self.norm(x[-1], w["model.norm.weight"]) @ w["model.embed_tokens.weight"].T

    def store(self, layer, side, own):
        """Appends the pass's own vectors; what it attends to: the coded past, and itself."""
        codec, past = self.codecs[side], list(self.stored[layer][side])
        if codec.endswith(":kivi"):
            return self.store_kivi(layer, side, own)
        if codec.endswith(":tensor"):
            most = Q_MAX[codec.partition(":")[0]]
            scale = self.scales.setdefault((layer, side), fp16(F(np.abs(own).max()) / F(most)))
            codes = list(scale * np.clip(np.rint(F(own) / scale), -most, most))
        else:
            codes = [np.stack([coded(vector, codec) for vector in token]) for token in own]
        self.stored[layer][side] += codes
        exact = not self.quantized and codec not in PLAIN
        seen = np.stack(past + (list(own) if exact else codes))
        return lambda i: seen

    def store_kivi(self, layer, side, own):
        """Everything is kept in fp16; what is coded at a moment is coded anew for it."""
        bits, n = BITS[self.codecs[side].partition(":")[0]], len(self.stored[layer][side])
        self.stored[layer][side] += list(fp16(own))
        kept = np.stack(self.stored[layer][side])  # (tokens, heads, d)

        def at(settled):
            out, c = kept.copy(), kivi_coded(side, settled)
            for head in range(kept.shape[1]):
                if side == 0:
                    for g in range(0, c, 32):
                        out[g:g + 32, head] = kivi_keys(kept[g:g + 32, head], bits)
                else:
                    for t in range(c):
                        out[t, head] = kivi_values(kept[t, head], bits)
            return out
        if self.quantized:
            return lambda i: at(n + i)
        seen = at(n)
        seen[n:] = own
        return lambda i: seen

    def attend(self, q, k, v, first):
        group = self.c["num_attention_heads"] // self.c["num_key_value_heads"]
        out = np.empty_like(q)
        for i in range(q.shape[0]):
            all_keys, all_values = k(i)[:first + i + 1], v(i)[:first + i + 1]
            for head in range(q.shape[1]):
                keys, values = all_keys[:, head // group], all_values[:, head // group]
                s = keys @ q[i, head] / np.sqrt(F(q.shape[-1]))
                p = np.exp(s - s.max())
                out[i, head] = (p / p.sum()) @ values
        return out


# ---- one run of the program and of the model
def line_of(rng):
    words = ["fp8_e4m3", "fp8_e5m2", "int8", "int4", "int3", "int2", "int8:g16", "int4:g16", "int4:g8", "int3:g8",
             "int2:g4", "int8:tensor", "int4:tensor", "bf16", "fp16", "f32"]
    return {"model": rng.choice(["mha", "gqa", "mqa"]), "k": rng.choice(words), "v": rng.choice(words),
            "quantized": rng.random() < 0.4, "chunk": rng.choice([1, 3, 7, 16, 64, 512]),
            "prompt": [rng.randrange(2, 512) for _ in range(rng.randint(1, 60))], "new": rng.randint(1, 12),
            "block": rng.choice([1, 3, 16]), "order": rng.choice(["token_major", "head_major"]),
            "rotation": rng.random() < 0.2}


def kivi_line_of(rng):
    """Around the moments when the residual of 128 tokens is full."""
    words = ["int4:kivi", "int2:kivi"]
    line = line_of(rng)
    line.update(k=rng.choice(words + ["int8", "bf16"]), v=rng.choice(words), block=rng.choice([1, 8, 16, 32, 64]),
                chunk=rng.choice([1, 50, 127, 128, 129, 512]), new=rng.randint(1, 6),
                prompt=[rng.randrange(2, 512) for _ in range(rng.choice([5, 125, 127, 128, 129, 200, 257, 300]))])
    line["quantized"] = line["quantized"] and len(line["prompt"]) < 140
    return line


def play(program, line, backend):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out.json"
        command = [program, "run", "--model", line["model"], "--prompt-tokens", ",".join(map(str, line["prompt"])),
                   "--max-new", str(line["new"]), "--k-codec", line["k"], "--v-codec", line["v"], "--order",
                   line["order"], "--block-size", str(line["block"]), "--max-batch-tokens", str(line["chunk"]),
                   "--backend", backend, "--logits", "--prove", "--json", "--out", str(out)]
        command += ["--quantized-prefill"] * line["quantized"] + ["--rotation", "hadamard"] * line["rotation"]
        subprocess.run(command, check=True, timeout=300)
        return json.loads(out.read_text())


def compare(line, found):
    model = Decoder(line["model"], line["k"], line["v"], line["quantized"], line["rotation"])
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
    c, b, expected = model.c, found["bytes"], 0
    for side, codec in enumerate((line["k"], line["v"])):
        d = c["head_dim"]
        expected += kivi_bytes(side, codec, d, at) if codec.endswith(":kivi") else at * vector_bytes(codec, d)
    expected *= c["num_hidden_layers"] * c["num_key_value_heads"]
    return off, b["live"] == b["formula"] == expected, found["proof"]["mode"]


def main(program, first=0, count=40, kind="any", backend="reference"):
    worst, wrong = 0.0, 0
    for seed in range(int(first), int(first) + int(count)):
        line = (kivi_line_of if kind == "kivi" else line_of)(random.Random(seed))
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
