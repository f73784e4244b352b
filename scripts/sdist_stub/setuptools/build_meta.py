"""Stands in for the build backend of the pcre2 source distribution while pip downloads it.

pip asks a backend for the metadata even when it only downloads. With this one no foreign code runs and
nothing but the one hashed file is fetched.
"""

import pathlib


def get_requires_for_build_wheel(config_settings=None):
    return []


def prepare_metadata_for_build_wheel(out, config_settings=None):
    folder = pathlib.Path(out, "pcre2-0.7.1.dist-info")
    folder.mkdir()
    (folder / "METADATA").write_bytes(pathlib.Path("PKG-INFO").read_bytes())
    return folder.name
