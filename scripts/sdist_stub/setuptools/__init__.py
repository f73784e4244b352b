"""Stands in for setuptools while pip downloads the source distribution of pcre2: see build_meta.py."""
