"""Specs whose quantities are off by last digits, as rounding in another order leaves them."""

LAST_DIGITS = 1e-13


def trembling(data, draw):
    """The plain data with every quantity a little off."""
    if isinstance(data, dict):
        return {key: trembling(value, draw) for key, value in data.items()}
    if isinstance(data, list):
        return [trembling(value, draw) for value in data]
    if isinstance(data, float):
        return data * (1 + LAST_DIGITS * draw.uniform(-1, 1))
    return data
