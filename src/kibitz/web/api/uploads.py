"""The fields of an uploaded form: texts, and files that are saved in a folder; players must be confinable here."""

from __future__ import annotations

from pathlib import Path

from starlette.datastructures import UploadFile

from kibitz.cards import short_repr
from kibitz.errors import NotationError
from kibitz.players.files.archives import is_archive, is_code
from kibitz.players.isolation.process import SANDBOX_NEEDS_LINUX, why_no_sandbox
from kibitz.web.api.operation import Call
from kibitz.web.problems import ApiError

LARGEST_CLASS = 20 << 20


async def check_sandbox(call: Call) -> None:
    """Raise ApiError 503 if this machine has no sandbox for player files."""
    if await call.in_thread(why_no_sandbox):
        raise ApiError(503, SANDBOX_NEEDS_LINUX)


def check_fields(call: Call, known_fields: tuple[str, ...]) -> None:
    """Raise NotationError for an unknown field: if all fields are optional, a misspelt one would change nothing."""
    for field in call.body:
        if field not in known_fields:
            raise NotationError(f"The form has no field {short_repr(field)}; known fields: {', '.join(known_fields)}.")


def text_of(call: Call, field: str) -> str:
    """The text in a field of the form; "" if the field is left out, or holds a file."""
    value = call.body.get(field)
    return value.strip() if isinstance(value, str) else ""


def uploads_of(call: Call, field: str) -> list[UploadFile]:
    """The files in a field; a browser sends a file without a name if none was chosen."""
    return [upload for upload in call.body.getlist(field) if isinstance(upload, UploadFile) and upload.filename]


async def save_one(call: Call, uploads: Path, field: str) -> str:
    """Save a field's only file below a folder of uploads; returns its path, or "" if there is none."""
    files = uploads_of(call, field)
    if len(files) > 1:
        raise NotationError(f"The field {field!r} should hold one file.")
    return await save_uploads(uploads, field, files) if files else ""


async def save_uploads(uploads: Path, field: str, files: list[UploadFile]) -> str:
    """Save a field's uploads in a folder of their own; returns its path below the parent of ``uploads``.

    For a single file, the path is the file's instead; in the field ``files``, only for a ``.py`` file, a notebook or an
    archive.
    """
    folder = uploads / field
    folder.mkdir(parents=True)
    size = 0
    for number, upload in enumerate(files):
        content = await upload.read()
        size += len(content)
        if size > LARGEST_CLASS:
            raise ApiError(413, f"This is too large: send {LARGEST_CLASS >> 20} MiB at most, as a ZIP archive.")
        safe_name = "".join(c if c.isalnum() or c in "._- " else "_" for c in Path(upload.filename or "").name)[-80:]
        name = safe_name.lstrip(". ") or f"file{number}.py"
        if (folder / name).exists():
            raise NotationError(f"Two files are called {name!r}: rename one, or send a ZIP archive of folders.")
        (folder / name).write_bytes(content)
    first, *others = sorted(folder.iterdir())
    if field == "files" and not any(is_archive(path.name) or is_code(path.name) for path in (first, *others)):
        raise NotationError(f"{first.name!r} isn't a Python file: choose .py files, a notebook or a ZIP archive.")
    is_single = not others and (field != "files" or is_archive(first.name) or is_code(first.name))
    return (first if is_single else folder).relative_to(uploads.parent).as_posix()
