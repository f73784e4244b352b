"""`kvarium attach` beside a publisher on this machine: ports, the child, its answers, and what is compared."""

import collections
import dataclasses
import json
import pathlib
import random
import socket
import subprocess
import tempfile
import time

HOST = "127.0.0.1"
COUNTS = collections.Counter()


class Different(Exception):
    """Ours and theirs are not the same."""


def same(what, got, expected):
    if got != expected:
        raise Different(f"{what} differ:\n got      {str(got)[:900]}\n expected {str(expected)[:900]}")


def free_ports(n):
    """The first of n free ports that lie side by side, below those that the system gives away by itself."""
    for _ in range(200):
        first = random.randrange(20000, 32000)
        held = []
        try:
            for port in range(first, first + n):
                held.append(socket.socket())
                held[-1].bind((HOST, port))
            return first
        except OSError:
            continue
        finally:
            for one in held:
                one.close()
    raise SystemExit("no free ports")


def wait_until_free(*ports):
    """ZeroMQ gives a port back a moment after its socket is closed."""
    for port in ports:
        for _ in range(200):
            with socket.socket() as one:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    one.bind((HOST, port))
                    break
                except OSError:
                    time.sleep(0.05)


def loopback_only(publisher_class):
    """A publisher binds where its endpoint has a star; here it is bound to this machine alone."""

    def bind(sock, endpoint):
        sock.bind(endpoint.replace("*", HOST))
        return endpoint

    publisher_class._bind = staticmethod(bind)


@dataclasses.dataclass
class Attached:
    child: subprocess.Popen
    record: pathlib.Path
    line: list


class Program:
    """The built program."""

    def __init__(self, path):
        self.path = path

    def attach(self, events, *more):
        record = pathlib.Path(tempfile.mkdtemp(prefix="kvarium-peers.")) / "record.jsonl"
        line = [self.path, "attach", f"tcp://{HOST}:{events}", "--json", "--show-tokens", "--record", record,
                *map(str, more)]
        child = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        return Attached(child, record, line)

    def json(self, *words):
        done = subprocess.run([self.path, *map(str, words)], capture_output=True, text=True, timeout=300, check=False)
        if done.returncode:
            raise Different(f"{' '.join(map(str, words))} ended with {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)


def wait_for_batches(attached, n, meanwhile=lambda: None):
    """Until it has recorded so many; a machine that is busy with other things takes its time."""
    for _ in range(1200):
        if attached.child.poll() is not None:
            return
        if attached.record.exists() and attached.record.read_text().count('"events"') >= n:
            return
        meanwhile()
        time.sleep(0.05)
    raise Different(f"{n} batches did not come within a minute: {' '.join(map(str, attached.line))}")


def finish(attached, keep=False):
    """What `attach --json` printed and the lines that it recorded."""
    try:
        out, err = attached.child.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        attached.child.kill()
        _, err = attached.child.communicate()
        raise Different(f"did not end: {' '.join(map(str, attached.line))}\n{err}") from None
    if attached.child.returncode != 0:
        raise Different(f"ended with {attached.child.returncode}: {err}")
    lines = [json.loads(line) for line in attached.record.read_text().splitlines()]
    if not keep:
        attached.record.unlink()
        attached.record.parent.rmdir()
    return json.loads(out), lines


def number(hash_):
    """A hash as a recorded line has it: a number without a sign, a digest in hexadecimal."""
    return None if hash_ is None else hash_.hex() if isinstance(hash_, bytes) else hash_ % 2**64


def text_of(hash_, signed=False):
    """A hash as `attach --json` prints it."""
    return hash_.hex() if isinstance(hash_, bytes) else str(hash_ if signed else hash_ % 2**64)


def plain(event):
    """An event of a server's class as a recorded line has it."""
    kind = type(event).__name__
    if kind == "AllBlocksCleared":
        return {"type": kind}
    out = {"type": kind, "block_hashes": [number(h) for h in event.block_hashes], "medium": event.medium or "GPU"}
    if getattr(event, "group_idx", None):
        out["group_idx"] = event.group_idx
    if kind == "BlockStored":
        out |= {"parent_block_hash": number(event.parent_block_hash), "token_ids": list(event.token_ids),
                "block_size": event.block_size}
        for name in ("kv_cache_spec_kind", "kv_cache_spec_sliding_window"):
            if getattr(event, name, None) is not None:
                out[name] = getattr(event, name)
    return out


def recorded(lines, rank):
    return [(line["seq"], line["events"]) for line in lines if "events" in line and line["data_parallel_rank"] == rank]


def shelves(out):
    """(hashes, blocks with copies) by rank and group, as `attach --json` has them: by shelf where there are several."""
    rows = out["cached"]
    if len(rows) == 1:
        rows[0]["hashes"] = out["hashes"]
    return {(row["rank"], row["group"]): (row["hashes"], row["blocks"]) for row in rows if row["hashes"]}


def count(published):
    """What one listener was told."""
    COUNTS["listeners"] += 1
    COUNTS["batches"] += len(published)
    COUNTS["events"] += sum(len(events) for _, events in published)
