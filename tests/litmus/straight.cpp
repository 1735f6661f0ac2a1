#include "straight.hpp"

#include <array>
#include <map>
#include <stdexcept>
#include <string>

namespace licit::litmus_test {

namespace {

using checker_test::instruction;
using checker_test::verb;
using litmus::expression;
using litmus::operation;
using litmus::statement;

struct no_words : std::runtime_error {
  no_words() : std::runtime_error("the oracle has no words for it") {}
};

class translator {
 public:
  explicit translator(const litmus::test& t) : test_{t} {}

  checker_test::straight_line all() {
    for (const litmus::location& l : test_.locations) {
      if (l.initial != 0) throw no_words();
    }
    checker_test::straight_line made;
    for (const litmus::thread& t : test_.threads) {
      known_.clear();
      for (unsigned r = 0; r != t.registers.size(); ++r) known_[r] = static_cast<int>(t.initial[r]);
      out_.clear();
      translate(t.body);
      made.push_back(out_);
    }
    return made;
  }

 private:
  void translate(const statement& s) {
    if (s.what == statement::kind::block) {
      for (const statement& inner : s.body) translate(inner);
    } else if (s.what == statement::kind::evaluate) {
      evaluate(s.expressions[0]);
    } else {
      throw no_words();
    }
  }

  void evaluate(const expression& e) {
    if (e.what != operation::assign) return perform(e);
    const expression& from = e.operands[0];
    if (from.what == operation::constant) {
      known_[e.target] = static_cast<int>(from.number);
    } else {
      perform(from);
      known_.erase(e.target);
    }
  }

  void perform(const expression& e) {
    instruction i{verb::load, 0, e.success, e.failure};
    switch (e.what) {
      case operation::fence: i.what = verb::fence; break;
      case operation::load: break;
      case operation::store: i.what = verb::store; break;
      case operation::fetch_add:
      case operation::fetch_sub: i.what = verb::fetch_add; break;
      case operation::compare_exchange:
        i.what = e.weak ? verb::weak_compare_exchange : verb::compare_exchange;
        if (!e.expects_local || !known_.contains(e.expected)) throw no_words();
        i.expected = known_[e.expected];
        known_.erase(e.expected);
        break;
      case operation::plain_read: i.what = verb::plain_read; break;
      case operation::plain_write: i.what = verb::plain_write; break;
      default: throw no_words();
    }
    const bool plain = e.what == operation::plain_read || e.what == operation::plain_write;
    if (!e.index.empty() && e.index[0].what != operation::constant) throw no_words();
    const auto element = e.index.empty() ? 0U : static_cast<unsigned>(e.index[0].number);
    if (e.what != operation::fence) i.at = place(e.target + element, plain);
    if (!e.operands.empty()) {
      if (e.operands[0].what != operation::constant) throw no_words();
      i.value = static_cast<int>(e.operands[0].number) * (e.what == operation::fetch_sub ? -1 : 1);
    }
    if (e.what == operation::fence && e.success == order::relaxed) return;
    out_.push_back(i);
  }

  unsigned place(unsigned location, bool plain) {
    if (places_[plain ? 0 : 1].contains(location)) throw no_words();
    auto& mine = places_[plain ? 1 : 0];
    const unsigned first = plain ? checker_test::first_plain : 0;
    const unsigned end = plain ? checker_test::most_locations : checker_test::first_plain;
    const unsigned at = mine.try_emplace(location, first + static_cast<unsigned>(mine.size())).first->second;
    if (at >= end) throw no_words();
    return at;
  }

  const litmus::test& test_;
  std::map<unsigned, int> known_;                       ///< constants in registers
  std::array<std::map<unsigned, unsigned>, 2> places_;  ///< atomic, plain
  std::vector<instruction> out_;
};

}  // namespace

std::optional<checker_test::straight_line> straight(const litmus::test& t) {
  try {
    return translator(t).all();
  } catch (const no_words&) {
    return std::nullopt;
  }
}

}  // namespace licit::litmus_test
