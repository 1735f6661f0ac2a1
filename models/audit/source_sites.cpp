#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <iterator>
#include <string_view>

#include <licit/audit/source_sites.hpp>
#include <licit/checker/std.hpp>

namespace licit::audit {

namespace {

using met_site = checker::detail::source_site;

std::string_view kind_name(operation kind) {
  return kind == operation::compare_exchange ? "compare-exchange" : licit::detail::name(kind);
}

/// Of those whose bits are set; of none, relaxed.
order strongest_of(unsigned bits) { return static_cast<order>(std::bit_width(bits | 1U) - 1); }

level strongest_of(const met_site& s) { return {strongest_of(s.orders), strongest_of(s.failures)}; }

/// While it lives, an operation has another order.
class weakened {
 public:
  weakened(met_site& s, const source_weakening& w) : site_{s} {
    (w.on_failure ? s.weakened_failure : s.weakened) = w.to;
  }
  weakened(const weakened&) = delete;
  weakened& operator=(const weakened&) = delete;
  ~weakened() { site_.weakened = site_.weakened_failure = {}; }

 private:
  met_site& site_;
};

trial trial_of(const checker::verdict& v, std::uint64_t executions) {
  return {.outcome = v.outcome,
          .program = {},
          .kind = v.kind == checker::violation::none ? "" : std::string(name(v.kind)),
          .message = v.message,
          .client = {},
          .trace = v.trace,
          .picture = v.picture,
          .executions = executions + v.executions};
}

/// Up to the first that is wrong; a limit counts if none is.
trial run(const std::vector<source_program>& programs, const checker::options& o) {
  trial all;
  for (const source_program& p : programs) {
    const checker::verdict v = p(o);
    const std::uint64_t before = all.executions;
    if (v.outcome == checker::outcome::violation) return trial_of(v, before);
    if (all.outcome == checker::outcome::ok) all = trial_of(v, before);
    all.executions = before + v.executions;
  }
  return all;
}

std::vector<met_site*> audited_sites() {
  std::vector<met_site*> audited = checker::detail::all_source_sites();
  std::erase_if(audited, [](const met_site* s) { return !s->audited || s->orders == 0; });
  return audited;
}

std::string name_of(const met_site& s, const std::vector<met_site*>& among) {
  const auto is_like_it = [&](const met_site* other) {
    return other->file == s.file && other->line == s.line && other->kind == s.kind;
  };
  std::string name = s.label.data();
  if (s.column != 0 && std::ranges::count_if(among, is_like_it) > 1) name += ":" + std::to_string(s.column);
  return name.append(" ").append(kind_name(s.kind));
}

/// The orders of success first; of those, acquire before release.
std::vector<source_weakening> weakenings_of(const met_site& s) {
  const level now = strongest_of(s);
  const row r{.site = {}, .kind = s.kind, .success = now.success, .failure = now.failure, .pairs = {}, .reason = {}};
  std::vector<source_weakening> all;
  std::vector<source_weakening> failures;
  for (const level& l : weaker_than(r, now)) {
    const bool fails = l.success == now.success;
    if (fails) failures.push_back({now.failure, l.failure, true});
    if (!fails) all.push_back({now.success, l.success});
  }
  const auto release = std::ranges::find(all, order::release, &source_weakening::to);
  if (release != all.end() && std::next(release)->to == order::acquire) std::iter_swap(release, std::next(release));
  std::ranges::copy(failures, std::back_inserter(all));
  return all;
}

need need_of(const source_site& s) {
  if (s.weaker.empty()) return need::relaxed;
  const auto came_of_it = [&](checker::outcome o) {
    return std::ranges::any_of(s.weaker, [&](const source_weakening& w) { return w.result.outcome == o; });
  };
  if (came_of_it(checker::outcome::ok)) return need::not_needed;
  return came_of_it(checker::outcome::limit) ? need::unknown : need::needed;
}

std::string line(const std::string& name, const std::string& orders, const std::string& finding) {
  std::array<char, 80> columns{};
  std::snprintf(columns.data(), columns.size(), "%-36s %-22s ", name.c_str(), orders.c_str());
  return columns.data() + finding + "\n";
}

std::string finding_of(const trial& t) {
  if (t.outcome == checker::outcome::violation) return "needed: " + t.kind + ": " + t.message;
  return t.outcome == checker::outcome::ok ? "not needed by this program" : "not decided: a limit was reached";
}

}  // namespace

bool source_report::decided() const {
  return std::ranges::all_of(sites, [](const source_site& s) {
    return std::ranges::none_of(s.weaker,
                                [](const source_weakening& w) { return w.result.outcome == checker::outcome::limit; });
  });
}

source_report audit_source(const std::vector<source_program>& programs, const checker::options& o) {
  checker::detail::forget_source_sites();
  source_report report;
  for (const source_program& p : programs) {
    report.sufficient = p(o);
    if (report.sufficient.outcome != checker::outcome::ok) return report;
  }
  const std::vector<met_site*> met = audited_sites();
  for (met_site* const s : met) {
    report.sites.push_back({.file = s->file,
                            .line = s->line,
                            .column = s->column,
                            .function = s->function,
                            .kind = s->kind,
                            .name = name_of(*s, met),
                            .strongest = strongest_of(*s),
                            .weaker = weakenings_of(*s)});
    for (source_weakening& w : report.sites.back().weaker) {
      const weakened now(*s, w);
      w.result = run(programs, o);
    }
    report.sites.back().verdict = need_of(report.sites.back());
  }
  return report;
}

source_report audit_source(const std::function<void()>& body, const checker::options& o) {
  return audit_source(std::vector<source_program>{[&](const checker::options& asked) { return check(body, asked); }},
                      o);
}

std::string text(const source_report& r) {
  if (r.sufficient.outcome != checker::outcome::ok) {
    return std::string(name(r.sufficient.kind)) + ": " + r.sufficient.message + "\n" + r.sufficient.trace;
  }
  std::string all;
  for (const source_site& s : r.sites) {
    if (s.weaker.empty()) {
      all += line(s.name, std::string(licit::detail::name(s.strongest.success)), "nothing is weaker");
    }
    for (const source_weakening& w : s.weaker) {
      all += line(s.name + (w.on_failure ? " on failure" : ""),
                  std::string(licit::detail::name(w.from)) + " -> " + std::string(licit::detail::name(w.to)),
                  finding_of(w.result));
    }
  }
  return all.empty() ? "no atomic operation of the user's own code was met\n" : all;
}

}  // namespace licit::audit
