"""Damaged archives of offsets kind, read in a separate process whose memory is measured."""

import io
import resource
import sys
import tempfile
import zipfile
from pathlib import Path
from random import Random

from kibitz.errors import NotationError
from kibitz.players.files.entries import player_at, players_in
from tests.players.class_of import SEVERAL, bytes_of, in_folder
from tests.players.conftest import HONEST

WANTED = ("comp10001go_play", "comp10001go_group")
ODD = (0, 1, 2, 8, 12, 14, 20, 45, 93, 99, 0x7F, 0xFF, 0xFFFF, 0x10000, 0x7FFFFFFF, 0xFFFFFFFE, 0xFFFFFFFF)
"""Field values that often break programs."""
MARKS = (b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07")
PLACES = {
    "folder": ("{}.zip", "{}/hand in.zip"),
    "moodle": ("{}_{}_assignsubmission_file/hand in.zip",),
    "canvas": ("{}_{}_77_handin.zip",),
    "gradescope": ("submission_{1}/hand in.zip",),
}
OTHERS = ("ben", "zoe")
METADATA = b":submission_11:\n  :submitters:\n  - :name: Ann\n:submission_12:\n  :submitters: *no\n"


def packed(files, random=None):
    """An archive of these files; with ``random``, each has a random compression method."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as zip_file:
        for name, content in files.items():
            method = random.choice((0, 8, 8, 8, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)) if random else 8
            member = zipfile.ZipInfo(name)
            member.compress_type = method
            with zip_file.open(member, "w", force_zip64=bool(random) and random.random() < 0.1) as file:
                file.write(bytes_of(content))
    return out.getvalue()


def originals(random):
    """Undamaged archives: of one player, nested, and with files that are large once unpacked."""
    one = {"player.py": HONEST}
    inner = packed(SEVERAL, random)
    yield from (packed(in_folder("work", SEVERAL)), packed(one, random), inner)
    yield packed({"in.zip": inner, "notes.txt": "x"}, random)
    yield packed({"in.zip": packed({"in.zip": packed(one, random)}, random), **one}, random)
    yield packed({**one, "data.py": bytes(3 << 20), "data.zip": bytes(8 << 20)}, random)
    yield packed({**one, "data.py": bytes(300 << 20)}, random)
    yield packed({"a/" * 40 + "player.py": HONEST, "é.py": "x", ".git/x.py": "x", "empty/": ""}, random)


def mutated(content, random):
    """An archive with up to four faults: changed header fields or bytes, and parts missing or repeated."""
    found = bytearray(content)
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        kind, at = random.randrange(8), random.randrange(len(found) + 1)
        if kind < 4 and (places := [at for mark in MARKS for at in offsets(found, mark)]):
            at, size = random.choice(places) + random.randrange(4, 60), random.choice((1, 2, 2, 4, 4, 8))
            number = random.choice(ODD) if random.random() < 0.7 else random.getrandbits(8 * size)
            found[at : at + size] = (number & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        elif kind == 4:
            found[at : at + 8] = random.randbytes(random.randrange(1, 9))
        elif kind == 5:
            del found[at : at + random.choice((1, 8, 60, len(found)))]
        elif kind == 6:
            found[at:at] = found[random.randrange(len(found) + 1) :][: random.choice((1, 30, 400))]
        else:
            found[at : at + 1] = bytes([random.randrange(256)])
    return bytes(found)


def offsets(content, mark):
    """The offsets of a mark."""
    at = content.find(mark)
    while at >= 0:
        yield at
        at = content.find(mark, at + 1)


def class_files(layout, place, mutant, honest):
    """The files of a class that includes a mutant."""
    files = {place.format("ann", 11): mutant}
    files |= {place.format(name, 12 + number): honest for number, name in enumerate(OTHERS)}
    return files | {"submission_metadata.yml": METADATA} if layout == "gradescope" else files


def read(path, mutant, honest, random):
    """Read a mutant by itself, and in a class, whose other submissions must be read."""
    path.write_bytes(mutant)
    assert all(is_sentence(refusal(look, path)) for look in (player_at, players_in))
    layout = random.choice(sorted(PLACES))
    files = class_files(layout, random.choice(PLACES[layout]), mutant, honest)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as zip_file:
        for name, content in files.items():
            zip_file.writestr(name, content)
    path.write_bytes(out.getvalue())
    found = players_in(path, WANTED)
    assert sum(entry.sources is not None for entry in found.entries) >= len(OTHERS), (layout, found)
    assert all(entry.sources or entry.why.endswith(".") for entry in found.entries)
    path.write_bytes(mutated(out.getvalue(), random))
    assert refusal(players_in, path).isprintable()


def refusal(look, path):
    """Why a path is refused, or an empty string."""
    try:
        look(path, WANTED)
    except NotationError as error:
        return str(error)
    return ""


def is_sentence(text):
    """Whether a text is empty, or is printable and ends like a sentence."""
    return text.isprintable() and (not text or text.endswith("."))


def peak():
    """This process's peak memory, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def main():
    """Read mutants of the archives in a folder, and print by how many MiB memory grew."""
    folder, count, random = Path(sys.argv[1]), int(sys.argv[2]), Random(sys.argv[3])
    honest, *others = (path.read_bytes() for path in sorted(folder.glob("*.zip")))
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "class.zip"
        read(path, honest, honest, random)
        start = peak()
        for _ in range(count):
            read(path, mutated(random.choice(others), random), honest, random)
    print((peak() - start) >> 20)


if __name__ == "__main__":
    main()
