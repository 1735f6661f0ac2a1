"""Compiles programs that are checked as they are, as models/unmodified/README.md says."""
import pathlib
import subprocess

LEVELS = ["-O0", "-O1", "-O2"]
WEAK = "clang++ hands a weak compare-exchange over as a strong one"
# g++ would expand some calls to code that no one sees. Of clang++: without g++'s macro licit/deque/native.hpp writes full
# fences in assembly, which are refused.
CALLS = ("memcpy memmove memset memcmp mempcpy strcpy stpcpy strncpy strcat strncat strcmp strncmp bcopy bzero bcmp sprintf "
         "snprintf").split()
# It lists where inline assembly is.
ASSEMBLER = f"-B{pathlib.Path(__file__).resolve().parents[2] / 'models/unmodified/assembler'}"
OWN = {"g++": [ASSEMBLER, "-Wno-tsan", "-include", "string.h", *(f"-fno-builtin-{f}" for f in CALLS),
               *(f"-D__builtin_{f}={f}" for f in CALLS[:4])],
       "clang++": [ASSEMBLER, "-fno-integrated-as", "-fno-inline", "-gdwarf-4", "-D__SANITIZE_THREAD__"]}


def family(compiler):
    return "clang++" if "clang" in compiler else "g++"


def add_arguments(parser):
    parser.add_argument("--cxx", action="append", required=True, help="a compiler; more than once: each of them")
    parser.add_argument("--runtime", required=True, type=pathlib.Path, help="liblicit_unmodified.so")
    parser.add_argument("--library", type=pathlib.Path, help="liblicit.a")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("folder", type=pathlib.Path, help="where what is made is kept")


def build(options, compiler, level, source, name, defines=(), more=()):
    """The program: of this source and, if there are, more."""
    options.folder.mkdir(parents=True, exist_ok=True)
    program = options.folder.absolute() / f"{name}.{pathlib.Path(compiler).name}{level}"
    objects = []
    for number, one in enumerate([source, *more]):
        objects.append(f"{program}.{number}.o")
        subprocess.run([compiler, "-std=c++20", level, "-g", "-UNDEBUG", "-w", "-fsanitize=thread", *OWN[family(compiler)],
                        *(f"-I{folder}" for folder in options.include), *(f"-D{d}" for d in defines), "-c", one, "-o", objects[-1]],
                       check=True)
    libraries = [options.library] if options.library else []
    subprocess.run([compiler, *objects, *libraries, options.runtime, "-Wl,-z,now",
                    f"-Wl,-rpath,{options.runtime.absolute().parent}", "-o", program], check=True)
    return program
