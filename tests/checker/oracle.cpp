#include "oracle.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "relation.hpp"

namespace licit::checker_test {

namespace {

using set = relation::set;

enum class kind { read, write, fence };

struct happening {
  kind what;
  int thread;  ///< -1: an initial write
  int index;
  unsigned at;
  order strength;
  const instruction* from;
  int partner = -1;  ///< of a successful read-modify-write's halves: the other one
};

bool atomic(const happening& e) { return e.what != kind::fence && e.at < first_plain; }
bool acquire(order o) { return o == order::acquire || o == order::acq_rel || o == order::seq_cst; }
bool release(order o) { return o == order::release || o == order::acq_rel || o == order::seq_cst; }

/// One way for the compare-exchanges to end, and all that follows from it without knowing who reads what.
class candidate {
 public:
  candidate(const straight_line& program, sequences rule, answer& found)
      : program_{program}, rule_{rule}, found_{found} {}

  void explore(unsigned successes) {
    make_events(successes);
    if (events_.size() > relation::limit) throw std::length_error("too many events for the oracle");
    const std::size_t n = events_.size();
    po_ = same_ = rmw_ = relation{n};
    for (std::size_t i = 0; i != n; ++i) {
      for (std::size_t j = 0; j != n; ++j) relate(i, j);
    }
    source_.assign(n, -1);
    choose_source(0);
  }

 private:
  void make_events(unsigned successes) {
    events_.clear();
    for (unsigned l = 0; l != most_locations; ++l) {
      events_.push_back({kind::write, -1, static_cast<int>(l), l, order::relaxed, nullptr});
    }
    for (std::size_t t = 0; t != program_.size(); ++t) {
      int index = 0;
      const auto add = [&](kind k, const instruction& i, order o) {
        events_.push_back({k, static_cast<int>(t), index++, i.at, o, &i});
      };
      for (const instruction& i : program_[t]) {
        bool success = i.what == verb::fetch_add;
        if (i.what == verb::compare_exchange || i.what == verb::weak_compare_exchange) {
          success = (successes & 1U) != 0;
          successes >>= 1U;
        }
        switch (i.what) {
          case verb::load: add(kind::read, i, i.success); break;
          case verb::plain_read: add(kind::read, i, order::relaxed); break;
          case verb::plain_write: add(kind::write, i, order::relaxed); break;
          case verb::store: add(kind::write, i, i.success); break;
          case verb::light_fence: add(kind::fence, i, order::relaxed); break;
          case verb::heavy_fence: add(kind::fence, i, order::seq_cst); break;
          case verb::fence: add(kind::fence, i, i.success); break;
          default:
            add(kind::read, i, success ? i.success : i.failure);
            if (success) {
              add(kind::write, i, i.success);
              const int w = static_cast<int>(events_.size()) - 1;
              events_[static_cast<std::size_t>(w)].partner = w - 1;
              events_[static_cast<std::size_t>(w) - 1].partner = w;
            }
        }
      }
    }
  }

  void relate(std::size_t i, std::size_t j) {
    const happening& a = events_[i];
    const happening& b = events_[j];
    if (b.thread >= 0 && (a.thread < 0 || (a.thread == b.thread && a.index < b.index))) po_.add(i, j);
    if (a.what != kind::fence && b.what != kind::fence && a.at == b.at) same_.add(i, j);
    if (a.what == kind::read && a.partner == static_cast<int>(j)) rmw_.add(i, j);
  }

  template <class Predicate>
  [[nodiscard]] relation only(Predicate p) const {
    set on = 0;
    for (std::size_t i = 0; i != events_.size(); ++i) {
      if (p(events_[i])) on |= set{1} << i;
    }
    return relation::identity(events_.size(), on);
  }

  [[nodiscard]] relation light() const {
    return only([](const happening& e) { return e.thread >= 0 && e.from->what == verb::light_fence; });
  }
  [[nodiscard]] relation heavy() const {
    return only([](const happening& e) { return e.thread >= 0 && e.from->what == verb::heavy_fence; });
  }

  void choose_source(std::size_t i) {
    if (i == events_.size()) return judge_sources();
    if (events_[i].what != kind::read) return choose_source(i + 1);
    for (std::size_t w = 0; w != events_.size(); ++w) {
      if (events_[w].what != kind::write || events_[w].at != events_[i].at) continue;
      source_[i] = static_cast<int>(w);
      choose_source(i + 1);
    }
  }

  /// The value of event i, given acyclic po ∪ rf.
  [[nodiscard]] int value(std::size_t i) const {
    const happening& e = events_[i];
    if (e.thread < 0) return 0;
    if (e.what == kind::read) return value(static_cast<std::size_t>(source_[i]));
    if (e.from->what == verb::fetch_add) return value(static_cast<std::size_t>(e.partner)) + e.from->value;
    return e.from->value;
  }

  [[nodiscard]] bool outcomes_fit() const {
    for (std::size_t i = 0; i != events_.size(); ++i) {
      const happening& e = events_[i];
      if (e.what != kind::read) continue;
      const bool equal = value(i) == e.from->expected;
      if (e.from->what == verb::compare_exchange && equal != (e.partner >= 0)) return false;
      if (e.from->what == verb::weak_compare_exchange && !equal && e.partner >= 0) return false;
    }
    return true;
  }

  void judge_sources() {
    const std::size_t n = events_.size();
    rf_ = relation{n};
    for (std::size_t i = 0; i != n; ++i) {
      if (source_[i] >= 0) rf_.add(static_cast<std::size_t>(source_[i]), i);
    }
    if (!(po_ | rf_).acyclic() || !outcomes_fit()) return;
    make_happens_before();
    if (!hb_.irreflexive()) return;
    orders_.assign(most_locations, {});
    choose_order(0);
  }

  void make_happens_before() {
    const relation writes =
        only([](const happening& e) { return e.what == kind::write && e.thread >= 0 && atomic(e); });
    const relation reads = only([](const happening& e) { return e.what == kind::read && atomic(e); });
    const relation fences = only([](const happening& e) { return e.what == kind::fence; });
    const relation released = only([](const happening& e) { return release(e.strength); });
    const relation acquired = only([](const happening& e) { return acquire(e.strength); });
    relation rs = writes;
    if (rule_ == sequences::cxx11) rs = rs * ((po_ & same_) * writes).maybe();
    rs = rs * (rf_ * rmw_).star();
    const relation sw = released * (fences * po_).maybe() * rs * rf_ * reads * (po_ * fences).maybe() * acquired;
    const relation carried = po_ * rs * rf_ * reads * po_;
    const relation asymmetric = light() * carried * heavy() | heavy() * carried * light();
    hb_ = (po_ | sw | asymmetric).plus();
  }

  void choose_order(unsigned l) {
    if (l == most_locations) return judge();
    std::vector<int> writes;
    for (std::size_t i = 0; i != events_.size(); ++i) {
      if (events_[i].what == kind::write && events_[i].thread >= 0 && events_[i].at == l)
        writes.push_back(static_cast<int>(i));
    }
    do {
      orders_[l] = writes;
      choose_order(l + 1);
    } while (std::next_permutation(writes.begin(), writes.end()));
  }

  void judge() {
    const std::size_t n = events_.size();
    relation mo{n};
    for (unsigned l = 0; l != most_locations; ++l) {
      std::vector<int> order{static_cast<int>(l)};  // the initial write is event l
      order.insert(order.end(), orders_[l].begin(), orders_[l].end());
      for (std::size_t i = 0; i != order.size(); ++i) {
        for (std::size_t j = i + 1; j != order.size(); ++j) {
          mo.add(static_cast<std::size_t>(order[i]), static_cast<std::size_t>(order[j]));
        }
      }
    }
    const relation fr = rf_.inverse() * mo - relation::identity(n, ~set{0});
    const relation eco = (rf_ | mo | fr).plus();
    if (!(hb_ * eco.maybe()).irreflexive()) return;
    if (!(rmw_ & (fr * mo)).empty()) return;
    if (!sequentially_consistent(mo, fr, eco)) return;
    found_.executions.insert(canonical());
    ++found_.complete;
    found_.racy = found_.racy || races();
  }

  [[nodiscard]] bool races() const {
    for (std::size_t i = 0; i != events_.size(); ++i) {
      for (std::size_t j = 0; j != events_.size(); ++j) {
        const bool apart = events_[i].thread >= 0 && events_[j].thread >= 0 && events_[i].thread != events_[j].thread;
        if (apart && same_.has(i, j) && events_[i].what == kind::write && !atomic(events_[i]) && !hb_.has(i, j) &&
            !hb_.has(j, i)) {
          return true;
        }
      }
    }
    return false;
  }

  [[nodiscard]] bool sequentially_consistent(const relation& mo, const relation& fr, const relation& eco) const {
    const relation sc = only([](const happening& e) { return e.strength == order::seq_cst; });
    const relation fsc = only([](const happening& e) { return e.what == kind::fence && e.strength == order::seq_cst; });
    // A light fence is no event of RC11's: what is of another location does not begin or end with one.
    const relation events = relation::identity(events_.size(), ~set{0}) - light();
    const relation elsewhere = events * (po_ - same_) * events;
    const relation scb = po_ | elsewhere * hb_ * elsewhere | (hb_ & same_) | mo | fr;
    const relation psc_base = (sc | fsc * hb_.maybe()) * scb * (sc | hb_.maybe() * fsc);
    const relation psc_f = fsc * (hb_ | hb_ * eco * hb_) * fsc;
    const relation apart = hb_ | hb_ * eco * hb_;
    return (psc_base | psc_f | light() * apart * heavy() | heavy() * apart * light()).acyclic();
  }

  [[nodiscard]] std::string name(int i) const {
    const happening& e = events_[static_cast<std::size_t>(i)];
    return e.thread < 0 ? "init" : std::to_string(e.thread) + "." + std::to_string(e.index);
  }

  [[nodiscard]] std::string canonical() const {
    std::string text;
    for (std::size_t i = 0; i != events_.size(); ++i) {
      if (events_[i].what == kind::read && atomic(events_[i]))
        text += name(static_cast<int>(i)) + "<" + name(source_[i]) + " ";
    }
    for (unsigned l = 0; l != first_plain; ++l) {
      text += "| ";
      for (const int w : orders_[l]) text += name(w) + " ";
    }
    return text;
  }

  const straight_line& program_;
  sequences rule_;
  answer& found_;
  std::vector<happening> events_;
  std::vector<int> source_;
  std::vector<std::vector<int>> orders_;
  relation po_{0}, same_{0}, rmw_{0}, rf_{0}, hb_{0};
};

}  // namespace

answer ask(const straight_line& program, sequences rule) {
  unsigned choices = 0;
  for (const auto& thread : program) {
    for (const instruction& i : thread) {
      choices += i.what == verb::compare_exchange || i.what == verb::weak_compare_exchange ? 1U : 0U;
    }
  }
  answer found;
  for (unsigned successes = 0; successes != 1U << choices; ++successes) {
    candidate(program, rule, found).explore(successes);
  }
  return found;
}

}  // namespace licit::checker_test
