"""Calling asynchronous code from code that is not: in an event loop of its own thread."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_coroutine(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """What the coroutine returns or raises, also where this thread runs a loop already.

    The request's language and id go with it.
    """
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(copy_context().run, asyncio.run, coroutine).result()
