"""Decode attention of PyTorch on the same GPU and the same shapes as the rows gpu_decode_*: keys and
values in one piece, not in pages, so the comparison flatters it. Prints one line per shape."""

import statistics

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel

HEADS, KV_HEADS, DIM = 32, 8, 128
SHAPES = [(32, 4096), (1, 4096), (1, 32768), (1, 131072), (32, 32768)]
SAMPLES = 30


def median_us(batch, context, backend):
    def made(heads, tokens):
        return torch.randn(batch, heads, tokens, DIM, device="cuda", dtype=torch.bfloat16)

    query, key, value = made(HEADS, 1), made(KV_HEADS, context), made(KV_HEADS, context)
    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    start, end = torch.cuda.Event(True), torch.cuda.Event(True)
    times = []
    with sdpa_kernel([backend]):
        for sample in range(SAMPLES + 3):
            flush.fill_(sample)
            start.record()
            torch.nn.functional.scaled_dot_product_attention(query, key, value, enable_gqa=True)
            end.record()
            torch.cuda.synchronize()
            times.append(1e3 * start.elapsed_time(end))
    return statistics.median(times[3:])


def main():
    print(f"torch {torch.__version__}, {torch.cuda.get_device_name()}")
    for batch, context in SHAPES:
        for backend in (SDPBackend.FLASH_ATTENTION, SDPBackend.CUDNN_ATTENTION):
            name = f"{backend.name}, batch {batch}, {context} keys"
            try:
                print(f"{name}: {median_us(batch, context, backend):.1f} us")
            except RuntimeError as refused:
                print(f"{name}: refused ({str(refused).splitlines()[0]})")


if __name__ == "__main__":
    main()
