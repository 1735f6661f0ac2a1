/// A pass from left to right that needs, for each chunk, what all chunks before it come to.
#ifndef LICIT_PARALLEL_SWEEP_HPP
#define LICIT_PARALLEL_SWEEP_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include <licit/parallel/detail/tree.hpp>

namespace licit::inline v0::detail {

/// Body has
/// - a `value`, what a chunk comes to, and `value after(const value& before, const value& chunk)`;
/// - `value pass(const chunks&, const value& before)`, which does a chunk's work and returns what it comes to;
/// - `value measure(const chunks&)`, which only returns that, and `void finish(const chunks&, const value& before)`,
/// which
///   does the rest of the work.
///
/// The thread that has everything before a chunk passes it once. Chunks that were stolen are measured by their thieves;
/// when what is before them is known, they are finished, in parallel. So one thread reads everything once, and what is
/// stolen is read twice.
template <class Body>
class sweep {
  using value = typename Body::value;

  /// The second step of the stolen chunks.
  struct finisher {
    using range = chunks;
    struct value {};
    sweep& in;

    value leaf(const chunks& r) {
      in.body_.finish(r, *in.before_[in.number(r)]);
      return {};
    }
    value combine(value&& /*left*/, value&& /*right*/) { return {}; }
  };
  /// What a thief does.
  struct measurer {
    using range = chunks;
    struct value {};
    static constexpr bool does_items = false;
    sweep& in;

    value leaf(const chunks& r) {
      in.before_[in.number(r)].emplace(in.body_.measure(r));
      return {};
    }
    value combine(value&& /*left*/, value&& /*right*/) { return {}; }
  };

 public:
  sweep(control& all, Body& body, std::uint64_t n, std::uint64_t grain)
      : all_{all}, body_{body}, whole_{0, n, grain}, measures_{*this}, measure_{all, measures_} {}

  /// Returns what everything comes to.
  value operator()(const value& before) {
    if (whole_.size() == 0) return before;
    const std::uint64_t values = (whole_.size() - 1) / whole_.grain + 1;
    if (values > before_.max_size()) throw std::bad_alloc();
    before_.resize(static_cast<std::size_t>(values));
    branches mine(all_);
    return pass(whole_, before, mine);
  }

 private:
  [[nodiscard]] std::size_t number(const chunks& r) const { return static_cast<std::size_t>(r.first / r.grain); }

  value pass(chunks r, const value& before, branches& mine) {
    if (!r.divisible()) return leaf(r, before, mine);
    stolen_range<chunks, typename measurer::value, tree<measurer>> right(all_, measure_, r.split());
    mine.put_aside(right);
    std::optional<value> middle;
    try {
      middle.emplace(pass(r, before, mine));
    } catch (...) {
      static_cast<void>(mine.reclaim(right, true));
      throw;
    }
    if (mine.reclaim(right)) return mine.in_place(right, [&] { return pass(right.what, *middle, mine); });
    static_cast<void>(right.result());
    return finish(right.what, *middle, mine);
  }

  value leaf(const chunks& r, const value& before, branches& mine) {
    try {
      all_.begin_chunk();
      value after = body_.after(before, body_.pass(r, before));
      mine.end_chunk(r.size());
      return after;
    } catch (...) {
      all_.end_at(r.position());
      throw;
    }
  }

  /// Chunks that have been measured.
  value finish(const chunks& r, const value& before, branches& mine) {
    value sum = before_each(r, before);
    finisher body{*this};
    tree<finisher> over(all_, body);
    over(r, mine);
    return sum;
  }
  /// Puts what is before a chunk in place of its measure. Returns what is before the next one.
  value before_each(const chunks& r, value sum) {
    try {
      const std::size_t end = static_cast<std::size_t>((r.last - 1) / r.grain + 1);
      for (std::size_t i = number(r); i != end; ++i) {
        value next = body_.after(sum, *before_[i]);
        before_[i].emplace(std::exchange(sum, std::move(next)));
      }
      return sum;
    } catch (...) {
      all_.end_at(r.position());
      throw;
    }
  }

  control& all_;
  Body& body_;
  const chunks whole_;
  std::vector<std::optional<value>> before_;  ///< of each chunk that was stolen: its measure; then what is before it
  measurer measures_;
  tree<measurer> measure_;
};

}  // namespace licit::inline v0::detail

#endif
