# Each command installs the Debian packages that it lacks, and does nothing twice. `make help` lists them all.
PREFIX ?= /usr/local
JOBS ?= $(shell getconf _NPROCESSORS_ONLN)

presets := verify release debug clang library tsan asan fuzz aarch64 aarch64-lse riscv64 ppc64le
sources = find bench deque scheduler examples fuzz models tests -name '*.[ch]pp' -o -name '*.[ch]' -o -name '*.js'

# Sections of packages.txt; what is not named here is built and run with those of the library's tests.
needs := build test asio
needs_verify := build verify
needs_release := build verify test machine browser asio
needs_clang := build verify test machine browser bench asio
needs_debug := $(needs_clang)
needs_riscv64 := build test nightly
needs_ppc64le := build test nightly

.NOTPARALLEL:
.DEFAULT_GOAL := help
.PHONY: help verify audit test nightly matrix hardware bench first-hour codegen single-header format format-check tidy install clean
.PHONY: build-matrix-fuzz nightly-long nightly-tsan nightly-asan $(presets:%=build-%) $(presets:%=test-%)

help: ## prints this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

# The tool of one structure, licit-of-NAME, compiles in a fraction of the time that `licit` takes. So the first verdict is
# there before the other structures are compiled.
first = $(or $(STRUCTURE),run-queue)
verify: build/verify/build.ninja ## model-checks every structure and prints a verdict for each; with STRUCTURE=chase-lev only that one
	cmake --build build/verify --target licit-of-$(first)
	build/verify/licit-of-$(first) verify --symmetric
ifndef STRUCTURE
	@echo; echo "That was the first structure, with a tool of its own. The others are being compiled; then all are checked."
	cmake --build build/verify --target liblicit.a licit_tool
	build/verify/licit verify --symmetric
	@echo
	@if command -v z3 > /dev/null; then build/verify/licit prove; else echo "There is no z3 here: nothing is proved."; fi
endif

audit: build-verify ## checks that every ordering is sufficient and needed, where the record is out of date; writes record and deque/audit.md
	build/verify/licit audit --minima --record models/audit/record.txt --markdown deque/audit.md

test: test-release test-tsan test-asan test-aarch64 ## runs the short tests: natively, under sanitizers, for aarch64 under QEMU

# First what no other command runs: the tests with the label `nightly`, and those with `sanitized` under sanitizers. Then the
# short tests by clang++ and for more targets, and clang-tidy. A step that fails does not stop the others.
nightly: ## runs the long tests, the short ones with clang++ and for more targets, and clang-tidy
	@$(MAKE) --no-print-directory --keep-going nightly-long nightly-tsan nightly-asan \
	  test-clang test-aarch64-lse test-riscv64 test-ppc64le tidy

nightly-long: build-release
	@cmake/setup.sh field proof
	cmake build/release --log-level=WARNING >/dev/null  # finds what was installed
	cmake --build --preset release
	ctest --preset nightly -j $(JOBS)

nightly-tsan nightly-asan: nightly-%: build/%/build.ninja
	cmake --build build/$* --target licit_nightly
	ctest --preset $*-nightly -j $(JOBS)

matrix: build/matrix.json ## finds out which kind of test catches which mutant: runs for hours, then writes the record and the tables
	build/release/licit matrix --pages --from build/matrix.json --record models/machine/matrix/record.txt --markdown models/machine/matrix/matrix.md

build/matrix.json: build-release build-matrix-fuzz
	cmake --build build/release --target stress
	build/release/licit matrix --budget nightly --jobs $(JOBS) --json $@ --html build/matrix.html $(if $(wildcard build/matrix.json),--from $@)

# It takes the folders of headers from the build, so that a machine needs no more than `make test-library` does.
hardware: build/library/build.ninja ## on an arm64 machine: measures the kill matrix's hardware column, to build/release/arm64 (an hour at most)
	@[ "$$(uname -m)" = aarch64 ] || { echo "make hardware: the column is of arm64, and this is $$(uname -m)" >&2; exit 2; }
	cmake -S models/machine/stress/executables -B build/hardware -G Ninja --log-level=WARNING \
	  -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=None -DLICIT_INCLUDE=$(CURDIR)/build/library/include >/dev/null
	cmake --build build/hardware -j $(JOBS)
	models/machine/matrix/hardware.sh build/hardware build/release/arm64

bench: ## measures with both compilers; writes bench/results.md, bench/scheduler.md and bench/fork_join.md
	@cmake/setup.sh build bench peers asio
	WORK=build/bench sh bench/run.sh deques
	WORK=build/bench sh bench/run.sh scheduler
	WORK=build/bench sh bench/run.sh fork_join

first-hour: ## measures the processor time of `make verify` and `make test` in a fresh clone of the last commit
	@cmake/setup.sh $(needs_release)
	bench/first_hour.py

codegen: build-release ## writes the expected tables of instructions, models/machine/codegen/expected.md
	build/release/licit codegen --write models/machine/codegen

format: ## reformats the sources
	@cmake/setup.sh style
	$(sources) | xargs clang-format-19 -i

format-check: ## fails when `make format` would change something
	@cmake/setup.sh style
	$(sources) | xargs clang-format-19 --dry-run -Werror

# The programs and mutants of models/suites are in headers, which only generated sources include: the entries of the
# structures, in the build. Left out: the other generated sources, sources that only another compiler reads, and models/field,
# which needs others' packages. Without the tests and the shared library each source has one command; a second one would be a
# second run. Out of the commands go options that only g++ knows, and the runtime's -fno-threadsafe-statics: with it clang-tidy
# warns of every static variable in a header.
# libstdc++ 12's stable_sort calls a function that it deprecates; the compilers report our own calls of such.
tidy: build/release/build.ninja ## runs clang-tidy on deque/, scheduler/ and models/; fails on a finding
	@cmake/setup.sh style
	cmake --preset release -B build/tidy -DCMAKE_UNITY_BUILD=OFF -DLICIT_TESTS=OFF -DLICIT_SHARED=OFF --log-level=WARNING >/dev/null
	sed -i 's/-mstringop-strategy=[a-z_]*//; s/-fno-tree-loop-distribute-patterns//; s/-fno-threadsafe-statics//' build/tidy/compile_commands.json
	find deque scheduler models build/tidy/models/suites -name '*.cpp' ! -path 'models/machine/qemu/guests/*' \
	  ! -path 'build/tidy/models/suites/relacy_*' ! -path 'build/tidy/models/suites/licit_*' \
	  ! -path models/machine/binary/client_part.cpp ! -path models/machine/codegen/operations.cpp \
	  ! -path models/machine/stress/compared.cpp ! -path 'models/field/*' | \
	  xargs -n 1 -P $(JOBS) clang-tidy-19 -p build/tidy --quiet \
	  --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-deprecated-declarations --extra-arg=-Wno-ignored-gch

single-header: build/library/build.ninja ## writes the deques as one header, build/licit_deque.hpp
	cmake build/library --log-level=WARNING >/dev/null
	deque/single_header.py deque/include build/library/include deque/futex.cpp deque/membarrier.cpp >build/licit_deque.hpp

install: build-verify ## installs the library, the checker, the command licit and headers to PREFIX (default /usr/local)
	cmake --build build/verify --target licit_shared licit_unmodified
	cmake --install build/verify --prefix $(PREFIX)

clean: ## removes build/
	rm -rf build

build-matrix-fuzz: build/fuzz/build.ninja
	cmake --build build/fuzz --target matrix_fuzz

# Configures once. Ninja reconfigures when a CMakeLists.txt changes, but not when the presets do.
$(presets:%=build/%/build.ninja): build/%/build.ninja: CMakePresets.json packages.txt
	@cmake/setup.sh $(or $(needs_$*),$(needs))
	cmake --preset $* --log-level=WARNING >/dev/null
	@touch $@

$(presets:%=build-%): build-%: build/%/build.ninja
	cmake --build --preset $*

$(presets:%=test-%): test-%: build-%
	ctest --preset $* -j $(JOBS)
