# `make verify` and `make test` set up what they need on Debian 12 and do nothing twice; `make help` lists the rest.
PREFIX ?= /usr/local
JOBS ?= $(shell getconf _NPROCESSORS_ONLN)

presets := release debug clang library tsan asan aarch64 aarch64-lse riscv64 ppc64le
sources = find bench deque scheduler examples fuzz models tests -name '*.[ch]pp' -o -name '*.[ch]'

.NOTPARALLEL:
.DEFAULT_GOAL := help
.PHONY: help verify audit matrix hardware test nightly bench codegen format format-check tidy install clean setup build-fuzz
.PHONY: $(presets:%=build-%) $(presets:%=test-%)

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

verify: build-release ## the tool's own check of every claim: models, orderings, mutants
	build/release/licit verify

audit: build-release ## whether every ordering is enough and needed; the record, build/audit.html, the tables in deque/audit.md
	build/release/licit audit --minima --jobs $(JOBS) --record models/audit/record.json --markdown deque/audit.md \
	  --html build/audit.html --json build/audit.json

test: test-release test-tsan test-asan test-aarch64 test-aarch64-lse ## all short tests: release, the sanitizers, aarch64 under QEMU

matrix: build/matrix.json ## the kill matrix in models/README.md and its record, of build/matrix.json: hours, `make nightly` makes it
	build/release/licit matrix --pages --from build/matrix.json --json models/machine/matrix/record.json --markdown models/README.md

build/matrix.json: build-release build-fuzz
	cmake --build build/release --target stress
	build/release/licit matrix --budget nightly --jobs $(JOBS) --json $@ --html build/matrix.html $(if $(wildcard build/matrix.json),--from $@)

# Of the whole build it takes the folder of headers alone, so that a machine needs no more than `make test-library` does.
hardware: build/library/build.ninja ## on an arm64 machine: the kill matrix' column of hardware, to build/release/arm64 (an hour at most)
	@[ "$$(uname -m)" = aarch64 ] || { echo "make hardware: the column is of arm64, and this is $$(uname -m)" >&2; exit 2; }
	cmake -S models/machine/stress/executables -B build/hardware -G Ninja --log-level=WARNING \
	  -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=None -DLICIT_INCLUDE=$(CURDIR)/build/library/include >/dev/null
	cmake --build build/hardware -j $(JOBS)
	models/machine/matrix/hardware.sh build/hardware build/release/arm64

nightly: build-release test-clang test-riscv64 test-ppc64le build/matrix.json ## the long tests, the short ones by clang++ and for more targets, the kill matrix
	ctest --preset nightly -j $(JOBS)

bench: setup ## measures with both compilers, writes bench/results.md and bench/scheduler.md
	WORK=build/bench sh bench/run.sh
	WORK=build/bench sh bench/scheduler.sh

codegen: build-release ## writes the expected tables of instructions, models/machine/codegen/expected
	build/release/licit codegen --write models/machine/codegen/expected

format: setup ## reformats the sources
	$(sources) | xargs clang-format-19 -i

format-check: setup ## fails when `make format` would change something
	$(sources) | xargs clang-format-19 --dry-run -Werror

# Left out: what only another compiler reads, of a source that the tool puts together or for aarch64. libstdc++ 12's
# stable_sort calls what it has deprecated itself; of our own calls the compilers tell.
tidy: build/release/build.ninja ## clang-tidy on deque/, scheduler/ and models/
	find deque scheduler models -name '*.cpp' ! -path 'models/machine/qemu/guests/*' \
	  ! -path models/machine/binary/client_part.cpp ! -path models/machine/codegen/operations.cpp ! -path models/machine/stress/compared.cpp | \
	  xargs -n 1 -P $(JOBS) clang-tidy-19 -p build/release --quiet \
	  --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-deprecated-declarations

install: build-release ## the library and its headers, to PREFIX (default /usr/local)
	cmake --install build/release --prefix $(PREFIX)

clean: ## removes build/
	rm -rf build

setup:
	@cmake/setup.sh

build-fuzz: setup
	cmake --preset fuzz --log-level=WARNING >/dev/null
	cmake --build build/fuzz --target matrix_fuzz

# Configures once; Ninja reconfigures by itself when a CMakeLists.txt changes, not when the presets do.
$(presets:%=build/%/build.ninja): build/%/build.ninja: CMakePresets.json | setup
	cmake --preset $* --log-level=WARNING >/dev/null
	@touch $@

$(presets:%=build-%): build-%: build/%/build.ninja
	cmake --build build/$*

$(presets:%=test-%): test-%: build-%
	ctest --preset $* -j $(JOBS)
