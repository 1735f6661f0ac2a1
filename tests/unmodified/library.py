#!/usr/bin/env python3
"""What functions of libraries do with shared memory: library.cpp, once for a byte that a function accesses, and one that it does not.

usage: library.py PROGRAM...

The byte may be the first or the last that the function accesses: a race. The next one is none. Exit status 1 if the check says
something else, or if a function of library.cpp has no entry here.
"""
import pathlib
import re
import subprocess
import sys

# Functions, by the last byte that they access: its index in what is shared. Without an entry: the fifth byte.
CHARACTER = 4  # of a wide text
LAST = {
    "memccpy": 2, "memccpy_to": 2, "memcmp": 3, "memcmp_equal": 3, "memchr": 1, "rawmemchr": 2, "strlen": 3, "strnlen": 1,
    "strcmp": 2, "strcmp_equal": 3, "strncmp": 1, "strcasecmp": 3, "strncasecmp": 1, "strcoll": 3, "strxfrm": 3, "strchr": 1,
    "strchrnul": 3, "strrchr": 3, "index": 1, "rindex": 3, "strstr": 3, "strcasestr": 3, "strspn": 3, "strcspn": 3,
    "strpbrk": 3, "strcpy": 3, "strcpy_to": 0, "strncpy": 3, "stpcpy": 3, "strcat": 3, "strcat_to": 1, "strcat_after": 3,
    "strncat": 1, "strdup": 3, "strndup": 1, "strtok_r": 7, "strsep": 7, "wcslen": 4 * CHARACTER - 1,
    "wcscmp": 3 * CHARACTER - 1, "wcscpy": 4 * CHARACTER - 1, "wmemcpy_to": 2 * CHARACTER - 1, "wmemmove": 2 * CHARACTER - 1,
    "wmemset": 2 * CHARACTER - 1, "wmemcmp": 2 * CHARACTER - 1, "wmemchr": 2 * CHARACTER - 1, "atoi": 2, "strtol": 2,
    "strtol_end": 7, "strtoull": 2, "strtod": 2, "qsort": 11, "bsearch": 3, "puts": 3, "fputs": 3, "printf": 3,
    "printf_precision": 1, "fprintf": 3, "snprintf": 3, "modf": 7, "frexp": 3, "gmtime_r": 55, "gmtime_r_of": 7,
    "gettimeofday": 15, "clock_gettime": 15, "time": 7, "wcsdup": 4 * CHARACTER - 1, "wcsncat": 2 * CHARACTER - 1,
    "wcpcpy": 4 * CHARACTER - 1, "wmempcpy": 2 * CHARACTER - 1, "wcsspn": 4 * CHARACTER - 1, "wcspbrk": 4 * CHARACTER - 1,
    "wcscoll": 4 * CHARACTER - 1, "wcstol": 4 * CHARACTER - 1, "fputws": 4 * CHARACTER - 1, "wcstombs": 4 * CHARACTER - 1,
    "mbstowcs": 3, "mblen": 0, "mbrtowc": 0, "strverscmp": 3, "strerror_r_to": 8, "swab": 3, "swab_to": 3, "fputs_unlocked": 3,
    "asprintf": 3, "asprintf_to": 7, "printf_long": 7, "from_chars": 2, "from_chars_to": 7, "remquo": 3, "lgamma_r": 3,
    "sincos": 15, "timegm": 55, "ctime_r_of": 7, "timespec_get": 15, "nanosleep": 15, "posix_memalign": 7, "sem_getvalue": 3,
    "key_create": 3,
}
# What stands behind is no byte of theirs, or is written too.
WITHOUT_NEXT = {"strcat_after", "gmtime_r", "gmtime_r_of", "gettimeofday", "clock_gettime", "time", "modf", "strtok_r", "strsep", "strtol_end",
                "asprintf_to", "printf_long", "from_chars_to", "sincos", "timegm", "ctime_r_of", "timespec_get", "nanosleep",
                "posix_memalign", "key_create"}
FIFTH = 4
# Of the C++ library's own code, which is compiled into the program: some byte of the object.
OBJECTS = {"string_append": 8, "string_assign": 8, "string_compare": 8, "string_copy": 8, "string_find": 8}
# Of what is in libstdc++.so: a word of a container that the function reads or writes there.
OBJECTS |= {"set_insert": 24, "set_erase": 24, "set_next": 24, "set_next_above": 8, "set_last": 32, "list_push": 8, "list_pop": 0,
            "list_reverse": 0, "list_splice": 8, "hash": 4, "pool": 8}

# What is refused, and how.
REFUSED = {"strtok": "calls strtok", "sscanf": "calls (__isoc99_|__isoc23_)?sscanf", "gmtime": "calls gmtime", "setenv": "calls setenv",
           "tfind": "calls tfind", "printf_numbered": "prints numbered arguments", "setvbuf": "gives a stream a buffer by setvbuf"}
REFUSED |= {name: "calls " + name for name in ("stat", "access", "waitpid", "_Fork", "sigsuspend", "pause", "mprotect", "sbrk", "wprintf",
                                               "regcomp", "fnmatch", "getopt", "makecontext", "errx", "dlopen",
                                               "pthread_exit", "fork", "signal", "mmap", "pthread_spin_lock", "pthread_spin_init",
                                               "thrd_create", "mtx_lock", "cnd_signal", "uname", "sched_getcpu", "tsearch")}
REFUSED |= {"fopen": "calls fopen(64)?", "robust": "uses a mutex that is robust", "of_processes": "uses a mutex that is robust, of a "
            "priority protocol, or shared by processes", "read_by_processes": "uses a lock of readers and writers that is shared",
            "system_call": "makes system call 39"}


def first_line(program, *arguments):
    done = subprocess.run([program.absolute(), *arguments], capture_output=True, text=True, check=False, timeout=100)
    return (done.stdout or done.stderr).split("\n", 1)[0]


def differences(program, function):
    if function in REFUSED:
        said = first_line(program, function, "0")
        if not re.match(f"not supported: thread [01] {REFUSED[function]}", said):
            yield f"{program.name} {function}: {said}"
        return
    if function in OBJECTS:
        bytes_touched = {OBJECTS[function]: True}
    else:
        last = LAST.get(function, FIFTH)
        bytes_touched = {0: True, last: True}
        if function not in WITHOUT_NEXT:
            bytes_touched[last + 1] = False
    for index, races in bytes_touched.items():
        said = first_line(program, function, str(index))
        if not said.startswith("data race: " if races else "ok: "):
            yield f"{program.name} {function} {index}: {said}"


def main():
    source = (pathlib.Path(__file__).parent / "library.cpp").read_text()
    functions = re.findall(r'^    \{"(\w+)", does::', source, re.MULTILINE)
    wrong = [f"library.cpp has no {name}" for name in {**LAST, **OBJECTS, **REFUSED} if name not in functions]
    for program in map(pathlib.Path, sys.argv[1:]):
        for function in functions:
            wrong += differences(program, function)
        print(f"{program.name}: {len(functions)} functions")
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong or not functions or len(sys.argv) < 2 else 0


if __name__ == "__main__":
    sys.exit(main())
