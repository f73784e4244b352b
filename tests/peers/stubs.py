"""The servers' own Python files without what they would bring along: kernels, torch, the model zoo.

A module that is named here is an empty one whose every name is an empty class; all others are the files of the
wheels as they are.
"""

import importlib.util
import logging
import sys
import types


class Stub(types.ModuleType):
    __path__: list = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (), {})
        setattr(self, name, made)
        return made


def stub(name, **values):
    module = Stub(name)
    for key, value in values.items():
        setattr(module, key, value)
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], child, module)
    return module


def file_of(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def vllm(folder, int_hashes):
    """(kv_events, kv_cache_utils, block_pool) of vLLM's wheel."""
    for name in ("vllm", "vllm.config", "vllm.multimodal", "vllm.utils", "vllm.distributed", "vllm.v1", "vllm.v1.core",
                 "vllm.v1.metrics", "vllm.v1.metrics.stats", "vllm.v1.kv_cache_interface", "vllm.v1.kv_cache_spec_registry",
                 "vllm.v1.request", "vllm.v1.utils", "vllm.utils.hashing", "vllm.utils.network_utils"):
        stub(name)
    stub("vllm.envs", VLLM_KV_EVENTS_USE_INT_BLOCK_HASHES=int_hashes)
    stub("vllm.logger", init_logger=logging.getLogger)
    stub("vllm.multimodal.utils", get_mm_features_in_window=lambda *a, **k: (0, 0))
    stub("vllm.utils.math_utils", cdiv=lambda a, b: -(a // -b))
    stub("vllm.config.kv_events", KVEventsConfig=types.SimpleNamespace)
    utils = file_of("vllm.v1.core.kv_cache_utils", folder / "vllm/v1/core/kv_cache_utils.py")
    events = file_of("vllm.distributed.kv_events", folder / "vllm/distributed/kv_events.py")
    file_of("vllm.v1.core.kv_cache_metrics", folder / "vllm/v1/core/kv_cache_metrics.py")
    pool = file_of("vllm.v1.core.block_pool", folder / "vllm/v1/core/block_pool.py")
    return events, utils, pool


def sglang(folder):
    """kv_events of SGLang's wheel."""
    for name in ("sglang", "sglang.srt", "sglang.srt.utils", "sglang.srt.utils.network", "sglang.srt.runtime_context"):
        stub(name)
    return file_of("sglang.srt.disaggregation.kv_events", folder / "sglang/srt/disaggregation/kv_events.py")
