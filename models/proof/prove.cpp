#include "proof/prove.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <unistd.h>

#include "proof/structures.hpp"
#include "proof_files.hpp"

namespace licit::proof {

namespace {

std::string unquoted(const std::string& text) { return text.substr(1, text.size() - 2); }

/// Macros: `(define NAME BODY)` and `(define (NAME PARAMETERS) BODY)`.
class reader {
 public:
  reader(const transition_system& system, state& variables) : system_{system}, variables_{variables} {}

  invariants read(std::string_view text) {
    invariants out;
    for (const sexpr& each : parse(text)) add(each, out);
    out.no_points = no_points_;
    return out;
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the text
  void add(const sexpr& each, invariants& out) {
    const auto& l = each.list;
    if (each.starts("of") && l.size() > 2) {
      if (std::ranges::none_of(structures_with_proof, [&](const with_proof& p) { return l[1].is(p.structure); })) {
        throw std::runtime_error("line " + std::to_string(each.line) + ": no proof is of " + l[1].atom);
      }
      for (std::size_t i = 2; l[1].is(system_.structure) && i != l.size(); ++i) add(l[i], out);
    } else if ((each.starts("with") || each.starts("without")) && l.size() > 2) {
      for (std::size_t i = 2; has(l[1].atom) == l[0].is("with") && i != l.size(); ++i) add(l[i], out);
    } else if (each.starts("define") && l.size() == 3) {
      macros_[l[1].atom.empty() ? l[1].list.at(0).atom : l[1].atom] = {l[1].list, l[2]};
    } else if (each.starts("invariant") && l.size() == 4) {
      out.all.push_back({l[1].atom, unquoted(l[2].atom), expanded(l[3]), each.line});
    } else if (each.starts("must") && l.size() == 4) {
      out.musts.push_back({unquoted(l[1].atom), unquoted(l[2].atom), expanded(l[3]), each.line});
    } else if (each.starts("always") && l.size() == 3) {
      out.always.push_back({"always", unquoted(l[1].atom), expanded(l[2]), each.line});
    } else if (each.starts("ghost") && l.size() == 5) {
      variables_.sorts[l[1].atom] = "(Array Int Int)";
      out.ghosts.push_back({l[1].atom, l[2].atom, unquoted(l[3].atom), expanded(l[4]), each.line});
    } else if (each.starts("steps-of") && l.size() > 3) {
      variables_.sorts[l[1].atom] = unquoted(l[2].atom);
      for (std::size_t i = 3; i != l.size(); ++i) {
        const sexpr made{.list = {{"="}, {l[1].atom + "!"}, expanded(l[i].list.at(1))}};
        out.ghosts.push_back({l[1].atom, "", unquoted(l[i].list.at(0).atom), made, l[i].line});
      }
    } else if (each.starts("proved") && l.size() >= 3) {
      out.digests.push_back({unquoted(l[1].atom), unquoted(l[2].atom), l.size() > 3 ? unquoted(l[3].atom) : "",
                             l.size() > 4 && l[4].is("one-owner")});
    } else if (each.starts("mutant") && l.size() == 4) {
      const bool right = l[2].is("right");
      out.mutants.push_back({unquoted(l[1].atom), right ? "" : unquoted(l[2].atom),
                             right                        ? ""
                             : l[3].atom.starts_with('"') ? unquoted(l[3].atom)
                                                          : l[3].atom,
                             right ? unquoted(l[3].atom) : ""});
    } else {
      throw std::runtime_error("neither a definition nor an invariant: " + proof::text(each));
    }
  }

  /// A point of the system, a variable, or what is assumed of it.
  [[nodiscard]] bool has(const std::string& name) const {
    if (name == "one-owner") return system_.one_owner;
    return variables_.sorts.contains(name) || std::ranges::find(system_.points, name) != system_.points.end();
  }

  struct macro {
    std::vector<sexpr> head;
    sexpr body;
  };

  // NOLINTNEXTLINE(misc-no-recursion): as deep as the text
  sexpr expanded(const sexpr& e) const {
    if (!e.atom.empty()) {
      if (e.atom.starts_with('@')) return point(e.atom.substr(1), e.line);
      const auto found = macros_.find(e.atom);
      return found != macros_.end() && found->second.head.empty() ? expanded(found->second.body) : e;
    }
    if (!e.list.empty()) {
      const auto found = macros_.find(e.list[0].atom);
      if (found != macros_.end() && !found->second.head.empty()) return expanded(applied(found->second, e));
    }
    sexpr out;
    const std::string first = e.list.empty() ? "" : e.list[0].atom;
    const bool marked = first.ends_with('!') && first.size() > 1;
    if (e.list.size() > 1 && variables_.is_array(marked ? first.substr(0, first.size() - 1) : first)) {
      out.list.push_back({"select"});
    }
    for (const sexpr& each : e.list) out.list.push_back(expanded(each));
    return out;
  }
  static sexpr applied(const macro& m, const sexpr& e) {
    if (e.list.size() != m.head.size()) throw std::runtime_error("arguments of " + proof::text(e));
    return mapped(m.body, [&](const std::string& atom) -> sexpr {
      for (std::size_t i = 1; i != m.head.size(); ++i) {
        if (m.head[i].is(atom)) return e.list[i];
      }
      return {atom};
    });
  }
  /// A point that a mutant does not have is one at which nobody is.
  sexpr point(const std::string& name, std::size_t line) const {
    const auto found = std::ranges::find(system_.points, name);
    if (found == system_.points.end()) {
      no_points_.try_emplace(name, line);
      return {.list = {{"-"}, {"1"}}};
    }
    return {std::to_string(found - system_.points.begin())};
  }

  const transition_system& system_;
  state& variables_;
  std::map<std::string, macro> macros_;
  mutable std::map<std::string, std::size_t> no_points_;
};

std::string asserted(const std::string& formula) { return "(assert " + formula + ")\n"; }

std::string declarations(const transition_system& system, const state& variables) {
  const bool wake_up = system.wake_up;
  std::string out =
      wake_up
          ? crew_prelude()
          : "(declare-sort Thief 0)\n(declare-fun cap (Int) Int)\n(declare-fun sl (Int Int) Int)\n"
            "(declare-fun lap-of (Int Int) Int)\n(declare-fun ring-of (Int) Int)\n(declare-fun from (Int Int) Int)\n";
  for (const auto& [name, sort] : variables.sorts) out += variables.declaration(name, "");
  if (!wake_up) {
    for (const std::string& a : axioms()) out += asserted(a);
    for (const std::string& g : system.given) out += asserted(g);
  }
  return out;
}

/// The formula after the step: `x!` for what it changes. Empty if it changes nothing in it.
std::string after(const sexpr& formula, const std::set<std::string>& changed) {
  std::set<std::string> used;
  atoms(formula, used);
  if (std::ranges::none_of(used, [&](const std::string& a) { return changed.contains(a); })) return "";
  return text(
      mapped(formula, [&](const std::string& atom) -> sexpr { return {changed.contains(atom) ? atom + "!" : atom}; }));
}

/// `x!` of what the step does not change is `x`.
sexpr of_changed(const sexpr& formula, const std::set<std::string>& changed) {
  return mapped(formula, [&](const std::string& atom) -> sexpr {
    const std::string plain = atom.substr(0, atom.size() - 1);
    return {atom.ends_with('!') && atom.size() > 1 && !changed.contains(plain) ? plain : atom};
  });
}

question start(const transition_system& system, const state& variables, const invariants& all) {
  question q{"start", declarations(system, variables), {}, {}, {}};
  for (const std::string& each : initial_of(system, variables)) q.assumed += asserted(each);
  for (const auto& i : all.all) q.goals.push_back({i.name, text(i.formula), false});
  return q;
}

/// What the invariants say, read together.
question every_state(const transition_system& system, const state& variables, const invariants& all) {
  question q{"always", declarations(system, variables), all.all, {}, {}};
  for (const auto& a : all.always) q.goals.push_back({a.prose, text(a.formula), false});
  return q;
}

question of_step(const transition& t, const transition_system& system, const state& variables, const invariants& all) {
  question q{t.name, declarations(system, variables), all.all, {}, {}};
  const std::string sort = system.wake_up ? "Thread" : "Thief";
  q.assumed += "; the step\n(declare-const me " + sort + ")\n(declare-const other " + sort + ")\n";
  for (const std::string& c : t.choices) q.assumed += "(declare-const " + c + " Int)\n";
  for (const auto& [name, of] : t.fresh) q.assumed += "(declare-const " + name + " " + of + ")\n";
  std::set<std::string> changed;
  for (const auto& [name, term] : t.updates) changed.insert(name);
  for (const auto& [name, term] : t.redone) changed.insert(name);
  for (const auto& g : all.ghosts) {
    if (is_step(g.step, t.name)) changed.insert(g.name);
  }
  for (const std::string& name : changed) q.assumed += variables.declaration(name, "!");
  for (const auto& [name, term] : t.updates) q.assumed += asserted("(= " + name + "! " + term + ")");
  for (const auto& [name, term] : t.redone) {
    const std::string element = "(select " + name + "! s)";
    q.assumed += asserted("(forall ((s Int)) (! (= " + element + " " + term + ") :pattern (" + element + ")))");
  }
  for (const auto& g : all.ghosts) {
    if (is_step(g.step, t.name)) q.assumed += asserted(text(g.formula));
  }
  for (const std::string& g : t.guards) q.assumed += asserted(g);
  for (const auto& m : all.musts) {
    if (is_step(m.name, t.name)) q.goals.push_back({m.prose, text(of_changed(m.formula, changed)), true});
  }
  for (const auto& [name, term] : t.obligations) q.goals.push_back({name, term, true});
  for (const auto& i : all.all) {
    if (const std::string goal = after(i.formula, changed); !goal.empty()) q.goals.push_back({i.name, goal, false});
  }
  return q;
}

/// A file that is gone when the process is done.
class scratch_file {
 public:
  explicit scratch_file(const std::string& text) {
    std::string form = (std::filesystem::temp_directory_path() / "licit-XXXXXX").string();
    const int made = ::mkstemp(form.data());
    if (made < 0) throw std::runtime_error("no temporary file");
    ::close(made);
    path_ = form;
    std::ofstream(path_) << text;
  }
  ~scratch_file() { std::remove(path_.c_str()); }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string output_of(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string out;
  std::array<char, 4096> part{};
  for (std::size_t got = 0; (got = std::fread(part.data(), 1, part.size(), pipe)) != 0;) out.append(part.data(), got);
  ::pclose(pipe);
  return out;
}

std::string command(const solver& by, const std::string& file) {
  if (by.name == "z3") {
    return std::string("z3 smt.mbqi=false auto_config=false ") + (by.cores ? "smt.core.minimize=true " : "") +
           "smt.random_seed=" + std::to_string(by.seed) + " rlimit=" + std::to_string(by.resources) + " " + file +
           " 2>&1";
  }
  return by.name + " --incremental --lang=smt2 --seed=" + std::to_string(by.seed) +
         " --rlimit-per=" + std::to_string(by.resources) + " " + file + " 2>&1";
}

/// Reads the line of an unsat core, or of the error that there is none.
std::size_t read_core(const std::string& said, std::size_t at, verdict& v) {
  const std::size_t end = std::min(said.find('\n', at), said.size());
  if (v.what == answer::proved) {
    const sexpr core = parse(said.substr(at, end - at)).at(0);
    for (const sexpr& name : core.list) v.uses.insert(name.atom.substr(1));
  }
  return end + 1;
}

/// The goal in a question of its own, behind the lemmas before it.
question alone(const question& q, std::size_t goal) {
  question one = q;
  one.goals = {q.goals[goal]};
  for (std::size_t i = 0; i != goal; ++i) {
    if (q.goals[i].lemma) one.assumed += asserted(q.goals[i].formula);
  }
  return one;
}

void ask_once(const question& q, const solver& by, std::vector<verdict>& out) {
  const scratch_file file(smt_lib(q, by.cores));
  const std::string said = output_of(command(by, file.path()));
  std::size_t at = 0;
  for (const auto& goal : q.goals) {
    const std::size_t end = said.find('\n', at);
    const std::string line = end == std::string::npos ? "" : said.substr(at, end - at);
    if (line != "unsat" && line != "sat" && line != "unknown") {
      throw std::runtime_error(by.name + " does not answer " + q.step + ": " + said.substr(at, 300));
    }
    out.push_back({q.step, goal.name,
                   line == "unsat" ? answer::proved
                   : line == "sat" ? answer::refuted
                                   : answer::unknown});
    at = end + 1;
    if (by.cores) at = read_core(said, at, out.back());
  }
}

void ask_one(const question& q, const solver& by, std::vector<verdict>& out) {
  ask_once(q, by, out);
  for (std::size_t i = 0; i != out.size(); ++i) {
    solver next = by;
    for (unsigned n = 0; n != by.again && out[i].what == answer::unknown; ++n) {
      ++next.seed;
      std::vector<verdict> said;
      ask_once(alone(q, i), next, said);
      out[i] = said.at(0);
    }
  }
}

}  // namespace

invariants read_invariants(std::string_view text, const transition_system& system, state& variables) {
  return reader(system, variables).read(text);
}

std::vector<question> questions_of(const transition_system& system, std::string_view file) {
  state variables = state_of(system);
  const auto transitions = transitions_of(system, variables);
  const invariants all = read_invariants(file, system, variables);
  std::vector<question> out{start(system, variables, all)};
  if (!all.always.empty()) out.push_back(every_state(system, variables, all));
  for (const transition& t : transitions) out.push_back(of_step(t, system, variables, all));
  return out;
}

bool is_step(const std::string& pattern, const std::string& name) {
  if (!pattern.ends_with('*')) return pattern == name;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

std::string_view chase_lev_invariants() { return chase_lev_file; }
std::string_view run_queue_invariants() { return run_queue_file; }
std::string_view path_of(const transition_system& system) {
  if (system.wake_up) return "models/proof/wake_up.inv";
  return system.structure == "run-queue" ? "models/proof/run_queue.inv" : "models/proof/chase_lev.inv";
}
std::string_view invariants_of(const transition_system& system) {
  if (system.wake_up) return wake_up_file;
  return system.structure == "run-queue" ? run_queue_file : chase_lev_file;
}

std::vector<std::string> gaps_of(const transition_system& system, std::string_view file) {
  state variables = state_of(system);
  const auto transitions = transitions_of(system, variables);
  const invariants all = read_invariants(file, system, variables);
  const std::string at = std::string(path_of(system)) + ":";
  std::vector<std::string> out;
  const auto has = [&](const std::string& pattern) {
    return std::ranges::any_of(transitions, [&](const transition& t) { return is_step(pattern, t.name); });
  };
  for (const auto& m : all.musts) {
    if (!has(m.name)) out.push_back(at + std::to_string(m.line) + ": no step is \"" + m.name + "\"");
  }
  for (const auto& g : all.ghosts) {
    if (!has(g.step)) out.push_back(at + std::to_string(g.line) + ": no step is \"" + g.step + "\"");
  }
  for (const auto& [name, line] : all.no_points) {
    out.push_back(at + std::to_string(line) + ": there is no point @" + name);
  }
  for (const step& s : system.steps) {
    const bool answers = !s.takes.empty() || s.returns == "none" || s.returns == "empty" || s.returns == "lost" ||
                         s.returns == "a batch" || s.returns == "another" || s.returns == "room" ||
                         s.returns == "awake";
    if (answers && std::ranges::none_of(all.musts, [&](const auto& m) { return is_step(m.name, s.name); })) {
      out.push_back(at + " nothing is asked of the step \"" + s.name + "\"");
    }
  }
  return out;
}

std::string smt_lib(const question& q, bool cores) {
  std::string out = "; " + q.step + "\n";
  if (cores) out += "(set-option :produce-unsat-cores true)\n";
  out += "(set-logic ALL)\n" + q.declared;
  for (const auto& i : q.known) {
    const std::string formula = text(i.formula);
    out += "; " + i.name + ": " + i.prose + "\n";
    out += asserted(cores ? "(! " + formula + " :named I" + i.name + ")" : formula);
  }
  out += q.assumed;
  for (const auto& goal : q.goals) {
    out += "; " + goal.name + "\n(push 1)\n" + asserted("(not " + goal.formula + ")") + "(check-sat)\n";
    out += cores ? "(get-unsat-core)\n(pop 1)\n" : "(pop 1)\n";
    if (goal.lemma) out += asserted(goal.formula);
  }
  return out;
}

std::string digest_of(const std::vector<question>& questions) {
  std::uint64_t sum = 0xcbf29ce484222325U;  // FNV-1a
  for (const question& q : questions) {
    std::istringstream lines(smt_lib(q));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(';')) continue;
      for (const char c : line) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    }
  }
  std::array<char, 17> out{};
  std::snprintf(out.data(), out.size(), "%016llx", static_cast<unsigned long long>(sum));
  return out.data();
}

bool recorded_as_proved(const invariants& file, const transition_system& system,
                        const std::vector<question>& questions) {
  const std::string digest = digest_of(questions);
  return std::ranges::any_of(file.digests, [&](const invariants::proved& p) {
    return p.structure == system.structure && p.digest == digest && p.one_owner == system.one_owner;
  });
}

std::vector<verdict> ask(const std::vector<question>& questions, const solver& by, unsigned jobs) {
  std::vector<std::vector<verdict>> answers(questions.size());
  std::atomic<std::size_t> next = 0;
  std::mutex first;
  std::string wrong;
  const auto work = [&] {
    for (std::size_t i = 0; (i = next++) < questions.size();) try {
        ask_one(questions[i], by, answers[i]);
      } catch (const std::exception& e) {
        const std::lock_guard guard(first);
        if (wrong.empty()) wrong = e.what();
      }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i != std::max(jobs, 1U); ++i) threads.emplace_back(work);
  }
  if (!wrong.empty()) throw std::runtime_error(wrong);
  std::vector<verdict> all;
  for (const auto& each : answers) all.insert(all.end(), each.begin(), each.end());
  return all;
}

}  // namespace licit::proof
