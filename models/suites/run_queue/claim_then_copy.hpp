/// The other family of run queues, for comparison: a thief claims half of the items, copies them, and then frees their
/// slots.
///
/// Source: tokio-rs/tokio, tokio/src/runtime/scheduler/multi_thread/queue.rs; st3 does the same. From tokio come the
/// packed head of two indices, and push, pop and theft with their memory orders. Different here: indices have 32 bits,
/// slots are plain (a claimed slot belongs to the thief), and a theft returns the oldest item of its batch and
/// publishes the rest. The memory orders stand in place: the library does not ship this queue, so the audit skips it.
#ifndef LICIT_SUITES_RUN_QUEUE_CLAIM_THEN_COPY_HPP
#define LICIT_SUITES_RUN_QUEUE_CLAIM_THEN_COPY_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <licit/deque/rules.hpp>
#include <licit/deque/run_queue_options.hpp>
#include <licit/deque/stolen.hpp>

namespace licit::suites {

struct claim_then_copy_rules {
  bool copies_occupy = true;  ///< slots that a thief still copies from are not free
  bool reads_again = true;    ///< a theft ends with the `real` of that moment, which the owner may have moved on
};

template <class T, class Policy>
class claim_then_copy {
  static constexpr auto rules = rules_of<claim_then_copy_rules, Policy>();

  using half = std::uint32_t;
  using word = std::uint64_t;
  using enum order;

 public:
  static constexpr std::size_t most_capacity = 4;

  explicit claim_then_copy(const run_queue_options& options) : capacity_{static_cast<half>(options.capacity)} {}

  bool try_push(T item) {
    const half tail = tail_.load(relaxed, "push.tail");
    const heads h = unpack(head_.load(acquire, "push.head"));
    const half oldest = rules.copies_occupy ? h.steal : h.real;
    if (tail - oldest >= capacity_) return false;
    put(tail, item);
    return true;
  }

  /// During a theft the item alone overflows; otherwise half of the queue overflows with it.
  template <class Sink>
  void push(T item, Sink& sink) {
    while (!try_push(item)) {
      word packed = head_.load(acquire, "overflow.head");
      const heads h = unpack(packed);
      if (h.steal != h.real) {
        sink.reserve(1);
        return sink.take(std::span<const T>(&item, 1));
      }
      const half n = capacity_ / 2;
      sink.reserve(n + 1);
      if (!head_.compare_exchange(packed, pack(h.real + n, h.real + n), release, relaxed, "overflow.claim")) continue;
      std::array<T, most_capacity / 2 + 1> batch{};
      for (half i = 0; i != n; ++i) batch[i] = slot(h.real + i).read();
      batch[n] = item;
      return sink.take(std::span<const T>(batch.data(), n + 1));
    }
  }

  std::optional<T> pop() {
    word packed = head_.load(acquire, "pop.head");
    const half tail = tail_.load(relaxed, "pop.tail");
    for (;;) {
      const heads h = unpack(packed);
      if (h.real == tail) return std::nullopt;
      const word next = h.steal == h.real ? pack(h.real + 1, h.real + 1) : pack(h.steal, h.real + 1);
      if (head_.compare_exchange(packed, next, acq_rel, acquire, "pop.claim")) return slot(h.real).read();
    }
  }

  stolen<T> steal_half(claim_then_copy& own, std::size_t most = 32) {
    const half end = own.tail_.load(relaxed, "half.own");
    const half room = capacity_ - (end - unpack(own.head_.load(acquire, "half.room")).steal);
    word packed = head_.load(acquire, "half.head");
    const heads h = unpack(packed);
    const half seen = tail_.load(acquire, "half.tail") - h.real;
    if (seen == 0) return stolen<T>::empty();
    if (h.steal != h.real) return stolen<T>::lost();
    const half n = std::min({(seen + 1) / 2, room + 1, static_cast<half>(std::max<std::size_t>(most, 1))});
    const word claimed = pack(h.steal, h.real + n);
    if (!head_.compare_exchange(packed, claimed, acq_rel, relaxed, "half.claim")) return stolen<T>::lost();
    const T first = slot(h.real).read();
    for (half i = 1; i != n; ++i) own.slot(end + i - 1).write(slot(h.real + i).read());
    finish(claimed);
    if (n != 1) own.tail_.store(end + n - 1, release, "half.publish");
    return stolen<T>::taken(first, n - 1);
  }

  stolen<T> steal() { return steal_half(*this, 1); }

  [[nodiscard]] std::size_t size() const {
    const heads h = unpack(head_.load(relaxed, "size.head"));
    return tail_.load(relaxed, "size.tail") - h.real;
  }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

 private:
  struct heads {
    half steal;  ///< from here to `real` are the slots that a thief copies from
    half real;   ///< the oldest item that can be taken
  };
  static word pack(half steal, half real) { return word{steal} << 32U | real; }
  static heads unpack(word packed) { return {static_cast<half>(packed >> 32U), static_cast<half>(packed)}; }

  typename Policy::template plain<T>& slot(half i) { return slots_[i & (capacity_ - 1)]; }

  void put(half tail, T item) {
    slot(tail).write(item);
    tail_.store(tail + 1, release, "push.publish");
  }

  /// The slots are free: `steal` follows `real`, which the owner may have moved on.
  void finish(word packed) {
    half real = unpack(packed).real;
    if (!rules.reads_again) return head_.store(pack(real, real), release, "half.finish");
    while (!head_.compare_exchange(packed, pack(real, real), acq_rel, acquire, "half.finish")) {
      real = unpack(packed).real;
    }
  }

  const half capacity_;
  typename Policy::template atomic<word> head_;
  typename Policy::template atomic<half> tail_;
  std::array<typename Policy::template plain<T>, most_capacity> slots_{};
};

}  // namespace licit::suites

#endif
