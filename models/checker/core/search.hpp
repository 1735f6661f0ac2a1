/// The search: every consistent execution graph of a program, each once.
///
/// TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis, "Truly Stateless, Optimal Dynamic Partial Order Reduction",
/// POPL 2022). A read that is added takes each write that it may read, a write each place in modification order; and a
/// write that is added *revisits* each read that could have read it had it been there: what the read's removal takes
/// away is deleted, provided that all of it had been added in the one canonical way (`maximal`), so that no graph is
/// come to twice. Depth first: memory is linear in the length of an execution times the depth of the revisits.
#ifndef LICIT_CHECKER_CORE_SEARCH_HPP
#define LICIT_CHECKER_CORE_SEARCH_HPP

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <licit/checker/options.hpp>

#include "core/exploration.hpp"

namespace licit::checker::detail {

class search : public exploration {
 public:
  explicit search(release_sequences rule, symmetry equal = symmetry({}), cut where = {})
      : exploration{rule, std::move(equal)}, cut_{std::move(where)} {
    search::begin();
  }

  void begin() override;
  void repeat() override {}  // the graph stays, and the program is run on it again

  /// Adds an atomic access, in its first alternative; the others are for later.
  answer access(const operation& op) override;

  /// Goes to the next alternative. False when there is none: everything has been explored.
  bool next() override;

  void replay_at_most(std::size_t events) override { most_replayed_ = events; }
  [[nodiscard]] bool offers_to_go_back() const override { return offers_; }
  image* place_for_image() override;
  void drop_image() override { --top().kept, --images_; }
  void forget_images() override {
    for (std::size_t d = 0; d != depth_; ++d) forget_images(*frames_[d], 0);
  }
  [[nodiscard]] const image* latest_image() const override;

  /// Whether what is found now counts here: always, but above a cut.
  [[nodiscard]] bool counts() const override { return cut_.above || level_ >= cut_.level; }
  /// Those that were met at the cut.
  [[nodiscard]] std::uint64_t pieces() const override { return pieces_; }
  /// Those of them that were explored here.
  [[nodiscard]] std::uint64_t taken() const override { return taken_; }

 protected:
  enum class way : std::uint8_t {
    read,     ///< the operation reads `source`, and writes if it is a read-modify-write that succeeds
    write,    ///< the operation writes right after `source`
    revisit,  ///< `revisited` is to read what the operation writes
    placed,   ///< the same, in the restricted graph: the write comes right after `source`
  };

  struct alternative {
    way how;
    std::uint8_t choice = 0;
    bool half = false;  ///< the operation is a read-modify-write whose read is in the graph
    event_id size;      ///< of the graph that it continues
    event_id source = initial;
    event_id revisited = initial;
    operation op;
    unsigned level = 0;  ///< in the tree of alternatives (cut.hpp)
    word began_as = 0;   ///< the initial value of its location, which may be another in another execution
  };

  struct frame {
    graph events;
    std::vector<alternative> untried;
    bool is_lent = false;                        ///< a frame above has had its events
    event_id shared = 0;                         ///< so many of the first events are those of the frame below
    std::vector<std::unique_ptr<image>> images;  ///< of the program where the graph was smaller, the first `kept`
    std::size_t kept = 0;
  };

  [[nodiscard]] frame& top() { return *frames_[depth_ - 1]; }
  /// Continues the top frame's graph by the alternative. False if there is none to continue with as yet.
  bool resume(const alternative& a) {
    level_ = a.level;
    set_initial(a.op.location, a.began_as);
    return apply(a);
  }

 private:
  static constexpr std::size_t most_images = 2000;

  void forget_images(frame& f, std::size_t kept) {
    images_ -= f.kept - kept;
    f.kept = kept;
  }
  bool apply(const alternative& a);
  [[nodiscard]] const frame& top() const { return *frames_[depth_ - 1]; }
  frame& push();
  void pop();
  void offer(alternative a);
  bool goes_into(const alternative& a);
  void reject() { rejected_ += counts() ? 1U : 0U; }

  answer read(const operation& op);
  answer write(const operation& op);
  bool try_read(const operation& op, event_id source, unsigned choice);
  void offer_revisits(event_id write, alternative how);

  bool finish_update(event_id read);

  void restrict(const alternative& a);
  bool apply_placed(const alternative& a);

  [[nodiscard]] static bool revisitable(const graph& g, event_id read, event_id write);

  cut cut_;
  std::vector<std::unique_ptr<frame>> frames_;  ///< the first `depth_` are in use
  std::size_t depth_ = 0;
  std::vector<event_id> names_;
  std::size_t images_ = 0;         ///< in all frames
  std::size_t most_replayed_ = 8;  ///< events between images, where there are reads
  bool offers_ = false;
  unsigned level_ = 0;  ///< of the alternative that the current graph continues
  std::uint64_t pieces_ = 0;
  std::uint64_t taken_ = 0;
};

/// Whether the event, which the revisit of a read by `write` would delete, was added in the canonical way: a read of
/// the newest write, a write in the newest place and not read by what stays, among what was there before it or stays.
bool added_maximally(const graph& g, event_id e, event_id write);

}  // namespace licit::checker::detail

#endif
