// The wake-up protocol: its variables, the first state, what holds of threads and bits; and its rules, derived from
// RC11 in README.md beside this file, by the names in the comments.
#include <algorithm>
#include <stdexcept>

#include "proof/schema.hpp"
#include "proof/sexpr.hpp"

namespace licit::proof {

namespace {

/// The variables by their sorts.
constexpr const char* item_number = "(Array Int Int)";
constexpr const char* item_property = "(Array Int Bool)";
constexpr const char* item_thread = "(Array Int Thread)";
constexpr const char* number = "(Array Thread Int)";
constexpr const char* bits = "(Array Thread (_ BitVec 64))";
constexpr const char* thread = "(Array Thread Thread)";
constexpr const char* property = "(Array Thread Bool)";
constexpr const char* knowledge = "(Array Thread (Array Int Bool))";

}  // namespace

state crew_state() {
  state s;
  s.sorts = {{"heads", "Int"},         {"pubs", "Int"},         {"looked", "Int"},
             {"due", "Bool"},          {"author", "Thread"},    {"head", "(Array Int (_ BitVec 64))"},
             {"handed", item_number},  {"behind", item_number}, {"missed", item_number},
             {"sent", item_property},  {"left", item_property}, {"met", item_property},
             {"taken", item_property}, {"told", item_property}, {"covered", item_property},
             {"home", item_thread},    {"teller", item_thread}, {"to", item_thread},
             {"thread.at", number},    {"seen", number},        {"read", number},
             {"word", number},         {"word.seen", number},   {"got", bits},
             {"found", thread},        {"asleep", property},    {"known", knowledge}};
  return s;
}

std::vector<std::string> crew_initial(const state& variables) {
  std::vector<std::string> all;
  const auto zero = [&](const std::string& name, const char* sort, const std::string& value) {
    const std::string element = "(select " + name + " i)";
    all.push_back("(forall ((i " + std::string(sort) + ")) (! (= " + element + " " + value + ") :pattern (" + element +
                  ")))");
  };
  for (const auto& [name, sort] : variables.sorts) {
    if (sort == "Int") all.push_back("(= " + name + " 0)");
    if (sort == "Bool") all.push_back("(not " + name + ")");
    if (sort == "(_ BitVec 32)") all.push_back("(= " + name + " #x00000000)");
    if (sort == "(Array Int (_ BitVec 64))") zero(name, "Int", "#x0000000000000000");
    if (sort == item_number) zero(name, "Int", "0");
    if (sort == item_property) zero(name, "Int", "false");
    if (sort == number) zero(name, "Thread", name == "word" ? "1" : "0");
    if (sort == property) zero(name, "Thread", "false");
    if (sort == knowledge) {
      const std::string element = "(select (select " + name + " a) i)";
      all.push_back("(forall ((a Thread) (i Int)) (! (not " + element + ") :pattern (" + element + ")))");
    }
  }
  return all;
}

/// Threads, workers and their bits; `bits-in` counts bits, and `with` and `without` change one.
std::string crew_prelude() {
  return R"((declare-sort Thread 0)
(declare-fun worker (Thread) Bool)
(declare-fun bit32 (Thread) (_ BitVec 32))
(define-fun bit ((a Thread)) (_ BitVec 64) (concat #x00000000 (bit32 a)))
(declare-fun who ((_ BitVec 64)) Thread)
(declare-fun bits-in ((_ BitVec 32)) (_ BitVec 16))
(declare-fun with ((_ BitVec 32) Thread) (_ BitVec 32))
(declare-fun without ((_ BitVec 32) Thread) (_ BitVec 32))
(declare-const workers (_ BitVec 64))
(declare-const everyone (_ BitVec 32))
(declare-const somebody Thread)
(assert (and (bvule #x0000000000000001 workers) (bvule workers #x0000000000000020)))
(assert (= everyone ((_ extract 31 0) (bvsub (bvshl #x0000000000000001 workers) #x0000000000000001))))
(assert (worker somebody))
(assert (forall ((a Thread)) (! (=> (worker a) (and (not (= (bit32 a) #x00000000)) (= (bvand (bit32 a) (bvsub (bit32 a) #x00000001)) #x00000000) (= (bvand (bit32 a) (bvnot everyone)) #x00000000) (= (who (bit a)) a))) :pattern ((bit32 a)))))
(assert (forall ((a Thread) (b Thread)) (! (=> (and (worker a) (worker b) (not (= a b))) (= (bvand (bit32 a) (bit32 b)) #x00000000)) :pattern ((bit32 a) (bit32 b)))))
(assert (forall ((x (_ BitVec 64))) (! (=> (and (not (= x #x0000000000000000)) (= (bvand x (bvsub x #x0000000000000001)) #x0000000000000000) (= ((_ extract 63 32) x) #x00000000) (= (bvand ((_ extract 31 0) x) (bvnot everyone)) #x00000000)) (and (worker (who x)) (= (bit32 (who x)) ((_ extract 31 0) x)))) :pattern ((who x)))))
(assert (forall ((x (_ BitVec 32)) (a Thread)) (! (= (with x a) (bvor x (bit32 a))) :pattern ((with x a)))))
(assert (forall ((x (_ BitVec 32)) (a Thread)) (! (= (without x a) (bvand x (bvnot (bit32 a)))) :pattern ((without x a)))))
(assert (forall ((x (_ BitVec 32)) (a Thread)) (! (=> (and (worker a) (= (bvand x (bit32 a)) #x00000000)) (= (bits-in (with x a)) (bvadd (bits-in x) #x0001))) :pattern ((with x a)))))
(assert (forall ((x (_ BitVec 32)) (a Thread)) (! (=> (and (worker a) (not (= (bvand x (bit32 a)) #x00000000))) (= (bits-in (without x a)) (bvsub (bits-in x) #x0001))) :pattern ((without x a)))))
(assert (forall ((x (_ BitVec 32))) (! (and (bvule (bits-in x) #x0020) (= (= (bits-in x) #x0000) (= x #x00000000))) :pattern ((bits-in x)))))
)";
}

namespace {

bool releases(order o) { return o == order::release || o == order::acq_rel || o == order::seq_cst; }
bool acquires(order o) { return o == order::acquire || o == order::acq_rel || o == order::seq_cst; }

std::string both(const std::string& a, const std::string& b) { return "(and " + a + " " + b + ")"; }
std::string minimum(const std::string& a, const std::string& b) {
  return "(ite (<= " + a + " " + b + ") " + a + " " + b + ")";
}
std::string of(const std::string& array, const std::string& i) { return "(select " + array + " " + i + ")"; }
std::string every(const std::string& formula, const std::string& pattern) {
  return "(forall ((p Int)) (! " + formula + " :pattern (" + pattern + ")))";
}
/// What a look has to see: work for everybody that is published and not taken.
std::string there(const std::string& item) {
  return "(and (<= 0 " + item + ") (< " + item + " pubs) (not (select taken " + item + ")) (not (select sent " + item +
         ")))";
}

/// A new piece of work, which its publisher knows. `missed`: the newest version that a look which missed it had seen.
void publish(transition& t, const std::string& missed) {
  t.updates["pubs"] = "(+ pubs 1)";
  t.updates["home"] = stored("home", "pubs", "me");
  t.updates["missed"] = stored("missed", "pubs", missed);
  t.updates["known"] = stored("known", "me", stored("(select known me)", "pubs", "true"));
}

class maker {
 public:
  maker(const transition_system& system, const step& s) : system_{system}, step_{s} {}

  transition made() {
    out_.name = step_.name;
    std::string at;
    for (const std::string& p : step_.from) at += " (= (select thread.at me) " + point(p) + ")";
    guard("(or" + at + ")");
    set("thread.at", point(step_.next));
    if (std::ranges::any_of(step_.from, [](const auto& p) { return p == "published" || p == "brought"; })) tells();
    if (step_.does) does(*step_.does);
    if (step_.returns == "awake") leaves_wait();
    if (step_.does && step_.does->name == "park.count") has_run_what_it_met();
    for (const auto& g : step_.guards) guard(local(g));
    for (const auto& [name, term] : step_.updates) set(name, local(term));
    for (const auto& [name, term] : step_.obligations) out_.obligations.emplace_back(name, local(term));
    if (!learnt_.empty()) set("known", "learnt");
    return std::move(out_);
  }

 private:
  std::string point(const std::string& name) const {
    const auto found = std::ranges::find(system_.points, name);
    if (found == system_.points.end()) throw std::logic_error("licit: there is no point " + name);
    return std::to_string(found - system_.points.begin());
  }
  static std::string mine(const std::string& name) { return of(name, "me"); }
  void set(const std::string& name, const std::string& value) { out_.updates[name] = stored(name, "me", value); }
  void guard(const std::string& g) { out_.guards.push_back(g); }
  std::string choice() {
    out_.choices.emplace_back("v");
    return "v";
  }
  /// A term of the source: results are this thread's.
  [[nodiscard]] std::string local(const std::string& term) const {
    return text(mapped(parse(term).at(0), [this](const std::string& atom) -> sexpr {
      if (atom == "got" || atom == "got!") return {.list = {{"select"}, {atom}, {"me"}}};
      if (atom == "was" || atom == "old") return parse(old_).at(0);
      return {atom};
    }));
  }

  void does(const event& e) {
    if (licit::detail::is_fence(e.how)) return acquire_by_fence(e.success);
    if (e.place == "stop") return;  // nobody stores
    if (e.place == "work") return look(e);
    if (e.place == "futex") return e.how == operation::load ? fall_asleep(e) : wake(e);
    if (e.place == "word") return change_word(e);
    if (e.place == "inbox") return e.how == operation::load ? look_into_inbox(e) : post(e);
    if (e.place != "head") throw std::logic_error("licit: no rule for " + e.name);
    if (e.how == operation::load) return load_head(e, e.success);
    if (e.how == operation::update) return change_head(e, local_with_head(e.term));
    if (e.won) return claim_head(e);
    load_head(e, e.success);
    guard("(not (= (select got! me) " + local(e.index) + "))");
  }
  std::string local_with_head(const std::string& term) {
    old_ = "(select head heads)";
    return local(term);
  }

  /// What the thread knows from here on: also what versions of the head up to `version` release.
  void learn(const std::string& version) {
    learn_where("(and (< 0 (select handed p)) (<= (select handed p) " + version + "))", "handed");
  }
  /// `by`: what `what` says something of.
  void learn_where(const std::string& what, const std::string& by) {
    if (learnt_.empty()) out_.fresh.emplace_back("learnt", "(Array Int Bool)");
    learnt_ += " " + what;
    const std::string all = "(= (select learnt p) (or (select (select known me) p)" + learnt_ + "))";
    std::erase_if(out_.guards,
                  [](const std::string& g) { return g.starts_with("(forall ((p Int)) (! (= (select learnt"); });
    guard("(forall ((p Int)) (! " + all +
          " :pattern ((select learnt p)) :pattern ((select (select known me) p)) :pattern ((select " + by + " p))))");
  }
  [[nodiscard]] std::string knows(const std::string& item) const {
    return learnt_.empty() ? of("(select known me)", item) : of("learnt", item);
  }
  // [release] A fence acquires what was released to the relaxed reads before it.
  void acquire_by_fence(order o) {
    if (acquires(o)) learn(mine("read"));
  }

  // [announce] Who leaves a point at which it owes an announcement has told of its work.
  void tells() { out_.redone["told"] = "(or (select told s) (and (<= 0 s) (< s pubs) (= (select home s) me)))"; }

  // [coherence] A version between what the thread has seen and what there is. [release sequence] All changes are
  // read-modify-writes: an acquire of version v synchronises with all releases up to v.
  void load_head(const event& e, order o) {
    const std::string v = choice();
    guard(both("(<= (select seen me) v)", "(<= v heads)"));
    set("seen", v);
    set("got", of("head", v));
    if (!e.behind.empty()) acquire_by_fence(e.fenced);
    if (e.behind.empty() ? false : e.fenced == order::seq_cst) cover(v);
    if (acquires(o)) learn(v);
    set("read", maximum(mine("read"), v));
  }
  // [pair] The load behind the fence reads v: a look that did not see what is known here has not changed the head
  // later, or learnt of a later change. And the other way: see `look`.
  void cover(const std::string& v) {
    const std::string known = knows("p");
    guard(every("(=> " + known + " (>= " + v + " (select missed p)))", "(select missed p)"));
    const std::string here = knows("s");
    out_.redone["covered"] = "(or (select covered s) " + here + ")";
    out_.redone["behind"] = "(ite " + here + " (ite (select covered s) " + minimum("(select behind s)", v) + " " + v +
                            ") (select behind s))";
    out_.redone["teller"] = "(ite " + here + " me (select teller s))";
  }

  // [atomicity] A read-modify-write reads the newest version, and makes the next one.
  void claim_head(const event& e) {
    if (!e.blind) guard("(= (select head heads) " + local(e.index) + ")");
    change_head(e, local(e.term));
  }
  void change_head(const event& e, const std::string& value) {
    const std::string next = "(+ heads 1)";
    set("got", "(select head heads)");
    out_.updates["head"] = stored("head", next, value);
    out_.updates["heads"] = next;
    set("seen", next);
    set("read", next);
    if (acquires(e.success) && !e.blind) learn("heads");
    if (releases(e.success)) {
      out_.redone["handed"] =
          "(ite (and (= (select handed s) 0) (select (select known me) s)) " + next + " (select handed s))";
    }
    out_.updates["author"] = "me";
    out_.updates["due"] = "true";
  }

  // [token] A parker's word is changed by read-modify-writes only: an acquire synchronises with all releases before.
  void change_word(const event& e) {
    const std::string whose = local(e.index);
    guard("(not (select asleep me))");
    if (e.how == operation::compare_exchange && !e.won) return;
    old_ = of("word", whose);
    out_.updates["word"] = stored("word", whose, local(e.term));
    if (acquires(e.success) && !e.blind) {
      set("seen", maximum(mine("seen"), of("word.seen", whose)));
      if (whose == "me") learn_where("(and (select left p) (= (select to p) me))", "left");
    }
    if (releases(e.success)) {
      out_.updates["word.seen"] = stored("word.seen", whose, maximum(of("word.seen", whose), mine("seen")));
      out_.redone["left"] =
          "(or (select left s) (and (select sent s) (= (select to s) " + whose + ") " + knows("s") + "))";
    }
  }

  /// Work that only this worker may run.
  static std::string mine_to_run(const std::string& item) {
    return both("(select sent " + item + ")", "(= (select to " + item + ") me)");
  }
  // [post] The push publishes work for one worker. A look at what is for all has not missed it.
  void post(const event& e) {
    publish(out_, "0");
    out_.updates["sent"] = stored("sent", "pubs", "true");
    out_.updates["to"] = stored("to", "pubs", local(e.index));
  }
  // [inbox] Only the worker itself empties its inbox, so if it sees nothing, then it has taken whatever it knows of
  // [coherence].
  void look_into_inbox(const event& e) {
    if (local(e.index) != "me") throw std::logic_error("licit: a look into another worker's inbox");
    if (e.won) return;
    guard(every("(=> " + both(mine_to_run("p"), knows("p")) + " (select taken p))", "(select taken p)"));
  }
  // [loop] Between `wait` and the next `sleep` a worker looks into its inbox, and takes what it finds. So then it has
  // taken all that it knew when it left `wait`.
  void leaves_wait() { out_.redone["met"] = "(or (select met s) " + both(mine_to_run("s"), knows("s")) + ")"; }
  void has_run_what_it_met() {
    guard(every("(=> " + both(mine_to_run("p"), "(select met p)") + " (select taken p))", "(select met p)"));
  }
  // [futex] It sleeps only if the word is the old one, in one step; or it returns for no reason.
  void fall_asleep(const event& e) {
    choice();
    guard("(=> (= v 1) (= (select word " + local(e.index) + ") " + e.term + "))");
    set("asleep", "(= v 1)");
  }
  void wake(const event& e) { out_.updates["asleep"] = stored("asleep", local(e.index), "false"); }

  // [look] All loads of a look, with the fence before them. Who sees nothing misses all that is there: it does not know
  // of it [coherence], and whoever told of it behind a fence has read a version of the head that is not older [pair].
  void look(const event& e) {
    if (e.won) return;
    out_.updates["due"] = both("due", "(not (= author me))");
    if (e.index != "all") return;
    if (!e.behind.empty()) acquire_by_fence(e.fenced);
    guard(every("(=> " + there("p") + " (not " + knows("p") + "))", "(select taken p)"));
    if (e.behind.empty() || e.fenced != order::seq_cst) return;
    guard(every("(=> (and " + there("p") + " (select covered p)) (>= (select behind p) (select seen me)))",
                "(select taken p)"));
    out_.updates["looked"] = maximum("looked", mine("seen"));
    out_.redone["missed"] =
        "(ite " + there("s") + " " + maximum("(select missed s)", mine("seen")) + " (select missed s))";
  }

  const transition_system& system_;
  const step& step_;
  std::string old_;
  std::string learnt_;
  transition out_;
};

/// What threads do between the calls: they publish work, take some, and learn of each other.
std::vector<transition> between_calls(const transition_system& system) {
  const auto at = [&](const char* point) {
    return "(= (select thread.at me) " +
           std::to_string(std::ranges::find(system.points, point) - system.points.begin()) + ")";
  };
  const auto published = [&](const char* name, const char* from, const char* to, bool worker) {
    transition t;
    t.name = name;
    t.guards = {"(or " + at(from) + " " + at(to) + ")"};
    if (worker) t.guards.emplace_back("(worker me)");
    const auto point = std::to_string(std::ranges::find(system.points, to) - system.points.begin());
    t.updates = {{"thread.at", stored("thread.at", "me", point)}};
    publish(t, "looked");
    return t;
  };
  transition take;
  take.name = "somebody takes a piece of work";
  take.choices = {"v"};
  take.guards = {"(and (<= 0 v) (< v pubs))"};
  take.updates = {{"taken", stored("taken", "v", "true")}};
  transition wakes;
  wakes.name = "a sleeper wakes up for no reason";
  wakes.guards = {"true"};
  wakes.updates = {{"asleep", stored("asleep", "me", "false")}};
  transition learns;
  learns.name = "a thread learns from another";
  learns.fresh = {{"learnt", "(Array Int Bool)"}};
  learns.guards = {
      "(or " + at("idle") + " " + at("published") + " " + at("searching") + " " + at("brought") + ")",
      "(forall ((p Int)) (! (= (select learnt p) (or (select (select known me) p) (select (select known other) p))) "
      ":pattern ((select learnt p)) :pattern ((select (select known me) p))))"};
  learns.updates = {{"known", stored("known", "me", "learnt")},
                    {"seen", stored("seen", "me", maximum("(select seen me)", "(select seen other)"))}};
  return {published("a thread publishes work", "idle", "published", false),
          published("a searcher brings work", "searching", "brought", true), take, wakes, learns};
}

}  // namespace

std::vector<transition> crew_transitions(const transition_system& system) {
  std::vector<transition> all;
  all.reserve(system.steps.size());
  for (const step& s : system.steps) all.push_back(maker(system, s).made());
  for (transition& t : between_calls(system)) all.push_back(std::move(t));
  return all;
}

}  // namespace licit::proof
