"""Writes tests/golden/siblings/NAME.json: what `transformers` computes with a shipped checkpoint, in float32.

For six prompts: the token ids, the logits of the last position, the largest logit and the log of the summed
exponentials of every position, and a greedy continuation. The C++ decoder is tested against it.
"""

from __future__ import annotations

import json
import platform
from pathlib import Path

import torch
import transformers

ROOT = Path(__file__).resolve().parents[2]
PROMPTS = [
    "Greta",
    "Greta put the key in the barn. Where is the key?",
    "Tom likes plums. The lamp is red. What colour is the lamp?",
    "Song: ring mill goat bell pen soup. Again: ring mill",
    "The baker is Anna. It rained all day. The smith is Otto. The morning was cold. Who is the smith?",
    "Zoë, 1 < 2 & unknown words.\n",
]
NEW_TOKENS = 24


@torch.no_grad()
def record(model, tokenizer, prompt: str) -> dict:
    ids = tokenizer(prompt, return_tensors="pt").input_ids
    logits = model(ids).logits[0]
    longer = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=NEW_TOKENS, do_sample=False)
    return {
        "prompt": prompt,
        "ids": ids[0].tolist(),
        "last_logits": [float(f"{x:.9g}") for x in logits[-1].tolist()],
        "best": logits.argmax(-1).tolist(),
        "log_sum_exp": [float(f"{x:.9g}") for x in logits.double().logsumexp(-1).tolist()],
        "greedy": longer[0, ids.shape[1]:].tolist(),
        "greedy_text": tokenizer.decode(longer[0, ids.shape[1]:]),
    }


def write(name: str) -> Path:
    folder = ROOT / "assets" / "models" / name
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager")
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    torch.set_num_threads(1)
    result = {
        "model": name,
        "versions": {"transformers": transformers.__version__, "torch": torch.__version__,
                     "python": platform.python_version()},
        "dtype": "float32",
        "prompts": [record(model.eval(), tokenizer, prompt) for prompt in PROMPTS],
    }
    file = ROOT / "tests" / "golden" / "siblings" / f"{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n")
    return file


if __name__ == "__main__":
    for sibling in ("mha", "gqa", "mqa"): print(write(sibling))
