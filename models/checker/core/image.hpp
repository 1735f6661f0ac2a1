/// The program's state at one moment of an execution, to go back to: what the search does next then need not begin with
/// the program's construction and everything that its threads had done until then.
#ifndef LICIT_CHECKER_CORE_IMAGE_HPP
#define LICIT_CHECKER_CORE_IMAGE_HPP

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/event.hpp"

namespace licit::checker::detail {

/// Pieces of memory, one after another, that are read in the order in which they were written.
class image {
 public:
  /// A program whose state is larger is run from its beginning.
  static constexpr std::size_t most_bytes = std::size_t{128} << 10;

  /// Of an execution with so many events, at an access of that thread.
  void begin(event_id events, unsigned thread) {
    events_ = events;
    thread_ = thread;
    end_ = 0;
  }
  void drop() { end_ = 0; }
  /// How many of the graph's first events had been done.
  [[nodiscard]] event_id events() const { return events_; }
  [[nodiscard]] unsigned thread() const { return thread_; }
  [[nodiscard]] bool is_made() const { return end_ != 0 && fits(); }
  [[nodiscard]] bool fits() const { return end_ <= most_bytes; }

  void put_bytes(std::span<const std::byte> piece) {
    std::memmove(room_for(piece.size()), piece.data(), piece.size());  // not memcpy, which the compiler makes a loop
  }
  /// Of so few that a call would take longer.
  void put_few(std::span<const std::byte> piece) {
    if (piece.size() > few) return put_bytes(piece);
    copy_few(room_for(piece.size()), piece.data(), piece.size());
  }
  template <class T>
  void put(const T& value)
    requires std::is_trivially_copyable_v<T>
  {
    __builtin_memcpy(room_for(sizeof value), &value, sizeof value);
  }
  template <class T>
  void put(const std::vector<T>& all) {
    put(all.size());
    if (!all.empty()) put_bytes(std::as_bytes(std::span(all)));
  }

  class reader {
   public:
    explicit reader(const image& from) : next_{from.bytes_.data()} {}

    void get_bytes(std::span<std::byte> piece) {
      std::memmove(piece.data(), next_, piece.size());
      next_ += piece.size();
    }
    void get_few(std::span<std::byte> piece) {
      if (piece.size() > few) return get_bytes(piece);
      copy_few(piece.data(), next_, piece.size());
      next_ += piece.size();
    }
    template <class T>
    void get(T& value)
      requires std::is_trivially_copyable_v<T>
    {
      __builtin_memcpy(&value, next_, sizeof value);
      next_ += sizeof value;
    }
    template <class T>
    void get(std::vector<T>& all) {
      std::size_t size = 0;
      get(size);
      all.resize(size);
      if (size != 0) get_bytes(std::as_writable_bytes(std::span(all)));
    }

   private:
    const std::byte* next_;
  };

 private:
  static constexpr std::size_t few = 63;
  /// By the bits of their number: a loop takes longer to begin.
  static void copy_few(std::byte* to, const std::byte* from, std::size_t size) {
    const auto copy = [&]<std::size_t N>(std::integral_constant<std::size_t, N>) {
      if ((size & N) == 0) return;
      __builtin_memcpy(to, from, N);
      to += N;
      from += N;
    };
    copy(std::integral_constant<std::size_t, 32>{});
    copy(std::integral_constant<std::size_t, 16>{});
    copy(std::integral_constant<std::size_t, 8>{});
    copy(std::integral_constant<std::size_t, 4>{});
    copy(std::integral_constant<std::size_t, 2>{});
    copy(std::integral_constant<std::size_t, 1>{});
  }
  std::byte* room_for(std::size_t size) {
    if (end_ + size > bytes_.size()) grow(end_ + size);
    return bytes_.data() + std::exchange(end_, end_ + size);
  }
  [[gnu::noinline]] void grow(std::size_t least) { bytes_.resize(2 * least); }

  event_id events_ = 0;
  unsigned thread_ = 0;
  std::size_t end_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace licit::checker::detail

#endif
