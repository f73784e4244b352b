"""Takes the files that stubs.REAL names out of the servers' wheels.

    unpack.py FILES            ends with 1 while one of them is not there
    unpack.py FILES WHEELS     takes them out of the wheels of that folder
"""

import pathlib
import sys
import zipfile

from stubs import REAL, path_of


def missing(files):
    return [name for name in REAL if not (files / path_of(name, lambda at: (files / at).exists())).exists()]


def unpack(files, wheels):
    for wheel in wheels.glob("*.whl"):
        with zipfile.ZipFile(wheel) as held:
            names = set(held.namelist())
            for name in REAL:
                if (path := path_of(name, names.__contains__)) in names:
                    held.extract(path, files)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    if len(sys.argv) > 2:
        unpack(folder, pathlib.Path(sys.argv[2]))
        if left := missing(folder):
            sys.exit(f"the wheels do not have {', '.join(left)}")
    sys.exit(1 if missing(folder) else 0)
