"""Random scenes, as small as they may be and as odd as they can be: the same number gives the same scene."""

import json
import random

WORDS = "Mia Tom Greta put the key in barn home over old hill . Where is dog long road it rained all day".split()


def sentence(dice, most):
    return " ".join(dice.choice(WORDS) for _ in range(dice.randint(1, most)))


def settings(dice):
    block = dice.choice([1, 3, 4, 7, 16])
    s = {"backend": "reference", "block_size": block,
         "pool": f"{dice.choice([12, 24, 48]) * (16 // min(block, 16))}blocks",
         "share": dice.choice(["full_blocks_only", "copy_on_write", "off"]),
         "max_batch_tokens": dice.choice([4, 17, 64]), "max_running": dice.choice([1, 2, 4]),
         "k_codec": dice.choice(["f32", "bf16", "fp16", "fp8_e4m3", "int8", "int4:g8"]),
         "v_codec": dice.choice(["f32", "bf16", "fp8_e5m2", "int8", "int4"]),
         "preempt": dice.choice(["recompute", "swap"]), "host_blocks": dice.choice([0, 8])}
    evict = dice.choice(["none", "none", "window:12", "streaming:2+10", "h2o:4+8", "tova:12"])
    if evict != "none":
        s["evict"] = evict
    return s


def scene(number):
    dice = random.Random(number)
    requests = []
    for i in range(dice.randint(1, 4)):
        request = {"id": "ABCD"[i], "arrive": dice.randint(0, 6), "prompt": sentence(dice, 30),
                   "max_new": dice.randint(1, 10)}
        if dice.random() < 0.4:
            request |= {"temperature": dice.choice([0.7, 1.3]), "top_k": dice.choice([1, 8, 40])}
        requests.append(request)
    return json.dumps({"version": 1, "name": f"Random {number}", "seed": number,
                       "model": {"name": dice.choice(["mha", "gqa", "mqa"])}, "settings": settings(dice),
                       "requests": requests})
