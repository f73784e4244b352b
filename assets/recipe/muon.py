"""The optimiser: Muon for the matrices (a step is the momentum made orthogonal, so every direction learns at the same
pace), AdamW for the embedding and the norms. After 600 steps of the first trial its loss was 1.30 where AdamW alone
stood at 1.77: it had learnt to copy songs, and AdamW had not."""

from __future__ import annotations

import torch

MATRIX_RATE, OTHER_RATE = 0.02, 2.5e-3
MOMENTUM, BETAS, DECAY, CLIP = 0.95, (0.9, 0.95), 0.05, 1.0


def orthogonal(m: torch.Tensor, rounds: int = 5) -> torch.Tensor:
    """Newton-Schulz: drives all singular values of m towards 1."""
    a, b, c = 3.4445, -4.7750, 2.0315
    tall = m.shape[0] > m.shape[1]
    x = (m.T if tall else m) / (m.norm() + 1e-7)
    for _ in range(rounds):
        gram = x @ x.T
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x.T if tall else x


class Muon:
    def __init__(self, weights: dict[str, torch.Tensor]):
        self.weights = weights
        self.matrices = [name for name in weights if "_proj." in name]
        self.others = [name for name in weights if "_proj." not in name]
        self.first = {name: torch.zeros_like(weight) for name, weight in weights.items()}
        self.second = {name: torch.zeros_like(weights[name]) for name in self.others}
        self.count = 0

    def state(self) -> dict:
        return {"first": self.first, "second": self.second, "count": self.count}

    def load(self, state: dict) -> None:
        self.first, self.second, self.count = state["first"], state["second"], state["count"]

    @torch.no_grad()
    def step(self, rate: float) -> None:
        self.count += 1
        torch.nn.utils.clip_grad_norm_(list(self.weights.values()), CLIP)
        for name in self.matrices:
            weight, momentum = self.weights[name], self.first[name]
            momentum.mul_(MOMENTUM).add_(weight.grad)
            update = orthogonal(weight.grad + MOMENTUM * momentum)
            size = max(1.0, weight.shape[0] / weight.shape[1]) ** 0.5
            weight.mul_(1 - MATRIX_RATE * rate * DECAY).sub_(update, alpha=MATRIX_RATE * rate * size)
        for name in self.others:
            weight, first, second = self.weights[name], self.first[name], self.second[name]
            first.lerp_(weight.grad, 1 - BETAS[0])
            second.lerp_(weight.grad.square(), 1 - BETAS[1])
            update = first / (1 - BETAS[0] ** self.count) / ((second / (1 - BETAS[1] ** self.count)).sqrt() + 1e-8)
            weight.sub_(update, alpha=OTHER_RATE * rate)
        for weight in self.weights.values(): weight.grad = None
