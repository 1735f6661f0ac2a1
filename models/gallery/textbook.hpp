/// The Chase-Lev deque as most texts print it, with its orderings and the few choices that differ as a parameter: the
/// exhibits that are about those are rows of one form each.
#ifndef LICIT_MODELS_GALLERY_TEXTBOOK_HPP
#define LICIT_MODELS_GALLERY_TEXTBOOK_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include <licit/deque/order.hpp>
#include <licit/deque/ring.hpp>

#include "gallery/account.hpp"

namespace licit::models::gallery {

using licit::detail::index;
using licit::detail::ring;

enum class when_full { grow, refuse, overwrite };

/// Memory orders by site, named as in deque/chase_lev_orders.hpp. A relaxed fence is none. What `consume` is in a
/// source is `acquire` here, as compilers have it.
struct textbook {
  std::size_t capacity = 2;
  when_full full = when_full::grow;
  std::size_t spare = 0;       ///< slots that must stay free: it is full with so many less
  bool uses_new_ring = true;   ///< push writes to the ring that it has just published
  bool signed_indices = true;  ///< indices below zero compare as such
  order push_room = order::acquire;
  order push_item = order::relaxed;
  order push_fence = order::relaxed;
  order push_publish = order::release;
  order grow_publish = order::release;
  order pop_reserve = order::relaxed;
  order pop_fence = order::seq_cst;
  order pop_top = order::relaxed;
  order pop_claim = order::seq_cst;
  order pop_restore = order::relaxed;
  order steal_top = order::acquire;
  order steal_fence = order::seq_cst;
  order steal_bottom = order::acquire;
  order steal_ring = order::acquire;
  order steal_item = order::relaxed;
  order steal_claim = order::seq_cst;
  order lost_claim = order::relaxed;
  bool claims_at_once = false;  ///< a theft of half is one compare-exchange, or one for each item
  order grab_again = order::seq_cst;
};

/// A slot: its value, and a ghost for those who read it before they know that they may.
template <class Model>
struct guarded_slots {
  template <class T>
  struct atomic {
    typename Model::template atomic<T> value;
    typename Model::ghost ghost;

    T load(order o, const char* label) const { return value.load(o, label); }
    /// A thief's, before its claim.
    T guess(order o, const char* label) const {
      const T item = value.load(o, label);
      ghost.guess();
      return item;
    }
    void store(T item, order o, const char* label) {
      ghost.write();
      value.store(item, o, label);
    }
  };
  template <class T>
  using plain = typename Model::template plain<T>;
};

template <class Model, textbook Form>
class textbook_deque {
 public:
  static constexpr discipline kept = discipline::lifo;

  textbook_deque() : ring_{ring_type::create(*Model::memory(), Form.capacity, nullptr)} {}
  ~textbook_deque() { ring_type::destroy(*Model::memory(), ring_.load(order::relaxed)); }
  textbook_deque(const textbook_deque&) = delete;
  textbook_deque& operator=(const textbook_deque&) = delete;

  bool push(int item) {
    const index b = bottom_.load(order::relaxed, "push.own");
    ring_type* r = ring_.load(order::relaxed, "push.ring");
    if constexpr (Form.full != when_full::overwrite) {
      const index t = top_.load(Form.push_room, "push.room");
      if (b - t >= static_cast<index>(r->capacity() - Form.spare)) {
        if (Form.full == when_full::refuse) return false;
        ring_type* const wider = grow(*r, t, b);
        if (Form.uses_new_ring) r = wider;
      }
    }
    r->slot(b).store(item, Form.push_item, "push.item");
    Model::fence(Form.push_fence, "push.fence");
    bottom_.store(b + 1, Form.push_publish, "push.publish");
    return true;
  }

  int pop() {
    const index b = bottom_.load(order::relaxed, "pop.own") - 1;
    ring_type* const r = ring_.load(order::relaxed, "pop.ring");
    bottom_.store(b, Form.pop_reserve, "pop.reserve");
    Model::fence(Form.pop_fence, "pop.fence");
    index t = top_.load(Form.pop_top, "pop.top");
    if (less(b, t)) {
      bottom_.store(b + 1, Form.pop_restore, "pop.restore");
      return none;
    }
    const int item = r->slot(b).load(order::relaxed, "pop.item");
    if (t != b) return item;
    const bool won = top_.compare_exchange(t, t + 1, Form.pop_claim, Form.lost_claim, "pop.claim");
    bottom_.store(b + 1, Form.pop_restore, "pop.restore");
    return won ? item : none;
  }

  int steal() {
    index t = top_.load(Form.steal_top, "steal.top");
    Model::fence(Form.steal_fence, "steal.fence");
    const index b = bottom_.load(Form.steal_bottom, "steal.bottom");
    if (!less(t, b)) return none;
    const int item = ring_.load(Form.steal_ring, "steal.ring")->slot(t).guess(Form.steal_item, "steal.item");
    const bool won = top_.compare_exchange(t, t + 1, Form.steal_claim, Form.lost_claim, "steal.claim");
    Model::ghost::claim(won);
    return won ? item : none;
  }

  /// Half of what the thief sees, rounded up.
  void grab(auto&& taken) {
    index t = top_.load(Form.steal_top, "grab.top");
    Model::fence(Form.steal_fence, "grab.fence");
    const index b = bottom_.load(Form.steal_bottom, "grab.bottom");
    if (!less(t, b)) return;
    const index end = t + (b - t + 1) / 2;
    if (Form.claims_at_once) return static_cast<void>(claim(t, end, taken));
    while (claim(t, t + 1, taken)) {
      ++t;
      if (t == end || !less(t, bottom_.load(Form.grab_again, "grab.again"))) return;
    }
  }

 private:
  using ring_type = ring<int, guarded_slots<Model>>;

  /// The items from one index to before another, by one compare-exchange: all of them or none.
  bool claim(index from, index to, auto& taken) {
    ring_type* const r = ring_.load(Form.steal_ring, "grab.ring");
    std::array<int, Form.capacity> items{};
    const auto count = static_cast<std::size_t>(to - from);
    for (std::size_t i = 0; i != count; ++i) {
      items[i] = r->slot(from + static_cast<index>(i)).guess(Form.steal_item, "grab.item");
    }
    const bool won = top_.compare_exchange(from, to, Form.steal_claim, Form.lost_claim, "grab.claim");
    Model::ghost::claim(won);
    for (std::size_t i = 0; won && i != count; ++i) taken(items[i]);
    return won;
  }

  static bool less(index a, index b) {
    return Form.signed_indices ? a < b : static_cast<std::uint64_t>(a) < static_cast<std::uint64_t>(b);
  }

  ring_type* grow(ring_type& old, index t, index b) {
    ring_type* const wider = ring_type::create(*Model::memory(), old.capacity() * 2, &old);
    for (index i = t; i != b; ++i) {
      old.slot(i).ghost.read();
      wider->slot(i).store(old.slot(i).load(order::relaxed, "grow.read"), order::relaxed, "grow.copy");
    }
    ring_.store(wider, Form.grow_publish, "grow.publish");
    return wider;
  }

  typename Model::template atomic<index> top_{index{0}};
  typename Model::template atomic<index> bottom_{index{0}};
  typename Model::template atomic<ring_type*> ring_;
};

}  // namespace licit::models::gallery

#endif
