#!/usr/bin/env python3
"""Writes the deques as one header, which needs neither the other headers nor the library.

usage: single_header.py INCLUDE... SOURCE... >licit_deque.hpp

INCLUDE are the folders that hold <licit/...>, the build's among them. SOURCE are files of the library: their text is
compiled where LICIT_IMPLEMENTATION is defined, which a program does in one file if it uses asymmetric fences or futexes.
The names are in an inline namespace of their own, so that such a program may link the library too. A file that includes both this and the library's headers does not compile.
"""
import pathlib
import re
import sys

LINE = re.compile(r'#include ([<"])([^>"]+)[>"]\n?')
GUARD = re.compile(r"#ifndef (LICIT_\w+_HPP)\n#define \1\n(.*)\n#endif\n*\Z", re.DOTALL)


class header:
    def __init__(self, folders):
        self.folders = folders
        self.known = set()
        self.standard = set()

    def find(self, name):
        for folder in self.folders:
            if (folder / name).is_file():
                return folder / name
        sys.exit(f"single_header.py: there is no {name} in {', '.join(map(str, self.folders))}")

    def text_of(self, name):
        """The header, with what it includes of the project before it, unless that was written already."""
        if name in self.known:
            return ""
        self.known.add(name)
        if name == "licit/digest.hpp":  # its symbol is the library's
            return ""
        text = self.find(name).read_text(encoding="utf-8")
        guarded = GUARD.search(text)
        if guarded is None:
            sys.exit(f"single_header.py: {name} has no include guard")
        return self.resolved(text[:guarded.start()] + guarded[2])

    def resolved(self, text):
        """Standard includes are collected: all but those that stand below an #if."""
        out, depth = [], 0
        for line in text.splitlines(keepends=True):
            depth += line.startswith("#if") - line.startswith("#endif")
            included = LINE.match(line)
            if included is None:
                out.append(line)
            elif included[2].startswith("licit/"):
                out.append(self.text_of(included[2]))
            elif depth:
                out.append(line)
            else:
                self.standard.add(included[2])
        return "".join(out)


def main():
    paths = [pathlib.Path(argument) for argument in sys.argv[1:]]
    made = header([path for path in paths if path.is_dir()])
    sources = [path for path in paths if path.is_file()]
    if not made.folders or len(made.folders) + len(sources) != len(paths):
        sys.exit(__doc__)

    digest = re.search(r'header_digest = "(\w+)"', made.find("licit/digest.hpp").read_text(encoding="utf-8"))[1]
    headers = made.text_of("licit/deque.hpp")
    implementation = "".join(made.resolved(path.read_text(encoding="utf-8")) for path in sources)
    includes = "".join(f"#include <{name}>\n" for name in sorted(made.standard))
    body = f"{headers}\n#if defined(LICIT_IMPLEMENTATION)\n\n{implementation}\n#endif\n"
    body = body.replace("licit::inline v0", f"licit::inline v0_{digest[:8]}")
    body = re.sub(r"\n{3,}", "\n\n", body)
    print(f"""// licit's work-stealing deques in one header, generated from sources of digest {digest}.
//
// One file of a program defines LICIT_IMPLEMENTATION before it includes this, if the program uses asymmetric fences.
#ifndef LICIT_DEQUE_HPP
#define LICIT_DEQUE_HPP

#if defined(LICIT_DIGEST_HPP)
#error "licit: licit_deque.hpp and the library's headers are in one file: their names would be ambiguous"
#endif

{includes}
{body}
#endif""")


if __name__ == "__main__":
    main()
