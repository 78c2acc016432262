"""A private PostgreSQL server, from the system's package, in a temporary folder and on a unix socket only."""

import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

HOME = Path("/usr/lib/postgresql")
SPEED = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=16MB", "max_connections=40")


def binaries():
    """The folder with the programs of the newest installed server, or None."""
    found = [folder for folder in HOME.glob("*/bin") if (folder / "initdb").exists() and (folder / "postgres").exists()]
    if found:
        return max(found, key=lambda folder: float(folder.parent.name))
    on_path = shutil.which("initdb")
    return Path(on_path).parent if on_path and (Path(on_path).parent / "postgres").exists() else None


def as_nobody():
    """A command prefix that changes the user from root, as which the server refuses to run."""
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []


@contextmanager
def server(settings=SPEED):
    """A running server: the URL of its database ``postgres``; the default settings are fast, but not safe."""
    folder = Path(tempfile.mkdtemp(prefix="kibitz-pg-"))
    data, programs, prefix = folder / "data", binaries(), as_nobody()
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C"}
    try:
        if prefix:
            os.chown(folder, 65534, 65534)
        make = [*prefix, programs / "initdb", "-D", data, "-U", "kibitz", "-A", "trust", "-N", "-E", "UTF8"]
        subprocess.run(make, check=True, capture_output=True, env=environment, cwd="/")
        words = [f"-c{one}" for one in (*settings, "listen_addresses=", f"unix_socket_directories={folder}")]
        control = [*prefix, programs / "pg_ctl", "-D", data, "-w", "-t", "60"]
        start = [*control, "-l", folder / "log", "-o", " ".join(words), "start"]
        subprocess.run(start, check=True, stdout=subprocess.DEVNULL, env=environment, cwd="/")
        try:
            yield f"postgresql://kibitz@/postgres?host={folder}"
        finally:
            stop = [*control, "-m", "immediate", "stop"]
            subprocess.run(stop, check=True, stdout=subprocess.DEVNULL, env=environment, cwd="/")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
