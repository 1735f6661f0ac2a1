// The variables of the wake-up protocol, the first state, and what holds of threads and bits.
#include "proof/schema.hpp"

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

}  // namespace licit::proof
