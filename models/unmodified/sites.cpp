/// Where the program's operations are: call sites, and their files, lines and functions.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <unistd.h>
#include <unordered_map>
#include <unwind.h>

#include "reports.hpp"
#include "runtime.hpp"
#include "show/words.hpp"
#include "unseen.hpp"

namespace licit::unmodified {

namespace {

/// The functions that a thread is in, by where they were called: the byte before the address that they return to.
/// Deeper ones are counted only.
struct shadow_stack {
  static constexpr std::size_t room = 256;
  static constexpr std::size_t below = 2;  ///< that many calls of nobody
  const std::byte* bottom = nullptr;       ///< of the stack that the thread runs on
  std::size_t depth = 0;
  std::array<address, below + room> calls = {};

  /// The innermost call and the one around it; 0: none, or not known.
  [[nodiscard]] std::array<address, 2> innermost() const {
    if (depth > room) return {};
    return {calls[depth + below - 1], calls[depth + below - 2]};
  }
  [[nodiscard]] std::span<const address> known() const {
    return std::span(calls).subspan(below, std::min(depth, room));
  }
  [[nodiscard]] std::span<address> known() { return std::span(calls).subspan(below, std::min(depth, room)); }
  void enter(address call) {
    if (depth < room) calls[depth + below] = call;
    ++depth;
  }
};

std::array<shadow_stack, checker::max_threads + 1> stacks;
constexpr std::size_t size_of_stack = checker::detail::fiber::stack_size;

struct by_calls {
  std::size_t operator()(const std::array<address, 3>& c) const {
    return (c[0] * 0x9e3779b97f4a7c15) ^ (c[1] * 0xc2b2ae3d27d4eb4f) ^ (c[2] * 0x165667b19e3779f9);
  }
};
std::unordered_map<std::array<address, 3>, std::unique_ptr<site>, by_calls> sites;
std::vector<const site*> numbered;

/// In its place, with a number of its own.
site& add_site(std::unique_ptr<site>& place, site&& s) {
  s.number = static_cast<std::uint32_t>(numbered.size());
  place = std::make_unique<site>(std::move(s));
  numbered.push_back(place.get());
  return *place;
}

/// Sites met of late, by hash: what is compared lies here, not in the site, and in one line of the cache.
struct alignas(64) recent_site {
  std::array<address, 3> calls = {};
  deed what = {};
  site* found = nullptr;

  /// No call is at 0, as of one that is not used yet.
  [[nodiscard]] bool is(const std::array<address, 3>& c, deed w) const {
    return ((calls[0] ^ c[0]) | (calls[1] ^ c[1]) | (calls[2] ^ c[2])) == 0 && what == w;
  }
};
constexpr std::size_t recent_sites = 1024;
std::array<recent_site, recent_sites> recent;
recent_site& recent_of(const std::array<address, 3>& calls) {
  return recent[(by_calls{}(calls) >> 32U) % recent_sites];
}

/// A frame of the program's code, as addr2line has it.
struct frame {
  std::string function;
  std::string file;
  std::string line;

  [[nodiscard]] bool is_standard() const {
    return file.empty() || file[0] == '?' || file.find("/c++/") != std::string::npos ||
           file.find("/bits/") != std::string::npos;
  }
  /// One that only passes an operation of std::atomic on.
  [[nodiscard]] bool is_atomic() const {
    const std::string name = file.substr(file.rfind('/') + 1);
    return name == "atomic" || name == "atomic_base.h" || file.find("/__atomic/") != std::string::npos;
  }
};
std::map<address, std::vector<frame>> frames;  ///< the innermost first

_Unwind_Reason_Code find_program(_Unwind_Context* context, void* found) {
  const address at = _Unwind_GetIP(context);
  if (!is_of_program(at)) return _URC_NO_REASON;
  *static_cast<address*>(found) = at;
  return _URC_NORMAL_STOP;
}

/// Where a library's call came from, in the program. To unwind the stack takes microseconds. A library's function has a
/// frame of one size, mostly; so the return address lies where it lay the last time that this call was made, and what
/// lies there is believed if unwinding has found the same before.
struct route {
  std::ptrdiff_t offset = 0;
  std::vector<address> found = {};
};
/// From where in this library the site of a library's call is asked for. A function that asks in several places does so
/// with as many frames between.
struct route_key {
  address call = 0;
  address asked_at = 0;

  friend bool operator==(const route_key&, const route_key&) = default;
  friend auto operator<=>(const route_key&, const route_key&) = default;
};
std::map<route_key, route> routes;

/// Those asked for of late, by the last bits of the addresses.
struct recent_route {
  route_key key = {};
  route* found = nullptr;
};
std::array<recent_route, 64> recent_routes;

route& route_of(const route_key& key) {
  recent_route& last = recent_routes[(key.call ^ key.asked_at) % recent_routes.size()];
  if (last.key != key) last = {key, &routes[key]};
  return *last.found;
}

/// Who asks for a site, and the frame of `site_of`.
struct asker {
  const void* at;
  const std::byte* frame;
};

address word_at(const std::byte* p) {
  address word = 0;
  __builtin_memcpy(&word, p, sizeof word);
  return word;
}

address program_call(address library_call, asker by) {
  route& r = route_of({library_call, reinterpret_cast<address>(by.at)});
  const std::byte* const bottom = engine().stack_bottom(engine().thread());
  constexpr auto size = static_cast<std::ptrdiff_t>(sizeof(address));
  if (r.offset != 0 && bottom - by.frame >= r.offset + size) {
    const address there = word_at(by.frame + r.offset);
    if (std::ranges::find(r.found, there) != r.found.end()) return there;
  }
  address found = 0;
  _Unwind_Backtrace(&find_program, &found);
  if (found == 0) return 0;
  constexpr std::ptrdiff_t farthest = 4096;
  const std::ptrdiff_t last = std::min<std::ptrdiff_t>(farthest, bottom - by.frame - size);
  for (std::ptrdiff_t at = 0; at < last; at += size) {
    if (word_at(by.frame + at) != found) continue;
    r.offset = at;
    if (std::ranges::find(r.found, found) == r.found.end()) r.found.push_back(found);
    break;
  }
  return found;
}

std::string without_folders(const std::string& file) { return file.substr(file.rfind('/') + 1); }

/// What `addr2line` says of the addresses, each of which begins with a line 0x....
void read_frames(std::FILE* from, const std::vector<address>& asked) {
  std::array<char, 4096> line{};
  std::size_t n = 0;
  std::string function;
  bool expects_function = true;
  while (std::fgets(line.data(), line.size(), from) != nullptr) {
    std::string text(line.data(), std::strcspn(line.data(), "\n"));
    if (text.starts_with("0x")) {
      ++n;
      expects_function = true;
    } else if (expects_function) {
      function = text;
      expects_function = false;
    } else if (n != 0 && n <= asked.size()) {
      text = text.substr(0, text.find(" ("));
      const auto colon = text.rfind(':');
      frames[asked[n - 1]].push_back({function, text.substr(0, colon), text.substr(colon + 1)});
      expects_function = true;
    }
  }
}

/// Of all sites, and of what `more` has, by one call. Where there is no addr2line, sites keep their addresses.
void find_frames(std::span<const address> more = {}) {
  std::vector<address> asked;
  std::string command = "addr2line -a -f -C -i -e /proc/" + std::to_string(getpid()) + "/exe";
  const auto ask = [&](address call) {
    if (call == 0 || !is_of_program(call) || !frames.try_emplace(call).second) return;
    asked.push_back(call);
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), " %#lx", static_cast<unsigned long>(in_file(call)));
    command += text.data();
  };
  for (const auto& [key, s] : sites) std::ranges::for_each(s->calls, ask);
  std::ranges::for_each(more, ask);
  if (asked.empty()) return;
  command += " 2>/dev/null";
  std::FILE* const answers = popen(command.c_str(), "r");
  if (answers == nullptr) return;
  read_frames(answers, asked);
  pclose(answers);
}

}  // namespace

/// They fill lines, and the line of the file says it all.
std::string shortened(std::string function) {
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t at = 0; (at = function.find(unnamed)) != std::string::npos;) function.erase(at, unnamed.size());
  if (function.find("::_State_impl<") != std::string::npos) return "the thread's function";
  std::string all = checker::detail::outside_brackets(function);
  if (all.ends_with(" const")) all.resize(all.size() - std::string_view(" const").size());
  if (all == "operator" || all.ends_with("}::operator")) return "a lambda";
  const auto type = all.rfind(' ');
  const bool converts = all.find("operator") != std::string::npos;
  return type == std::string::npos || converts ? (all.empty() ? function : all) : all.substr(type + 1);
}

std::vector<std::string> names_of_code(std::span<const address> code, std::size_t i) {
  constexpr std::size_t at_once = 1000;  // a command has no room for more
  if (i % at_once == 0) find_frames(code.subspan(i, std::min(at_once, code.size() - i)));
  std::vector<std::string> names;
  for (const frame& f : frames[code[i]]) {
    names.push_back(shortened(f.function));
    names.push_back(without_folders(f.file));
  }
  return names;
}

namespace {

/// By the innermost frame that is the user's; where there is none, by the innermost.
void name(site& s) {
  const frame* chosen = nullptr;
  const frame* innermost = nullptr;
  bool atomic_so_far = true;
  for (const address call : s.calls) {
    const auto known = frames.find(call);
    if (known == frames.end()) continue;
    for (const frame& f : known->second) {
      if (innermost == nullptr) innermost = &f;
      if (!f.is_standard()) {
        chosen = &f;
        break;
      }
      atomic_so_far = atomic_so_far && f.is_atomic();
    }
    if (chosen != nullptr) break;
  }
  s.users = chosen != nullptr && atomic_so_far && is_of_program(s.calls[0]);
  if (chosen == nullptr) chosen = innermost;
  if (chosen == nullptr) return;
  s.named = true;
  s.function = shortened(chosen->function.substr(0, chosen->function.find(" [clone")));
  std::snprintf(s.text.data(), s.text.size(), "%s:%s", without_folders(chosen->file).c_str(), chosen->line.c_str());
}

}  // namespace

namespace {

/// One that was not met of late. Here much is left on the stack, which no two rounds of a loop are to differ by.
[[gnu::noinline]] site& find_site(const std::array<address, 3>& calls, deed what, recent_site& last) {
  std::array<address, 3> key = calls;
  key[0] = key[0] * 8 + static_cast<address>(what);
  std::unique_ptr<site>& known = sites[key];
  if (known == nullptr) {
    if (numbered.size() == most_sites) refuse("has more places of operations than can be told apart");
    add_site(known, {.calls = calls, .what = what});
    // The same in every run, as replays compare it: where libraries lie is not.
    if (is_of_program(calls[0])) {
      std::snprintf(known->text.data(), known->text.size(), "%#lx", static_cast<unsigned long>(in_file(calls[0])));
    } else {
      std::snprintf(known->text.data(), known->text.size(), "a library");
    }
  }
  last = {calls, what, known.get()};
  return *known;
}

}  // namespace

namespace {

/// Of a library's call, by who called it; or of one that was not met of late.
[[gnu::noinline]] site& look_for_site(std::array<address, 3> calls, deed what, asker by) {
  if (!is_of_program(calls[0])) {
    const address found = program_call(calls[0], by);
    if (found != 0) calls[0] = found - 1;
  }
  recent_site unknown;
  recent_site& last = is_of_program(calls[0]) ? recent_of(calls) : unknown;
  site& found = last.found != nullptr && last.is(calls, what) ? *last.found : find_site(calls, what, last);
  if (engine().suspects_loops()) checker::detail::clear_stack_below();
  return found;
}

}  // namespace

site& site_of(const void* caller, deed what) {
  const auto [function, around] = stacks[engine().thread()].innermost();
  const std::array<address, 3> calls{reinterpret_cast<address>(caller) - 1, function, around};
  const recent_site& last = recent_of(calls);
  if (last.is(calls, what)) return *last.found;
  return look_for_site(calls, what, {LICIT_CALLER, static_cast<const std::byte*>(__builtin_frame_address(0))});
}

site& site_named(const char* text) {
  static std::map<std::string, site*> known;
  site*& found = known[text];
  if (found == nullptr) {
    const std::array<address, 3> key{known.size()};  // no call is there
    found = &add_site(sites[key], {.named = true});
    std::snprintf(found->text.data(), found->text.size(), "%s", text);
  }
  return *found;
}

const site* site_of_running() {
  address found = 0;
  _Unwind_Backtrace(&find_program, &found);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address of code
  return found == 0 ? nullptr : &site_of(reinterpret_cast<const void*>(found));
}

std::string where(const site& s) {
  return "[" + std::string(s.text.data()) + (s.function.empty() ? "" : " in " + s.function) + "]";
}

std::vector<address> calls_of(unsigned t) {
  std::vector<address> calls;
  std::ranges::copy_if(stacks[t].known(), std::back_inserter(calls), [](address call) { return call != 0; });
  const site* const last = last_place_of(t);
  if (last != nullptr && is_of_program(last->calls[0])) calls.push_back(last->calls[0]);
  return calls;
}

std::string function_at(address call, const std::string& function, unsigned line) {
  find_frames(std::span(&call, 1));
  const std::vector<frame>& known = frames[call];
  const auto is_asked = [&](const frame& f) {
    return function.empty() ? !f.is_standard() : f.function.substr(0, f.function.find('(')).ends_with(function);
  };
  auto found = std::ranges::find_if(known, is_asked);
  if (found == known.end() && !known.empty()) found = std::prev(known.end());
  if (found == known.end()) return function.empty() ? "a function without a name" : function;
  if (found->file.starts_with('?')) return shortened(found->function);
  return shortened(found->function) + ", " + without_folders(found->file) + ":" +
         (line == 0 ? found->line : std::to_string(line));
}

/// The unwinder prepares itself when it is first used. In an execution, it would be put back.
void prepare_sites() {
  address ignored = 0;
  _Unwind_Backtrace(&find_program, &ignored);
}

void name_sites() {
  find_frames();
  for (const auto& [key, s] : sites) {
    if (!s->named) name(*s);
  }
}

void make_site(site s) {
  std::array<address, 3> key = s.calls;
  key[0] = key[0] * 8 + static_cast<address>(s.what);
  add_site(sites[key], std::move(s));
}

const site& site_at(std::uint32_t number) { return *numbered[number]; }

std::vector<site*> all_sites() {
  std::vector<site*> all;
  all.reserve(sites.size());
  for (const auto& [key, s] : sites) all.push_back(s.get());
  return all;
}

void know_stacks() {
  for (unsigned t = 0; t != checker::max_threads; ++t) stacks[t].bottom = engine().stack_bottom(t);
}

bool is_below_stack(address at) {
  constexpr std::size_t most = std::size_t{8} << 20;  // what threads have elsewhere
  const auto lowest = reinterpret_cast<address>(stacks[engine().thread()].bottom) - size_of_stack;
  return at < lowest && lowest - at <= most;
}

void refuse_stack(const site& s) {
  refuse("needs more than the " + std::to_string(size_of_stack >> 10) + " KB that a stack has here " + where(s));
}

void leave_stack(const void* top) {
  const inside in;
  const site* const running = site_of_running();
  const site& s = running == nullptr ? site_named("nowhere") : *running;
  name_sites();
  if (is_below_stack(reinterpret_cast<address>(top))) refuse_stack(s);
  refuse("runs on a stack that is not its own " + where(s));
}

void forget_calls() {
  for (shadow_stack& s : stacks) s.depth = 0;
}

void keep_calls(image& in) {
  for (const shadow_stack& s : std::span(stacks).first(threads_in_use())) {
    in.put(s.depth);
    if (s.depth != 0) in.put_bytes(std::as_bytes(s.known()));
  }
}

/// When the threads have been.
void put_back_calls(image::reader& to) {
  forget_calls();
  for (shadow_stack& s : std::span(stacks).first(threads_in_use())) {
    to.get(s.depth);
    if (s.depth != 0) to.get_bytes(std::as_writable_bytes(s.known()));
  }
}

}  // namespace licit::unmodified

using namespace licit::unmodified;  // NOLINT(google-build-using-namespace): what follows is its interface

namespace {

/// By its register: for a frame's address another register would be left on the stack, and look like progress of a
/// loop.
const std::byte* stack_top() {
  const std::byte* top = nullptr;
#if defined(__x86_64__)
  asm volatile("mov %%rsp, %0" : "=r"(top));
#else
  asm volatile("mov %0, sp" : "=r"(top));
#endif
  return top;
}

}  // namespace

LICIT_INTERPOSED void __tsan_func_entry(void* caller) {
  if (!is_explored()) return;
  const auto call = reinterpret_cast<address>(caller);
  shadow_stack& in = stacks[engine().thread()];
  const std::byte* const top = stack_top();
  if (static_cast<std::size_t>(in.bottom - top) > size_of_stack) leave_stack(top);
  in.enter(is_of_program(call) ? call - 1 : 0);
}

LICIT_INTERPOSED void __tsan_func_exit() {
  if (!is_explored()) return;
  shadow_stack& in = stacks[engine().thread()];
  if (in.depth != 0) --in.depth;
}
