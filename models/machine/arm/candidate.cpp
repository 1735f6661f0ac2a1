#include "machine/arm/candidate.hpp"

#include <sstream>

#include "machine/arm/relation.hpp"

namespace licit::arm {

std::vector<std::size_t> relation::cycle() const {
  const relation all = closure();
  for (std::size_t a = 0; a != events_; ++a) {
    if (!all.has(a, a)) continue;
    // From a, always on to an event that leads back to it, by as few steps as there are.
    std::vector<std::size_t> from(events_, events_);
    std::vector<std::size_t> queue{a};
    for (std::size_t k = 0; k != queue.size(); ++k) {
      for (std::size_t b = 0; b != events_; ++b) {
        if (!has(queue[k], b) || from[b] != events_) continue;
        from[b] = queue[k];
        queue.push_back(b);
      }
    }
    std::vector<std::size_t> path{a};
    for (std::size_t b = from[a]; b != a; b = from[b]) path.insert(path.begin() + 1, b);
    return path;
  }
  return {};
}

namespace {

/// The relations of aarch64.cat over one candidate, by their names there.
class axioms {
 public:
  explicit axioms(const candidate& c) : c_(c), n_(c.events.size()) {}

  [[nodiscard]] relation internal() const { return po_loc | fr | co | rf; }
  [[nodiscard]] bool atomic() const { return (rmw & (external(fr) * external(co))).empty(); }
  [[nodiscard]] relation ordered_before() const {
    return external(rf) | fr | co | local_write_successor() | dependencies() | atomics() | barriers() | links();
  }

 private:
  using test = bool (*)(const event&);

  [[nodiscard]] relation set(test f) const {
    return relation::identity(n_, [&](std::size_t a) { return f(c_.events[a]); });
  }
  [[nodiscard]] relation between(const std::vector<event_number> event::* sources) const {
    relation r(n_);
    for (std::size_t b = 0; b != n_; ++b) {
      for (const event_number a : c_.events[b].*sources) r.add(a, b);
    }
    return r;
  }
  [[nodiscard]] relation external(const relation& r) const {
    return r & relation::where(
                   n_, [&](std::size_t a, std::size_t b) { return c_.events[a].thread != c_.events[b].thread; });
  }
  static bool is_access(const event& e) { return e.kind == event_kind::read || e.kind == event_kind::write; }
  static bool is_read(const event& e) { return e.kind == event_kind::read || e.kind == event_kind::own_read; }
  static bool is_write(const event& e) { return e.kind == event_kind::write || e.kind == event_kind::own_write; }

  [[nodiscard]] relation program_order() const {
    return relation::where(n_, [&](std::size_t a, std::size_t b) {
      return a < b && c_.events[a].thread == c_.events[b].thread && c_.events[a].thread != nobody;
    });
  }
  [[nodiscard]] relation same_location() const {
    return relation::where(n_, [&](std::size_t a, std::size_t b) {
      const event& x = c_.events[a];
      const event& y = c_.events[b];
      return is_access(x) && is_access(y) && x.location == y.location;
    });
  }
  [[nodiscard]] relation reads_from() const {
    relation r(n_);
    for (std::size_t b = 0; b != n_; ++b) {
      if (c_.events[b].kind == event_kind::read && c_.events[b].from != initially) r.add(c_.events[b].from, b);
    }
    return r;
  }
  [[nodiscard]] relation coherence_order() const {
    relation r(n_);
    for (const auto& writes : c_.coherence) {
      for (std::size_t a = 0; a != writes.size(); ++a) {
        for (std::size_t b = a + 1; b != writes.size(); ++b) r.add(writes[a], writes[b]);
      }
    }
    return r;
  }
  [[nodiscard]] relation from_reads() const {
    relation r(n_);
    for (std::size_t a = 0; a != n_; ++a) {
      const event& e = c_.events[a];
      if (e.kind != event_kind::read) continue;
      bool later = e.from == initially;
      for (const event_number w : c_.coherence[e.location]) {
        if (later) r.add(a, w);
        later = later || w == e.from;
      }
    }
    return r;
  }
  [[nodiscard]] relation read_modify_writes() const {
    relation r(n_);
    for (std::size_t b = 0; b != n_; ++b) {
      if (c_.events[b].rmw_read != initially) r.add(c_.events[b].rmw_read, b);
    }
    return r;
  }
  [[nodiscard]] relation links() const {
    relation r(n_);
    for (const auto& [a, b] : c_.links) r.add(a, b);
    const relation sent = set([](const event& e) { return e.kind == event_kind::sends; });
    const relation received = set([](const event& e) { return e.kind == event_kind::receives; });
    return r | po * sent | received * po;
  }

  /// lws: po-loc; [W]
  [[nodiscard]] relation local_write_successor() const { return po_loc * set(is_write); }

  /// dob; rfi stands for lrs, which is the same where reads-from follows coherence.
  [[nodiscard]] relation dependencies() const {
    const relation addr = between(&event::address_of);
    const relation data = between(&event::data_of);
    const relation ctrl = between(&event::control_of);
    const relation writes = set(is_write);
    const relation isb = set([](const event& e) { return e.orders == barrier::isb; });
    const relation reads = set(is_read);
    return addr | data | ctrl * writes | addr * po * writes | (addr | data) * local(rf) | ctrl * isb * po * reads |
           addr * po * isb * po * reads;
  }
  [[nodiscard]] relation local(const relation& r) const {
    return r & relation::where(
                   n_, [&](std::size_t a, std::size_t b) { return c_.events[a].thread == c_.events[b].thread; });
  }

  /// aob
  [[nodiscard]] relation atomics() const {
    const relation acquiring = set([](const event& e) { return is_read(e) && (e.acquire || e.acquire_pc); });
    return rmw | rmw * local(rf) * acquiring;
  }

  /// bob, and DSB-ob
  [[nodiscard]] relation barriers() const {
    const relation full =
        set([](const event& e) { return e.orders == barrier::dmb_full || e.orders == barrier::dsb_full; });
    const relation loads =
        set([](const event& e) { return e.orders == barrier::dmb_loads || e.orders == barrier::dsb_loads; });
    const relation stores =
        set([](const event& e) { return e.orders == barrier::dmb_stores || e.orders == barrier::dsb_stores; });
    const relation all_stores = set([](const event& e) { return e.orders == barrier::dsb_stores; });
    const relation reads = set([](const event& e) { return is_read(e) && !e.no_result; });
    const relation writes = set(is_write);
    const relation a = set([](const event& e) { return is_read(e) && e.acquire; });
    const relation a_or_q = set([](const event& e) { return is_read(e) && (e.acquire || e.acquire_pc); });
    const relation l = set([](const event& e) { return is_write(e) && e.release; });
    const relation amo =  // range([A]; amo; [L])
        set([](const event& e) { return is_write(e) && e.one_instruction && e.acquire && e.release; });
    return po * full * po | reads * po * loads * po | writes * po * stores * po * writes |
           writes * po * all_stores * po | amo * po | l * po * a | a_or_q * po | po * l;
  }

  const candidate& c_;
  std::size_t n_;
  relation po = program_order();
  relation po_loc = po & same_location();
  relation rf = reads_from();
  relation co = coherence_order();
  relation fr = from_reads();
  relation rmw = read_modify_writes();
};

std::string shown(const candidate& c, const std::vector<std::size_t>& cycle, const char* axiom) {
  std::string text = std::string(axiom) + " does not hold:";
  for (const std::size_t e : cycle) text += "\n  " + to_text(c.events[e]);
  return text;
}

const char* name(event_kind k) {
  switch (k) {
    case event_kind::read: return "read";
    case event_kind::write: return "write";
    case event_kind::barrier: return "barrier";
    case event_kind::own_read: return "own read";
    case event_kind::own_write: return "own write";
    case event_kind::sends: return "sends";
    case event_kind::receives: return "receives";
  }
  return "";
}

const char* name(barrier b) {
  switch (b) {
    case barrier::none: return "";
    case barrier::dmb_full: return "dmb ish";
    case barrier::dmb_loads: return "dmb ishld";
    case barrier::dmb_stores: return "dmb ishst";
    case barrier::dsb_full: return "dsb ish";
    case barrier::dsb_loads: return "dsb ishld";
    case barrier::dsb_stores: return "dsb ishst";
    case barrier::isb: return "isb";
  }
  return "";
}

}  // namespace

std::optional<std::string> violated(const candidate& c) {
  const axioms of(c);
  if (const auto cycle = of.internal().cycle(); !cycle.empty()) return shown(c, cycle, "internal visibility");
  if (!of.atomic()) return "atomicity of a read-modify-write does not hold";
  if (const auto cycle = of.ordered_before().cycle(); !cycle.empty()) return shown(c, cycle, "external visibility");
  return std::nullopt;
}

std::string to_text(const event& e) {
  std::ostringstream text;
  if (e.thread == nobody) {
    text << "joined";
  } else {
    text << "thread " << e.thread;
  }
  text << ": " << name(e.kind);
  if (e.kind == event_kind::barrier) text << ' ' << name(e.orders);
  if (e.acquire) text << " acquire";
  if (e.acquire_pc) text << " acquire-pc";
  if (e.release) text << " release";
  if (e.kind == event_kind::read || e.kind == event_kind::write) {
    text << std::hex << " 0x" << e.value << " at 0x" << e.address << std::dec << " of " << e.size;
  }
  if (e.pc != 0) text << std::hex << ", by 0x" << e.pc;
  return text.str();
}

}  // namespace licit::arm
