#!/usr/bin/env python3
"""Whether each test that expects a text has one expression for it.

usage: expressions.py BUILD

PASS_REGULAR_EXPRESSION is a list: a semicolon parts an expression into two, of which one is enough.
Prints the tests in the folder BUILD of which that is so; exit status 1 if there are any.
"""
import json
import subprocess
import sys


def main(build):
    shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=True)
    parted = [f"{test['name']}: {each['value']}" for test in json.loads(shown.stdout)["tests"]
              for each in test.get("properties", ())
              if each["name"] == "PASS_REGULAR_EXPRESSION" and len(each["value"]) > 1]
    print("".join(line + "\n" for line in parted), end="")
    return 1 if parted else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
