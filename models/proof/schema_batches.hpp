/// The rules of several items at once, which only the run queue has. They are derived from RC11 in README.md beside
/// this file, by the names in the comments.
#ifndef LICIT_PROOF_SCHEMA_BATCHES_HPP
#define LICIT_PROOF_SCHEMA_BATCHES_HPP

#include <string>

#include "proof/schema_terms.hpp"

namespace licit::proof {

class batch_rules : protected transition_writer {
 protected:
  using transition_writer::transition_writer;

  // [batch] With the tail the copies are pushed, in order. All of them were made since the batch began.
  std::string publish_copies(const event& e) {
    const std::string& first = e.index;
    const std::string& last = e.ring;
    out_.obligations.emplace_back("batch", "(and (= " + first + " (select bottom stores)) (= " + last + " " + e.term +
                                               ") (< " + first + " " + last + "))");
    out_.obligations.emplace_back("copied", "(forall ((i Int)) (! (=> (and (<= " + first + " i) (< i " + last +
                                                ")) (= (select copied (sl 0 i)) i)) :pattern ((sl 0 i))))");
    const std::string all = "(+ pushes (- " + last + " " + first + "))";
    const auto redo = [&](const char* name, const std::string& where, const std::string& value) {
      out_.redone[name] = "(ite " + where + " " + value + " (select " + name + " s))";
    };
    const std::string new_push = "(and (<= pushes s) (< s " + all + "))";
    redo("place", new_push, "(+ " + first + " (- s pushes))");
    redo("cell", new_push, "(sl 0 (+ " + first + " (- s pushes)))");
    redo("latest", "(and (<= " + first + " s) (< s " + last + "))", "(+ pushes (- s " + first + "))");
    redo("slot", "(and (= (ring-of s) 0) (< (from s " + first + ") " + last + "))",
         "(+ pushes (- (from s " + first + ") " + first + "))");
    set("pushes", all);
    return all;
  }

  // [unpublished] A copy is no push before it is published: until then, who reads it has no item.
  void copy_into(const event& e, const std::string& cell) {
    set("slot", stored("slot", cell, "(- 1)"));
    set("spoilt", stored("spoilt", cell, "pushes"));
    set("copied", stored("copied", cell, e.index));
    overwrite(e, cell);
  }
  // [ghost] The thieves that got other items out of the slot have read it: their claims happen before this store.
  void overwrite(const event& e, const std::string& cell) {
    out_.obligations.emplace_back(
        "overwrite", "(forall ((i Int)) (! (=> (and (>= i 0) (not (= i " + e.index + ")) (= (sl " + e.ring + " i) " +
                         cell +
                         ") (select stolen i)) (and (>= acquired (+ i 1)) (select released i))) :pattern ((select "
                         "stolen i))))");
  }

  // Of each item of these indices: it is there, and nobody took it.
  void oblige_each(const std::string& first, const std::string& last, const std::string& there) {
    const auto each = [&](const std::string& holds) {
      return "(forall ((i Int)) (! (=> (and (<= " + first + " i) (< i " + last + ")) " + holds +
             ") :pattern ((select latest i))))";
    };
    out_.obligations.emplace_back("item", each("(and (<= 0 (select latest i)) " + there + ")"));
    out_.obligations.emplace_back("once", each("(not (select taken (select latest i)))"));
  }
  // Somebody else gets what the owner reads in its slots.
  void hand(const step::batch& b) {
    oblige_each(b.first, b.last, "(= (select latest i) (select slot (sl 0 i)))");
    out_.redone["taken"] = "(or (select taken s) (and (<= 0 s) (< s pushes) (<= " + b.first +
                           " (select place s)) (< (select place s) " + b.last +
                           ") (= (select latest (select place s)) s)))";
  }

  // [several] The same, of several: each is taken, and its slot was read before.
  void claim_batch(const event& e, const std::string& first, const std::string& last, const std::string& view) {
    const auto within = [&](const std::string& i) {
      return "(and (<= " + first + " " + i + ") (< " + i + " " + last + "))";
    };
    out_.obligations.emplace_back("counter", "(< " + first + " " + last + ")");
    oblige_each(first, last, "(< (select latest i) pushes)");
    set("top", last);
    set(view, last);
    out_.redone["taken"] = "(or (select taken s) (and (<= 0 s) (< s pushes) " + within("(select place s)") +
                           " (= (select latest (select place s)) s)))";
    out_.redone["stolen"] = "(or (select stolen s) " + within("s") + ")";
    out_.redone["released"] =
        "(ite " + within("s") + " " + (releases(e.success) ? "true" : "false") + " (select released s))";
  }

  // [unpublished] Or a copy, which stands for -1 here, unless a push into the slot is known that came after the last.
  [[nodiscard]] std::string copy_read(const std::string& v, const std::string& slot) const {
    return "(and (= " + v + " (- 1)) (>= (select spoilt " + slot +
           ") 0) (forall ((q Int)) (! (=> (and (>= q (select spoilt " + slot + ")) (>= q 0) (< q " + here("known") +
           ")) (not (= (select cell q) " + slot + "))) :pattern ((select cell q))))) ";
  }
};

}  // namespace licit::proof

#endif
