"""SGLang's own radix trees, their record of events and its publisher; requests are made up."""

import random
import time
import types
from array import array

from loopback import HOST, plain, text_of
from tensors import tensor

SETTINGS = {"page": 4, "order": "lru", "tree": "radix", "tokens": 160, "buffer_steps": 10_000}


class Places:
    """Stands for the pool of places, which only the engine that computes would read."""

    device = "cpu"

    def __init__(self):
        self.freed = 0

    def free_segment(self, values, start_pos=0):
        self.freed += len(values)

    free = free_segment


def tree_of(sglang, of):
    """RadixCache, or the newer UnifiedRadixCache with its core in Python."""
    params = {"disable": False, "req_to_token_pool": None, "token_to_kv_pool_allocator": Places(),
              "page_size": of.page, "eviction_policy": of.order, "enable_kv_cache_events": True}
    if of.tree == "radix":
        return sglang.tree.RadixCache(sglang.params.CacheInitParams(**params))
    return sglang.unified.UnifiedRadixCache(sglang.params.CacheInitParams(
        **params, tree_components=(sglang.parts.ComponentType.FULL,), tree_core_backend="python"))


def hashes_of(sglang, tree):
    """Of every page that a tree holds, as its events name them."""
    core = getattr(tree, "tree_core", tree)
    out, todo = [], list(core.root_node.children.values())
    while todo:
        node = todo.pop()
        todo += node.children.values()
        out += [sglang.utils.hash_str_to_int64(one) for one in core.kv_events._node_event_hash_values(node)]
    return out


class Engine:
    """A tree of one data-parallel rank. Where `events` is given it publishes there, as SGLang's scheduler does."""

    def __init__(self, sglang, rank=0, events=None, replay=None, topic="", **settings):
        self.sglang, self.rank = sglang, rank
        self.set = types.SimpleNamespace(**(SETTINGS | settings), publishes=events is not None)
        self.published, self.states, self.publisher = [], [], None
        self.tree = tree_of(sglang, self.set)
        if events:
            connects = isinstance(events, str)
            self.publisher = sglang.events.ZmqEventPublisher(
                rank, endpoint=events if connects else f"tcp://{HOST}:{events}", bind=not connects, topic=topic,
                replay_endpoint=f"tcp://{HOST}:{replay}" if replay else None, buffer_steps=self.set.buffer_steps)

    def key(self, tokens, namespace):
        return self.sglang.tree.RadixKey(array("q", tokens), **namespace)

    def found(self, tokens, namespace):
        """(tokens that are cached, the node that they end in)"""
        result = self.tree.match_prefix(self.sglang.base.MatchPrefixParams(key=self.key(tokens, namespace)))
        return result.device_prefix_len, result.last_device_node

    def insert(self, tokens, namespace, priority):
        values = tensor(range(len(tokens)))
        self.tree.insert(self.sglang.base.InsertParams(key=self.key(tokens, namespace), value=values,
                                                       priority=priority))

    def room_for(self, n):
        missing = self.tree.evictable_size() + self.tree.protected_size() + n - self.set.tokens
        if missing > 0:
            self.tree.evict(self.sglang.base.EvictParams(num_tokens=missing))

    def cached(self):
        """(hashes, pages with copies) of the tree, as loopback.shelves has them. Namespaces without a salt or a name of
        an adapter share their hashes.
        """
        hashes = [text_of(one, signed=True) for one in hashes_of(self.sglang, self.tree)]
        return {(self.rank, 0): (sorted(set(hashes)), len(hashes))} if hashes else {}

    def publish(self):
        events = self.tree.take_events()
        if not events:
            return
        self.published.append((len(self.published), [plain(event) for event in events]))
        self.states.append(self.cached())
        if self.publisher:
            self.publisher.publish(self.sglang.events.KVEventBatch(ts=time.time(), events=events))

    def wait_until_sent(self):
        while not self.publisher._event_queue.empty():
            time.sleep(0.01)
        time.sleep(0.1)

    def last(self):
        return len(self.published) - 1

    def shutdown(self):
        self.publisher.shutdown()


class Traffic:
    """Requests that share beginnings: each is looked up, locked, put in, and put in once more with its answer."""

    def __init__(self, engine, seed):
        self.engine, self.dice, self.running = engine, random.Random(seed), []
        self.beginnings = [self.words(self.dice.randrange(1, 30)) for _ in range(4)]

    def words(self, n):
        return [self.dice.randrange(3) for _ in range(n)]

    def begin(self):
        dice, engine = self.dice, self.engine
        begin = dice.choice(self.beginnings)
        tokens = begin[:dice.randrange(1, len(begin) + 1)] + self.words(dice.randrange(0, 16))
        if dice.random() < 0.3:
            self.beginnings[dice.randrange(4)] = tokens[:40]
        namespace = dice.choice([{}, {}, {}, {"cache_salt": "x"}, {"extra_key": "y"}])
        n, _ = engine.found(tokens, namespace)
        engine.room_for(len(tokens) - n)
        engine.insert(tokens, namespace, dice.randrange(3))
        _, node = engine.found(tokens, namespace)
        self.running.append((tokens, namespace, engine.tree.lock(node)))

    def end(self):
        tokens, namespace, lock = self.running.pop(self.dice.randrange(len(self.running)))
        answer = self.words(self.dice.randrange(1, 20))
        self.engine.room_for(len(answer))
        self.engine.insert(tokens + answer, namespace, 0)
        self.engine.tree.unlock(lock)

    def step(self):
        if len(self.running) < 3 and self.dice.random() < 0.6:
            self.begin()
        elif self.running:
            self.end()
        if not self.running and self.dice.random() < 0.05:
            self.engine.tree.reset()
        self.engine.publish()

    def until(self, last):
        while self.engine.last() < last:
            self.step()
        if self.engine.publisher:
            self.engine.wait_until_sent()
