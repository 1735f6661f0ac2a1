#!/usr/bin/env python3
"""The blocks of Markdown files that quote a file: they must be that file, line by line.

usage: quoted.py ROOT [--update] DOCUMENT...

A block quotes if the line before it is `<!-- path -->`, the path and the documents being relative to ROOT. With --update
the documents are changed instead. Exit status 1 if a quotation is wrong, 2 if a document quotes nothing.
"""
import itertools
import pathlib
import re
import sys

QUOTATION = re.compile(r"<!-- (\S+) -->\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def quotation(old, content):
    """The same block around what the file has now."""
    marker, fence, _ = old.split("\n", 2)
    return f"{marker}\n{fence}\n{content}```"


def complaint(root, document, text, match):
    """What is wrong with a quotation, or None."""
    start = text.count("\n", 0, match.start()) + 1
    file = root / match[1]
    if not file.is_file():
        return f"{document}:{start}: there is no {match[1]}"
    lines = itertools.zip_longest(match[2].splitlines(), file.read_text().splitlines())
    for number, (quoted, real) in enumerate(lines, 1):
        if quoted != real:
            return f"{document}:{start + 1 + number}: not as {match[1]}:{number} has it: {real!r}"
    return None


def main():
    root = pathlib.Path(sys.argv[1])
    update = "--update" in sys.argv
    wrong = []
    for document in [a for a in sys.argv[2:] if a != "--update"]:
        path = root / document
        text = path.read_text()
        if update:
            text = QUOTATION.sub(lambda m: quotation(m[0], (root / m[1]).read_text()), text)
            path.write_text(text)
        quotations = list(QUOTATION.finditer(text))
        if not quotations:
            print(f"{document}: quotes no file", file=sys.stderr)
            sys.exit(2)
        wrong += filter(None, (complaint(root, document, text, m) for m in quotations))
        print(f"{document}: {len(quotations)} quotations")
    print(*wrong, sep="\n", file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
