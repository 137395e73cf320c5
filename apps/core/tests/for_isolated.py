"""Functions that the tests of `isolated` run in its processes."""

import os


def reverse(content: bytes, *, times: int) -> bytes:
    return content[::-1] * times


def process_id(content: bytes) -> bytes:
    return str(os.getpid()).encode()


def environment(content: bytes) -> bytes:
    return " ".join(os.environ).encode()


def fail(content: bytes) -> bytes:
    raise KeyError("no such thing")


def loop(content: bytes) -> bytes:
    while True:
        pass


def loop_if(content: bytes) -> bytes:
    return loop(content) if content == b"yes" else content


def grow(content: bytes) -> bytes:
    return b"x" * 10**9


def die(content: bytes) -> bytes:
    os._exit(1)
