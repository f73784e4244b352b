"""Requests that share beginnings, come and go, and do not all fit."""

import random


class Traffic:
    def __init__(self, engine, seed):
        self.engine, self.dice, self.made = engine, random.Random(seed), 0
        size = engine.set.block_size
        self.beginnings = [self.words(self.dice.randrange(1, 9) * size) for _ in range(4)]

    def words(self, n):
        return [self.dice.randrange(3) for _ in range(n)]

    def prompt(self):
        """Often to the token as long as whole blocks, and often one that was there before. Where hits are reported a
        prompt is longer than a block, as a copy of a first block by itself and its report are the same event.
        """
        dice, size = self.dice, self.engine.set.block_size
        tokens = list(dice.choice(self.beginnings))
        tokens = tokens[:dice.randrange(1, len(tokens) + 1)] if dice.random() < 0.3 else tokens
        if dice.random() < 0.6:
            tokens += self.words(dice.choice([dice.randrange(1, 20), size * dice.randrange(1, 4)]))
        if dice.random() < 0.2:
            self.beginnings[dice.randrange(4)] = tokens[:12 * size]
        if self.engine.set.report == "full" and len(tokens) <= size:
            tokens += self.words(size)
        return tokens[:self.engine.set.blocks * size // 3]

    def step(self):
        dice, engine = self.dice, self.engine
        if dice.random() < 0.35 and len(engine.made.requests) < 12:
            self.made += 1
            salt = dice.choice([None, None, None, "x"])
            engine.add(f"r{self.made}", self.prompt(), self.words(dice.randrange(1, 16)), salt)
        if dice.random() < 0.02 and engine.made.running:
            engine.abort(dice.choice(engine.made.running).request_id)
        if dice.random() < 0.01:
            engine.made.reset_prefix_cache(reset_running_requests=True)
        engine.step()

    def until(self, last):
        """Steps until the engine has published batch `last`; all of it is sent when this returns."""
        while self.engine.last() < last:
            self.step()
        if self.engine.set.publishes:
            self.engine.wait_until_sent()
