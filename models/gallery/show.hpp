/// Making a showing of a deque and a client line.
#ifndef LICIT_MODELS_GALLERY_SHOW_HPP
#define LICIT_MODELS_GALLERY_SHOW_HPP

#include <string_view>

#include <licit/checker/run.hpp>

#include "gallery/client.hpp"
#include "gallery/exhibit.hpp"

namespace licit::models::gallery {

/// Explores a line on a deque.
template <class Deque>
checker::explorer on(std::string_view line) {
  using program = suites::line_program<lines_on<Deque>::template client, checker::model>;
  const suites::line parsed = lines_on<Deque>::parse(line);
  return [parsed](const checker::options& o) { return checker::run_program_with<program>(parsed, parsed.threads, o); };
}

template <class Deque>
showing show(std::string_view line, std::string_view size, const expectation& cxx20, const expectation& cxx11) {
  return {line, size, cxx20, cxx11, on<Deque>(line)};
}

template <class Deque>
showing show(std::string_view line, std::string_view size, const expectation& both) {
  return show<Deque>(line, size, both, both);
}

}  // namespace licit::models::gallery

#endif
