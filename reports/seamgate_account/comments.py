"""Tells comments from code: comments(text, language) and code(text, language), line by line."""

from __future__ import annotations

import io
import re
import tokenize

# What begins a string or a comment, in the order in which they are tried at one place.
_CPP = re.compile(r'R"(?P<tag>[^()\s\\]{0,16})\((?:.|\n)*?\)(?P=tag)"'
                  r'|"(?:\\.|[^"\\\n])*"'
                  r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'"
                  r"|(?P<comment>//[^\n]*|/\*(?:.|\n)*?\*/)")
_CMAKE = re.compile(r'\[(?P<level>=*)\[(?:.|\n)*?\](?P=level)\]|"(?:\\.|[^"\\])*"|(?P<comment>#[^\n]*)')
# In a shell script `#` begins a comment at the start of a word only; here-documents are left as code.
_SHELL = re.compile(r"'[^']*'" r'|"(?:\\.|[^"\\])*"|\\.|(?<![^\s;(])(?P<comment>#[^\n]*)')
_PATTERNS = {"cpp": _CPP, "cmake": _CMAKE, "shell": _SHELL}


def split(text, language):
    """(comments, code): comments as (line, text), one for each line of each; code with comments blanked."""
    if language == "python":
        return _split_python(text)
    comments, kept, at = [], [], 0
    for match in _PATTERNS[language].finditer(text):
        comment = match.group("comment")
        if comment is None:
            continue
        first = text.count("\n", 0, match.start()) + 1
        comments += [(first + i, line) for i, line in enumerate(comment.split("\n"))]
        kept += [text[at:match.start()], "\n" * comment.count("\n")]
        at = match.end()
    return comments, "".join(kept) + text[at:]


def _split_python(text):
    """Docstrings, which are strings that stand alone, are comments too."""
    comments, code = [], []
    starts_statement = True
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                comments.append((token.start[0], token.string))
            elif token.type == tokenize.STRING and starts_statement:
                comments += [(token.start[0] + i, line) for i, line in enumerate(token.string.split("\n"))]
            else:
                code.append(token.string)
            if token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
                starts_statement = True
            elif token.type not in (tokenize.NL, tokenize.COMMENT, tokenize.ENCODING):
                starts_statement = False
    except (tokenize.TokenError, IndentationError, SyntaxError):
        pass  # the part before it was read; that it does not compile is the linter's finding
    return comments, "\n".join(code)
