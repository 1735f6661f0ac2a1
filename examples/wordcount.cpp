// The words of every file in a directory tree, counted by work stealing: each directory and each file is an item.
#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <licit/deque.hpp>

#include "words.hpp"

namespace {

/// Several threads, each with a deque of its own; a thread whose deque is empty steals.
class crew {
 public:
  struct record {
    std::size_t run = 0;     // items, own and stolen
    std::size_t stolen = 0;  // items taken from another worker
    std::size_t lost = 0;    // steals in which another thread was faster
  };

  explicit crew(std::size_t threads) : mine_(threads), records_(threads), tallies_(threads) {
    for (const auto& owner : mine_) theirs_.push_back(owner.stealer());
  }

  tally count(const std::filesystem::path& root) {
    add(0, std::make_unique<job>(root, true));
    {
      std::vector<std::jthread> threads;
      for (std::size_t me = 0; me < mine_.size(); ++me) threads.emplace_back([this, me] { work(me); });
    }
    tally all;
    for (const tally& part : tallies_) all.merge(part);
    return all;
  }

  [[nodiscard]] const std::vector<record>& records() const { return records_; }

 private:
  using item = std::unique_ptr<job>;

  void add(std::size_t me, item made) {
    ++outstanding_;  // before the push: an item that can be taken is always counted
    mine_[me].push(std::move(made));
  }

  /// Until no item is queued or being run. Empty deques alone would not do: a running item can still add some.
  void work(std::size_t me) {
    tally& into = tallies_[me];
    record& log = records_[me];
    for (int idle = 0; outstanding_ != 0;) {
      const item next = take(me, log);
      if (next == nullptr) {
        rest(idle++);
        continue;
      }
      idle = 0;
      run(*next, into, [this, me](item made) { add(me, std::move(made)); });
      ++log.run;
      --outstanding_;  // after the item's own additions: zero is final
    }
  }

  /// The youngest of its own, else the oldest of the first other worker that has any.
  item take(std::size_t me, record& log) {
    if (auto own = mine_[me].pop()) return std::move(*own);
    for (std::size_t step = 1; step < theirs_.size(); ++step) {
      auto got = theirs_[(me + step) % theirs_.size()].steal();
      if (got) {
        ++log.stolen;
        return *std::move(got);
      }
      if (got.is_lost()) ++log.lost;
    }
    return nullptr;
  }

  static void rest(int idle) {
    if (idle < 64) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }

  std::vector<licit::owner<item>> mine_;
  std::vector<licit::stealer<item>> theirs_;
  std::vector<record> records_;
  std::vector<tally> tallies_;
  std::atomic<std::size_t> outstanding_ = 0;
};

constexpr std::size_t most_threads = 256;

struct options {
  std::filesystem::path root;
  std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, most_threads);
  std::size_t top = 10;
  bool check = false;
};

std::size_t number(std::string_view option, const char* value, std::size_t least, std::size_t most) {
  const std::string_view text = value == nullptr ? "missing" : value;
  std::size_t parsed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error == std::errc() && end == text.data() + text.size() && parsed >= least && parsed <= most) return parsed;
  throw std::invalid_argument(std::string(option) + " is " + std::string(text) + ", and must be a number from " +
                              std::to_string(least) + " to " + std::to_string(most));
}

options parse(char** argument) {
  options given;
  while (*++argument != nullptr) {
    const std::string_view text = *argument;
    if (text == "--check") {
      given.check = true;
    } else if (text == "--threads") {
      given.threads = number(text, *++argument, 1, most_threads);
    } else if (text == "--top") {
      given.top = number(text, *++argument, 0, 1'000'000);
    } else if (text.starts_with('-') || !given.root.empty()) {
      throw std::invalid_argument("unexpected argument: " + std::string(text));
    } else {
      given.root = text;
    }
  }
  std::error_code error;
  if (given.root.empty()) throw std::invalid_argument("which directory?");
  if (std::filesystem::is_directory(given.root, error)) return given;
  throw std::invalid_argument(given.root.string() + ": " + (error ? error.message() : "not a directory"));
}

void print(const tally& all, std::size_t top) {
  std::printf("%llu words, %zu distinct, in %llu files of %llu directories; %llu skipped, %zu unreadable\n",
              static_cast<unsigned long long>(all.words), all.counts.size(), static_cast<unsigned long long>(all.files),
              static_cast<unsigned long long>(all.directories), static_cast<unsigned long long>(all.skipped),
              all.unreadable.size());
  for (const std::string& path : all.unreadable) std::fprintf(stderr, "wordcount: cannot read %s\n", path.c_str());

  std::vector<std::pair<std::string_view, unsigned long long>> order(all.counts.begin(), all.counts.end());
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  order.resize(std::min(top, order.size()));
  for (const auto& [word, n] : order) std::printf("%12llu %.*s\n", n, static_cast<int>(word.size()), word.data());
}

void print(const crew& workers) {
  std::printf("%12s %10s %10s %10s\n", "worker", "run", "stolen", "lost");
  std::size_t worker = 0;
  for (const auto& log : workers.records())
    std::printf("%12zu %10zu %10zu %10zu\n", worker++, log.run, log.stolen, log.lost);
}

bool same(const tally& a, const tally& b) {
  return a.counts == b.counts && a.words == b.words && a.files == b.files && a.directories == b.directories &&
         a.skipped == b.skipped && a.unreadable.size() == b.unreadable.size();
}

int count(const options& given) {
  crew workers(given.threads);
  const tally parallel = workers.count(given.root);
  print(parallel, given.top);
  print(workers);
  if (!given.check) return 0;
  const bool equal = same(parallel, count_serially(given.root));
  std::puts(equal ? "check: equal to the serial count" : "check: DIFFERS from the serial count");
  return equal ? 0 : 1;
}

}  // namespace

int main(int /*argc*/, char** argv) {
  try {
    return count(parse(argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wordcount: %s\nusage: wordcount DIR [--threads N] [--top K] [--check]\n", error.what());
    return 2;
  }
}
