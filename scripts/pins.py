"""Renews requirements.txt and requirements-test.txt from pyproject.toml, with hashes and without any index address."""

import os
import subprocess
import sys
import tempfile
import venv

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMMAND = ["pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes", "--no-header",
           "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]  # fmt: skip
PROJECT = [*COMMAND, "pyproject.toml"]


def main():
    with tempfile.TemporaryDirectory(prefix="casebook-pins-") as folder:
        venv.create(folder, with_pip=True)
        python = os.path.join(folder, "bin", "python")
        subprocess.check_call([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv"])
        uv = os.path.join(folder, "bin", "uv")
        subprocess.check_call([uv, *PROJECT, "-o", "requirements.txt", *sys.argv[1:]], cwd=ROOT)
        subprocess.check_call([uv, *PROJECT, "--extra", "test", "-o", "requirements-test.txt", *sys.argv[1:]], cwd=ROOT)
        # What developers install beside the tests' packages agrees with them.
        mutants = ["--group", "mutants", "-c", "requirements-test.txt", "-o", "requirements-mutants.txt"]
        subprocess.check_call([uv, *COMMAND, *mutants, *sys.argv[1:]], cwd=ROOT)


if __name__ == "__main__":
    main()
