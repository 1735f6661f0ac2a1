// The rules are derived from RC11 in README.md beside this file, by the names in the comments.
#include "proof/schema.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "proof/schema_batches.hpp"

namespace licit::proof {

namespace {

class maker : private batch_rules {
 public:
  maker(const transition_system& system, const state& variables, const step& s, behind where)
      : batch_rules{system, variables, s}, where_{where}, pairs_{access_pairs_of(system)} {}

  transition made() {
    out_.name = step_.name;
    std::string at;
    for (const std::string& p : step_.from) at += " (= " + here("at") + " " + point(p) + ")";
    out_.guards.push_back("(or" + at + ")");
    set("at", point(step_.next));
    if (step_.does) step_.owner ? owner_does(*step_.does) : thief_does(*step_.does);
    for (const auto& read : step_.reads) own_read(read);
    if (step_.copies) copy(*step_.copies);
    if (step_.hands) hand(*step_.hands);
    if (step_.begins_batch) out_.redone["copied"] = "(- 1)";
    for (const auto& g : step_.guards) out_.guards.push_back(local(g));
    for (const auto& [name, term] : step_.updates) set(name, local(term));
    for (const auto& [name, term] : step_.obligations) out_.obligations.emplace_back(name, local(term));
    if (!step_.takes.empty()) take(local(step_.takes));
    return std::move(out_);
  }

 private:
  // What only the owner writes, it reads as it is (coherence: its own last store).
  void own_read(const step::own_read& read) {
    if (read.place.empty()) return set(read.result, local(read.index));
    if (read.place == away) return set(read.result, choice());
    if (step_.does && step_.does->how == operation::store) throw std::logic_error("licit: a read behind a store");
    if (read.place == "bottom") return set(read.result, "(select bottom stores)");
    if (read.place == "slot") return set(read.result, "(select slot (sl " + read.ring + " " + read.index + "))");
    throw std::logic_error("licit: the owner reads " + read.place);
  }

  void owner_does(const event& e) {
    if (licit::detail::is_fence(e.how)) return owner_fence(e);
    if (e.how == operation::store && e.place == "bottom") return store_bottom(e);
    if (e.how == operation::store && e.place == "slot") return store_slot(e);
    if (e.how == operation::store && e.place == "ring") return store_ring(e);
    if (e.how == operation::load && e.place == "top") return owner_loads_top(e);
    if (e.how == operation::compare_exchange && e.place == "top") return claim(e, "own.top");
    throw std::logic_error("licit: no rule for " + e.name);
  }
  void thief_does(const event& e) {
    if (licit::detail::is_fence(e.how)) return thief_fence(e);
    if (e.how == operation::load && e.place == "top") return thief_loads_top(e);
    if (e.how == operation::load && e.place == "bottom") return load_bottom(e);
    if (e.how == operation::load && e.place == "ring") return load_ring(e);
    if (e.how == operation::load && e.place == "slot") return load_slot(e);
    if (e.how == operation::compare_exchange && e.place == "top") return claim(e, "seen.top");
    throw std::logic_error("licit: no rule for " + e.name);
  }

  // [store] A new end of bottom's modification order. It releases what the owner wrote before it, or by a relaxed store
  // what it wrote before its last fence. [pair] Of the thieves whose fence is past, none sees it by that fence.
  void store_bottom(const event& e) {
    const std::string next = "(+ stores 1)";
    const std::string all = e.batch ? publish_copies(e) : "pushes";
    set("stores", next);
    set("bottom", stored("bottom", next, e.term));
    set("releases", stored("releases", next, releases(e.success) ? all : "fence.releases"));
    set("done", stored("done", next, "false"));
    set("owed", "fenced");
  }

  // [store] of a slot is a push.
  void store_slot(const event& e) {
    if (e.term == away) return copy_into(e, "(sl " + e.ring + " " + e.index + ")");
    if (e.term != "pushes") throw std::logic_error("licit: a slot gets another item than the one pushed");
    const std::string cell = "(sl " + e.ring + " " + e.index + ")";
    set("place", stored("place", "pushes", e.index));
    set("cell", stored("cell", "pushes", cell));
    set("latest", stored("latest", e.index, "pushes"));
    set("slot", stored("slot", cell, "pushes"));
    set("pushes", "(+ pushes 1)");
    overwrite(e, cell);
  }
  // [copy] Growth fills a ring that no other thread has. (from s i) is the item from i on whose slot s is.
  void copy(const step::copy& c) {
    const std::string there = "(and (= (ring-of s) " + c.to + ") (< (from s " + c.first + ") " + c.last + "))";
    const std::string old = "(select slot (sl " + c.from + " (from s " + c.first + ")))";
    const auto copied = [&](const std::string& name) {
      return "(ite " + there + " " + old + " (select " + name + " s))";
    };
    for (const char* name : {"slot", "carried"}) out_.redone[name] = copied(name);
  }
  // [store] of the pointer to a ring: rings are numbered by these stores. By a release it hands over what was done to
  // make it; what a relaxed one releases is forgotten.
  void store_ring(const event& e) {
    out_.obligations.emplace_back("ring", "(= " + e.term + " (+ rings 1))");
    set("rings", "(+ rings 1)");
    set("hands", stored("hands", "(+ rings 1)", releases(e.success) ? e.term : "0"));
  }

  // [fence] A release fence: stores from now on release what is pushed, and claims hand on what is stored. A light
  // fence is none. That of seq_cst is in `behind`.
  void owner_fence(const event& e) {
    if (e.how == operation::light_fence || !releases(e.success)) return;
    set("fence.releases", "pushes");
    if (pairs_) set("fence.stores", "stores");
  }

  // [coherence] A value between what the thread has seen and what there is.
  std::string load_top(const event& e, const std::string& view) {
    const std::string v = choice();
    guard("(and (<= " + here(view) + " " + v + ") (<= " + v + " top))");
    set(view, v);
    set(e.name, v);
    return v;
  }
  // [pair] Behind a fence the owner sees what it owes, or [accesses] by a seq_cst load behind a seq_cst store. [release
  // sequence] All writes of top are read-modify-writes, so an acquire of v synchronises with all releases up to v.
  void owner_loads_top(const event& e) {
    const std::string v = load_top(e, "own.top");
    if (acquires(e.success)) set("acquired", maximum("acquired", v));
    if (where_ == behind::no || (where_ == behind::store && e.success != order::seq_cst)) return;
    guard("(>= " + v + " owed)");
    if (where_ == behind::read) return;
    set("done", stored("done", "stores", "true"));
    set("saw", stored("saw", "stores", v));
  }

  // [atomicity] A compare-exchange that succeeds reads the end of top's modification order. It has to add one, or the
  // number of items that are handed over.
  void claim(const event& e, const std::string& view) {
    const std::string expected = local(e.index);
    const std::string desired = local(e.term);
    if (!e.won) return guard("(not (= " + load_top(e, view) + " " + expected + "))");
    if (!e.blind) guard("(= top " + expected + ")");
    if (e.batch) return claim_batch(e, expected, desired, view);
    const auto& all = step_.hands;
    out_.obligations.emplace_back("counter", !all ? "(= " + desired + " (+ " + expected + " 1))"
                                                  : "(and (= " + expected + " " + all->first + ") (= " + desired + " " +
                                                        all->last + ") (< " + expected + " " + desired + "))");
    set("top", desired);
    set(view, desired);
    if (claims_one(system_)) tell(e, expected, desired);
    set("stolen", stored("stolen", expected, step_.owner ? "false" : "true"));
    set("released", stored("released", expected, releases(e.success) ? "true" : "false"));
  }

  // [release sequence] All writes of top are read-modify-writes: whoever acquires one knows the store of bottom that a
  // claim which is a release knew, of this claim and of those below; or that the owner's last release fence did.
  // [accesses] The highest value up to this one whose claim makes a pair.
  void tell(const event& e, const std::string& expected, const std::string& desired) {
    const std::string before = "(select told " + expected + ")";
    const std::string mine = step_.owner ? "stores" : here("seen.bottom");
    const std::string fenced = step_.owner && pairs_ ? maximum(before, "fence.stores") : before;
    set("told", stored("told", desired, releases(e.success) ? maximum(before, mine) : fenced));
    if (!pairs_) return;
    const bool firm = pairs_.thief ? e.success == order::seq_cst : releases(e.success);
    set("firm", stored("firm", desired, firm ? desired : "(select firm " + expected + ")"));
  }
  void thief_loads_top(const event& e) {
    const std::string v = load_top(e, "seen.top");
    if (!claims_one(system_) || !acquires(e.success)) return;
    const std::string known = maximum(here("seen.bottom"), "(select told " + v + ")");
    set("seen.bottom", known);
    const bool looks = e.success == order::seq_cst && pairs(e) && loads_bottom_next(system_, step_, order::seq_cst);
    if (looks) look(known, "(select firm " + v + ")");
  }
  /// [release sequence] What a fence acquires of a history, by the thief's relaxed loads of top before it.
  [[nodiscard]] std::string acquired_by_fence(const std::string& history, std::string all) const {
    std::set<std::string> names;
    for (const step& s : system_.steps) {
      if (!s.owner && s.does && s.does->how == operation::load && s.does->place == "top") names.insert(s.does->name);
    }
    const auto acquired = [&](const std::string& name) { return "(select " + history + " " + here(name) + ")"; };
    for (const std::string& name : names) all = maximum(all, acquired(name));
    return all;
  }

  // [pair] A fence that is directly before the load of bottom. If the owner has accesses in place of a fence, then of
  // the tops that this thief has seen only those count whose claims happen before.
  void thief_fence(const event& e) {
    const std::string seen = here("seen.bottom");
    const std::string known = claims_one(system_) && acquires(e.success) ? acquired_by_fence("told", seen) : seen;
    set("seen.bottom", known);
    if (e.success != order::seq_cst || !pairs(e) || !loads_bottom_next(system_, step_)) return;
    look(known, pairs_.owner ? acquired_by_fence("firm", "0") : here("seen.top"));
  }
  // [pair] w is what the load of bottom that comes next will see at least. Either that is a store, or whoever reads top
  // behind a fence after that store sees this top.
  void look(const std::string& known, const std::string& top) {
    const std::string w = choice();
    guard("(and (<= " + known + " " + w + ") (<= " + w + " stores))");
    set("seen.bottom", w);
    sees(w, top);
  }
  void sees(const std::string& w, const std::string& top) {
    guard("(forall ((k Int)) (! (=> (and (select done k) (<= 0 k) (<= k stores)) (or (>= " + w +
          " k) (>= (select saw k) " + top + "))) :pattern ((select done k))))");
    set("fenced", maximum("fenced", top));
    set("owed", "(ite (< " + w + " stores) " + maximum("owed", top) + " owed)");
  }
  // A light fence of the owner makes a pair with a heavy one only.
  [[nodiscard]] bool pairs(const event& e) const {
    return e.how == operation::heavy_fence || std::ranges::none_of(system_.steps, [](const step& s) {
             return s.owner && s.does && s.does->how == operation::light_fence;
           });
  }

  // [coherence] Store v of bottom. [release] An acquire knows what it releases. [claim] A seq_cst load behind a seq_cst
  // claim makes a pair with a fence of the owner's: the claim's is the top that this thread has seen.
  void load_bottom(const event& e) {
    const std::string v = choice();
    guard("(and (<= " + here("seen.bottom") + " " + v + ") (<= " + v + " stores))");
    set("seen.bottom", v);
    if (e.success == order::seq_cst && pairs(e) && follows_claim(system_, step_)) sees(v, here("seen.top"));
    set(e.name, "(select bottom " + v + ")");
    if (acquires(e.success)) set("known", maximum(here("known"), "(select releases " + v + ")"));
  }

  // [coherence] Ring v, not an older one than that of a push which is known. [release] An acquire knows how it was
  // made.
  void load_ring(const event& e) {
    const std::string v = choice();
    guard("(and (<= 0 " + v + ") (<= " + v + " rings))");
    guard("(forall ((q Int)) (! (=> (and (<= 0 q) (< q " + here("known") + ")) (<= (ring-of (select cell q)) " + v +
          ")) :pattern ((select cell q))))");
    set(e.name, v);
    if (acquires(e.success)) set("known.ring", maximum(here("known.ring"), "(select hands " + v + ")"));
  }

  // [coherence] A push into the slot, what growth copied there, or what it held at first (-1), but nothing older than a
  // push that is known, or than the copy. [race] Who looks into a ring knows how it was made.
  void load_slot(const event& e) {
    const std::string v = choice();
    const std::string ring = local(e.ring);
    const std::string slot = "(sl " + ring + " " + local(e.index) + ")";
    out_.obligations.emplace_back("race", "(<= " + ring + " " + here("known.ring") + ")");
    guard("(and (<= (- 1) " + v + ") (< " + v + " pushes))");
    const std::string copy = has_copies(system_) ? copy_read(v, slot) : "";
    guard("(or " + copy + "(= " + v + " (select carried " + slot + ")) (and (>= " + v + " 0) (= (select cell " + v +
          ") " + slot + ")) (and (= " + v + " (- 1)) (> " + ring + " " + here("known.ring") + ")))");
    guard("(=> (<= " + ring + " " + here("known.ring") + ") (>= " + v + " (select carried " + slot + ")))");
    const std::string newer = "(forall ((q Int)) (! (=> (and (> q " + v + ") (>= q 0) (< q " + here("known") +
                              ")) (not (= (select cell q) " + slot + "))) :pattern ((select cell q))))";
    guard(copy.empty() ? newer : "(or " + copy + newer + ")");
    set(e.name, v);
  }
  void take(const std::string& item) {
    out_.obligations.emplace_back("item", "(and (<= 0 " + item + ") (< " + item + " pushes))");
    out_.obligations.emplace_back("once", "(not (select taken " + item + "))");
    if (step_.does && !step_.does->batch) set("taken", stored("taken", item, "true"));
  }

  behind where_;
  access_pairs pairs_;
};

}  // namespace

std::vector<transition> transitions_of(const transition_system& system, const state& variables) {
  if (system.wake_up) return crew_transitions(system);
  const auto where = behind_fences(system);
  std::vector<transition> all;
  for (const step& s : system.steps) {
    const auto found = where.find(s.from.at(0));
    all.push_back(maker(system, variables, s, s.owner && found != where.end() ? found->second : behind::no).made());
  }
  for (transition& t : environment(system)) all.push_back(std::move(t));
  return all;
}

}  // namespace licit::proof
