/// The memory of the program under test: what was allocated, what was constructed in it, and what is alive.
#ifndef LICIT_CHECKER_CORE_MEMORY_HPP
#define LICIT_CHECKER_CORE_MEMORY_HPP

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/event.hpp"
#include "core/image.hpp"

namespace licit::checker::detail {

using block_id = std::uint16_t;
inline constexpr block_id no_block = 0xffff;

/// An atomic or a plain cell, from its construction to the end of the execution.
struct location {
  extent bytes = {};
  block_id block = no_block;  ///< of memory that it lies in, if it was allocated here
  bool atomic = true;
  bool stays = false;                ///< it is there from the beginning of every execution
  bool dead = false;                 ///< destroyed, its memory freed, or another constructed in its bytes
  std::uint8_t maker = main_thread;  ///< the thread that constructed it
  std::uint16_t number = 0;          ///< how many that thread had constructed before
  std::uint16_t born = 0;            ///< the index of the construction in its thread; no meaning for the main thread's
  std::uint8_t ender = main_thread;  ///< if it was destroyed: the thread that did it
  std::uint16_t ended = 0;           ///< and the index of the destruction in that thread
  word value = 0;                    ///< of an atomic, while only the main thread runs
  location_id queue = nowhere;       ///< of those who wait on it; stays for all executions
  location_id waited_on = nowhere;   ///< if it is such a queue: the atomic
  look seen = {};
};

struct block {
  std::byte* address;
  std::size_t size;
  bool freed;
  std::uint8_t maker;
  std::uint16_t number;
  std::vector<location_id> locations;
};

/// The name of an allocation or a location is its thread and how many that thread made before; so are its address and
/// id. Blocks are not reused within an execution: a program that relies on reuse (pointer ABA) needs a pool of its own.
/// A cell in bytes where another was is a new location.
class memory {
 public:
  static constexpr std::size_t arena_size = std::size_t{4} << 20;  ///< for each thread

  /// Throws std::bad_alloc if the arenas cannot be mapped.
  memory();
  ~memory();
  memory(const memory&) = delete;
  memory& operator=(const memory&) = delete;

  /// A new execution begins: nothing is allocated or constructed.
  void reset();

  /// What this execution has, and what is in it.
  void keep(image& in) const;
  void go_back(image::reader& to);

  /// Throws std::bad_alloc when the thread's arena is used up.
  block_id allocate(unsigned thread, std::size_t size, std::size_t alignment);
  /// The block that starts at an address, or `no_block`.
  [[nodiscard]] block_id find(const void* address) const;
  /// The block that an address is in, or `no_block`.
  [[nodiscard]] block_id around(const void* address) const;
  /// Frees a block; everything in it is dead.
  void release(block_id b);

  // These three return `nowhere` if there are too many locations.

  /// Its value, the event that constructs it and its looks are for the caller to fill in.
  location_id construct(unsigned thread, extent bytes, bool atomic);

  /// One that nobody constructs: it is there in every execution, under this id and number.
  location_id permanent(extent bytes, look seen);

  /// Everything else constructed in this execution that has bytes in common with the location, its life over or not.
  /// Storage that operator delete gave back is not the same storage when it is allocated again.
  [[nodiscard]] const std::vector<location_id>& sharing_bytes(location_id l);
  /// Storage outside of the arenas was freed: who lived there has nothing to do with who will.
  void forget(extent bytes);

  /// The queue of those who wait on an atomic.
  location_id queue_of(location_id l);

  [[nodiscard]] block& at(block_id b) { return blocks_[b]; }
  [[nodiscard]] const block& at(block_id b) const { return blocks_[b]; }
  [[nodiscard]] bool known(location_id l) const { return l < locations_.size(); }
  [[nodiscard]] location& location_at(location_id l) { return locations_[l]; }
  [[nodiscard]] const location& location_at(location_id l) const { return locations_[l]; }
  [[nodiscard]] std::size_t locations() const { return locations_.size(); }
  /// Whether it was, in this execution.
  [[nodiscard]] bool constructed(location_id l) const {
    return locations_[l].waited_on == nowhere && is_of_this_execution(l);
  }
  /// The same of a cell, or of the cell whose queue it is.
  [[nodiscard]] bool is_of_this_execution(location_id l) const {
    const location_id cell = locations_[l].waited_on == nowhere ? l : locations_[l].waited_on;
    return locations_[cell].stays || locations_[cell].number < owners_[locations_[cell].maker].constructions;
  }

  /// Where blocks lie, whoever allocates them.
  [[nodiscard]] std::span<const std::byte> arenas() const { return {mapping_, (max_threads + 1) * arena_size}; }
  /// What each thread has allocated, the main thread last.
  [[nodiscard]] std::span<const std::byte> allocated(unsigned thread) const {
    return {arena(thread), owners_[thread].used};
  }

  /// Those of this execution, freed ones too.
  template <class Visit>
  void for_each_block(const Visit& visit) const {
    for (const owner& o : owners_) {
      for (std::size_t n = 0; n != o.allocations; ++n) visit(o.blocks[n]);
    }
  }
  /// The first block in use, or `no_block`.
  [[nodiscard]] block_id leaked() const;

 private:
  struct counts {
    std::size_t used = 0;  ///< of its arena
    std::size_t allocations = 0;
    std::size_t constructions = 0;
  };
  struct owner : counts {
    std::vector<block_id> blocks;  ///< by number; ids are given once and stay for all executions
    std::vector<location_id> locations;
  };

  [[nodiscard]] const std::vector<location_id>& neighbours(location_id l) const {
    return locations_[l].block == no_block ? outside_ : blocks_[locations_[l].block].locations;
  }
  [[nodiscard]] std::byte* arena(unsigned thread) const { return mapping_ + thread * arena_size; }

  std::byte* mapping_;
  std::array<owner, max_threads + 1> owners_;
  std::vector<block> blocks_;
  std::vector<location> locations_;
  std::vector<location_id> outside_;  ///< those of this execution that lie in no block
  std::vector<location_id> sharing_;
};

}  // namespace licit::checker::detail

#endif
