"""Renews requirements.txt and requirements-test.txt from pyproject.toml, with hashes and without any index address."""

import os
import subprocess
import sys
import tempfile
import venv

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMMAND = ["pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes", "--no-header",
           "--no-annotate", "--no-emit-index-url", "--no-emit-find-links", "pyproject.toml"]  # fmt: skip


def main():
    with tempfile.TemporaryDirectory(prefix="casebook-pins-") as folder:
        venv.create(folder, with_pip=True)
        python = os.path.join(folder, "bin", "python")
        subprocess.check_call([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv"])
        uv = os.path.join(folder, "bin", "uv")
        subprocess.check_call([uv, *COMMAND, "-o", "requirements.txt", *sys.argv[1:]], cwd=ROOT)
        subprocess.check_call([uv, *COMMAND, "--extra", "test", "-o", "requirements-test.txt", *sys.argv[1:]], cwd=ROOT)


if __name__ == "__main__":
    main()
