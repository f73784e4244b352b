"""Random scenes for `kvarium run --scene`: small pools, prefixes that overlap, and commands at any time."""
import random


def random_settings(dice):
    blocks = dice.choice([dice.randint(6, 12), dice.randint(8, 20), dice.randint(10, 40)])
    settings = {
        "backend": "cpu",
        "block_size": dice.choice([1, 2, 3, 4, 4, 8, 16]),
        "pool": f"{blocks}blocks",
        "share": dice.choice(["off"] + 2 * ["full_blocks_only", "copy_on_write"]),
        "free_order": dice.choice(["tail_reverse", "unhashed_first"]),
        "max_batch_tokens": dice.choice([1, 2, 3, 5, 8, dice.randint(1, 64), 64, 64]),
        "max_running": dice.randint(1, 8),
        "watermark_blocks": dice.choice([0, 0, 0, 1, 2, 3]),
    }
    if dice.random() < 0.4:
        settings |= {"preempt": "swap", "host_blocks": dice.choice([0, 2, 4, 8, 20, 40])}
    if dice.random() < 0.3:
        ids = dice.sample(range(blocks), blocks)
        settings["free_list"] = ids[:dice.randint(0, blocks)]
    return settings, blocks


def tokens(dice, count):
    return [dice.randint(5, 500) for _ in range(count)]


def random_request(dice, name, earlier, texts, capacity, block_size):
    r = {"id": name, "arrive": dice.choice([0, 0, dice.randint(0, 6), dice.randint(0, 30)]),
         "max_new": min(dice.choice([1, 2, dice.randint(1, 12), dice.randint(1, 30)]), max(1, capacity // 2)),
         "temperature": dice.choice([0, 1, 1.5, 3])}
    if earlier and dice.random() < 0.35:
        parent = dice.choice(earlier)
        r["fork_of"] = parent["id"]
        r["arrive"] = max(r["arrive"], parent["arrive"]) + (dice.randint(1, 8) if dice.random() < 0.6 else 0)
        if dice.random() < 0.4:
            r["tokens"] = tokens(dice, dice.randint(1, 6))
    else:
        # Sometimes one block too many, so that it is refused.
        room = min(45, max(1, capacity - r["max_new"] + 1 + dice.choice([0] * 9 + [3])))
        length = dice.randint(1, room)
        common = dice.choice([dice.randint(0, length), dice.randint(0, length) // block_size * block_size, length])
        r["tokens"] = dice.choice(texts)[:common] + tokens(dice, length - common)
    if dice.random() < 0.25:
        r["salt"] = dice.choice(["", "x", "y"])
    if dice.random() < 0.25:
        r["force_tokens"] = tokens(dice, dice.randint(1, 8))
    if dice.random() < 0.3:
        r["priority"] = dice.randint(-2, 3)
    if dice.random() < 0.15:
        r["stop"] = ["."]
    return r


def random_commands(dice, names):
    commands = []
    for k in range(dice.choice([0, 0, dice.randint(1, 8)])):
        verb = dice.choice(["stop", "pause", "pause", "resume", "resume", "clear", "fork", "priority", "set", "set"])
        name = dice.choice(names)
        text = f"{verb} {name}"
        if verb == "clear":
            text = verb
        elif verb == "fork":
            text += f" F{k}"
            names.append(f"F{k}")
        elif verb == "priority":
            text += f" {dice.randint(-3, 5)}"
        elif verb == "set":
            setting = dice.choice([("max_batch_tokens", dice.randint(1, 20)), ("max_running", dice.randint(1, 6)),
                                   ("watermark_blocks", dice.randint(0, 3)),
                                   ("preempt", dice.choice(["swap", "recompute"])),
                                   ("free_order", dice.choice(["tail_reverse", "unhashed_first"]))])
            text = f"set {setting[0]} {setting[1]}"
        commands.append({"at": dice.randint(0, 25), "command": text})
    return sorted(commands, key=lambda c: c["at"])


def tighten(dice, scene, blocks):
    """Requests that come together and grow past what the pool holds, so that some are preempted."""
    size = scene["settings"]["block_size"]
    scene["settings"] |= {"max_running": dice.randint(2, 8), "max_batch_tokens": dice.choice([4, 16, 64]),
                          "watermark_blocks": dice.choice([0, 0, 1])}
    arrive = {None: 0}
    for r in scene["requests"]:
        r["arrive"] = arrive[r["id"]] = arrive[r.get("fork_of")] + dice.randint(0, 6)
        if "tokens" in r:
            r["tokens"] = r["tokens"][:dice.randint(1, max(1, blocks * size // 4))]
        r["max_new"] = min(r["max_new"], 4)
        r["force_tokens"] = tokens(dice, min(30, dice.randint(1, max(1, blocks * size // 2))))


def random_scene(seed):
    dice = random.Random(seed)
    settings, blocks = random_settings(dice)
    texts = [tokens(dice, 60) for _ in range(2)]
    requests = []
    for k in range(dice.randint(1, 7)):
        requests.append(random_request(dice, "ABCDEFG"[k], requests, texts, blocks * settings["block_size"],
                                       settings["block_size"]))
    scene = {"version": 1, "name": f"random-{seed}", "seed": dice.randint(0, 1000), "model": {"name": "gqa"},
             "settings": settings, "requests": requests,
             "commands": random_commands(dice, [r["id"] for r in requests])}
    if dice.random() < 0.5:
        tighten(dice, scene, blocks)
    return scene
