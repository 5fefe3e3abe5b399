"""Every path, target, option, variable, gate, command, flag and preset that documents, comments and gate titles name exists."""

from __future__ import annotations

import re

from . import comments, markdown, names
from .finding import Account, nearest
from .known import Known

FOLDERS_OF_RUNS = ("out", "records")  # what they hold is asked of the code
_PLACE = re.compile(r"[A-Z][A-Z_]*(?![a-z])|<[\w-]+>|\*+")  # NAME, <op>, *: stands for any word


def is_document(file):
    return file in ("README.md", "CHANGELOG.md") or (file.startswith("docs/") and file.endswith(".md")) or file.endswith("/README.md")


class Documents:
    def __init__(self, known: Known):
        self.known, self.tree, self.account = known, known.tree, Account()

    def examine(self):
        for file in self.tree.files:
            language = self.tree.language(file)
            if language == "markdown":
                if is_document(file):
                    self._document(file)
            elif language is not None:
                for line, text in comments.split(self.tree.text(file), language)[0]:
                    self._comment(f"{file}:{line}", file, text)
            elif file.endswith(".yml"):
                for line, text in enumerate(self.tree.text(file).split("\n"), 1):
                    self._resolve_all(f"{file}:{line}", file, names.in_command(text))
        for mutant in self.known.listing["mutants"]:
            self._resolve(f"planted fault {mutant['id']}", "", "gate", mutant["expected_gate"])
        for kind, listed in (("gate", self.known.listing["gates"]), ("row", self.known.rows)):
            for item in listed:
                self._comment(f"title of {kind} {item['id']}", "", item["title"])
                self.account.looked_at["title"] += 1
        return self.account

    def _document(self, file):
        document = markdown.parse(self.tree.text(file))
        self.account.looked_at["document"] += 1
        for first, text in document.paragraphs:
            for line, part in enumerate(markdown.without_links(text).split("\n"), first):
                self._resolve_all(f"{file}:{line}", file, names.in_text(part, self.tree))
        for line, span in document.spans:
            self._resolve_all(f"{file}:{line}", file, names.in_span(span))
        for line, target in document.links:
            if "://" not in target and not target.startswith("#"):
                self._resolve(f"{file}:{line}", file, "link", target.split("#")[0])
        for _, line, text in document.blocks:
            # What a screen shows was printed by a program; what it tells to type must still work.
            self._resolve_all(f"{file}:{line}", file, names.in_command(text) + [
                name for name in names.in_text(text, self.tree) if name[0] in ("path", "variable", "preset")])

    def _comment(self, where, file, text):
        self.account.looked_at["comment"] += 1
        found = names.in_text(text, self.tree) + names.flags_of_ours(text)
        for span in re.findall(r"`([^`]+)`", text):
            found += names.in_span(span)
        self._resolve_all(where, file, found)

    def _resolve_all(self, where, file, found):
        for kind, name in found:
            self._resolve(where, file, kind, name)

    def _resolve(self, where, file, kind, name):
        self.account.looked_at[kind] += 1
        wrong = getattr(self, "_" + kind)(name, file)
        if wrong:
            shown = name if isinstance(name, str) else " ".join(word for word in name[:2] if word)
            self.account.find(where, f"{kind} `{shown}`", wrong, "a name that exists")

    # Each: nothing when the name exists, else what is wrong with it.

    def _path(self, name, file):
        path = name.rstrip("/").removeprefix("./")
        first, _, rest = path.partition("/")
        if first == "build":
            return self._build_path(path)
        if first in FOLDERS_OF_RUNS:
            last = rest.split("/")[-1]
            wrote = last in self.known.written_files | {"records", ""} or _PLACE.search(last)
            return None if wrote else f"no program writes {path}; {nearest(last, self.known.written_files)}"
        folder = file.rpartition("/")[0]
        candidates = [path] + [f"{parent}/{path}" for parent in self._parents(folder)]
        if any(self.tree.has(candidate) or self._matches(candidate) for candidate in candidates):
            return None
        if path in self.known.scripts or rest.rpartition("/")[2] in self.known.written_files:
            return None
        return f"not there; {nearest(path, self.tree.paths)}"

    @staticmethod
    def _parents(folder):
        while folder:
            yield folder
            folder = folder.rpartition("/")[0]

    def _matches(self, path):
        """Whether a pattern, such as kernels/NAME/table.cpp or one with a list in braces, stands for something that is there."""
        if not (_PLACE.search(path) or "{" in path):
            return False
        options = [path]
        while any("{" in option for option in options):
            options = [option.replace(group.group(0), word, 1) for option in options for group in [re.search(r"\{([^{}]*)\}", option)]
                       if group for word in group.group(1).split(",")]
        return bool(options) and all(
            any(re.fullmatch("[^/]*".join(re.escape(part) for part in _PLACE.split(option)), known) for known in self.tree.paths)
            for option in options)

    def _build_path(self, path):
        parts = path.split("/")
        if len(parts) > 1 and parts[1] not in self.known.presets and not _PLACE.fullmatch(parts[1]):
            return f"preset {parts[1]} does not exist; {nearest(parts[1], self.known.presets)}"
        if len(parts) > 3 and parts[2] == "bin" and parts[3] not in self.known.targets:
            return f"target {parts[3]} does not exist; {nearest(parts[3], self.known.targets)}"
        return None

    def _link(self, name, file):
        folder = file.rpartition("/")[0]
        path = f"{folder}/{name}" if folder else name
        while "/../" in f"/{path}":
            path = re.sub(r"(^|/)[^/]+/\.\./", r"\1", path, count=1)
        return None if self.tree.has(path.rstrip("/")) else f"not there; {nearest(path, self.tree.paths)}"

    def _file(self, name, file):
        if name in self.tree.names | self.known.written_files or _PLACE.search(name):
            return None
        return f"no such file; {nearest(name, self.tree.names)}"

    def _variable(self, name, file):
        if name.startswith("DM_"):
            return None if name in self.known.switches else f"no op's switch; {nearest(name, self.known.switches)}"
        words = {word for word in self.known.code if word.startswith(name.split("_")[0] + "_")}
        return None if name in words else f"not in the code; {nearest(name, words)}"

    def _gate(self, name, file):
        return None if name in self.known.gates else f"no such gate; {nearest(name, self.known.gates)}"

    def _preset(self, name, file):
        return None if name in self.known.presets else f"no such preset; {nearest(name, self.known.presets)}"

    def _target(self, name, file):
        return None if name in self.known.targets else f"no such target; {nearest(name, self.known.targets)}"

    def _flag(self, name, file):
        return None if name in self.known.flags else f"no such flag; {nearest(name, self.known.flags)}"

    def _identifier(self, name, file):
        last = name.rstrip("()").split("::")[-1]
        known = self.known.code | self.known.targets | self.known.gates
        return None if last in known else f"not in the code; {nearest(last, {word for word in known if '_' in word or '::' in name})}"

    def _command(self, call, file):
        program, sub, flags = call
        if program == "seamgate":
            if sub is not None and sub not in self.known.commands:
                return f"no such command; {nearest(sub, self.known.commands)}"
            allowed = self.known.commands[sub] if sub else {"--help", "--version"}
        elif program in self.known.scripts:
            allowed = self.known.scripts[program]
        else:
            return f"no such script; {nearest(program, self.known.scripts)}"
        wrong = [flag for flag in flags if flag not in allowed]
        return f"no such flag {wrong[0]}; {nearest(wrong[0], allowed)}" if wrong else None
