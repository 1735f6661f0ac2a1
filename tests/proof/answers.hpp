/// What the calls of an execution answered, beside what the transition system says that they answer.
#ifndef LICIT_TESTS_PROOF_ANSWERS_HPP
#define LICIT_TESTS_PROOF_ANSWERS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "deque_deeds.hpp"
#include "graphs.hpp"
#include "suites/every/history.hpp"

namespace licit::proof::of_deque {

/// Of each thread, in its order. A theft of half from a deque is a row of thefts.
using answers = std::array<std::vector<suites::done_call>, most_threads>;

/// A specification that keeps what the calls of the latest execution answered.
template <class Promise>
struct heard : Promise {
  static inline answers latest;
  static void hears(const suites::call_history& h, std::size_t first, std::size_t last) {
    latest = {};
    for (std::size_t i = first; i != last; ++i) latest.at(h[i].thread).push_back(h[i]);
  }
};

/// What the owner pushed, by the number of the push.
inline std::map<std::int64_t, std::uint8_t> items_of(const graph& g) {
  std::map<std::int64_t, std::uint8_t> items;
  for (const auto& [id, number] : pushes_of(g, queue::only)) items[number] = static_cast<std::uint8_t>(g[id].value);
  return items;
}

/// One call as a path of the system has it: its answer, the item in that, and what the thread did for it.
struct answered {
  std::string_view says;
  std::optional<std::int64_t> item;
  std::span<const deed> did;
  std::int64_t pushes;                    ///< so many were made when it ended
  std::vector<std::int64_t> handed_over;  ///< the numbers of these items

  [[nodiscard]] bool made(std::string_view site) const {
    return std::ranges::find(did, site, &deed::site) != did.end();
  }
  /// The items that it claimed at that site, by their numbers, from what the theft had read there.
  [[nodiscard]] std::vector<std::int64_t> claimed(std::string_view site, std::string_view read) const {
    std::vector<std::int64_t> all;
    std::int64_t last = 0;
    for (const deed& d : did) {
      if (d.site == read) last = d.value;
      if (d.site == site && d.won) all.push_back(last);
    }
    return all;
  }
  /// The items that it claimed at once: as many as the index that the claim read has moved on.
  [[nodiscard]] std::vector<std::int64_t> claimed_at_once(std::string_view site, std::string_view head) const {
    std::vector<std::int64_t> all;
    std::int64_t first = 0;
    for (const deed& d : did) {
      if (d.site == head || (d.site == site && !d.won)) first = d.value;
      if (d.site == site && d.won) {
        for (std::int64_t i = first; i != d.value; ++i) all.push_back(i);
      }
    }
    return all;
  }
};

/// How many of the calls from `made` on are this one, which answered the same; none, if the first is another.
inline std::size_t calls_alike(const answered& path, std::span<const suites::done_call> made,
                               const std::map<std::int64_t, std::uint8_t>& items) {
  using suites::deed;
  using suites::ending;
  if (made.empty()) return 0;
  const suites::done_call& c = made[0];
  const auto ended = [&](deed what, ending how) { return c.what == what && c.how == how ? std::size_t{1} : 0; };
  const auto brought = [&](const suites::done_call& call, std::span<const std::int64_t> numbers) {
    if (call.with.size() != numbers.size()) return false;
    for (std::size_t i = 0; i != numbers.size(); ++i) {
      const auto pushed = items.find(numbers[i]);
      if (pushed == items.end() || call.with[i] != pushed->second) return false;
    }
    return true;
  };
  if (path.says == "half") {  // one call for each item
    const std::vector<std::int64_t> claimed = path.claimed("half.claim", "half.item");
    if (claimed.empty() || claimed.size() > made.size()) return 0;
    for (std::size_t i = 0; i != claimed.size(); ++i) {
      const bool theft = made[i].what == deed::steal && made[i].how == ending::done;
      if (!theft || !brought(made[i], std::span(claimed).subspan(i, 1))) return 0;
    }
    return claimed.size();
  }
  if (path.item) {
    if (c.how != ending::done || c.what == deed::push || c.with.size() == 0) return 0;
    const std::vector<std::int64_t> at_once = path.claimed_at_once("half.claim", "half.head");
    if (!at_once.empty()) return at_once[0] == *path.item && brought(c, at_once) ? 1 : 0;
    return brought(c, std::span(&*path.item, 1)) ? 1 : 0;
  }
  if (path.says == "nothing") {
    if (!path.handed_over.empty()) return c.what == deed::spill && brought(c, path.handed_over) ? 1 : 0;
    const std::array pushed{path.pushes - 1};
    return path.made("push.item") && brought(c, pushed) ? ended(deed::push, ending::done) : 0;
  }
  if (path.says == "full") return ended(deed::push, ending::refused);
  if (path.says == "none" || path.says == "another") return ended(deed::pop, ending::empty);
  if (path.says == "empty") return ended(deed::steal, ending::empty);
  if (path.says == "lost") return ended(deed::steal, ending::lost);
  return path.says == "a number" ? ended(deed::size, ending::done) : 0;
}

}  // namespace licit::proof::of_deque

#endif
