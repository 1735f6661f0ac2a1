/// What lies on the threads' stacks, by the compiler's debug information as `readelf` prints it.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <link.h>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unistd.h>
#include <unordered_map>
#include <unwind.h>
#include <vector>

#include "reports.hpp"
#include "runtime.hpp"

namespace licit::unmodified {

namespace dwarf {

namespace {

struct code_range {
  address begin;
  address end;
};

/// An entry of the debug information that has to do with variables.
struct entry {
  enum class kind : std::uint8_t { unit, function, scope, variable, type, array, range };
  enum class base : std::uint8_t { unknown, frame, top, pointer };  ///< what a variable's place is counted from

  kind is = kind::type;
  unsigned depth = 0;
  int parent = -1;     ///< the next function or scope around it
  address origin = 0;  ///< the entry that has its name, its line and its type
  address type = 0;
  address low = 0;
  std::vector<code_range> code = {};
  std::optional<long> at = {};  ///< beside the base of its function's frame
  base from = base::unknown;
  unsigned long size = 0;
  unsigned long count = 0;  ///< of an array
  unsigned line = 0;
  std::string name = {};
};

/// Where a frame ends, from an address of code on: so many bytes above the stack's top there.
struct rule {
  std::optional<address> above_top;
};

/// A number behind the text, as `readelf` prints it.
address number_in(std::string_view text, int base = 16) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  address value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}
std::string_view behind(std::string_view text, std::string_view mark) {
  const auto at = text.find(mark);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
}

std::optional<entry::kind> kind_of(std::string_view tag) {
  constexpr std::array<std::pair<std::string_view, entry::kind>, 19> kinds{
      {{"compile_unit)", entry::kind::unit},
       {"subprogram)", entry::kind::function},
       {"inlined_subroutine)", entry::kind::scope},
       {"lexical_block)", entry::kind::scope},
       {"variable)", entry::kind::variable},
       {"formal_parameter)", entry::kind::variable},
       {"array_type)", entry::kind::array},
       {"subrange_type)", entry::kind::range},
       {"base_type)", entry::kind::type},
       {"structure_type)", entry::kind::type},
       {"class_type)", entry::kind::type},
       {"union_type)", entry::kind::type},
       {"enumeration_type)", entry::kind::type},
       {"pointer_type)", entry::kind::type},
       {"reference_type)", entry::kind::type},
       {"typedef)", entry::kind::type},
       {"const_type)", entry::kind::type},
       {"volatile_type)", entry::kind::type},
       {"atomic_type)", entry::kind::type}}};
  const auto* const found = std::ranges::find_if(kinds, [&](const auto& k) { return tag.starts_with(k.first); });
  return found == kinds.end() ? std::nullopt : std::optional(found->second);
}

/// The program's file, for lists of ranges: `readelf` of binutils 2.40 prints the first list only.
class code_lists {
 public:
  code_lists() {
    std::ifstream file("/proc/self/exe", std::ios::binary);
    all_.assign(std::istreambuf_iterator<char>(file), {});
    ElfW(Ehdr) head{};
    if (!read(0, head)) return;
    ElfW(Shdr) names{};
    read(head.e_shoff + head.e_shstrndx * sizeof names, names);
    for (unsigned i = 0; i != head.e_shnum; ++i) {
      ElfW(Shdr) section{};
      if (!read(head.e_shoff + i * sizeof section, section) || section.sh_name >= names.sh_size) return;
      const std::string_view name =
          all_.c_str() + std::min<std::size_t>(names.sh_offset + section.sh_name, all_.size());
      if (name == ".debug_ranges") ranges_ = section.sh_offset;
      if (name == ".debug_rnglists") lists_ = section.sh_offset;
    }
  }

  /// DWARF 4: pairs of addresses.
  [[nodiscard]] std::vector<code_range> ranges(address offset, address base) const {
    std::vector<code_range> found;
    std::size_t at = ranges_ + offset;
    for (code_range r{}; ranges_ != 0 && read(at, r) && (r.begin != 0 || r.end != 0); at += sizeof r) {
      if (r.begin == ~address{0}) {
        base = r.end;
      } else {
        found.push_back({base + r.begin, base + r.end});
      }
    }
    return found;
  }

  /// DWARF 5, without the addresses that lie in a table of their own.
  [[nodiscard]] std::vector<code_range> range_list(address offset, address base) const {
    enum entry_kind : unsigned char { end = 0, offset_pair = 4, base_address = 5, start_end = 6, start_length = 7 };
    std::vector<code_range> found;
    std::size_t at = lists_ + offset;
    unsigned char kind = end;
    while (lists_ != 0 && read(at++, kind) && kind != end) {
      code_range r{};
      if (kind == offset_pair) {
        r.begin = base + number(at);
        r.end = base + number(at);
      } else if (kind >= base_address && kind <= start_length) {
        read(at, r.begin);
        at += sizeof r.begin;
        if (kind == start_end && read(at, r.end)) at += sizeof r.end;
        if (kind == start_length) r.end = r.begin + number(at);
      } else {
        break;
      }
      kind == base_address ? void(base = r.begin) : found.push_back(r);
    }
    return found;
  }

 private:
  template <class T>
  bool read(std::size_t at, T& to) const {
    if (at > all_.size() || all_.size() - at < sizeof to) return false;
    std::memcpy(&to, all_.data() + at, sizeof to);
    return true;
  }
  /// ULEB128
  address number(std::size_t& at) const {
    address value = 0;
    unsigned char byte = 0x80;
    for (unsigned shift = 0; (byte & 0x80) != 0 && shift < 64 && read(at, byte); shift += 7, ++at) {
      value |= address{byte & 0x7fU} << shift;
    }
    return value;
  }

  std::string all_ = {};
  std::size_t ranges_ = 0;
  std::size_t lists_ = 0;
};

/// The debug information of the program, as far as it says where variables are on stacks.
class debug_information {
 public:
  debug_information() {
    const std::string command = "readelf -wi -wF /proc/" + std::to_string(getpid()) + "/exe 2>/dev/null";
    std::FILE* const from = popen(command.c_str(), "r");
    if (from == nullptr) return;
    char* line = nullptr;
    std::size_t room = 0;
    for (ssize_t n = 0; (n = getline(&line, &room, from)) > 0;) read({line, static_cast<std::size_t>(n) - 1});
    std::free(line);  // NOLINT(cppcoreguidelines-no-malloc): getline's
    pclose(from);
    file_.reset();
  }

  /// The end of a frame whose function has made a call there.
  [[nodiscard]] std::optional<address> above_top(address call) const {
    const auto after = rules_.upper_bound(call);
    return after == rules_.begin() ? std::nullopt : std::prev(after)->second.above_top;
  }

  struct found {
    const entry* variable;
    const entry* function;  ///< or what was inlined
    address offset;
  };
  /// The variable that has the address, in a frame whose function has made a call. Of several the smallest that is
  /// visible there; one that is not, if there is no other.
  [[nodiscard]] std::optional<found> variable(address call, address top, address end, address wanted) const {
    const int function = function_at(call);
    if (function < 0) return {};
    std::optional<found> best;
    std::optional<found> hidden;
    bool several = false;
    const auto size = static_cast<int>(entries_.size());
    for (int i = function + 1; i != size && entries_[index(i)].depth > entries_[index(function)].depth; ++i) {
      const entry& e = entries_[index(i)];
      if (e.is != entry::kind::variable || !e.at || function_of(e) != function) continue;
      const std::optional<address> base = base_of(entries_[index(function)], top, end);
      if (!base) return {};
      const address begin = *base + static_cast<address>(*e.at);
      if (wanted < begin || wanted - begin >= std::max<address>(size_of(e), 1)) continue;
      const found one{&e, &entries_[index(e.parent)], wanted - begin};
      if (!is_visible(e, function, call)) {
        several = several || hidden;
        hidden = one;
      } else if (!best || size_of(e) <= size_of(*best->variable)) {
        best = one;
      }
    }
    return best || several ? best : hidden;
  }

  [[nodiscard]] const entry& origin_of(const entry& e) const {
    const entry* last = &e;
    for (unsigned steps = 0; last->name.empty() && last->origin != 0 && steps != 10; ++steps) {
      const auto next = by_offset_.find(last->origin);
      if (next == by_offset_.end()) break;
      last = &entries_[next->second];
    }
    return *last;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  void read(std::string_view line) {
    if (line.starts_with("Contents of the ")) {
      section_ = line;
      is_read_ = false;
    } else if (section_.find(".debug_info") != std::string::npos) {
      read_entry(line);
    } else {
      read_rule(line);
    }
  }

  /// " <2><6b23>: Abbrev Number: 120 (DW_TAG_variable)", and its attributes.
  void read_entry(std::string_view line) {
    if (line.starts_with("   Version: ")) version_ = number_in(line.substr(line.find_last_of(' ') + 1), 10);
    if (line.starts_with(" <")) {
      const auto depth = static_cast<unsigned>(number_in(line.substr(2), 10));
      const auto kind = kind_of(behind(line, "(DW_TAG_"));
      around_.resize(std::max<std::size_t>(around_.size(), depth + 2), -1);
      around_[depth + 1] = around_[depth];
      is_read_ = kind.has_value();
      if (!kind) return;
      by_offset_[number_in(behind(line, "><"))] = entries_.size();
      if (*kind == entry::kind::function || *kind == entry::kind::scope)
        around_[depth + 1] = static_cast<int>(entries_.size());
      if (*kind == entry::kind::array) array_ = static_cast<int>(entries_.size());
      entries_.push_back({.is = *kind, .depth = depth, .parent = around_[depth]});
    } else if (is_read_) {
      const std::string_view attribute = behind(line, "DW_AT_");
      const auto colon = attribute.find(": ");
      if (colon != std::string_view::npos) set(entries_.back(), attribute, attribute.substr(colon + 2));
    }
  }

  void set(entry& e, std::string_view attribute, std::string_view value) {
    const auto is = [&](std::string_view name) { return attribute.starts_with(name); };
    if (is("name ")) {
      e.name = value.starts_with("(") ? behind(value, "): ") : value;
      while (e.name.ends_with(' ')) e.name.pop_back();
    } else if (is("abstract_origin") || is("specification")) {
      e.origin = number_in(behind(value, "<"));
    } else if (is("type ")) {
      e.type = number_in(behind(value, "<"));
    } else if (is("low_pc")) {
      e.low = number_in(value.starts_with("(") ? behind(value, "): ") : value);
      if (e.is == entry::kind::unit) base_ = e.low;
    } else if (is("high_pc") && e.low != 0) {
      const address high = number_in(value);
      e.code.push_back({e.low, high < e.low ? e.low + high : high});
    } else if (is("ranges") && e.is != entry::kind::unit) {
      const address offset = number_in(value.starts_with("(") ? behind(value, "): ") : value);
      e.code = version_ < 5 ? file_->ranges(offset, base_) : file_->range_list(offset, base_);
    } else if (is("byte_size")) {
      e.size = number_in(value, value.starts_with("0x") ? 16 : 10);
    } else if (is("decl_line")) {
      e.line = static_cast<unsigned>(number_in(value, 10));
    } else if (is("location")) {
      const std::string_view place = behind(value, "(DW_OP_fbreg: ");
      long at = 0;
      // The whole of it: what is computed with it is no place of a variable.
      const auto [end, error] = std::from_chars(place.data(), place.data() + place.size(), at);
      if (!place.empty() && error == std::errc{} && *end == ')') e.at = at;
    } else if (is("frame_base")) {
      e.from = base_in(value);
    } else if (e.is == entry::kind::range && array_ >= 0 && (is("upper_bound") || is("count"))) {
      const unsigned long more = is("upper_bound") ? 1 : 0;
      unsigned long& count = entries_[index(array_)].count;
      count = std::max(count, 1UL) * (number_in(value, value.starts_with("0x") ? 16 : 10) + more);
    }
  }

  static entry::base base_in(std::string_view value) {
    if (value.find("(DW_OP_call_frame_cfa)") != std::string_view::npos) return entry::base::frame;
    if (value.find("(rsp)") != std::string_view::npos || value.find("(sp)") != std::string_view::npos) {
      return entry::base::top;
    }
    return value.find("(rbp)") != std::string_view::npos ? entry::base::pointer : entry::base::unknown;
  }

  /// "... FDE cie=00000000 pc=0000000000000000..00000000000000ab", and lines like "0000000000000003 rsp+24   u".
  void read_rule(std::string_view line) {
    if (const std::string_view code = behind(line, " FDE cie="); !code.empty()) {
      const std::string_view bounds = behind(code, "pc=");
      rules_.try_emplace(number_in(behind(bounds, "..")));
      is_read_ = true;
    } else if (line.find(" CIE ") != std::string_view::npos) {
      is_read_ = false;
    } else if (is_read_ && line.size() > 17 && line[16] == ' ' && line[0] != ' ') {
      const std::string_view what = line.substr(17);
      rule& r = rules_[number_in(line)];
      r = {};
      const std::string_view plus = what.starts_with("rsp+") || what.starts_with("sp+") ? behind(what, "+") : "";
      if (!plus.empty()) r.above_top = number_in(plus, 10);
    }
  }

  [[nodiscard]] bool has(const entry& e, address code) const {
    return std::ranges::any_of(e.code, [&](const code_range& r) { return code >= r.begin && code < r.end; });
  }
  [[nodiscard]] int function_at(address code) const {
    for (std::size_t i = 0; i != entries_.size(); ++i) {
      if (entries_[i].is == entry::kind::function && has(entries_[i], code)) return static_cast<int>(i);
    }
    return -1;
  }
  [[nodiscard]] int function_of(const entry& e) const {
    int i = e.parent;
    while (i >= 0 && entries_[index(i)].is != entry::kind::function) i = entries_[index(i)].parent;
    return i;
  }
  [[nodiscard]] bool is_visible(const entry& e, int function, address code) const {
    for (int i = e.parent; i >= 0 && i != function; i = entries_[index(i)].parent) {
      const entry& scope = entries_[index(i)];
      if (!scope.code.empty() && !has(scope, code)) return false;
    }
    return true;
  }

  static std::optional<address> base_of(const entry& function, address top, address end) {
    switch (function.from) {
      case entry::base::frame: return end == 0 ? std::nullopt : std::optional(end);
      case entry::base::top: return top;
      case entry::base::pointer: return end == 0 ? std::nullopt : std::optional(end - 2 * sizeof(address));
      case entry::base::unknown: break;
    }
    return {};
  }

  /// 0 where that is not known.
  [[nodiscard]] unsigned long size_of(const entry& e, unsigned depth = 0) const {
    if (e.size != 0 || depth == 20) return e.size;
    const address type = e.type != 0 ? e.type : origin_of(e).type;
    const auto next = by_offset_.find(type);
    if (type == 0 || next == by_offset_.end()) return 0;
    return size_of(entries_[next->second], depth + 1) * (e.is == entry::kind::array ? e.count : 1);
  }

  std::string section_ = {};
  bool is_read_ = false;          ///< the attributes, or the lines, that come next
  std::vector<int> around_ = {};  ///< by depth: the function or scope that has entries of that depth
  int array_ = -1;
  address version_ = 0;  ///< of the unit's format
  address base_ = 0;     ///< of the unit's code
  std::optional<code_lists> file_ = code_lists();
  std::vector<entry> entries_ = {};
  std::unordered_map<address, std::size_t> by_offset_ = {};
  std::map<address, rule> rules_ = {};
};

const debug_information& information() {
  static const debug_information all;
  return all;
}

/// A function of the program that is running in a thread: the byte before the address that its call returns to, and
/// the stack's top at that call.
struct stack_frame {
  address call;
  address top;
  address end;  ///< 0: not known
};

constexpr std::size_t size_of_stack = checker::detail::fiber::stack_size;

_Unwind_Reason_Code add_frame(_Unwind_Context* context, void* to) {
  static_cast<std::vector<stack_frame>*>(to)->push_back({_Unwind_GetIP(context) - 1, _Unwind_GetCFA(context), 0});
  return _URC_NO_REASON;
}

/// By the addresses that its calls return to: they lie on the stack, one above the other. The innermost first.
std::vector<stack_frame> suspended_frames(unsigned t) {
  std::vector<stack_frame> found;
#if defined(__x86_64__)
  const std::vector<address> calls = calls_of(t);
  auto next = calls.begin();
  const auto bottom = reinterpret_cast<address>(engine().stack_bottom(t));
  for (address at = bottom - sizeof(address); at >= bottom - size_of_stack && next != calls.end();
       at -= sizeof(address)) {
    address word = 0;
    std::memcpy(&word, reinterpret_cast<const void*>(at), sizeof word);  // NOLINT(performance-no-int-to-ptr)
    if (word != *next + 1) continue;
    found.insert(found.begin(), {*next++, at + sizeof(address), 0});
  }
#else
  (void)t;
#endif
  return found;
}

bool is_on_stack(unsigned t, address a) {
  const auto bottom = reinterpret_cast<address>(engine().stack_bottom(t));
  return a < bottom && bottom - a <= size_of_stack;
}

/// The innermost first.
std::vector<stack_frame> frames_of(unsigned t) {
  std::vector<stack_frame> all;
  if (is_on_stack(t, reinterpret_cast<address>(__builtin_frame_address(0)))) {
    _Unwind_Backtrace(&add_frame, &all);
    for (std::size_t i = 0; i + 1 < all.size(); ++i) all[i].end = all[i + 1].top;
    std::erase_if(all, [](const stack_frame& f) { return !is_of_program(f.call); });
  } else {
    all = suspended_frames(t);
  }
  for (stack_frame& f : all) {
    if (const auto above = information().above_top(in_file(f.call))) f.end = f.top + *above;
  }
  return all;
}

}  // namespace

}  // namespace dwarf

bool runs_thread() {
  return dwarf::is_on_stack(engine().thread(), reinterpret_cast<address>(__builtin_frame_address(0)));
}

std::string stack_name(address a, bool in_short) {
  using dwarf::frames_of, dwarf::information, dwarf::is_on_stack, dwarf::stack_frame;
  unsigned t = 0;
  while (t != checker::max_threads && !is_on_stack(t, a)) ++t;
  if (t == checker::max_threads) return "";
  const std::vector<stack_frame> frames = frames_of(t);
  const auto after = std::ranges::find_if(frames, [&](const stack_frame& f) { return f.top > a; });
  if (after == frames.begin()) return "";
  const stack_frame& f = *std::prev(after);
  if (f.end != 0 && a >= f.end) return "";
  const auto found = information().variable(in_file(f.call), f.top, f.end, a);
  const std::string thread = "thread " + std::to_string(t) + "'s ";
  if (!found) return in_short ? "" : thread + "stack, in " + function_at(f.call, "", 0);
  const dwarf::entry& named = information().origin_of(*found->variable);
  if (named.name.empty()) return "";
  const std::string name = named.name + (found->offset == 0 ? "" : "+" + std::to_string(found->offset));
  if (in_short) return (t == 0 ? "" : thread) + name;
  const std::string function = information().origin_of(*found->function).name;
  return name + " (" + (t == 0 ? "" : "of thread " + std::to_string(t) + ", ") + "in " +
         function_at(f.call, function, named.line) + ")";
}

}  // namespace licit::unmodified
