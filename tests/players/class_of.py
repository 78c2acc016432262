"""Files and archives like those that learning platforms export, as names and contents."""

import io
import zipfile

from tests.players.conftest import HONEST

HELPED = """from common import *
import tools.deep as deep

def comp10001go_play(discard_history, player_no, hand):
    return lowest(hand)

def comp10001go_group(discard_history, player_no):
    return deep.alone([turn[player_no] for turn in discard_history])
"""
COMMON = "def lowest(hand):\n    return hand[0]\n"
DEEP = "from common import lowest\n\ndef alone(cards):\n    return [[card] for card in cards]\n"
SEVERAL = {"player.py": HELPED, "common.py": COMMON, "tools/deep.py": DEEP}
"""One player of three files, one of them in a folder."""
ONE = {"player.py": HONEST}


def bytes_of(content):
    return content.encode() if isinstance(content, str) else content


def archive(files):
    """A ZIP archive of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zip_file:
        for name, content in files.items():
            zip_file.writestr(name, bytes_of(content))
    return out.getvalue()


def write_files(folder, files):
    """Write these files to the folder, and return it."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes_of(content))
    return folder


def in_folder(name, files):
    """These files with their paths inside a folder of this name."""
    return {f"{name}/{file}": content for file, content in files.items()}
