"""The little of torch that SGLang's trees ask of the places of tokens: rows of whole numbers."""

__all__ = ["Tensor", "cat", "device", "empty", "int64", "tensor"]

int64 = "int64"


def device(name):
    return name


class Tensor:
    def __init__(self, values=()):
        self.values = list(values)

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return iter(self.values)

    def __getitem__(self, at):
        return Tensor(self.values[at]) if isinstance(at, slice) else self.values[at]

    def clone(self):
        return Tensor(self.values)

    def numel(self):
        return len(self.values)

    def to(self, *_, **__):
        return Tensor(self.values)

    def tolist(self):
        return list(self.values)


def tensor(values, dtype=None, device=None):
    return Tensor(values)


def empty(shape, dtype=None, device=None):
    return Tensor()


def cat(parts):
    return Tensor(one for part in parts for one in part)
