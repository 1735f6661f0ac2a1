/// What the program under test has from operator new, and whether its code is what runs.
#ifndef LICIT_CHECKER_CORE_HEAP_HPP
#define LICIT_CHECKER_CORE_HEAP_HPP

#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <licit/checker/engine.hpp>

namespace licit::checker::detail {

/// An execution that is abandoned has its threads dropped where they stand, and no destructor runs: what they and the
/// program's object had allocated is given back here. Memory that outlives an execution that ended well is somebody
/// else's, such as a static container's: once there was some, and until an execution has ended, nothing is given back.
class heap {
 public:
  /// `freed` is told of every piece that the program gives back. `running`: the thread that allocates.
  heap(std::function<void(extent)> freed, const unsigned& running) : freed_{std::move(freed)}, running_{running} {}
  heap(const heap&) = delete;
  heap& operator=(const heap&) = delete;

  /// Called by operator new and operator delete while the program's own code runs.
  void allocated(void* p);
  void released(void* p);

  /// Whether the program has nothing from operator new.
  [[nodiscard]] bool is_empty() const { return live_.empty(); }
  /// Adds the pieces that the thread has allocated, and that are not given back.
  void add_those_of(unsigned thread, std::vector<std::span<const std::byte>>& to) const;

  /// The end of an execution, which went well or is abandoned.
  void end_well();
  void abandon();

  /// That of the program whose code is running; null while the engine's is, though it be on the program's stacks.
  static heap* in_use();

  /// While it lives, the program's code runs, or the engine's.
  class scope {
   public:
    explicit scope(heap* h) : outer_{std::exchange(in_use_, h)} {}
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() { in_use_ = outer_; }

   private:
    heap* outer_;
  };

 private:
  static inline constinit heap* in_use_ = nullptr;

  std::function<void(extent)> freed_;
  struct piece {
    void* at;
    unsigned by;
  };
  const unsigned& running_;
  std::vector<piece> live_;  ///< the newest last: most are given back first
  bool ended_well_ = false;
  bool keeps_ = false;
};

inline heap* heap::in_use() { return in_use_; }

}  // namespace licit::checker::detail

#endif
