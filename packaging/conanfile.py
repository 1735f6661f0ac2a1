"""A recipe for Conan 2: `conan create packaging`. Untried: Conan is not available where licit is tested."""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd, stdcpp_library
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Licit(ConanFile):
    name = "licit"
    license = "MIT"
    description = "Lawful work stealing: model-checked work-stealing queues and a scheduler"
    topics = ("lock-free", "work-stealing", "scheduler", "coroutines")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}

    def set_version(self):
        header = os.path.join(self.recipe_folder, "..", "deque", "include", "licit", "deque", "version.hpp")
        self.version = re.search(r'header_version = "([0-9.]+)"', load(self, header))[1]

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..")
        for part in ("CMakeLists.txt", "LICENSE", "cmake/*", "deque/*", "scheduler/*"):
            copy(self, part, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for option in ("TESTS", "MODELS", "BENCH", "SHARED"):
            toolchain.cache_variables[f"LICIT_{option}"] = False
        toolchain.cache_variables["BUILD_SHARED_LIBS"] = bool(self.options.shared)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["licit"]
        self.cpp_info.system_libs = ["pthread"]
        if not self.options.shared and stdcpp_library(self):  # for programs in C
            self.cpp_info.system_libs.append(stdcpp_library(self))
        self.cpp_info.set_property("cmake_target_name", "licit::licit")
        self.cpp_info.set_property("pkg_config_name", "licit")
