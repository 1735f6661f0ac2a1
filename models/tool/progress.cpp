#include "progress.hpp"

#include <array>
#include <fmt/format.h>
#include <unistd.h>

namespace licit::tool {

namespace {

void put(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;  // a progress line that cannot be shown is no error
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

progress::progress(std::size_t rows, bool wanted) : rows_{rows}, wanted_{wanted && ::isatty(STDERR_FILENO) == 1} {}

progress::~progress() { clear(); }

void progress::begin(std::string_view what) {
  what_ = what;
  ++row_;
  draw({});
}

void progress::at(std::uint64_t executions) {
  std::array<char, 32> text{};
  draw({text.data(), fmt::format_to_n(text.data(), text.size(), "{}", executions).out});
}

void progress::at(std::uint64_t done, std::uint64_t pieces) {
  std::array<char, 64> text{};
  draw({text.data(), fmt::format_to_n(text.data(), text.size(), "{} of {} pieces", done, pieces).out});
}

void progress::clear() const {
  if (wanted_) put("\r\x1b[K");
}

void progress::draw(std::string_view how_far) {
  if (!wanted_) return;
  constexpr std::size_t width = 24;
  std::array<char, width + 1> bar{};
  const std::size_t done = rows_ == 0 ? width : (row_ - 1) * width / rows_;
  for (std::size_t i = 0; i != width; ++i) bar[i] = i < done ? '#' : '.';
  std::array<char, 160> line{};
  const auto end =
      fmt::format_to_n(line.data(), line.size(), "\r\x1b[K[{}] {}/{} {} {}", bar.data(), row_, rows_, what_, how_far);
  put({line.data(), std::min(end.size, line.size())});
}

}  // namespace licit::tool
