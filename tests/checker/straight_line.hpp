/// Straight-line programs, as data: what the oracle enumerates and the checker runs. And who writes them at random.
#ifndef LICIT_TESTS_CHECKER_STRAIGHT_LINE_HPP
#define LICIT_TESTS_CHECKER_STRAIGHT_LINE_HPP

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <licit/deque/order.hpp>

namespace licit::checker_test {

enum class verb {
  load,
  store,
  fetch_add,
  compare_exchange,
  weak_compare_exchange,
  fence,
  light_fence,
  heavy_fence,
  plain_read,
  plain_write
};

struct instruction {
  verb what;
  unsigned at = 0;  ///< which location; of a plain access, from `first_plain`
  order success = order::relaxed;
  order failure = order::relaxed;
  int value = 0;  ///< stored, added, exchanged for
  int expected = 0;
};

/// The instructions of each thread.
using straight_line = std::vector<std::vector<instruction>>;

inline constexpr unsigned first_plain = 3;  ///< locations before it are atomic
inline constexpr unsigned most_locations = 5;

namespace shorthand {
inline instruction R(unsigned at, order o = order::relaxed) { return {verb::load, at, o}; }
inline instruction W(unsigned at, int value, order o = order::relaxed) {
  return {verb::store, at, o, order::relaxed, value};
}
inline instruction A(unsigned at, order o = order::relaxed) { return {verb::fetch_add, at, o, order::relaxed, 1}; }
inline instruction C(unsigned at, int expected, int value, order o = order::relaxed, order f = order::relaxed) {
  return {verb::compare_exchange, at, o, f, value, expected};
}
inline instruction F(order o = order::seq_cst) { return {verb::fence, 0, o}; }
inline instruction light() { return {verb::light_fence}; }
inline instruction heavy() { return {verb::heavy_fence, 0, order::seq_cst}; }
}  // namespace shorthand

inline std::string text(const straight_line& program) {
  constexpr std::array names{"load",  "store", "fetch_add", "cas",  "weak_cas",
                             "fence", "light", "heavy",     "read", "write"};
  std::string out;
  for (const auto& thread : program) {
    out += " |";
    for (const instruction& i : thread) {
      out += " " + std::string(names[static_cast<std::size_t>(i.what)]) + "(x" + std::to_string(i.at) + ", " +
             std::string(licit::detail::name(i.success)) + "/" + std::string(licit::detail::name(i.failure)) + ", " +
             std::to_string(i.expected) + "->" + std::to_string(i.value) + ")";
    }
    out += "\n";
  }
  return out;
}

/// Writes programs, each in one of several tastes, so that what needs many seq_cst operations, fences or
/// read-modify-writes close together comes often enough.
class program_author {
 public:
  explicit program_author(std::uint64_t s) : random_{s} {}

  straight_line program() {
    asymmetric_ = one_in(4);
    if (one_in(4)) return dressed(shapes[below(static_cast<unsigned>(shapes.size()))]);
    straight_line made;
    do {
      made = attempt();
    } while (cost(made) > most_candidates);
    return made;
  }

 private:
  static constexpr double most_candidates = 20'000;

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool one_in(unsigned n) { return below(n) == 0; }

  straight_line attempt() {
    taste_ = below(4);
    locations_ = one_in(5) ? 1 : one_in(5) ? 3 : 2;
    plain_ = one_in(3) ? below(2) + 1 : 0;
    straight_line made(below(3) + 2);
    for (unsigned left = below(5) + 5; left != 0; --left) {
      std::vector<instruction>& thread = made[below(static_cast<unsigned>(made.size()))];
      if (one_in(taste_ == fences ? 2 : 8)) thread.push_back(fence());
      thread.push_back(access());
    }
    return made;
  }

  /// About how many candidates the oracle would have to try.
  static double cost(const straight_line& program) {
    std::array<double, most_locations> writes{};
    std::array<double, most_locations> reads{};
    double candidates = 1;
    for (const auto& thread : program) {
      for (const instruction& i : thread) {
        if (i.what == verb::fence || i.what == verb::light_fence || i.what == verb::heavy_fence) continue;
        const bool only_reads = i.what == verb::load || i.what == verb::plain_read;
        if (!only_reads) ++writes[i.at];
        if (i.what != verb::store && i.what != verb::plain_write) ++reads[i.at];
      }
    }
    for (std::size_t l = 0; l != most_locations; ++l) {
      candidates *= std::pow(writes[l] + 1, reads[l]) * std::tgamma(writes[l] + 1);
    }
    return candidates;
  }

  /// Shapes of the litmus literature in which seq_cst differs from release and acquire: "Wx" writes x, "Ax" adds to it.
  static constexpr std::array<std::string_view, 11> shapes{
      "Wx Wy|Ry Rz|Wz Rx",     // W+RWC
      "Wx|Rx Ry|Wy Rx",        // RWC
      "Wx Wy|Ay Ry|Wy Rx",     // Z6.U
      "Wx Ry|Wy Rz|Wz Rx",     // SB in a ring of three
      "Wx|Wy|Rx Ry|Ry Rx",     // IRIW
      "Wx Wy|Wy Wx|Rx Ry",     // 2+2W, watched
      "Wx Wx|Rx Ry|Wy Rx",     // RWC with two writes
      "Wx Ay|Ay Rx|Wx Ry",     // updates between
      "Rx Wy|Ry Ax Wz|Rz Rx",  // ISA2 with a read in front
      "Wx|Rx|Ax|Wx",           // the write of a revisited update revisits in its turn
      "Wx|Rx Rx|Ax|Wx",
  };

  /// A shape with orders, and now and then a fence.
  straight_line dressed(std::string_view shape) {
    using enum order;
    taste_ = one_in(2) ? sequential : fences;
    straight_line made(1);
    for (std::size_t i = 0; i < shape.size();) {
      if (shape[i] == '|') made.emplace_back();
      if (shape[i] == '|' || shape[i] == ' ') {
        ++i;
        continue;
      }
      const unsigned at = static_cast<unsigned>(shape[i + 1] - 'x');
      if (!made.back().empty() && one_in(asymmetric_ ? 2 : 3)) made.back().push_back(fence());
      switch (shape[i]) {
        case 'R': made.back().push_back({verb::load, at, one_of({relaxed, acquire, seq_cst})}); break;
        case 'W': made.back().push_back({verb::store, at, one_of({relaxed, release, seq_cst}), relaxed, 1}); break;
        default: made.back().push_back({verb::fetch_add, at, one_of({relaxed, acq_rel, seq_cst}), relaxed, 1});
      }
      i += 2;
    }
    return made;
  }

  template <std::size_t N>
  order one_of(const order (&orders)[N]) {
    if (taste_ == sequential && !one_in(3)) return order::seq_cst;
    return orders[below(N)];
  }

  instruction fence() {
    using enum order;
    if (asymmetric_ && !one_in(3)) return one_in(2) ? shorthand::light() : shorthand::heavy();
    return {verb::fence, 0, one_of({acquire, release, acq_rel, seq_cst, seq_cst})};
  }

  instruction access() {
    using enum order;
    const unsigned at = below(locations_);
    const int value = static_cast<int>(below(3)) + 1;
    if (plain_ != 0 && one_in(3)) {
      return {one_in(2) ? verb::plain_read : verb::plain_write, first_plain + below(plain_), relaxed, relaxed, value};
    }
    if (one_in(taste_ == updates ? 2 : 6)) {
      if (one_in(3)) return {verb::fetch_add, at, one_of({relaxed, acquire, release, acq_rel, seq_cst}), relaxed, 1};
      return {one_in(4) ? verb::weak_compare_exchange : verb::compare_exchange,
              at,
              one_of({relaxed, acquire, release, acq_rel, seq_cst}),
              one_of({relaxed, acquire, seq_cst}),
              value,
              static_cast<int>(below(3))};
    }
    if (one_in(2)) return {verb::load, at, one_of({relaxed, acquire, seq_cst})};
    return {verb::store, at, one_of({relaxed, release, seq_cst}), relaxed, value};
  }

  enum : unsigned { fences, sequential, updates };

  std::mt19937_64 random_;
  bool asymmetric_ = false;
  unsigned taste_ = 0;
  unsigned locations_ = 1;
  unsigned plain_ = 0;
};

}  // namespace licit::checker_test

#endif
