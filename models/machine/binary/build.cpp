#include "machine/binary/build.hpp"

#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <licit/deque/version.hpp>

#include "machine/codegen/process.hpp"
#include "machine/codegen/source.hpp"

namespace licit::binary {

executable build(const codegen::structure& s, const codegen::compiler& by, const std::filesystem::path& headers,
                 const std::optional<std::vector<codegen::change>>& changes) {
  const codegen::scratch place;
  const std::string source = (place / "client.cpp").string();
  const std::string made = (place / "client").string();
  if (!(std::ofstream(source) << codegen::operations_source << client_source).flush()) {
    throw std::runtime_error("cannot write " + source);
  }
  std::vector<std::string> compile = by.command;
  std::ranges::copy(std::vector<std::string>{"-std=c++20", "-O2", "-static", "-no-pie", "-I" + headers.string(), source,
                                             "-o", made, fmt::format("-DLICIT_VERSION=\"{}\"", header_version)},
                    std::back_inserter(compile));
  std::ranges::copy(s.definitions(), std::back_inserter(compile));
  if (changes) {
    std::string changed = "-DLICIT_CHANGES=";
    for (const codegen::change& c : *changes) changed += fmt::format("{{{}, change::{}}},", c.row, c.how);
    compile.push_back(changed);
  }
  const codegen::finished compiled = codegen::run(compile);
  if (compiled.status != 0) throw std::runtime_error(codegen::shown(compile) + " failed:\n" + compiled.output);
  return read_executable(made);
}

}  // namespace licit::binary
