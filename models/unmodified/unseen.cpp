/// Code that the compiler has not instrumented: what is not compiled with -fsanitize=thread, and inline assembly.
///
/// The executable's code is looked at once. A function that is compiled with the instrumentation calls the runtime, and
/// before each access to memory that others may know it says so. One that has such an access and calls nothing is
/// guarded, and so is the first access of one that says nothing of any. Accesses that say nothing in instrumented code
/// either are told by where their addresses come from: the frame, constants, and the object that the function builds to
/// return it. Instructions that compilers do not make of instrumented code are guarded too, as they call the runtime
/// for atomic operations and fences. A build by our `as` lists where inline assembly is: there each access is guarded.
/// A guard is an instruction that faults, in place of the first byte; so what no execution comes to is not refused.
#include "unseen.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <map>
#include <ranges>
#include <stdexcept>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

#include "runtime.hpp"

namespace licit::unmodified {

namespace {

#if defined(__x86_64__)
constexpr bool knows_processor = true;
#else
constexpr bool knows_processor = false;
#endif

enum class unseen : std::uint8_t { function, untold, access, update, fence, system_call };

struct guard {
  unseen what;
  std::byte original;
  std::string function;  ///< as the linker knows it
};
std::map<address, guard> guards;
std::vector<std::string> accepted;

struct range {
  address begin;
  address end;

  friend auto operator<=>(const range&, const range&) = default;
};

std::span<std::byte> bytes_at(address begin, std::size_t size) {
  return {reinterpret_cast<std::byte*>(begin), size};  // NOLINT(performance-no-int-to-ptr)
}

bool is_writable(address a) {
  const auto memory = std::as_bytes(globals());
  const auto begin = reinterpret_cast<address>(memory.data());
  return a >= begin && a - begin < memory.size();
}

/// What an entry of the table of functions has, and where the entry is, by the jump to it that is at an address. 0:
/// none.
address entry_of_jump(address at) {
  if (!is_of_program(at) || !is_of_program(at + 15)) return 0;
  std::span<const std::byte> code = bytes_at(at, 16);
  constexpr std::array landing{std::byte{0xf3}, std::byte{0x0f}, std::byte{0x1e}, std::byte{0xfa}};
  if (std::ranges::equal(code.first(landing.size()), landing)) {
    at += landing.size();
    code = code.subspan(landing.size());
  }
  const auto jump = decode(code);
  if (!jump || !jump->is_indirect) return 0;
  return at + jump->length + static_cast<address>(jump->displacement);
}

/// What instrumented code calls: of every function, and of one that accesses memory which others may know.
enum class notice : std::uint8_t { none, of_function, of_access };

/// Which of them the table's entry leads to.
notice notice_of(address entry) {
  static std::map<address, notice> known;
  const auto [found, is_new] = known.try_emplace(entry, notice::none);
  if (!is_new) return found->second;
  const void* function = nullptr;
  std::memcpy(&function, bytes_at(entry, sizeof function).data(), sizeof function);
  if (!is_of_runtime(reinterpret_cast<address>(function))) return found->second;
  Dl_info info{};
  if (dladdr(function, &info) != 0 && info.dli_sname != nullptr) {
    const std::string_view name = info.dli_sname;
    if (name.starts_with("__tsan_")) {
      found->second = name.starts_with("__tsan_func_") ? notice::of_function : notice::of_access;
    }
  }
  return found->second;
}

/// What a function has that matters here.
struct findings {
  notice most = notice::none;
  bool has_frame = false;  ///< by the frame pointer, as code that is not optimised
  address accesses = 0;    ///< the first of memory that is not its own; 0: none
  std::vector<std::pair<address, unseen>> instructions = {};
};

bool is_push_of_frame(std::span<const std::byte> code) {
  const auto begins_with = [&](std::initializer_list<unsigned> bytes) {
    return code.size() >= bytes.size() && std::ranges::equal(code.first(bytes.size()), bytes,
                                                             [](std::byte a, unsigned b) { return a == std::byte(b); });
  };
  return begins_with({0x55, 0x48, 0x89, 0xe5}) || begins_with({0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5});
}

/// What is known of a register: nothing; that it is an address in the function's frame or of a constant; that it is the
/// first argument. Of a function that builds an object which it returns, that is where the object will be.
enum class content : std::uint8_t { unknown, own, first_argument };

struct registers {
  std::array<content, 16> known{};

  [[nodiscard]] content of(unsigned r) const { return r < known.size() ? known[r] : content::unknown; }
  /// True: less is known than before.
  bool join(const registers& other) {
    if (known == other.known) return false;
    const registers before = *this;
    for (std::size_t r = 0; r != known.size(); ++r) {
      if (known[r] != other.known[r]) known[r] = content::unknown;
    }
    return known != before.known;
  }
};

/// Of an address, or a sum, by its parts. A number is not known.
content sum_of(content a, content b) {
  if (a == content::own || b == content::own) return content::own;
  return a == content::unknown ? b : a;
}

/// A function's code, with what is known before each instruction by all ways to it.
class flow {
 public:
  struct step {
    address at = 0;
    instruction what;
    std::optional<registers> before;
  };

  /// The function begins where the first part does.
  explicit flow(const std::vector<range>& code) {
    std::vector<range> in_order = code;
    std::ranges::sort(in_order);
    std::size_t size = 0;
    for (const range& part : in_order) size += part.end - part.begin;
    constexpr std::size_t of_instruction = 4;  // bytes, or so
    steps_.reserve(size / of_instruction);
    for (const range& part : in_order) read(part);
    step* const begin = step_at(code.front().begin);
    if (begin == nullptr) return;
    registers first;
    first.known[rsp] = content::own;
    first.known[rdi] = content::first_argument;
    begin->before = first;
    if (is_push_of_frame(bytes_at(code.front().begin, code.front().end - code.front().begin))) find_home();
    while (pass()) {
    }
  }

  [[nodiscard]] const std::vector<step>& steps() const { return steps_; }
  /// Of the memory that it reads or writes.
  [[nodiscard]] static content memory_of(const step& s) {
    const registers known = s.before.value_or(registers{});
    const instruction& i = s.what;
    if (i.is_of_thread || i.base == rsp) return content::own;
    if (i.is_of_texts) {
      const bool has_source = (i.written & set_of(rsi)) != 0;
      const bool has_target = (i.written & set_of(rdi)) != 0;
      if (has_source && has_target && known.of(rsi) != known.of(rdi)) return content::unknown;
      return known.of(has_target ? rdi : rsi);
    }
    return address_of(s, known);
  }
  /// At each of its ends it returns its first argument.
  [[nodiscard]] bool returns_first_argument() const {
    const auto returns = [](const step& s) { return s.what.is_return; };
    const auto does = [&](const step& s) {
      return !returns(s) || (s.before && s.before->of(0) == content::first_argument);
    };
    return std::ranges::any_of(steps_, returns) && std::ranges::all_of(steps_, does);
  }

 private:
  void read(range code) {
    for (address at = code.begin; at < code.end;) {
      const auto found = decode(bytes_at(at, code.end - at));
      if (!found) return;  // data
      steps_.push_back({at, *found, {}});
      at += found->length;
    }
  }
  step* step_at(address at) {
    const auto found = std::ranges::lower_bound(steps_, at, {}, &step::at);
    return found != steps_.end() && found->at == at ? &*found : nullptr;
  }
  static content address_of(const step& s, const registers& known) {
    const instruction& i = s.what;
    const address target = s.at + i.length + static_cast<address>(i.displacement);
    if (i.is_relative) return is_writable(target) ? content::unknown : content::own;
    return sum_of(known.of(i.base), known.of(i.index));
  }
  [[nodiscard]] registers behind(const step& s, const registers& before) const {
    registers known = before;
    const instruction& i = s.what;
    for (unsigned left = i.written & ~set_of(rsp); left != 0; left &= left - 1) {
      content& now = known.known[static_cast<unsigned>(std::countr_zero(left))];
      if (i.is_address) {
        now = address_of(s, before);
      } else if (i.is_load && i.base == rbp && i.index == instruction::no_register && home_ == i.displacement) {
        now = content::first_argument;
      } else if (i.copy_of != instruction::no_register) {
        now = before.of(i.copy_of);
      } else if (i.moved_by != instruction::no_register) {
        now = sum_of(now, before.of(i.moved_by));
      } else if (!i.is_moved) {
        now = content::unknown;
      }
    }
    return known;
  }
  static bool join(std::optional<registers>& to, const registers& from) {
    if (to) return to->join(from);
    to = from;
    return true;
  }
  bool join_at(address target, const registers& from) {
    step* const found = step_at(target);
    return found != nullptr && join(found->before, from);
  }
  /// Whoever no instruction leads to is led to by a table or by an exception: from some indirect jump or call.
  bool pass() {
    bool has_changed = false;
    bool is_led_to = true;
    for (std::size_t i = 0; i != steps_.size(); ++i) {
      step& s = steps_[i];
      if (!is_led_to && (!s.before || is_of_table_[i]) && from_anywhere_) {
        is_of_table_[i] = true;
        has_changed = join(s.before, *from_anywhere_) || has_changed;
      }
      is_led_to = s.before && !s.what.is_end && i + 1 != steps_.size() && steps_[i + 1].at == s.at + s.what.length;
      if (!s.before) continue;
      const registers after = behind(s, *s.before);
      const bool leads_anywhere = s.what.returns_here || (s.what.is_end && !s.what.is_return && !s.what.is_jump);
      if (leads_anywhere) has_changed = join(from_anywhere_, after) || has_changed;
      if (s.what.is_jump) {
        const address target = s.at + s.what.length + static_cast<address>(s.what.displacement);
        has_changed = join_at(target, after) || has_changed;
      }
      if (is_led_to) has_changed = join(steps_[i + 1].before, after) || has_changed;
    }
    return has_changed;
  }

  /// Code that is not optimised keeps its first argument in its frame.
  void find_home() {
    const auto is_of_frame = [](const step& s) {
      return s.what.base == rbp && s.what.index == instruction::no_register;
    };
    const auto first = std::ranges::find_if(steps_, [&](const step& s) { return s.what.stores == rdi; });
    if (first == steps_.end() || !is_of_frame(*first)) return;
    const auto is_other_use = [&](const step& s) {
      return is_of_frame(s) && s.what.displacement == first->what.displacement && s.at != first->at && !s.what.is_load;
    };
    const auto may_write_before = [](const step& s) { return (s.what.written & set_of(rdi)) != 0; };
    if (std::any_of(steps_.begin(), first, may_write_before) || std::ranges::any_of(steps_, is_other_use)) return;
    home_ = first->what.displacement;
  }

  std::vector<step> steps_;
  std::optional<std::int64_t> home_;  ///< where in the frame the first argument is
  std::optional<registers> from_anywhere_;
  std::map<std::size_t, bool> is_of_table_;
};

std::optional<unseen> kind_of(const instruction& i) {
  if (i.is_locked) return unseen::update;
  if (i.is_fence) return unseen::fence;
  if (i.is_system_call) return unseen::system_call;
  return {};
}

/// Accesses to memory that is not the function's own, in the order of the code.
class accesses {
 public:
  void add(const flow::step& s) {
    const content memory = flow::memory_of(s);
    if (memory == content::unknown && first_ == 0) first_ = s.at;
    if (memory != content::first_argument || first_of_argument_ != 0) return;
    first_of_argument_ = s.at;
    begins_by_store_ = s.what.is_store;
  }
  /// The first; 0: none. An object that the function builds to return it is its own; it is written at first.
  [[nodiscard]] address first(const flow& all) const {
    if (first_of_argument_ == 0 || (begins_by_store_ && all.returns_first_argument())) return first_;
    return first_ == 0 ? first_of_argument_ : std::min(first_, first_of_argument_);
  }

 private:
  address first_ = 0;
  address first_of_argument_ = 0;
  bool begins_by_store_ = false;
};

findings look_at(const std::vector<range>& code, const std::vector<range>& assembly) {
  findings all;
  all.has_frame = is_push_of_frame(bytes_at(code.front().begin, code.front().end - code.front().begin));
  const flow function(code);
  accesses untold;
  for (const flow::step& s : function.steps()) {
    const address next = s.at + s.what.length;
    if (s.what.is_call) {
      const address target = next + static_cast<address>(s.what.displacement);
      const address entry = s.what.is_indirect ? target : entry_of_jump(target);
      if (entry != 0) all.most = std::max(all.most, notice_of(entry));
    }
    const auto part = std::ranges::upper_bound(assembly, s.at, {}, &range::end);
    const bool is_assembly = part != assembly.end() && part->begin <= s.at;
    if (const auto kind = kind_of(s.what)) {
      all.instructions.emplace_back(s.at, *kind);
    } else if (is_assembly && s.what.has_memory && !s.what.is_of_thread) {
      all.instructions.emplace_back(s.at, unseen::access);
    } else if (s.what.has_memory) {
      untold.add(s);
    }
  }
  all.accesses = untold.first(function);
  return all;
}

/// Where inline assembly is, by the list that our `as` has made.
std::vector<range> find_assembly() {
  const std::vector<address> words = section_of_program(".debug_licit");
  std::vector<range> all;
  all.reserve(words.size() / 2);
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    const range r{in_memory(words[i]), in_memory(words[i + 1])};
    if (is_of_program(r.begin) && r.begin < r.end && is_of_program(r.end - 1)) all.push_back(r);
  }
  std::ranges::sort(all);
  return all;
}

struct function {
  std::string name;
  findings found;
};

/// Each once: a constructor has two names.
std::vector<std::pair<address, function>> look_at_functions() {
  std::map<address, symbol> symbols;
  std::multimap<std::string, range> cold;  // by the function that each is a part of
  for (const symbol& s : symbols_of_program(STT_FUNC)) {
    if (!is_of_program(s.begin) || !is_of_program(s.begin + s.size - 1)) continue;
    if (const std::size_t end = s.name.rfind(".cold"); end != std::string::npos) {
      cold.emplace(s.name.substr(0, end), range{s.begin, s.begin + s.size});
    } else {
      symbols.try_emplace(s.begin, s);
    }
  }
  const std::vector<range> assembly = find_assembly();
  std::vector<std::pair<address, function>> all;
  all.reserve(symbols.size());
  for (auto& [begin, s] : symbols) {
    std::vector<range> code{{begin, begin + s.size}};
    const auto [first, last] = cold.equal_range(s.name);
    std::ranges::copy(std::ranges::subrange(first, last) | std::views::values, std::back_inserter(code));
    const findings found = look_at(code, assembly);
    all.emplace_back(begin, function{std::move(s.name), found});
  }
  return all;
}

/// Of the function that a guard is in.
std::string name_of(const guard& g) {
  const std::string name = demangled(g.function.c_str());
  return shortened(name.substr(0, name.find(" [clone")));
}

void add_guard(address at, unseen what, const std::string& function) {
  guards.try_emplace(at, guard{what, bytes_at(at, 1).front(), function});
}

/// A thunk changes an address that a virtual function has or returns, by a table of its class. g++ tells nothing of it.
bool is_thunk(std::string_view name) {
  return name.starts_with("_ZTh") || name.starts_with("_ZTv") || name.starts_with("_ZTc");
}

/// Libc has these in each program that calls them. They read which program it is, which nobody writes.
bool is_of_libc_in_program(std::string_view name) {
  return name == "atexit" || name == "at_quick_exit" || name == "pthread_atfork" || name == "__pthread_atfork";
}

void add_guards() {
  const auto functions = look_at_functions();
  const bool calls_are_known =
      std::ranges::any_of(functions, [](const auto& f) { return f.second.found.most == notice::of_access; });
  for (const auto& [begin, f] : functions) {
    if (is_of_libc_in_program(f.name)) continue;
    const bool accesses = calls_are_known && f.found.accesses != 0 && !is_thunk(f.name);
    if (accesses && f.found.most == notice::none) {
      add_guard(begin, unseen::function, f.name);
      continue;
    }
    // Compilers tell of each access; without optimisation, g++ does not tell of some that a call has by value.
    if (accesses && f.found.most == notice::of_function && !f.found.has_frame) {
      add_guard(f.found.accesses, unseen::untold, f.name);
    }
    for (const auto& [at, what] : f.found.instructions) add_guard(at, what, f.name);
  }
}

/// Those of the names; each has to name something.
void drop_accepted() {
  if (accepted.empty()) return;
  std::vector<address> code;
  code.reserve(guards.size());
  for (const auto& [at, g] : guards) code.push_back(at);
  std::vector<std::string> unknown = accepted;
  for (std::size_t i = 0; i != code.size(); ++i) {
    std::vector<std::string> names = names_of_code(code, i);
    names.push_back(name_of(guards.at(code[i])));
    const auto is_named = [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); };
    if (std::ranges::any_of(accepted, is_named)) guards.erase(code[i]);
    std::erase_if(unknown, is_named);
  }
  if (unknown.empty()) return;
  throw std::invalid_argument("accept: no code that is not instrumented is in a function or a file '" +
                              unknown.front() + "'");
}

void write_code(address at, std::byte value) { bytes_at(at, 1).front() = value; }

/// Makes the code writable, changes it, and makes it as it was. False: the system does not allow it.
template <class Change>
[[nodiscard]] bool change_code(const Change& change) {
  if (guards.empty()) return true;
  static const auto system = real<decltype(&mprotect)>("mprotect");  // the program's own is refused
  static const auto page = static_cast<address>(sysconf(_SC_PAGESIZE));
  const address begin = guards.begin()->first / page * page;
  const auto code = bytes_at(begin, guards.rbegin()->first + 1 - begin);
  if (system(code.data(), code.size(), PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  change();
  return system(code.data(), code.size(), PROT_READ | PROT_EXEC) == 0;
}

/// "calls count [count.cpp:28 in count]": what the thread does, and where.
std::string words_for(unseen what, const std::string& function, const std::string& where) {
  const auto assembly = [&](const char* kind) {
    return std::string("runs inline assembly") + kind + " " + where + ", which is not instrumented";
  };
  switch (what) {
    case unseen::function:
      return "calls " + function + " " + where + ", which is not compiled with -fsanitize=thread, or is assembly";
    case unseen::untold: return assembly(", or code that the compiler does not tell of, that reads or writes memory");
    case unseen::access: return assembly(" that reads or writes memory");
    case unseen::update: return assembly(" that is an atomic operation");
    case unseen::fence: return assembly(", or a builtin, that is a fence");
    case unseen::system_call: return assembly(" that is a system call");
  }
  return "";
}

}  // namespace

const std::vector<std::string>& accepted_unseen() { return accepted; }

void find_unseen(const std::vector<std::string>& names) {
  accepted = names;
  if (knows_processor) add_guards();
  drop_accepted();
}

void guard_unseen() {
  constexpr std::byte halt{0xf4};  // the system's alone: SIGSEGV
  const bool done = change_code([] {
    for (const auto& [at, g] : guards) write_code(at, halt);
  });
  if (!done) throw std::system_error(errno, std::generic_category(), "the program's code cannot be changed");
}

void unguard_unseen() {
  const bool done = change_code([] {
    for (const auto& [at, g] : guards) write_code(at, g.original);
  });
  if (!done) std::abort();  // it was allowed before
}

bool refuse_unseen(address instruction) {
  const auto found = guards.find(instruction);
  if (found == guards.end()) return false;
  if (!is_explored()) return change_code([&] { write_code(instruction, found->second.original); });
  const inside in;
  const site& s = site_of(reinterpret_cast<const void*>(instruction + 1));  // NOLINT(performance-no-int-to-ptr)
  name_sites();
  const guard& g = found->second;
  refuse(words_for(g.what, name_of(g), where(s)));
  return true;
}

}  // namespace licit::unmodified
