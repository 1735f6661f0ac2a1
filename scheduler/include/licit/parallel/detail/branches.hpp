/// The right halves that one thread has put aside while it runs the left ones.
#ifndef LICIT_PARALLEL_BRANCHES_HPP
#define LICIT_PARALLEL_BRANCHES_HPP

#include <algorithm>
#include <cstdint>

#include <licit/parallel/detail/control.hpp>
#include <licit/parallel/detail/lane.hpp>
#include <licit/scheduler/clock.hpp>

namespace licit::inline v0::detail {

/// A right half, on the stack of the thread that divided. While it is latent, only that thread knows of it, and it
/// costs nothing.
class branch : public lane_job {
 protected:
  explicit branch(std::uint64_t items) : items_{items} {}

 private:
  friend class branches;
  branch* older_ = nullptr;
  branch* younger_ = nullptr;
  std::uint64_t items_;
  bool offered_ = false;
};

/// The branches of one thread in one call, in the order of division. When a chunk has ended and nothing of this thread
/// is on offer, the oldest latent branch is offered to thieves: theirs is the largest piece, and a division that nobody
/// asks for costs no synchronisation. So the offered branches are older than all latent ones.
class branches {
 public:
  explicit branches(control& all)
      : all_{all}, lane_{lane::here()}, measured_{lane_.measured()}, start_{steady_nanoseconds::now()} {}
  branches(const branches&) = delete;
  branches& operator=(const branches&) = delete;

  [[nodiscard]] const lane& where() const { return lane_; }

  [[nodiscard]] bool measured() const { return measured_ != nullptr; }

  /// The left half follows.
  void put_aside(branch& right) {
    if (measured_ != nullptr) right.counted().open(*measured_);
    right.older_ = youngest_;
    if (youngest_ != nullptr) youngest_->younger_ = &right;
    youngest_ = &right;
    if (latent_ == nullptr) latent_ = &right;
  }

  /// For the youngest branch, after the left half, which may have thrown. True: nobody has taken it, and it is the
  /// caller's, who runs it in `in_place`. False: it has been run.
  [[nodiscard]] bool reclaim(branch& right, bool threw = false) {
    right.counted().turn();
    youngest_ = right.older_;
    if (youngest_ != nullptr) youngest_->younger_ = nullptr;
    if (!right.offered_) {
      if (latent_ == &right) latent_ = nullptr;
      return true;
    }
    told_ = true;
    if (lane_.take_back(right)) return true;
    await(right, threw);
    return false;
  }
  /// Returns what `run` returns, which runs the right half; what follows is not counted as a part of it.
  template <class F>
  auto in_place(branch& right, F run) {
    if (measured_ == nullptr) return run();
    const struct closes {
      strand_fork& of;
      ~closes() { of.close(); }
    } at_end{right.counted()};
    return run();
  }

  /// After a chunk of so many items, which are done if `counted`.
  void end_chunk(std::uint64_t items, bool counted = true) {
    if (counted) all_.end_chunk(items);
    done_ += items;
    static_cast<void>(offer());
  }
  /// Whether something of this thread is on offer, after it has offered what it has.
  [[nodiscard]] bool offer() {
    if (!lane_.hungry()) {
      if (!told_ && is_worth_a_wake()) tell();
      return true;
    }
    if (latent_ == nullptr) return false;
    branch& oldest = *latent_;
    if (!lane_.offer(oldest)) return true;
    oldest.offered_ = true;
    latent_ = oldest.younger_;
    on_offer_ = oldest.items_;
    told_ = false;
    if (is_worth_a_wake()) tell();
    return true;
  }

 private:
  [[gnu::noinline]] void await(branch& stolen, bool threw) {
    threw ? lane_.await_alone(stolen) : lane_.await(stolen);
    stolen.counted().close();
  }
  void tell() {
    told_ = true;
    lane_.call();
  }
  /// Reads the clock after 1, 2, 4, … chunks, as long as nothing was worth telling.
  bool is_worth_a_wake() {
    if (all_.options().grain.has_value() || all_.items() <= few_items) return true;
    if (++looks_ >= next_look_) {
      next_look_ = looks_ + std::min<std::uint32_t>(looks_, 4);
      const auto took = static_cast<double>(steady_nanoseconds::now() - start_);
      if (done_ != 0 && took >= trusted_time) each_ = took / static_cast<double>(done_);
    }
    return each_ * static_cast<double>(on_offer_) >= worth_a_wake;
  }

  control& all_;
  lane lane_;
  strand* const measured_;
  branch* youngest_ = nullptr;
  branch* latent_ = nullptr;    ///< the oldest that is not offered
  std::uint64_t on_offer_ = 0;  ///< the items of the last branch that was offered
  bool told_ = true;            ///< sleeping workers have been told of it
  std::uint64_t start_;
  std::uint64_t done_ = 0;
  double each_ = 0;  ///< nanoseconds an item
  std::uint32_t looks_ = 0, next_look_ = 1;
};

}  // namespace licit::inline v0::detail

#endif
