// A library needs a file, also one that is there for its headers alone (kv_read_headers_once).
