"""vLLM's own scheduler, cache manager, pool of blocks and publisher; only the model is made up."""

import hashlib
import pickle
import time
import types

from loopback import loopback_only, plain, text_of

SETTINGS = {"blocks": 40, "block_size": 4, "max_running": 6, "max_batch_tokens": 64, "window": None,
            "window_block_size": None, "report": "incremental", "max_len": 400, "buffer_steps": 10_000,
            "watermark_blocks": 0}


def digest(value):
    """Stands for vLLM's sha256 over pickled values, which this is."""
    return hashlib.sha256(pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)).digest()


class Engine:
    """Steps as vLLM's EngineCore does: schedule, run the model, update. Where `events` is given it publishes there."""

    def __init__(self, vllm, rank=0, events=None, replay=None, topic="", hash_as_numbers=True, **settings):
        self.vllm, self.rank = vllm, rank
        self.set = types.SimpleNamespace(**(SETTINGS | settings), publishes=events is not None)
        vllm.envs.VLLM_KV_EVENTS_USE_INT_BLOCK_HASHES = hash_as_numbers
        self.hash_as_numbers = hash_as_numbers
        vllm.utils.init_none_hash(digest)
        loopback_only(vllm.events.ZmqEventPublisher)
        self.hash_block = min(self.set.block_size, self.set.window_block_size or self.set.block_size)
        self.hasher = vllm.utils.get_request_block_hasher(self.hash_block, digest)
        self.published, self.states, self.tables, self.finished, self.to_say = [], [], {}, {}, {}
        self.queries = self.hits = self.preemptions = self.clock = 0
        self.made = vllm.scheduler.Scheduler(
            vllm_config=self._config(events, replay, topic), kv_cache_config=self._caches(),
            structured_output_manager=types.SimpleNamespace(accept_tokens=lambda request, tokens: True),
            block_size=max(self.set.block_size, self.set.window_block_size or 0), hash_block_size=self.hash_block,
            log_stats=True)
        self.pool, self.publisher = self.made.kv_cache_manager.block_pool, self.made.kv_event_publisher
        self._watch()

    def _config(self, events, replay, topic):
        one = types.SimpleNamespace
        endpoint = events if isinstance(events, str) else f"tcp://*:{events}"
        kv_events = self.vllm.config.KVEventsConfig(
            enable_kv_cache_events=True, publisher="zmq" if events else "null", endpoint=endpoint,
            replay_endpoint=f"tcp://*:{replay}" if replay else None, topic=topic,
            buffer_steps=self.set.buffer_steps)
        return one(
            scheduler_config=one(
                max_num_seqs=self.set.max_running, max_num_active_seqs=None, max_num_scheduled_tokens=None,
                max_num_batched_tokens=self.set.max_batch_tokens, long_prefill_token_threshold=0,
                long_prefill_token_threshold_adaptive=False, policy="fcfs",
                watermark=(self.set.watermark_blocks + 0.5) / (self.set.blocks + 1),  # a share, rounded down
                prefill_schedule_interval=1, scheduler_reserve_full_isl=True, enable_chunked_prefill=True),
            cache_config=one(num_gpu_blocks=self.set.blocks + 1, enable_prefix_caching=True,
                             enable_mamba_shared_prefix_checkpoint=False, mamba_cache_mode="none"),
            model_config=one(uses_mrope=False, is_encoder_decoder=False, max_model_len=self.set.max_len,
                             runner_type="generate", is_diffusion=False, supports_multimodal_inputs=False,
                             return_sampling_mask=False),
            parallel_config=one(data_parallel_index=self.rank, decode_context_parallel_size=1,
                                prefill_context_parallel_size=1, pipeline_parallel_size=1, data_parallel_size=1),
            observability_config=one(per_request_spec_decode_metrics="none", kv_cache_metrics=False,
                                     enable_mfu_metrics=False, enable_logging_iteration_details=False),
            ec_manager_config=one(get_encoder_cache_manager_obj=lambda: None), aux_output_config=one(enabled=False),
            kv_events_config=kv_events, lora_config=None, is_mm_encoder_only=False, kv_transfer_config=None,
            ec_transfer_config=None, max_concurrent_batches=1, speculative_config=None, num_speculative_tokens=0,
            num_lookahead_tokens=0, num_prefill_lookahead_tokens=0, use_v2_model_runner=False,
            num_hash_lookahead_tokens=0, max_in_flight_tokens=self.set.max_batch_tokens)

    def _caches(self):
        """Layers that see everything, and where there is a window a second group that sees no further than that."""
        specs = self.vllm.specs
        heads = {"num_kv_heads": 1, "head_size": 8, "dtype": "bf16"}
        groups = [specs.KVCacheGroupSpec(["full"], specs.FullAttentionSpec(block_size=self.set.block_size, **heads))]
        if self.set.window:
            size = self.set.window_block_size or self.set.block_size
            groups.append(specs.KVCacheGroupSpec(["window"], specs.SlidingWindowSpec(
                block_size=size, sliding_window=self.set.window, dcp_sharded=False, **heads)))
        return specs.KVCacheConfig(num_blocks=self.set.blocks + 1, kv_cache_tensors=[], kv_cache_groups=groups)

    def _watch(self):
        """Keeps what is published, what the pool holds then, and the table of each request that ends."""
        publish = self.publisher.publish
        free = self.made._free_request

        def kept(batch):
            self.published.append((len(self.published), [plain(event) for event in batch.events]))
            self.states.append(self.cached())
            publish(batch)

        def freed(request, *more, **named):
            manager = self.made.kv_cache_manager
            # Block 0 is vLLM's empty one, so that all others are numbered from 1.
            self.tables[request.request_id] = [
                [block - 1 for block in group] for group in manager.get_block_ids(request.request_id)]
            self.finished[request.request_id] = request
            return free(request, *more, **named)

        self.publisher.publish = kept
        self.made._free_request = freed

    def cached(self):
        """(hashes, blocks with copies) of the pool by rank and group, as loopback.shelves has them."""
        by_group = {}
        for key, blocks in self.pool.cached_block_hash_to_block._cache.items():
            outside = self.vllm.utils.maybe_convert_block_hash(self.vllm.utils.get_block_hash(key))
            hashes, copies = by_group.setdefault((self.rank, self.vllm.utils.get_group_id(key)), ([], []))
            hashes.append(text_of(outside))
            copies.append(len(blocks) if isinstance(blocks, dict) else 1)
        return {place: (sorted(hashes), sum(copies)) for place, (hashes, copies) in by_group.items()}

    def add(self, name, tokens, says, salt=None):
        """A request; `says` is what the model will answer, token by token."""
        params = self.vllm.sampling.SamplingParams(max_tokens=len(says), ignore_eos=True,
                                                   extra_args={"kv_cache_report_mode": self.set.report})
        self.to_say[name] = list(says)
        self.made.add_request(self.vllm.request.Request(
            request_id=name, prompt_token_ids=list(tokens), sampling_params=params, pooling_params=None,
            arrival_time=float(self.clock), cache_salt=salt, block_hasher=self.hasher))

    def abort(self, name):
        self.made.finish_requests(name, self.vllm.request.RequestStatus.FINISHED_ABORTED)

    def step(self):
        """One iteration; False when nothing was there to do."""
        self.clock += 1
        if not self.made.has_requests():
            return False
        self.vllm.envs.VLLM_KV_EVENTS_USE_INT_BLOCK_HASHES = self.hash_as_numbers
        plan = self.made.schedule()
        self.preemptions += len(plan.preempted_req_ids or ())
        self.planned(plan)
        names = list(plan.num_scheduled_tokens)
        sampled = [self._sampled(name) for name in names]
        outputs = self.made.update_from_output(plan, self.vllm.outputs.ModelRunnerOutput(
            req_ids=names, req_id_to_index={name: at for at, name in enumerate(names)},
            sampled_token_ids=sampled))
        for output in outputs.values():
            if output.scheduler_stats:
                self.queries += output.scheduler_stats.prefix_cache_stats.queries
                self.hits += output.scheduler_stats.prefix_cache_stats.hits
        return True

    def planned(self, plan):
        """For who watches."""

    def _sampled(self, name):
        request = self.made.requests[name]
        if request.is_prefill_chunk:
            return []
        return [self.to_say[name][request.num_output_tokens]]

    def wait_until_sent(self):
        """The publisher has a thread of its own."""
        queue = self.publisher._event_queue
        while not queue.empty():
            time.sleep(0.01)
        time.sleep(0.1)

    def last(self):
        return len(self.published) - 1

    def shutdown(self):
        self.made.shutdown()
