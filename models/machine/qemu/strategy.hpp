/// Random choices of an execution: who runs next, and which of the values that it may read a load reads.
#ifndef LICIT_MODELS_QEMU_STRATEGY_HPP
#define LICIT_MODELS_QEMU_STRATEGY_HPP

#include <cstdint>
#include <span>
#include <vector>

#include "checker/walk/random.hpp"
#include "machine/qemu/options.hpp"

namespace licit::qemu {

/// The same seed and number, the same choices.
class strategy {
 public:
  /// `mixed` becomes one of the others.
  strategy(scheduling how, std::uint64_t seed, std::uint64_t number, unsigned threads);

  /// Which of these threads, by its place among them. The first is the one that runs now, if `stays`.
  std::size_t thread(std::span<const unsigned> candidates, bool stays);

  /// The thread that runs lets others run before it goes on: under PCT it becomes the last, or who spins would come
  /// again.
  void give_way(unsigned thread);

  /// Which of n values or places, 0 the latest.
  std::size_t value(std::size_t n);

 private:
  static constexpr std::uint64_t first_lowered = std::uint64_t{1} << 32U;  // below are those lowered later

  std::size_t by_priority(std::span<const unsigned> candidates);
  void draw_priorities(unsigned threads);
  void draw_stop(unsigned threads);
  bool stands(unsigned running, bool stays);
  std::size_t beside_it(std::span<const unsigned> candidates, bool stays);

  checker::detail::random_numbers random_;
  scheduling how_;
  std::uint64_t stickiness_;               // one switch in so many accesses
  std::uint64_t staleness_;                // of 8 loads, so many read any value, the others the latest
  std::vector<std::uint64_t> priorities_;  // pct: of each thread
  std::vector<std::uint64_t> changes_;     // pct: at these accesses the running thread becomes the last
  std::uint64_t lowest_ = first_lowered;   // pct: of those that were lowered
  std::uint64_t access_ = 0;
  unsigned stopped_ = 0;          // standing: this thread
  std::uint64_t until_stop_ = 0;  // standing: its accesses before it stands
  std::uint64_t left_ = 0;        // standing: turns that the others have meanwhile
};

/// A switch of threads before an access to a place that no other thread writes, or that nobody writes, changes nothing:
/// the access commutes with what the others do. Places of 8 bytes; at most eight threads.
class survey {
 public:
  /// Of this region, and nothing learnt of it.
  void begin(std::uint64_t begin, std::uint64_t end);

  /// Within the region.
  void saw(unsigned thread, std::uint64_t address, std::uint64_t bytes, bool writes);

  /// Whether threads can meet there: several were seen, and one of them wrote, or none was seen.
  [[nodiscard]] bool meet(std::uint64_t address, std::uint64_t bytes) const;

 private:
  struct place {
    std::uint8_t accessed = 0;  // a bit a thread
    bool written = false;
  };

  std::uint64_t begin_ = 0;
  std::vector<place> places_;
};

}  // namespace licit::qemu

#endif
