// A pipeline over channels: some tasks read files, others compute checksums, and one prints them in the files' order.
//
//     pipeline FILE-OR-DIRECTORY... [--workers N] [--metrics]
//
// It prints what `cksum` prints. Reading blocks, so separate threads do it; the workers compute the checksums. Channels
// bound how many files are in memory: a stage that is ahead of the next one waits for it.
#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <licit/scheduler.hpp>
#include <licit/scheduler/metrics/metrics_text.hpp>
#include <licit/sync.hpp>

namespace {

namespace fs = std::filesystem;
using licit::channel_receiver;
using licit::channel_sender;
using licit::task;

/// A file on its way.
struct item {
  std::size_t number = 0;  ///< its place in the output
  std::string text;        ///< its contents; then the line to print
  bool failed = false;
};

// --- checksums, as POSIX defines those of `cksum`

constexpr std::array<std::uint32_t, 256> table = [] {
  std::array<std::uint32_t, 256> all{};
  for (std::uint32_t i = 0; i != all.size(); ++i) {
    std::uint32_t sum = i << 24U;
    for (int bit = 0; bit != 8; ++bit) sum = (sum << 1U) ^ ((sum >> 31U) != 0 ? 0x04C11DB7U : 0);
    all[i] = sum;
  }
  return all;
}();

std::uint32_t checksum(std::string_view text) {
  std::uint32_t sum = 0;
  const auto add = [&sum](std::uint8_t byte) { sum = (sum << 8U) ^ table[(sum >> 24U) ^ byte]; };
  for (const char c : text) add(static_cast<std::uint8_t>(c));
  for (std::size_t size = text.size(); size != 0; size >>= 8U) add(static_cast<std::uint8_t>(size));
  return ~sum;
}

// --- stages

item read(const fs::path& path, std::size_t number) {
  std::ifstream in(path, std::ios::binary);
  item one{number, {std::istreambuf_iterator<char>(in), {}}};
  one.failed = !in.is_open() || in.bad();
  return one;
}

task<> read_all(const std::vector<fs::path>& paths, std::atomic<std::size_t>& next, channel_sender<item> to) {
  for (std::size_t i = 0; (i = next++) < paths.size();) {
    auto call = [&paths, i] { return read(paths[i], i); };
    if (!co_await to.send(co_await licit::run_blocking(call))) break;
  }
}

task<> sum_all(const std::vector<fs::path>& paths, channel_receiver<item> from, channel_sender<item> to) {
  while (std::optional<item> one = co_await from.receive()) {
    if (!one->failed) {
      one->text = std::to_string(checksum(one->text)) + ' ' + std::to_string(one->text.size()) + ' ' +
                  paths[one->number].string() + '\n';
    }
    if (!co_await to.send(std::move(*one))) break;
  }
}

/// Returns how many files could not be read. A line that arrives before its turn waits here.
task<std::size_t> write_all(const std::vector<fs::path>& paths, channel_receiver<item> from) {
  std::map<std::size_t, item> early;
  std::size_t next = 0;
  std::size_t unreadable = 0;
  while (std::optional<item> one = co_await from.receive()) {
    early.emplace(one->number, std::move(*one));
    for (auto first = early.begin(); first != early.end() && first->first == next; first = early.erase(first), ++next) {
      if (first->second.failed) {
        std::fprintf(stderr, "pipeline: %s: cannot be read\n", paths[next].c_str());
        ++unreadable;
      } else {
        std::fputs(first->second.text.c_str(), stdout);
      }
    }
  }
  co_return unreadable;
}

task<std::size_t> run(const std::vector<fs::path>& paths, std::size_t workers) {
  constexpr std::size_t readers = 4;
  constexpr std::size_t ahead = 8;
  std::atomic<std::size_t> next = 0;
  auto [read_to, sum_from] = licit::make_channel<item>(ahead);
  auto [sum_to, write_from] = licit::make_channel<item>(ahead);
  auto writes = licit::spawn(write_all(paths, std::move(write_from)));
  std::vector<licit::join_handle<>> stages;
  for (std::size_t i = 0; i != readers; ++i) stages.push_back(licit::spawn(read_all(paths, next, read_to)));
  for (std::size_t i = 0; i != workers; ++i) stages.push_back(licit::spawn(sum_all(paths, sum_from, sum_to)));
  // A channel ends when its last sender is gone, so the handles here have to go.
  {
    const auto gone = std::pair(std::move(read_to), std::move(sum_to));
  }
  for (auto& each : stages) co_await each;
  co_return co_await writes;
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
      std::vector<fs::path> found;
      for (const auto& entry : fs::recursive_directory_iterator(text, fs::directory_options::skip_permission_denied))
        if (entry.is_regular_file()) found.push_back(entry.path());
      std::ranges::sort(found);
      given.paths.insert(given.paths.end(), found.begin(), found.end());
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
    const std::size_t unreadable = all.spawn(run(given.paths, all.workers())).get();
    const licit::shutdown_report report = all.shutdown(licit::shutdown_kind::drain);
    std::fprintf(stderr, "%zu files, %zu unreadable; %llu tasks finished, %llu did not\n", given.paths.size(),
                 unreadable, static_cast<unsigned long long>(report.finished),
                 static_cast<unsigned long long>(report.cancelled + report.left));
    if (given.metrics) std::fputs(licit::text_table(all.metrics()).c_str(), stderr);
    return unreadable == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pipeline: %s\nusage: pipeline FILE-OR-DIRECTORY... [--workers N] [--metrics]\n",
                 error.what());
    return 2;
  }
}
