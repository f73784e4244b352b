"""A server publishes, `kvarium attach` follows it live: late, over a gap, over a restart, from the middle, with two
ranks, and to each of the first batches. The recorded batches are those that were published, and the books are those of
the server.

A peer says how an engine is made and what comes to it: `peer.engine(rank, events, replay, topic, **settings)` and
`peer.traffic(engine, seed)`.
"""

import contextlib
import time
import types

from loopback import (COUNTS, HOST, Different, count, finish, free_ports, recorded, same, shelves, wait_for_batches,
                      wait_until_free)


class Servers:
    """Engines of one server at neighbouring ports, a data-parallel rank each."""

    def __init__(self, peer, seed, ranks=1, replay=True, connect=False, **settings):
        self.peer, self.seed, self.settings = peer, seed, settings
        self.port = free_ports(2 * ranks)
        self.replay = self.port + ranks if replay else None
        self.ranks, self.connect, self.engines, self.traffics = ranks, connect, [], []

    def start(self):
        events = f"tcp://{HOST}:{self.port}" if self.connect else self.port
        self.engines = [self.peer.engine(rank, events, self.replay, "kv", **self.settings)
                        for rank in range(self.ranks)]
        self.traffics = [self.peer.traffic(engine, self.seed + 1000 * rank) for rank, engine in enumerate(self.engines)]
        return self

    def until(self, last):
        for traffic in self.traffics:
            traffic.until(last)

    def one_more(self):
        """Where nobody listens yet, a batch is lost; it must not run away meanwhile."""
        if self.engines[0].last() < 300:
            self.until(self.engines[0].last() + 1)

    def stop(self):
        for engine in self.engines:
            engine.shutdown()

    def attach(self, program, *more):
        asked = ("--replay", f"tcp://{HOST}:{self.replay}") if self.replay else ()
        return program.attach(self.port, "--ranks", self.ranks, "--topic", "kv", *asked, *more)


@contextlib.contextmanager
def serving(*values, **named):
    servers = Servers(*values, **named).start()
    yield servers
    servers.stop()


def told(event):
    """What is compared of a recorded event."""
    return {name: event[name] for name in ("type", "block_hashes", "parent_block_hash", "token_ids", "block_size",
                                           "medium", "group_idx") if event.get(name) is not None}


def told_all(batches):
    return [(number, [told(event) for event in events]) for number, events in batches]


def check(engines, attached):
    """The recorded batches are those that were published, and what is cached is what the pools hold after the last one.
    Of a start in the middle no more can be asked than that what is cached here is in the pool.
    """
    out, lines = finish(attached)
    server, expected = out["server"], {}
    for engine in engines:
        first, last = server["first_sequence"][engine.rank], server["last_sequence"][engine.rank]
        same(f"batches of rank {engine.rank}", told_all(recorded(lines, engine.rank)),
             told_all(engine.published[first:last + 1]))
        expected |= engine.states[last]
        count(engine.published[first:last + 1])
    if not any(server["first_sequence"]):
        same("cached", shelves(out), expected)
    for place, (hashes, _) in shelves(out).items():
        same("cached here and not there", set(hashes) - set(expected.get(place, ((), 0))[0]), set())
    return out


def every_batch(program, peer, seed, **settings):
    """A listener for each of the first batches stops there: its books are what the pool was then."""
    with serving(peer, seed, **settings) as servers:
        servers.until(60)
        full = ("--report", "full") if settings.get("report") == "full" else ()
        for first in range(0, 60, 6):
            listeners = [servers.attach(program, "--until-sequence", at, *full) for at in range(first, first + 6)]
            for at, attached in enumerate(listeners, first):
                out = check(servers.engines, attached)
                same("the last batch", out["server"]["last_sequence"], [at])


def late_with_ranks(program, peer, seed, **settings):
    with serving(peer, seed, ranks=2, **settings) as servers:
        servers.until(60)
        attached = servers.attach(program, "--until-sequence", 240)
        wait_for_batches(attached, 1)
        servers.until(240)
        out = check(servers.engines, attached)
        same("ranks", out["server"]["ranks"], [0, 1])
        same("first batches", out["server"]["first_sequence"], [0, 0])
        same("missed", out["server"]["missed"], [0, 0])


def restart(program, peer, seed, **settings):
    servers = Servers(peer, seed, **settings).start()
    servers.until(60)
    old = servers.engines[0]
    attached = servers.attach(program, "--until-sequence", 100)
    wait_for_batches(attached, 61)
    servers.stop()
    wait_until_free(servers.port, servers.replay)
    servers.seed += 77
    servers.start().until(40)
    wait_for_batches(attached, 61 + 41)
    servers.until(100)
    young = servers.engines[0]
    out, lines = finish(attached)
    same("restarts", out["server"]["restarts"], [1])
    same("batches over a restart", told_all(recorded(lines, 0)), told_all(old.published + young.published[:101]))
    same("cached after a restart", shelves(out), young.states[100])
    servers.stop()
    count(old.published + young.published)


def gap(program, peer, seed, **settings):
    """Batches that the publisher sends to nobody while the line is cut are asked for again."""
    with serving(peer, seed, **settings) as servers:
        servers.until(20)
        attached = servers.attach(program, "--until-sequence", 160)
        wait_for_batches(attached, 21)
        time.sleep(2.5)  # the second look at the replay, a second after the first, is over
        publisher = servers.engines[0].publisher
        real = publisher._pub
        publisher._pub = types.SimpleNamespace(send_multipart=lambda frames: None, close=real.close)
        servers.until(100)
        publisher._pub = real
        servers.until(160)
        out = check(servers.engines, attached)
        # A slow machine may lose a second one; what counts is that none was left open.
        same("whether a gap was asked for", out["server"]["asked_again"][0] >= 1, True)
        same("exact after a gap", out["server"]["exact"], [True])


def middle(program, peer, seed, **settings):
    """Without a replay, and behind what it still has."""
    for replay, kept in ((False, 10_000), (True, 15)):
        with serving(peer, seed, replay=replay, buffer_steps=kept, **settings) as servers:
            servers.until(60)
            attached = servers.attach(program, "--until-sequence", 400)
            wait_for_batches(attached, 1, servers.one_more)
            servers.until(400)
            out = check(servers.engines, attached)
            same("began in the middle", out["server"]["began_in_the_middle"], [True])


def server_connects(program, peer, seed, **settings):
    """An endpoint that names a host is one that the server connects to."""
    servers = Servers(peer, seed, replay=False, connect=True, **settings)
    attached = servers.attach(program, "--bind", "--until-sequence", 400)
    servers.start()
    wait_for_batches(attached, 1, servers.one_more)
    servers.until(400)
    check(servers.engines, attached)
    servers.stop()


ONCE = (late_with_ranks, gap, restart, middle, server_connects)


def run(program, peer, scene, seed, settings):
    """One scene; what differs is told with the words that play it again."""
    try:
        scene(program, peer, seed, **settings)
        COUNTS["scenes"] += 1
    except Different as different:
        raise Different(f"{peer.name}, {scene.__name__}, seed {seed}, {settings}: {different}") from None
