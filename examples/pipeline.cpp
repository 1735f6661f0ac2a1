// A pipeline of tasks over log files: one reads each file, others parse it in pieces, one adds up what they found.
//
//     pipeline FILE-OR-DIRECTORY... [--workers N] [--metrics]
//
// It prints how many lines are errors, warnings or others, by the first word on each that says so.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <licit/scheduler.hpp>
#include <licit/scheduler/metrics/metrics_text.hpp>

namespace {

namespace fs = std::filesystem;
using licit::join_handle;
using licit::task;

struct tally {
  std::uint64_t lines = 0, errors = 0, warnings = 0;
  tally& operator+=(const tally& o) {
    lines += o.lines;
    errors += o.errors;
    warnings += o.warnings;
    return *this;
  }
};

/// A stage that only computes: a callable is enough.
tally parse(std::string_view piece) {
  tally found;
  while (!piece.empty()) {
    const std::string_view line = piece.substr(0, piece.find('\n'));
    ++found.lines;
    const auto error = std::min(line.find("ERROR"), line.find("error"));
    const auto warning = std::min(line.find("WARN"), line.find("warn"));
    if (error < warning) ++found.errors;
    if (warning < error) ++found.warnings;
    piece.remove_prefix(std::min(piece.size(), line.size() + 1));
  }
  return found;
}

/// Up to the end of the line in which `most` characters are over.
std::string_view first_piece(std::string_view text, std::size_t most) {
  const auto end = text.find('\n', most);
  return text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
}

/// One file: read by this task, parsed by others, whose results it awaits. What cannot be read is an exception, which
/// whoever awaits this task gets.
task<tally> file(fs::path path) {
  constexpr std::size_t piece = std::size_t{1} << 16;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path.string() + ": cannot be read");
  const std::string text{std::istreambuf_iterator<char>(in), {}};

  std::vector<join_handle<tally>> parts;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view next = first_piece(rest, piece);
    parts.push_back(licit::spawn([next] { return parse(next); }));  // `text` lives until they are awaited
    rest.remove_prefix(next.size());
  }
  tally sum;
  for (auto& part : parts) sum += co_await part;
  co_return sum;
}

/// All of them, however many there are: at most so many at once, so that few are in memory.
task<std::pair<tally, int>> files(std::vector<fs::path> paths) {
  constexpr std::size_t at_once = 16;
  tally sum;
  int unreadable = 0;
  std::vector<join_handle<tally>> begun(std::min(at_once, paths.size()));
  for (std::size_t i = 0; i != paths.size() + begun.size(); ++i) {
    join_handle<tally>& place = begun[i % begun.size()];
    try {
      if (place.joinable()) sum += co_await place;
    } catch (const std::runtime_error& e) {
      std::fprintf(stderr, "pipeline: %s\n", e.what());
      ++unreadable;
    }
    if (i < paths.size()) place = licit::spawn(file(paths[i]));
  }
  co_return std::pair(sum, unreadable);
}

struct arguments {
  std::vector<fs::path> paths;
  licit::scheduler_options scheduler{.measure_polls = true};
  bool metrics = false;
};

arguments parse(char** argument) {
  arguments given;
  while (*++argument != nullptr) {
    const std::string_view text = *argument;
    if (text == "--metrics") {
      given.metrics = true;
    } else if (text == "--workers" && argument[1] != nullptr) {
      const std::string_view number = *++argument;
      const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), given.scheduler.workers);
      if (error != std::errc() || end != number.data() + number.size())
        throw std::invalid_argument("--workers: no number: " + std::string(number));
    } else if (fs::is_directory(text)) {
      for (const auto& entry : fs::recursive_directory_iterator(text, fs::directory_options::skip_permission_denied))
        if (entry.is_regular_file()) given.paths.push_back(entry.path());
    } else {
      given.paths.emplace_back(text);
    }
  }
  if (given.paths.empty()) throw std::invalid_argument("which files?");
  return given;
}

}  // namespace

int main(int /*argc*/, char** argv) {
  try {
    const arguments given = parse(argv);
    licit::scheduler all(given.scheduler);
    const auto [sum, unreadable] = all.spawn(files(given.paths)).get();
    const licit::shutdown_report report = all.shutdown(licit::shutdown_kind::drain);
    std::printf("%llu lines, %llu errors, %llu warnings in %zu files, %d unreadable\n",
                static_cast<unsigned long long>(sum.lines), static_cast<unsigned long long>(sum.errors),
                static_cast<unsigned long long>(sum.warnings), given.paths.size(), unreadable);
    std::printf("%llu tasks finished, %llu did not\n", static_cast<unsigned long long>(report.finished),
                static_cast<unsigned long long>(report.cancelled + report.left));
    if (given.metrics) std::fputs(licit::text_table(all.metrics()).c_str(), stdout);
    return unreadable == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pipeline: %s\nusage: pipeline FILE-OR-DIRECTORY... [--workers N] [--metrics]\n",
                 error.what());
    return 2;
  }
}
