/// The memory that a program's threads share: one region, used again and again.
///
/// Between two resets nothing is used twice: what is freed stays there, spoilt, so that who still reads it is wrong
/// for sure. The region's beginning holds the program itself. While a thread is `inside`, its operator new and delete
/// are the arena's too.
#ifndef LICIT_MODELS_STRESS_ARENA_HPP
#define LICIT_MODELS_STRESS_ARENA_HPP

#include <cstddef>
#include <cstdint>
#include <memory_resource>

namespace licit::stress {

namespace arena {

inline constexpr unsigned most_threads = 8;  ///< beside the main one

/// Where the region lies.
std::byte* begin();
std::byte* end();

/// Where the program of that size and number stands, aligned to 128 bytes.
void* object(std::size_t size, std::uint64_t number);
/// Main thread, between executions: for how many programs of that size, with twice the memory that was just taken,
/// there is room; at least one.
std::uint64_t room_for(std::size_t size);

/// Main thread, between executions: all is free again.
void reset();
/// Main thread, between executions: pieces of memory that were not freed.
std::int64_t left();
/// Who overwrites freed memory from now on, instead of the thread that frees it; and between executions all that was
/// taken, so that what is read before it was written is wrong too.
void spoil_by(void (*how)(const void* begin, std::size_t bytes));

/// The calling thread is one of a program's (0: the main one) while this lives.
class inside {
 public:
  explicit inside(unsigned thread);
  inside(const inside&) = delete;
  inside& operator=(const inside&) = delete;
  ~inside();
};
/// The calling thread left the program without coming back through `inside`.
void leave();

}  // namespace arena

/// Any thread that is inside. Throws nothing: without room it ends the process with a message.
std::pmr::memory_resource& arena_memory();

}  // namespace licit::stress

#endif
