/// A client program with a row compiled in, as something to run.
#ifndef LICIT_MODELS_STRESS_SUBJECT_HPP
#define LICIT_MODELS_STRESS_SUBJECT_HPP

#include <cstddef>
#include <string_view>
#include <vector>

#include "suites/line.hpp"

namespace licit::stress {

struct subject {
  std::string_view structure;
  std::string_view row;
  std::string_view program;
  unsigned threads = 0;
  std::size_t size = 0;
  suites::line client = {};  ///< what a program that is a line performs
  void (*construct)(void* place, const suites::line& client) = nullptr;
  void (*thread)(void* object, unsigned i) = nullptr;
  void (*finish)(void* object) = nullptr;
  void (*destroy)(void* object) = nullptr;
};

/// Every subject of this executable, in the order of the structure's rows. Each translation unit of rows adds its own
/// before main.
std::vector<subject>& subjects();

}  // namespace licit::stress

#endif
