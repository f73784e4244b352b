"""Cases with a sentence each, run one after the other: all of a file, or those that are named by their functions."""

import sys
import time
import traceback

CASES = []


class Skipped(Exception):
    """Why a case cannot be tried here."""


def case(sentence):
    return lambda f: CASES.append((sentence, f)) or f


def main():
    wanted = sys.argv[1:]
    red = 0
    for sentence, run in CASES:
        if wanted and run.__name__ not in wanted:
            continue
        start = time.monotonic()
        try:
            said = run()
            print(f"ok   {sentence} ({time.monotonic() - start:.1f} s{'; ' + said if said else ''})", flush=True)
        except Skipped as why:
            print(f"skipped: {sentence}: {why}", flush=True)
        except Exception:
            red += 1
            print(f"red: {sentence}\n{traceback.format_exc(limit=-3)}", flush=True)
    sys.exit(1 if red else 0)
