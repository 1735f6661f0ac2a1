/// A violating execution in a file, and its replay, also under a debugger.
///
/// A line is a word and its fields, separated by tabs. What the record calls by a number or an address is called in the
/// file by what is the same in every run: memory by its part and offset, code by its place in the executable.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <link.h>
#include <map>
#include <span>
#include <stdexcept>
#include <unistd.h>

#include "reports.hpp"
#include "runtime.hpp"
#include "unseen.hpp"

namespace licit::unmodified {

namespace {

constexpr std::string_view format = "licit check 2";
constexpr std::string_view from_the_beginning = "the beginning";

struct atomic_place {
  place at;
  unsigned size;
  std::size_t life;
};

/// What was read from a file; it lives as long as the exploration.
struct replayed {
  checker::record steps = {};
  std::vector<site> sites = {};
  std::vector<atomic_place> atomics = {};  ///< in the order of their numbers
};
replayed recorded;
bool replays = false;

using fields = std::vector<std::string>;

/// "atomic 17 of the main thread", "the queue of atomic 17 of the main thread": where the number is.
std::pair<std::size_t, std::size_t> number_in(const std::string& location) {
  constexpr std::string_view before = "atomic ";
  const std::size_t at = location.find(before);
  if (at == std::string::npos) return {0, 0};
  const std::size_t begin = at + before.size();
  return {begin, std::min(location.find(' ', begin), location.size())};
}

/// The atomics that the record names, and the lives before theirs.
std::vector<known_atomic> named_atomics(const checker::record& r) {
  const std::vector<known_atomic> all = known_atomics();
  std::map<address, std::size_t> lives;
  for (const checker::step& s : r.steps) {
    const auto [begin, end] = number_in(s.location);
    if (begin == end) continue;
    const auto id = static_cast<location_id>(std::stoul(s.location.substr(begin, end - begin)));
    const auto found = std::ranges::find(all, id, &known_atomic::location);
    if (found == all.end()) continue;
    std::size_t& most = lives[found->at];
    most = std::max(most, found->life + 1);
  }
  std::vector<known_atomic> named;
  std::ranges::copy_if(all, std::back_inserter(named), [&](const known_atomic& a) {
    const auto found = lives.find(a.at);
    return found != lives.end() && a.life < found->second;
  });
  return named;
}

/// With the place among `named` for the location's number.
std::string location_in_file(std::string location, const std::vector<known_atomic>& named) {
  const auto [begin, end] = number_in(location);
  if (begin == end) return location;
  const auto id = static_cast<location_id>(std::stoul(location.substr(begin, end - begin)));
  const auto found = std::ranges::find(named, id, &known_atomic::location);
  if (found == named.end()) return location;
  return location.replace(begin, end - begin, std::to_string(found - named.begin()));
}

std::string on_one_line(std::string text) {
  std::ranges::replace_if(text, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return text;
}

/// A space would end the word.
std::string accepted_words() {
  std::string all;
  for (const std::string& name : accepted_unseen()) {
    all += all.empty() ? " accept=" : ",";
    for (const char c : name) all += c == ' ' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  }
  return all;
}

std::string words_of(const checker::options& o) {
  return "events=" + std::to_string(o.max_events) + " leaks=" + (o.leaks ? "yes" : "no") +
         " timeouts=" + (o.timeouts ? "yes" : "no") + (has_spurious() ? " spurious=yes" : "") +
         " sequences=" + (o.sequences == checker::release_sequences::cxx11 ? "c++11" : "c++20") +
         (o.stalled.thread == checker::stall::nobody
              ? ""
              : " stopped=" + std::to_string(o.stalled.thread) + "/" + std::to_string(o.stalled.after)) +
         accepted_words();
}

std::string program_file() {
  std::array<char, 4096> path{};
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  return {path.data(), static_cast<std::size_t>(std::max<ssize_t>(length, 0))};
}

/// Memory that is no part of the program's own, as libgcc's lock for exceptions: the library, and where it is loaded.
struct library {
  std::string name;
  address begin = 0;
};

/// The library that has the address; without a name, if none has.
library library_of(address a) {
  struct search {
    address wanted;
    library found;
  } both{a, {}};
  const auto visit = [](dl_phdr_info* one, std::size_t, void* to) {
    auto& s = *static_cast<search*>(to);
    for (const ElfW(Phdr) & part : std::span(one->dlpi_phdr, one->dlpi_phnum)) {
      const address begin = one->dlpi_addr + part.p_vaddr;
      if (part.p_type != PT_LOAD || s.wanted < begin || s.wanted >= begin + part.p_memsz) continue;
      s.found = {one->dlpi_name, one->dlpi_addr};
      if (s.found.name.empty()) s.found.begin = 0;  // the program itself: as it is
      return 1;
    }
    return 0;
  };
  dl_iterate_phdr(visit, &both);
  return both.found;
}

/// Where the library of that name is loaded; 0 for one without a name. Throws std::runtime_error.
address begin_of(const std::string& name) {
  if (name.empty()) return 0;
  library wanted{name, 0};
  const auto visit = [](dl_phdr_info* one, std::size_t, void* to) {
    auto& w = *static_cast<library*>(to);
    if (w.name != one->dlpi_name) return 0;
    w.begin = one->dlpi_addr;
    return 1;
  };
  if (dl_iterate_phdr(visit, &wanted) == 0) throw std::runtime_error("the program has not loaded " + name);
  return wanted.begin;
}

/// With a tab, a line feed and a backslash as in C.
std::string in_a_field(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\t' || c == '\n' || c == '\\') out += '\\';
    out += c == '\t' ? 't' : c == '\n' ? 'n' : c;
  }
  return out;
}

void write_head(std::ostream& out, const checker::verdict& v) {
  out << format << "\nprogram\t" << program_file() << '\n';
  const std::vector<std::string> arguments = command_line();
  for (std::size_t i = 1; i < arguments.size(); ++i) out << "argument\t" << in_a_field(arguments[i]) << '\n';
  out << "violation\t" << name(v.kind) << ": " << on_one_line(v.message) << "\noptions\t" << words_of(v.options)
      << '\n';
  out << "ended in\t" << v.steps.ended_in << '\n';
}

void write_site(std::ostream& out, const site& s) {
  if (!s.named) return;
  out << "site\t" << static_cast<unsigned>(s.what);
  for (const address call : s.calls) out << '\t' << in_file(call);
  out << '\t' << s.text.data() << '\t' << on_one_line(s.function) << '\n';
}

void write_step(std::ostream& out, const checker::step& s, const std::vector<known_atomic>& named) {
  out << "step\t" << unsigned{s.at.thread} << '\t' << s.at.index << '\t' << s.action << '\t' << s.site << '\t'
      << location_in_file(s.location, named) << '\t' << s.order << '\t' << s.value << '\t';
  if (s.other) {
    out << unsigned{s.other->thread} << '\t' << s.other->index;
  } else {
    out << from_the_beginning << "\t0";
  }
  out << '\t' << s.choice << '\t' << (s.waits ? 1 : 0) << '\n';
}

fields split(const std::string& line) {
  fields all;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find('\t', at), line.size());
    all.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

template <class T>
T number(const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) throw std::runtime_error("'" + text + "' is no number");
  return value;
}

checker::step step_of(const fields& f) {
  checker::step s{.at = {number<std::uint8_t>(f[1]), number<std::uint16_t>(f[2])},
                  .action = f[3],
                  .site = f[4],
                  .location = f[5],
                  .order = f[6],
                  .value = f[7]};
  if (f[8] != from_the_beginning) s.other = {number<std::uint8_t>(f[8]), number<std::uint16_t>(f[9])};
  s.choice = number<unsigned>(f[10]);
  s.waits = f[11] == "1";
  return s;
}

site site_in(const fields& f) {
  site s{.what = static_cast<deed>(number<unsigned>(f[1])), .named = true, .function = f[6]};
  for (std::size_t i = 0; i != s.calls.size(); ++i) s.calls[i] = in_memory(number<address>(f[2 + i]));
  std::snprintf(s.text.data(), s.text.size(), "%s", f[5].c_str());
  return s;
}

/// A line of the file: of its first word, with so many fields.
void read_line(const fields& f, request& r) {
  const auto is = [&](std::string_view word, std::size_t count) { return f[0] == word && f.size() == count; };
  if (is("step", 12)) {
    recorded.steps.steps.push_back(step_of(f));
  } else if (is("site", 7)) {
    recorded.sites.push_back(site_in(f));
  } else if (is("atomic", 6)) {
    recorded.atomics.push_back({{number<int>(f[1]), number<address>(f[2]) + begin_of(f[5])},
                                number<unsigned>(f[3]),
                                number<std::size_t>(f[4])});
  } else if (is("options", 2)) {
    const request recorded_with = requested(f[1]);
    r.how.options = recorded_with.how.options;
    r.spurious = recorded_with.spurious;
    r.accepted = recorded_with.accepted;
  } else if (is("ended in", 2)) {
    recorded.steps.ended_in = number<unsigned>(f[1]);
  } else if (!is("program", 2) && !is("argument", 2) && !is("violation", 2)) {
    throw std::runtime_error("'" + f[0] + "' is no line of such a file");
  }
}

}  // namespace

bool is_replayed() { return replays; }

/// Complete, or not there: several processes may write it.
void write_trace(const std::string& file, const checker::verdict& v) {
  const std::string unfinished = file + "." + std::to_string(getpid());
  std::ofstream out(unfinished);
  const std::vector<known_atomic> named = named_atomics(v.steps);
  write_head(out, v);
  for (const known_atomic& a : named) {
    const place p = place_of(a.at);
    const library in = p.part < 0 ? library_of(a.at) : library();
    out << "atomic\t" << p.part << '\t' << p.offset - in.begin << '\t' << a.size << '\t' << a.life << '\t' << in.name
        << '\n';
  }
  for (const site* const s : all_sites()) write_site(out, *s);
  for (const checker::step& s : v.steps.steps) write_step(out, s, named);
  out.close();
  if (!out || std::rename(unfinished.c_str(), file.c_str()) != 0) {
    throw std::runtime_error("cannot write " + file + ": " + std::strerror(errno));  // NOLINT(concurrency-mt-unsafe)
  }
}

void read_trace(const std::string& file, request& r) {
  std::ifstream in(file);
  std::string line;
  if (!in) throw std::runtime_error("cannot read " + file + ": " + std::strerror(errno));  // NOLINT
  if (!std::getline(in, line) || line != format) {
    throw std::runtime_error(file + " does not begin with '" + std::string(format) + "'");
  }
  for (std::size_t n = 2; std::getline(in, line); ++n) {
    try {
      read_line(split(line), r);
    } catch (const std::exception& e) {
      throw std::runtime_error(file + ":" + std::to_string(n) + ": " + e.what());
    }
  }
  checker::options& o = r.how.options;
  o.how = checker::mode::replay;
  o.sample.steps = &recorded.steps;
  o.max_seconds = o.max_step_seconds = std::numeric_limits<double>::infinity();  // somebody may look at it meanwhile
  replays = true;
}

void prepare_replay() {
  for (const site& s : recorded.sites) make_site(s);
  for (const atomic_place& a : recorded.atomics) make_atomic(address_of(a.at), a.size, a.life);
}

}  // namespace licit::unmodified

// Whoever sets a breakpoint wants them to be called.
LICIT_INTERPOSED [[gnu::noinline]] void licit_violation() { asm volatile(""); }
LICIT_INTERPOSED [[gnu::noinline]] void licit_step(unsigned thread, unsigned index) {
  asm volatile("" : : "r"(thread), "r"(index));
}
