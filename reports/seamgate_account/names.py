"""Which names a text gives, as (kind, name). What is a name is decided here, whether it exists in documents.py."""

from __future__ import annotations

import re

from .tree import SUFFIXES

WRITTEN_FOLDERS = {"build", "out"}  # by builds and by runs
_URL = re.compile(r"\w+://\S+")
_VARIABLE = re.compile(r"\b(?:SEAMGATE|SIMT|SEAM|DM)_[A-Z0-9_]*[A-Z0-9](?![\w<{$*])")
_PATH = re.compile(r"(?<![\w/.$}>~+-])(?:\./)?(?!//)\.?[\w*{}<>,+-]+(?:\.[\w*+-]+)*(?:/[\w*.{}<>,+-]+)+/?|(?<![\w/.$}>~-])\.?[\w+-]+/(?![\w.])")
_FILE = re.compile(r"[\w+-]+(?:\.[\w+-]+)*\.\w+")
_SOURCE_FILE = re.compile(r"(?<![\w/.*}>-])[a-zA-Z]\w*\.(?:cpp|hpp|cu|cuh|py|cmake)\b(?![/(])")
_FLAG = re.compile(r"(?<![\w-])--[a-z][\w-]*(?![\w-]*\*)")
_GATE = re.compile(r"\b[Gg]ates? ((?:`[a-z]\w*`(?:, (?:and )?| and | or )?)+)|\(gate `([a-z]\w*)`")
_PRESET = re.compile(r"(?:--preset[= ]|\bpreset `)([a-z]\w*)|`([a-z]\w*)` preset\b")
_TARGET = re.compile(r"--target[= ]([A-Za-z_]\w*)|\btarget `([A-Za-z_]\w*)`")
_IDENTIFIER = re.compile(r"(?:\w+::)*~?[A-Za-z_]\w*(?:\(\))?")
_COMMAND = re.compile(r"(?:^|(?<=[\s`$(]))((?:[\w.-]+/)*seamgate|\.?/?ci/[\w-]+) ((?:--?[a-z]|[a-z]\w*(?=\s|$|`))[^`|#;]*)")
_OTHER_TOOLS = re.compile(r"(?:^|[\s`$(])(cmake|ctest|git|ninja|pip|apt-get|python3|clang-format|compute-sanitizer|g\+\+|nvcc|chromium|sudo|cp|ls) ")


def _both(pattern, text):
    return [next(group for group in match.groups() if group) for match in pattern.finditer(text)]


def looks_like_a_path(token, tree):
    """Its first part is a folder of ours, or its last part ends like a file of ours."""
    parts = token.rstrip("/").split("/")
    parts = parts[parts[0] == ".":]
    return len(parts) > 0 and (parts[0] in tree.top | WRITTEN_FOLDERS and (len(parts) > 1 or token.endswith("/")) or
                               (len(parts) > 1 and parts[-1].endswith(SUFFIXES)))


def in_text(text, tree):
    """Names that stand for themselves in any text: paths, variables, gates, presets, targets."""
    text = _URL.sub(" ", text)
    names = [("path", token.rstrip(".,")) for token in _PATH.findall(text)]
    names = [(kind, name) for kind, name in names if looks_like_a_path(name, tree)]
    names += [("file", name) for name in _SOURCE_FILE.findall(text)]
    names += [("variable", name) for name in _VARIABLE.findall(text)]
    names += [("gate", name) for group in _both(_GATE, text) for name in re.findall(r"\w+", group) if name not in ("and", "or")]
    names += [("preset", name) for name in _both(_PRESET, text)]
    names += [("target", name) for name in _both(_TARGET, text)]
    return names


def in_span(span):
    """Names that are names because they stand in backticks."""
    if re.fullmatch(r"--[a-z][\w-]*", span):
        return [("flag", span)]
    names = in_command(span)
    if _FILE.fullmatch(span) and span.endswith(SUFFIXES):
        names.append(("file", span))
    elif _IDENTIFIER.fullmatch(span) and ("_" in span or "::" in span) and not span.isupper():
        names.append(("identifier", span))
    return names


def flags_of_ours(text):
    """Flags in a comment, unless another tool's command line stands before them."""
    first_tool = _OTHER_TOOLS.search(text)
    return [("flag", name) for name in _FLAG.findall(text[:first_tool.start()] if first_tool else text)]


def in_command(line):
    """("command", (program, subcommand or None, flags)) for each call of a program or script of ours."""
    calls = []
    for program, rest in _COMMAND.findall(re.split(r"\s#", line)[0]):
        words = rest.split()
        own = "seamgate" if program.endswith("seamgate") else program.lstrip("./")
        sub = words[0] if own == "seamgate" and not words[0].startswith("-") else None
        calls.append(("command", (own, sub, tuple(re.findall(r"(?<![\w-])--[a-z][\w-]*", rest)))))
    return calls
