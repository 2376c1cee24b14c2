"""Makes the environment of `make run` and `make test`; a second run with nothing changed asks no network.

Plain Python of any 3.x and only its standard library, so that an old or bare Python gets a sentence and no traceback.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
COMMAND = os.path.join(ROOT, "evals", "command")
OLDEST = (3, 11)
# What is installed for whom: the tests' packages hold the product's too.
REQUIREMENTS = {"run": "requirements.txt", "test": "requirements-test.txt"}


def main(purpose):
    check_python()
    if not usable(PYTHON):
        make_venv()
    install(purpose)
    install_command()
    environment_file()


def check_python():
    if sys.version_info < OLDEST:
        found = ".".join(str(part) for part in sys.version_info[:3])
        stop(
            "Casebook needs Python 3.11 or newer; %s is %s." % (sys.executable or "python3", found),
            "Install a newer one, or name it: make run PYTHON=/path/to/python3.12",
        )


def usable(python):
    """Whether the environment's Python starts and is new enough: a copied folder or an upgraded system breaks it."""
    code = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
    try:
        return subprocess.call([python, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def make_venv():
    say("Making the environment in .venv")
    made = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", VENV], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if made.returncode == 0 and usable(PYTHON):
        return
    version = "%d.%d" % sys.version_info[:2]
    stop(
        "Python cannot make a virtual environment here:",
        made.stdout.decode(errors="replace").strip(),
        "",
        "On Debian and Ubuntu the module is a package of its own: sudo apt-get install python%s-venv" % version,
        "Elsewhere install a complete Python, and name it: make run PYTHON=/path/to/python3",
    )


def install(purpose):
    """Installs the pinned packages where they changed since; the stamp is the digest of what was installed."""
    name = REQUIREMENTS[purpose]
    if read(stamp(purpose)) == digest(name):
        return
    say("Installing the packages of %s; this takes a minute or two" % name)
    command = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    if subprocess.call([*command, "--require-hashes", "-r", os.path.join(ROOT, name)]) != 0:
        stop("The packages could not be installed; pip says why above. Is the network there?")
    for other in REQUIREMENTS:
        if os.path.exists(stamp(other)):
            os.remove(stamp(other))
    for covered in ("run", "test") if purpose == "test" else ("run",):
        with open(stamp(covered), "w") as file:
            file.write(digest(REQUIREMENTS[covered]))


def install_command():
    """Installs the command `casebook` of pipelines where its files changed since, from a copy: pip builds in place."""
    made = os.path.join(VENV, ".installed-command")
    with tempfile.TemporaryDirectory(prefix="casebook-command-") as folder:
        copy = os.path.join(folder, "command")
        shutil.copytree(COMMAND, copy, ignore=shutil.ignore_patterns("__pycache__"))
        wanted = digest_of_all(copy)
        if read(made) == wanted:
            return
        say("Installing the command casebook")
        pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
        alone = ["--no-index", "--no-deps", "--no-build-isolation", "--force-reinstall"]
        if subprocess.call(pip + alone + [copy]) != 0:
            stop("The command casebook could not be installed; pip says why above.")
    with open(made, "w") as file:
        file.write(wanted)


def environment_file():
    if not os.path.exists(os.path.join(ROOT, ".env")):
        say("Making .env with fresh secrets")
        subprocess.check_call([PYTHON, "-m", "config.environment"], cwd=ROOT)


def stamp(purpose):
    return os.path.join(VENV, ".installed-for-" + purpose)


def digest(name):
    with open(os.path.join(ROOT, name), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def digest_of_all(folder):
    names = sorted(os.listdir(folder))
    return hashlib.sha256("\n".join(name + digest(os.path.join(folder, name)) for name in names).encode()).hexdigest()


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def say(line):
    print("» " + line, flush=True)


def stop(*lines):
    sys.exit("\n".join(lines))


if __name__ == "__main__":
    main(sys.argv[1])
