"""The servers' own Python files without what they would bring along: kernels, torch, the model zoo.

The modules that REAL names are the files of the wheels as they are. Every other module of a server, and torch, numpy
and the like, is an empty one whose every name is an empty class. scripts/peers unpacks what REAL names, no more.
"""

import contextlib
import dataclasses
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import logging
import sys
import types

import tensors

REAL = """
vllm.config.kv_events vllm.distributed.kv_events vllm.exceptions vllm.sampling_params
vllm.utils.hashing vllm.utils.math_utils
vllm.v1.core.block_pool vllm.v1.core.encoder_cache_manager vllm.v1.core.kv_cache_coordinator
vllm.v1.core.kv_cache_manager vllm.v1.core.kv_cache_metrics vllm.v1.core.kv_cache_utils
vllm.v1.core.single_type_kv_cache_manager vllm.v1.core.sched.interface vllm.v1.core.sched.output
vllm.v1.core.sched.request_queue vllm.v1.core.sched.scheduler vllm.v1.core.sched.utils
vllm.v1.engine vllm.v1.hisparse.block_pool vllm.v1.kv_cache_interface vllm.v1.kv_cache_layout
vllm.v1.kv_cache_spec_registry vllm.v1.kv_hints vllm.v1.metrics.cache_hit_source vllm.v1.metrics.stats
vllm.v1.outputs vllm.v1.request vllm.v1.serial_utils vllm.v1.structured_output.request
sglang.srt.disaggregation.kv_events sglang.srt.mem_cache.base_prefix_cache
sglang.srt.mem_cache.cache_init_params sglang.srt.mem_cache.events sglang.srt.mem_cache.evict_policy
sglang.srt.mem_cache.radix_cache sglang.srt.mem_cache.utils
sglang.srt.mem_cache.unified_radix_cache sglang.srt.mem_cache.unified_cache.cache_action
sglang.srt.mem_cache.unified_cache.component_type sglang.srt.mem_cache.unified_cache.components
sglang.srt.mem_cache.unified_cache.components.base sglang.srt.mem_cache.unified_cache.components.full
sglang.srt.mem_cache.unified_cache.components.swa sglang.srt.mem_cache.unified_cache.session_ref_tracker
sglang.srt.mem_cache.unified_cache.tree_core_registry sglang.srt.mem_cache.unified_cache.unified_tree_core
sglang.srt.mem_cache.unified_cache.unified_tree_core_interface sglang.srt.session.streaming_session
""".split()

EMPTY = ("vllm", "sglang", "torch", "numpy", "cbor2", "cloudpickle", "regex", "triton", "transformers")


def path_of(name, there):
    """Where the wheel has the module: a file, or a package's __init__."""
    path = name.replace(".", "/")
    return f"{path}.py" if there(f"{path}.py") else f"{path}/__init__.py"


class Empty(type):
    """A class of which every name is such a class again, so that types of what is not there can be written."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = empty(name)
        setattr(cls, name, made)
        return made

    def __getitem__(cls, _):
        return cls

    def __or__(cls, _):
        return cls

    __ror__ = __or__


def empty(name):
    return Empty(name, (), {"__init__": lambda self, *values, **named: None})


class EmptyModule(types.ModuleType):
    __path__: list = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = empty(name)
        setattr(self, name, made)
        return made


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path, target=None):
        if name in REAL:
            file = self.folder / path_of(name, lambda at: (self.folder / at).exists())
            return importlib.util.spec_from_file_location(name, file, submodule_search_locations=[])
        if name.partition(".")[0] in EMPTY:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return EmptyModule(spec.name)

    def exec_module(self, module):
        pass


def put(module, **values):
    """Says what an empty module holds after all, in few words."""
    made = importlib.import_module(module)
    for name, value in values.items():
        setattr(made, name, value)


def quiet(name):
    log = logging.getLogger(name)
    log.setLevel(logging.ERROR)
    for word in ("info_once", "warning_once", "debug_once"):
        setattr(log, word, lambda *values: None)
    return log


class ConstantList(list):
    """A view of a list that goes on growing."""

    def __init__(self, of):
        self.of = of

    def __getitem__(self, at):
        return self.of[at]

    def __len__(self):
        return len(self.of)

    def __iter__(self):
        return iter(self.of)


def vllm(folder):
    """What a scheduler of vLLM is made of."""
    sys.meta_path.insert(0, Finder(folder))
    put("vllm.envs", VLLM_KV_EVENTS_USE_INT_BLOCK_HASHES=True, VLLM_MAX_N_SEQUENCES=1)
    put("vllm.logger", init_logger=quiet)
    put("vllm.config.utils", config=dataclasses.dataclass)
    put("vllm.utils", length_from_prompt_token_ids_or_embeds=lambda tokens, embeds: len(tokens))
    put("vllm.utils.torch_utils", PIN_MEMORY=False, get_dtype_size=lambda dtype: 2)
    put("vllm.multimodal.utils", get_mm_features_in_window=lambda *values, **named: (0, 0))
    put("vllm.v1.utils", ConstantList=ConstantList,
        record_function_or_nullcontext=lambda name: contextlib.nullcontext())
    names = {"events": "vllm.distributed.kv_events", "utils": "vllm.v1.core.kv_cache_utils",
             "specs": "vllm.v1.kv_cache_interface", "scheduler": "vllm.v1.core.sched.scheduler",
             "request": "vllm.v1.request", "outputs": "vllm.v1.outputs", "sampling": "vllm.sampling_params",
             "envs": "vllm.envs", "config": "vllm.config.kv_events"}
    return types.SimpleNamespace(**{short: importlib.import_module(name) for short, name in names.items()})


def page_hashes(tokens, before, page):
    """Stands for SGLang's compiled hash: a chain of digests over pages."""
    raw, out = list(tokens), []
    for at in range(0, len(raw), page):
        before = hashlib.sha256((before or b"") + repr(raw[at:at + page]).encode()).digest()
        out.append(before.hex())
    return out


class Unset:
    """SGLang's environment, in which nothing is set."""

    def __getattr__(self, name):
        return types.SimpleNamespace(get=lambda: False)


def sglang(folder):
    """SGLang's trees and its publisher."""
    sys.meta_path.insert(0, Finder(folder))
    logging.getLogger("sglang").setLevel(logging.ERROR)
    put("torch", **{name: getattr(tensors, name) for name in tensors.__all__})
    put("numpy", float64=float)
    put("sglang.srt.environ", envs=Unset())
    put("sglang.srt.mem_cache.cpp_utils.native_hash", get_native_hash=page_hashes)
    put("sglang.srt.mem_cache.allocator.page_interleave", page_interleave_shard_size=lambda allocator: 1)
    put("sglang.srt.utils.common", ceil_align=lambda n, size: -(-n // size) * size)
    put("sglang.srt.utils.rank_consensus_checker",
        rank_consensus=lambda *values, **named: lambda function: function)
    names = {"events": "sglang.srt.disaggregation.kv_events", "tree": "sglang.srt.mem_cache.radix_cache",
             "unified": "sglang.srt.mem_cache.unified_radix_cache", "utils": "sglang.srt.mem_cache.utils",
             "base": "sglang.srt.mem_cache.base_prefix_cache", "params": "sglang.srt.mem_cache.cache_init_params",
             "parts": "sglang.srt.mem_cache.unified_cache.component_type"}
    return types.SimpleNamespace(**{short: importlib.import_module(name) for short, name in names.items()})
