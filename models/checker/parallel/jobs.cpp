#include <chrono>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include <licit/checker/process_pool.hpp>

#include "parallel/shared_array.hpp"
#include "parallel/split.hpp"
#include "parallel/verdict_bytes.hpp"

namespace licit::checker::detail {

namespace {

constexpr std::uint64_t above_all_pieces = std::numeric_limits<std::uint64_t>::max();

/// What the processes tell each other while they work.
struct board {
  board(std::uint64_t pieces, unsigned workers) : taken(pieces), at(workers) {
    for (unsigned w = 0; w != workers; ++w) at[w] = above_all_pieces;
  }
  shared_array<bool> taken;        ///< each piece
  shared_array<std::uint64_t> at;  ///< the piece that each process explores
  shared_array<std::uint64_t> sum{2};
  std::atomic<std::uint64_t>& executions = sum[0];
  std::atomic<std::uint64_t>& done = sum[1];  ///< pieces
};

/// A share of a search, explored by several processes. None is left when it goes out of scope.
class shared_search {
 public:
  shared_search(const explorer& run, const options& o, const survey& s, const share& which, unsigned count)
      : run_{run}, options_{o}, survey_{s}, share_{which}, board_{s.pieces, count}, workers_{count} {
    for (unsigned w = 0; w != count; ++w) workers_.start([this, w] { return work(w); });
  }

  verdict finish(const std::function<void(std::uint64_t, std::uint64_t)>& progress);

 private:
  std::string work(unsigned w);
  bool takes(unsigned w, std::uint64_t piece);
  verdict part_of(const process_pool::ended& e);
  verdict ended(verdict& total, outcome how);

  const explorer& run_;
  const options& options_;
  const survey& survey_;
  const share& share_;
  board board_;
  process_pool workers_;
};

/// In a process of its own.
std::string shared_search::work(unsigned w) {
  options mine =
      cut_options(options_, survey_, w == 0 && share_.index == 0, [&](std::uint64_t piece) { return takes(w, piece); });
  mine.observe = [&](const graph&) { board_.executions.fetch_add(1, std::memory_order_relaxed); };
  return to_bytes(run_(mine));
}

/// Whether the process explores the piece: when it is of the share, and no other process has it.
bool shared_search::takes(unsigned w, std::uint64_t piece) {
  if (board_.at[w].exchange(above_all_pieces) != above_all_pieces) board_.done.fetch_add(1);
  if (piece >= survey_.pieces) throw std::runtime_error("the program is not deterministic: more pieces than before");
  if (piece % share_.count != share_.index || board_.taken[piece].exchange(true)) return false;
  board_.at[w] = piece;
  return true;
}

/// What the process has found, now that it ended.
verdict shared_search::part_of(const process_pool::ended& e) {
  verdict part;
  if (e.failure.empty() && from_bytes(e.output, part)) return part;
  const std::uint64_t at = board_.at[e.number];
  const std::string where = at == above_all_pieces
                                ? "above the pieces"
                                : "piece " + std::to_string(at) + " of " + std::to_string(survey_.pieces);
  throw std::runtime_error("the process that explored " + where + " " +
                           (e.failure.empty() ? "ended without a whole verdict" : e.failure));
}

/// Before every process has: what they have counted so far.
verdict shared_search::ended(verdict& total, outcome how) {
  total.outcome = how;
  total.executions = board_.executions;
  return std::move(total);
}

verdict shared_search::finish(const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  constexpr std::chrono::milliseconds a_tenth_of_a_second{100};
  verdict total{.exhaustive = true};
  while (!workers_.idle()) {
    const auto one = workers_.wait(a_tenth_of_a_second);
    if (progress) progress(board_.done, survey_.pieces / share_.count);
    if (board_.executions > options_.max_executions) return ended(total, outcome::limit);
    if (!one) continue;
    const verdict part = part_of(*one);
    add(total, part);
    if (part.outcome == outcome::ok) continue;
    total.kind = part.kind;
    total.message = part.message;
    total.picture = part.picture;
    total.calls = part.calls;
    total.trace = part.trace;
    total.steps = part.steps;
    total.options = options_;
    return ended(total, part.outcome);
  }
  return total;
}

}  // namespace

verdict explore_share(const explorer& run, const options& o, const share& which, unsigned jobs,
                      const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  if (jobs <= 1) return explore_share(run, o, which);
  if (which.index >= which.count) return explore_share(run, o, which);  // throws
  if (o.observe) throw std::invalid_argument("licit: executions cannot be observed in other processes");
  const auto start = std::chrono::steady_clock::now();
  const survey s = take_survey(run, o, which.count);
  if (s.complete()) return surveyed(s, which);
  verdict v = shared_search(run, o, s, which, jobs).finish(progress);
  complete(v, s, o, which);
  v.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return v;
}

}  // namespace licit::checker::detail
