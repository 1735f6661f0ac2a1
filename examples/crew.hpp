// The word count by several threads, each with a deque of its own, stealing when that is empty.
#ifndef LICIT_EXAMPLES_CREW_HPP
#define LICIT_EXAMPLES_CREW_HPP

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <licit/deque.hpp>

#include "tree.hpp"

class crew {
 public:
  struct record {
    std::size_t run = 0;     // items, own and stolen
    std::size_t stolen = 0;  // items taken from another worker
    std::size_t lost = 0;    // steals that another thread was faster at
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

#endif
