"""Asks a provider for the cases of a file with Phoenix's run_experiment and grades the answers; prints seconds.

Phoenix keeps experiments in a server, which is started here with a database of its own.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from openai import AsyncOpenAI
from phoenix.client import AsyncClient

STARTS_WITHIN = 120


async def main(given: dict[str, Any], address: str) -> None:
    contains, length = given["checks"]
    model = AsyncOpenAI(base_url=given["address"], api_key="bench", max_retries=0)
    client = AsyncClient(base_url=address)
    inputs = [{"question": question} for question in given["questions"]]
    dataset = await client.datasets.create_dataset(name="questions", inputs=inputs)

    async def ask(input: dict[str, Any]) -> str:  # noqa: A002 - so it is called there
        messages = [
            {"role": "system", "content": given["instructions"]},
            {"role": "user", "content": input["question"]},
        ]
        reply = await model.chat.completions.create(model="small-1", messages=messages)
        return reply.choices[0].message.content or ""

    def has_words(output: str) -> bool:
        return contains["value"].casefold() in output.casefold()

    def is_short(output: str) -> bool:
        return len(output.split()) <= length["max"]

    began = time.perf_counter()
    ran = await client.experiments.run_experiment(
        dataset=dataset,
        task=ask,
        evaluators=[has_words, is_short],
        concurrency=given["in_flight"],
        print_summary=False,
    )
    taken = time.perf_counter() - began
    found: dict[str, list[Any]] = {}
    for one in ran["evaluation_runs"]:
        found.setdefault(one.experiment_run_id, []).append(one.result["score"] if one.result else 0)
    print(json.dumps({"seconds": taken, "passed": sum(all(scores) for scores in found.values())}))


def wait_for(address: str) -> None:
    ends = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < ends:
        try:
            with urlopen(f"{address}/healthz"):  # noqa: S310 - our own server
                return
        except OSError:
            time.sleep(0.2)
    sys.exit("Phoenix did not start.")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


with tempfile.TemporaryDirectory() as folder:
    port = free_port()
    environment = {**os.environ, "PHOENIX_PORT": str(port), "PHOENIX_GRPC_PORT": str(free_port())}
    environment |= {"PHOENIX_HOST": "127.0.0.1", "PHOENIX_WORKING_DIR": folder}
    command = [sys.executable, "-m", "phoenix.server.main", "serve"]
    server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
    try:
        wait_for(f"http://127.0.0.1:{port}")
        asyncio.run(main(json.loads(Path(sys.argv[1]).read_text()), f"http://127.0.0.1:{port}"))
    finally:
        server.terminate()
        server.wait()
