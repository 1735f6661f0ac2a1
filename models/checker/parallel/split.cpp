#include "parallel/split.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace licit::checker::detail {

namespace {

/// Pieces differ in size by powers of ten: a share gets so many that the large ones even out.
constexpr std::uint64_t pieces_a_share = 256;
constexpr std::uint64_t fewest_pieces = 4096;
/// Executions that a survey costs at most, as a multiple of the pieces wanted.
constexpr std::uint64_t dearest = 4;
/// A survey of so few executions goes on to the end: such a search is not worth a process.
constexpr std::uint64_t small = 1024;

}  // namespace

survey take_survey(const explorer& run, const options& o, unsigned shares) {
  const std::uint64_t wanted = std::max(pieces_a_share * shares, fewest_pieces);
  options to_the_cut = o;
  to_the_cut.observe = {};
  survey widest;
  std::uint64_t spent = 0;
  double seconds = 0;
  for (unsigned level = 1;; ++level) {
    to_the_cut.where = {.level = level, .above = true, .takes = [](std::uint64_t) { return false; }};
    survey s{level, 0, run(to_the_cut)};
    s.pieces = s.above.share.pieces;
    seconds += s.above.seconds;
    const std::uint64_t cost = s.above.executions + s.above.blocked;
    spent += cost;
    const bool dear = spent + cost + s.pieces > dearest * wanted;
    // More executions above the cut than pieces: the bulk of the search is above, and every share would explore it.
    const bool low = spent > small && (s.pieces < widest.pieces || cost > s.pieces);
    if (s.complete() || s.pieces > widest.pieces) widest = std::move(s);
    if (widest.complete() || widest.pieces >= wanted || dear || low) break;
  }
  widest.above.seconds = seconds;
  return widest;
}

options cut_options(const options& o, const survey& s, bool above, std::function<bool(std::uint64_t)> takes) {
  options cut = o;
  if (o.max_executions != std::numeric_limits<std::uint64_t>::max()) ++cut.max_executions;
  cut.where = {.level = s.level, .above = above, .takes = std::move(takes)};
  return cut;
}

verdict surveyed(const survey& s, const share& which) {
  verdict v = s.above;
  if (v.outcome == outcome::ok && which.index != 0) v.executions = v.represented = v.blocked = v.rejected = 0;
  return v;
}

void complete(verdict& v, const survey& s, const options& o, const share& which) {
  v.share.pieces = s.pieces;
  if (v.outcome == outcome::violation) return;
  if (v.executions > o.max_executions) {
    v.outcome = outcome::limit;
    v.executions = o.max_executions;
  }
  const std::uint64_t due = s.pieces / which.count + (s.pieces % which.count > which.index ? 1 : 0);
  if (v.outcome == outcome::ok && v.share.explored != due) {
    throw std::runtime_error("the program is not deterministic: " + std::to_string(v.share.explored) +
                             " pieces were explored, " + std::to_string(due) + " were there before");
  }
}

void add(verdict& total, const verdict& more) {
  total.executions += more.executions;
  total.represented += more.represented;
  total.symmetric = total.symmetric || more.symmetric;
  total.blocked += more.blocked;
  total.deadlocked += more.deadlocked;
  total.stalled = total.stalled || more.stalled;
  total.rules_differ = total.rules_differ || more.rules_differ;
  total.rejected += more.rejected;
  total.share.explored += more.share.explored;
  total.share.pieces = std::max(total.share.pieces, more.share.pieces);
  total.depth = std::max(total.depth, more.depth);
}

verdict explore_share(const explorer& run, const options& o, const share& which) {
  if (which.index >= which.count) {
    throw std::invalid_argument("licit: there is no share " + std::to_string(which.index) + " of " +
                                std::to_string(which.count));
  }
  if (which.count == 1) return run(o);
  const survey s = take_survey(run, o, which.count);
  if (s.complete()) return surveyed(s, which);
  verdict v =
      run(cut_options(o, s, which.index == 0, [&](std::uint64_t piece) { return piece % which.count == which.index; }));
  v.seconds += s.above.seconds;
  complete(v, s, o, which);
  return v;
}

}  // namespace licit::checker::detail
