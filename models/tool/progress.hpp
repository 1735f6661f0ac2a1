/// What is being checked and how far it has come: one line on a terminal, nothing in a pipe.
#ifndef LICIT_MODELS_TOOL_PROGRESS_HPP
#define LICIT_MODELS_TOOL_PROGRESS_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace licit::tool {

/// Writes to standard error by write(2) from a fixed buffer: a checker may be counting allocations meanwhile.
class progress {
 public:
  progress(std::size_t rows, bool wanted);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// The next row begins.
  void begin(std::string_view what);
  /// The row has come to this many executions.
  void at(std::uint64_t executions);
  /// The row's search has so many of its pieces done.
  void at(std::uint64_t done, std::uint64_t pieces);
  /// Takes the line away, so that a row can be printed.
  void clear() const;

 private:
  void draw(std::string_view how_far);

  std::size_t rows_;
  std::size_t row_ = 0;
  std::string_view what_;
  bool wanted_;
};

}  // namespace licit::tool

#endif
