#!/usr/bin/env python3
"""How large files, headers and functions may be, and how many files there may be.

usage: sizes.py ROOT [--files N] [--exceptions FILE] ...

FILE lists what may be larger, with the reason. A line is a pattern of file names, a number, its unit (bytes, lines, or
lines/function), and why. An exception that nothing needs is an error too. Exit status 1 if something is wrong.
"""
import argparse
import fnmatch
import pathlib
import re
import subprocess
import sys

IMAGES = (".png", ".svg", ".jpg")
HEADERS = (".hpp", ".h")
NO_FUNCTION = re.compile(r"(namespace|class|struct|union|enum|if|else|for|while|do|switch|try|catch|return|case|default"
                         r"|concept|requires)\b")


def committed(root):
    """The files of the repository; of an archive of it, all but the builds."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return [name for name in listed.stdout.split("\0") if name and (root / name).is_file()]
    return [str(path.relative_to(root)) for path in sorted(root.rglob("*"))
            if path.is_file() and path.relative_to(root).parts[0] not in ("build", ".git")]


def without_text(code):
    """The same lines; blanks where comments, strings and preprocessor lines are."""
    pattern = (r'R"(\w*)\(.*?\)\1"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\''
               r"|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*")
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", " ", match[0]), code, flags=re.MULTILINE | re.DOTALL)


def functions(code):
    """(line, lines) of each function's body, and of each lambda's."""
    code = without_text(code)
    opened = []
    for brace in re.finditer(r"[{}]", code):
        if brace[0] == "{":
            start = max(code.rfind(mark, 0, brace.start()) for mark in ";{}") + 1
            head = re.sub(r"^(template *<.*>|(public|private|protected):|\[\[[^]]*\]\]) *", "",
                          " ".join(code[start:brace.start()].split()))
            opened.append((brace.start(), ")" in head and not NO_FUNCTION.match(head)))
        elif opened:
            start, is_function = opened.pop()
            if is_function:
                yield code.count("\n", 0, start) + 1, code.count("\n", start, brace.start()) + 1


class Exceptions:
    def __init__(self, file):
        self.file = file
        self.lines = [line.split(maxsplit=3) for line in file.read_text().splitlines() if line and line[0] != "#"]
        self.used = set()

    def limit(self, name, unit, usual, size):
        """The most that a file may have, which is of interest if it has more than usual."""
        for at, (pattern, most, of, _) in enumerate(self.lines):
            if size > usual and of == unit and fnmatch.fnmatch(name, pattern):
                self.used.add(at)
                return int(most)
        return usual

    def unused(self):
        for at, line in enumerate(self.lines):
            if at not in self.used:
                yield f"{self.file.name}: nothing needs the exception {' '.join(line)}"


def complaints(root, options, exceptions):
    files = committed(root)
    print(f"{len(files)} files")
    if options.files and len(files) > options.files:
        yield f"{len(files)} files, and may be {options.files}"
    for name in files:
        size = (root / name).stat().st_size
        most = exceptions.limit(name, "bytes", options.image if name.endswith(IMAGES) else options.bytes, size)
        if size > most:
            yield f"{name}: {size} bytes, and may be {most}"
        if not name.endswith(HEADERS + (".cpp", ".c")):
            continue
        code = (root / name).read_text()
        lines = len(code.splitlines())
        if name.endswith(HEADERS) and lines > (most := exceptions.limit(name, "lines", options.header, lines)):
            yield f"{name}: {lines} lines, and may have {most}"
        for line, lines in functions(code):
            if lines > (most := exceptions.limit(name, "lines/function", options.function, lines)):
                yield f"{name}:{line}: a function of {lines} lines, and may have {most}"
    yield from exceptions.unused()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--files", type=int, help="how many files there may be (default: any number)")
    parser.add_argument("--bytes", type=int, default=100_000, help="of a file (default: 100000)")
    parser.add_argument("--image", type=int, default=200_000, help="bytes of an image (default: 200000)")
    parser.add_argument("--header", type=int, default=300, help="lines of a header (default: 300)")
    parser.add_argument("--function", type=int, default=50, help="lines of a function (default: 50)")
    parser.add_argument("--exceptions", type=pathlib.Path, default=pathlib.Path(__file__).parent / "exceptions.txt",
                        help="what may be larger")
    options = parser.parse_args()
    wrong = list(complaints(options.root, options, Exceptions(options.exceptions)))
    for complaint in wrong:
        print(complaint, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
