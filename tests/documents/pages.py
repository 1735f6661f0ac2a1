#!/usr/bin/env python3
"""Checks what the pages (*.md) show: the code compiles and runs, commands and links exist, quotations are up to date.

usage: pages.py ROOT quotations|links|commands|programs [options] [PAGE...]

Convention for pages:
- A block ```cpp or ```c is a whole program, with `main`. It is compiled without warnings, linked with licit, and run; it
  must exit with status 0.
- A block that cannot stand alone has, on the line before it, `<!-- fragment of FILE -->`. FILE has a line `// fragment`,
  in whose place the block is put; the whole is compiled.
- A block that shows a file has, on the line before it, `<!-- FILE -->`. It must be that file, line by line, and is not
  compiled here.
- Blocks that are indented, or that name no language, `sh` or `console`, may have commands: `make ...`, `licit ...`, `cmake
  --preset ...`, and programs of the repository. So may `code` in a sentence. Their targets, subcommands, options, presets
  and files must exist.

Without PAGE, every page of the repository is checked. Paths are relative to ROOT. Exit status 1 if something is wrong.
"""
import argparse
import concurrent.futures
import functools
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from sizes import committed

BLOCK = re.compile(r"^(?:<!-- (?P<fragment>fragment of )?(?P<file>\S+) -->\n)?^```(?P<language>\w*)[^\n]*\n"
                   r"(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LANGUAGES = {"", "c", "cpp", "cmake", "console", "json", "sh", "text"}
COMPILED = {"c": ".c", "cpp": ".cpp"}
GENERATED = ("models/machine/codegen/expected.md",)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def every_page(root):
    return [name for name in committed(root)
            if name.endswith(".md") and not name.startswith(("tests/documents/seeded.md",) + GENERATED)]


# --- quotations


def quotation_complaints(root, page, text):
    for block in BLOCK.finditer(text):
        start = line_of(text, block.start())
        if not block["file"]:
            continue
        file = root / block["file"]
        if not file.is_file():
            yield f"{page}:{start}: there is no {block['file']}"
        elif not block["fragment"]:
            lines = itertools.zip_longest(block["text"].splitlines(), file.read_text().splitlines())
            wrong = ((number, real) for number, (quoted, real) in enumerate(lines, 1) if quoted != real)
            for number, real in itertools.islice(wrong, 1):
                yield f"{page}:{start + 1 + number}: not as {block['file']}:{number} has it: {real!r}"


def update(root, page, text):
    """Each block that shows a file, around what the file has now."""
    def whole(block):
        if not block["file"] or block["fragment"]:
            return block[0]
        marker, fence, _ = block[0].split("\n", 2)
        return f"{marker}\n{fence}\n{(root / block['file']).read_text()}```"
    (root / page).write_text(BLOCK.sub(whole, text))


# --- links


def without_code(text):
    """The same lines, with blanks where code is."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])
    text = re.sub(r"^```.*?^```$", blank, text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", blank, text)


@functools.cache
def anchors(path):
    """What GitHub makes of a page's headings."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    found = set()
    for heading in re.findall(r"^#+ +(.*?) *#*$", text, flags=re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        if slug in found:  # of the same heading again
            slug = next(other for other in (f"{slug}-{n}" for n in itertools.count(1)) if other not in found)
        found.add(slug)
    return found


def link_complaints(root, page, text):
    for link in re.finditer(r"\]\(([^)\s]+)\)", without_code(text)):
        target, _, anchor = link[1].partition("#")
        where = f"{page}:{line_of(text, link.start())}"
        if re.match(r"[a-z]+:", target):
            continue
        file = (root / page).parent / target if target else root / page
        if not file.exists():
            yield f"{where}: there is no {link[1]}"
        elif anchor and anchor not in anchors(file):
            yield f"{where}: {target or page} has no heading #{anchor}"


# --- commands


def commands_of(text):
    """(line, command): lines of blocks, and code in sentences."""
    spans = re.sub(r"^```.*?^```$", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.MULTILINE | re.DOTALL)
    for span in re.finditer(r"`([^`\n]+)`", spans):
        yield line_of(text, span.start()), span[1]
    for line in re.finditer(r"^ {4,}(\S.*)$", spans, flags=re.MULTILINE):
        yield line_of(text, line.start()), line[1]
    for block in BLOCK.finditer(text):
        if block["language"] in ("", "sh", "console"):
            first = line_of(text, block.start("text"))
            for number, line in enumerate(block["text"].splitlines()):
                yield first + number, line


class Commands:
    """What a command may name."""

    def __init__(self, root, tool):
        self.root, self.tool = root, tool
        makefile = (root / "Makefile").read_text()
        presets = json.loads((root / "CMakePresets.json").read_text())
        self.presets = {preset["name"] for preset in presets["configurePresets"] + presets["testPresets"]
                        if not preset.get("hidden")}
        self.targets = set(re.findall(r"^([a-z][a-z-]*):", makefile, flags=re.MULTILINE))
        self.targets |= {f"{kind}-{preset}" for kind in ("build", "test") for preset in self.presets}
        self.variables = set(re.findall(r"\$\((\w+)[:)]", makefile)) | {"PREFIX", "JOBS"}
        self.files = set(committed(root))

    @functools.cache
    def help_of(self, words):
        found = subprocess.run([self.tool, *words, "--help"], capture_output=True, text=True, check=False)
        return found.stdout if found.returncode == 0 else None

    def complaint(self, command):
        """What is wrong with it, or None; None too for what is no command that is known."""
        command = re.sub(r"\s#\s.*", "", re.sub(r"^\$ ", "", command.strip()))
        command = re.sub(r"^(\w+=\S+ )+", "", re.split(r" \| (?!steal|push|pop)|&&|;", command)[0])
        try:
            words = shlex.split(command)
        except ValueError:
            return None
        if len(words) < 1:
            return None
        name = words[0]
        if name == "make" and len(words) > 1:
            return self.of_make(words[1:])
        if (name == "licit" or name.endswith("/licit")) and len(words) > 1 and self.tool:
            return self.of_licit(words[1:])
        if name in ("cmake", "ctest") and "--preset" in words[:-1]:
            preset = words[words.index("--preset") + 1]
            return None if preset in self.presets else f"there is no preset {preset}"
        if re.fullmatch(r"[\w.-]+(/[\w.-]+)+\.(sh|py)", name) and name.split("/")[0] not in ("build", "usr"):
            return None if name in self.files else f"there is no {name}"
        return None

    def of_make(self, words):
        for word in words:
            variable, is_set, _ = word.partition("=")
            if is_set and variable not in self.variables:
                return f"make has no variable {variable}"
            if not is_set and re.fullmatch(r"[a-z][a-z0-9-]*", word) and word not in self.targets:
                return f"make has no target {word}"
        return None

    def of_licit(self, words):
        if not re.fullmatch(r"[a-z]+", words[0]):
            return None
        text = self.help_of((words[0],))
        if text is None:
            return f"licit has no command {words[0]}"
        for word in words[1:]:
            option = word.split("=")[0]
            if re.fullmatch(r"--[a-z][a-z-]*", option) and not re.search(rf"{option}(?![a-z-])", text):
                return f"licit {words[0]} has no option {option}"
        return None


def command_complaints(root, pages, tool):
    known = Commands(root, tool)
    found = 0
    for page, text in pages:
        if page == "CHANGELOG.md":  # it names what there was
            continue
        for line, command in commands_of(text):
            found += 1
            if wrong := known.complaint(command):
                yield f"{page}:{line}: {wrong}: {command}"
    if not found:
        yield "no commands were found"


# --- programs


def program_of(root, page, text, block):
    """The source of a block, or a complaint."""
    where = f"{page}:{line_of(text, block.start())}"
    if block["fragment"]:
        frame = (root / block["file"]).read_text()
        if "// fragment\n" not in frame:
            return None, f"{where}: {block['file']} has no line `// fragment`"
        return frame.replace("// fragment\n", block["text"], 1), None
    if not re.search(r"\bmain\s*\(", block["text"]):
        return None, f"{where}: no program, and the line before it names no file that it is a fragment of"
    return block["text"], None


def build_and_run(where, source, language, options):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / f"page{COMPILED[language]}"
        file.write_text(source)
        program = file.with_suffix("")
        compiler, standard = (options.cxx, "c++20") if language == "cpp" else (options.cc, "c11")
        objects = file.with_suffix(".o")
        steps = [([compiler, f"-std={standard}", "-Wall", "-Wextra", "-Werror", *(f"-I{i}" for i in options.include),
                   "-c", str(file), "-o", str(objects)], "does not compile"),
                 ([options.cxx, str(objects), *options.link, "-pthread", "-o", str(program)], "does not link"),
                 ([str(program)], "fails")]
        for command, wrong in steps if re.search(r"\bmain\s*\(", source) else steps[:1]:
            try:
                done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, cwd=folder)
            except subprocess.TimeoutExpired:
                return f"{where}: {wrong}: not done after 120 s"
            if done.returncode != 0:
                return f"{where}: {wrong} (status {done.returncode}):\n{done.stdout}{done.stderr}".replace(str(file), where)
    return None


def program_complaints(root, pages, options):
    tasks = []
    for page, text in pages:
        for block in BLOCK.finditer(text):
            where = f"{page}:{line_of(text, block.start('text')) - 1}"
            if block["language"] not in LANGUAGES:
                yield f"{where}: nothing here knows the language {block['language']}"
            if block["language"] not in COMPILED or (block["file"] and not block["fragment"]):
                continue
            source, wrong = program_of(root, page, text, block)
            if wrong:
                yield wrong
            else:
                tasks.append((where, source, block["language"]))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        yield from filter(None, pool.map(lambda task: build_and_run(*task, options), tasks))
    print(f"{len(tasks)} programs")
    if not tasks:
        yield "no programs were found"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("check", choices=["quotations", "links", "commands", "programs"])
    parser.add_argument("pages", nargs="*")
    parser.add_argument("--update", action="store_true", help="quotations: change the pages")
    parser.add_argument("--tool", help="commands: the licit command; without it, its options are not checked")
    parser.add_argument("--cxx", default="c++", help="programs: the C++ compiler")
    parser.add_argument("--cc", default="cc", help="programs: the C compiler")
    parser.add_argument("--include", default=[], type=lambda text: text.split(":"), help="programs: folders, with colons")
    parser.add_argument("--link", default=[], type=lambda text: text.split(":"), help="programs: archives, with colons")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs: how many at a time")
    options = parser.parse_intermixed_args()
    root = options.root
    pages = [(page, (root / page).read_text()) for page in options.pages or every_page(root)]
    if options.update:
        for page, text in pages:
            update(root, page, text)
        return 0
    if options.check == "programs":
        wrong = list(program_complaints(root, pages, options))
    elif options.check == "commands":
        wrong = list(command_complaints(root, pages, options.tool))
    else:
        complaints = {"quotations": quotation_complaints, "links": link_complaints}[options.check]
        wrong = [complaint for page, text in pages for complaint in complaints(root, page, text)]
    for complaint in wrong:
        print(complaint, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
