#include "walk/chooser.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "show/words.hpp"
#include "walk/random.hpp"

namespace licit::checker::detail {

namespace {

/// Each thread that can go on, and each way, is as likely as the others.
class at_random final : public chooser {
 public:
  explicit at_random(std::uint64_t seed) : seed_{seed} {}

  void begin(std::uint64_t execution) override { numbers_ = {seed_, execution}; }
  std::size_t thread(std::span<const unsigned> able) override { return numbers_.below(able.size()); }
  std::size_t access(const graph& /*g*/, std::span<const candidate> all) override { return numbers_.below(all.size()); }

 private:
  std::uint64_t seed_;
  random_numbers numbers_{0, 0};
};

/// Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs",
/// ASPLOS 2010: random priorities, and depth - 1 moments at which the running thread's falls below all others. Accesses
/// take what is newest, but for `depth` moments at which they take something older. The moments are drawn over the
/// longest execution so far. The paper's guarantee, at least 1 in (threads * length ^ (depth - 1)), is for bugs of that
/// depth which show when every access takes what is newest; there is none for those that need something older.
class by_priority final : public chooser {
 public:
  by_priority(std::uint64_t seed, unsigned depth) : seed_{seed}, depth_{depth} {}

  void begin(std::uint64_t execution) override {
    if (execution != execution_) {
      most_steps_ = std::max(most_steps_, steps_);
      most_forks_ = std::max(most_forks_, forks_);
      execution_ = execution;
    }
    steps_ = forks_ = 0;
    random_numbers numbers(seed_, execution);
    std::iota(priority_.begin(), priority_.end(), depth_);
    for (std::size_t i = priority_.size(); i > 1; --i) std::swap(priority_[i - 1], priority_[numbers.below(i)]);
    falls_.assign(depth_ - 1, 0);
    for (std::uint64_t& at : falls_) at = numbers.below(most_steps_);
    older_.assign(depth_, 0);
    for (std::uint64_t& at : older_) at = numbers.below(most_forks_);
    numbers_ = numbers;
  }

  std::size_t thread(std::span<const unsigned> able) override {
    for (std::size_t i = 0; i != falls_.size(); ++i) {
      if (falls_[i] == steps_) priority_[able[highest(able)]] = static_cast<unsigned>(i);
    }
    ++steps_;
    return highest(able);
  }

  std::size_t access(const graph& /*g*/, std::span<const candidate> all) override {
    const bool newest = std::ranges::find(older_, forks_) == older_.end();
    ++forks_;
    return newest ? 0 : 1 + numbers_.below(all.size() - 1);
  }

 private:
  [[nodiscard]] std::size_t highest(std::span<const unsigned> able) const {
    const auto best = std::ranges::max_element(able, {}, [&](unsigned t) { return priority_[t]; });
    return static_cast<std::size_t>(best - able.begin());
  }

  static constexpr std::uint64_t first_guess = 16;  ///< of an execution's length

  std::uint64_t seed_;
  unsigned depth_;
  random_numbers numbers_{0, 0};
  std::uint64_t execution_ = 0;
  std::uint64_t steps_ = 0;  ///< of this execution: choices of a thread
  std::uint64_t forks_ = 0;  ///< and of what an access takes
  std::uint64_t most_steps_ = first_guess;
  std::uint64_t most_forks_ = first_guess;
  std::array<unsigned, max_threads> priority_{};
  std::vector<std::uint64_t> falls_;
  std::vector<std::uint64_t> older_;
};

/// A byte for each choice that is one, from the first on; after the last, what is canonical.
class by_bytes final : public chooser {
 public:
  explicit by_bytes(std::span<const std::uint8_t> bytes) : bytes_{bytes} {}

  void begin(std::uint64_t /*execution*/) override { at_ = 0; }
  std::size_t thread(std::span<const unsigned> able) override { return below(able.size()); }
  std::size_t access(const graph& /*g*/, std::span<const candidate> all) override { return below(all.size()); }

 private:
  std::size_t below(std::size_t n) { return n == 1 || at_ == bytes_.size() ? 0 : bytes_[at_++] % n; }

  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

class by_record final : public chooser {
 public:
  explicit by_record(const record& r) : record_{r} {}

  void begin(std::uint64_t /*execution*/) override {
    at_ = 0;
    now_ = nullptr;
    objection_.clear();
  }

  std::size_t thread(std::span<const unsigned> able) override {
    now_ = nullptr;
    const unsigned wanted = has_more() ? record_.steps[at_].at.thread : record_.ended_in;
    const auto found = std::ranges::find(able, wanted);
    if (found != able.end()) return static_cast<std::size_t>(found - able.begin());
    if (has_more()) object(at_, thread_name(wanted) + " cannot go on, which did '" + text(record_.steps[at_]) + "'");
    return 0;
  }

  void meet(const step& s) override {
    if (!has_more()) return;
    now_ = &record_.steps[at_++];
    if (!now_->same(s)) object(at_ - 1, "'" + text(*now_) + "' was recorded, and now it is '" + text(s) + "'");
  }

  std::size_t access(const graph& g, std::span<const candidate> all) override {
    if (now_ == nullptr) return 0;
    const auto found = std::ranges::find_if(all, [&](const candidate& c) {
      return c.waits == now_->waits && c.choice == now_->choice && name(g, c.other) == now_->other;
    });
    if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
    object(at_ - 1, "'" + text(*now_) + "' cannot take " + words(now_->other, now_->choice, now_->waits) +
                        ", as was recorded, but " + list(g, all));
    return 0;
  }

  [[nodiscard]] bool follows() const override { return true; }
  [[nodiscard]] bool has_more() const override { return at_ != record_.steps.size(); }
  [[nodiscard]] const std::string& objection() const override { return objection_; }

 private:
  static std::optional<event_name> name(const graph& g, event_id id) {
    if (id == initial) return {};
    return event_name{static_cast<std::uint8_t>(g[id].thread()), g[id].index};
  }
  static std::string words(const std::optional<event_name>& other, unsigned choice, bool waits) {
    std::string all = other ? text(*other) : "the beginning";
    if (choice != 0) all += " (choice " + std::to_string(choice) + ")";
    return waits ? all + " and wait" : all;
  }
  static std::string list(const graph& g, std::span<const candidate> all) {
    std::string names;
    for (const candidate& c : all) {
      names += (names.empty() ? "" : " or ") + words(name(g, c.other), c.choice, c.waits);
    }
    return names;
  }
  void object(std::size_t at, const std::string& what) {
    if (objection_.empty()) objection_ = "step " + std::to_string(at) + ": " + what;
  }

  const record& record_;
  std::size_t at_ = 0;         ///< the step that comes next
  const step* now_ = nullptr;  ///< the step that is being done
  std::string objection_;
};

}  // namespace

const std::string& chooser::objection() const {
  static const std::string none;
  return none;
}

std::unique_ptr<chooser> make_chooser(const options& o) {
  if (o.sample.executions == 0) throw std::invalid_argument("licit: a sample of no executions");
  switch (o.how) {
    case mode::random: return std::make_unique<at_random>(o.sample.seed);
    case mode::pct:
      if (o.sample.depth == 0) throw std::invalid_argument("licit: a depth of 0; the least is 1");
      return std::make_unique<by_priority>(o.sample.seed, o.sample.depth);
    case mode::bytes: return std::make_unique<by_bytes>(o.sample.bytes);
    case mode::replay:
      if (o.sample.steps == nullptr) throw std::invalid_argument("licit: there is no record to replay");
      return std::make_unique<by_record>(*o.sample.steps);
    case mode::exhaustive:
    case mode::estimate: break;
  }
  return nullptr;
}

std::unique_ptr<chooser> follow(const record& r) { return std::make_unique<by_record>(r); }

}  // namespace licit::checker::detail
