/// The program's image: its writable memory, which each execution finds as main found it, its code, and its variables.
#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <cxxabi.h>
#include <elf.h>
#include <fstream>
#include <link.h>
#include <map>
#include <memory>
#include <stdexcept>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime.hpp"
#include "unseen.hpp"

namespace licit::unmodified {

namespace {

struct region {
  address begin = 0;
  address end = 0;

  [[nodiscard]] bool has(address a) const { return a >= begin && a < end; }
};

struct layout {
  address base = 0;
  region code;
  region writable;
  std::size_t thread_local_size = 0;
  std::size_t thread_local_alignment = 1;
};
layout program;
region libc_code;
region runtime_code;

std::span<std::byte> bytes_of(const region& r) {
  return {reinterpret_cast<std::byte*>(r.begin), r.end - r.begin};  // NOLINT(performance-no-int-to-ptr)
}

std::size_t size_of_page() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

/// Memory, and what was in it before the first execution. An image has those pieces of it that have changed since.
/// Pages that are locked need not be looked at: whoever writes to one unlocks it (`on_fault`).
class kept_memory {
 public:
  kept_memory(std::span<std::byte> memory, std::size_t piece_size)
      : memory_{memory},
        kept_(memory.begin(), memory.end()),
        piece_size_{piece_size},
        locked_((memory.size() + size_of_page() - 1) / size_of_page()) {}

  [[nodiscard]] std::size_t size() const { return kept_.size(); }
  void restore() const {
    if (!may_have_changed()) return;
    for_each_unlocked_piece([this](std::size_t i) {
      if (has_changed(i)) copy_kept(i);
    });
  }
  void keep(image& in) const {
    const bool any = may_have_changed();
    in.put(any);
    if (!any) return;
    for_each_unlocked_piece([&](std::size_t i) {
      if (!has_changed(i)) return;
      in.put(i);
      in.put_bytes(piece(memory_, i));
    });
    in.put(no_piece);
  }
  void put_back(image::reader& to) const {
    bool any = false;
    to.get(any);
    if (!any) return restore();
    std::size_t next = 0;
    to.get(next);
    for_each_unlocked_piece([&](std::size_t i) {
      if (i == next) {
        to.get_bytes(piece(memory_, i));
        to.get(next);
      } else if (has_changed(i)) {
        copy_kept(i);
      }
    });
  }

  /// From now on what has not been written is as it is now.
  void lock() {
    kept_.assign(memory_.begin(), memory_.end());
    for (std::size_t page = 0; page != locked_.size(); ++page) {
      locked_[page] = allow(page, PROT_READ) ? 1 : 0;
      pages_locked_ += locked_[page];
    }
  }
  void unlock() {
    for (std::size_t page = 0; page != locked_.size(); ++page) {
      if (locked_[page] != 0) unlock(page);
    }
  }
  /// False: it is not locked there.
  bool unlock_at(const void* a) {
    if (a < memory_.data()) return false;
    const std::size_t page =
        static_cast<std::size_t>(static_cast<const std::byte*>(a) - memory_.data()) / size_of_page();
    if (page >= locked_.size() || locked_[page] == 0) return false;
    unlock(page);
    return true;
  }

 private:
  static constexpr std::size_t no_piece = SIZE_MAX;

  template <class Byte>
  [[nodiscard]] std::span<Byte> piece(std::span<Byte> of, std::size_t i) const {
    return of.subspan(i * piece_size_, std::min(piece_size_, of.size() - i * piece_size_));
  }
  /// A page has some pieces, and no piece is in two.
  template <class Visit>
  void for_each_unlocked_piece(const Visit& visit) const {
    const std::size_t in_page = size_of_page() / piece_size_;
    const std::size_t pieces = (memory_.size() + piece_size_ - 1) / piece_size_;
    for (std::size_t page = 0; page != locked_.size(); ++page) {
      if (locked_[page] != 0) continue;
      for (std::size_t i = page * in_page, end = std::min(i + in_page, pieces); i != end; ++i) visit(i);
    }
  }
  /// False: no piece has. Where none is locked all are compared at once, which is faster.
  [[nodiscard]] bool may_have_changed() const {
    if (pages_locked_ == locked_.size()) return false;
    return pages_locked_ != 0 || std::memcmp(memory_.data(), kept_.data(), kept_.size()) != 0;
  }
  [[nodiscard]] bool has_changed(std::size_t i) const {
    const auto now = piece(memory_, i);
    return std::memcmp(now.data(), piece(std::span(kept_), i).data(), now.size()) != 0;
  }
  void copy_kept(std::size_t i) const {
    std::memcpy(piece(memory_, i).data(), piece(std::span(kept_), i).data(), piece(memory_, i).size());
  }
  [[nodiscard]] bool allow(std::size_t page, int what) const {
    static const auto system = real<decltype(&mprotect)>("mprotect");  // the program's own is refused
    return system(memory_.data() + page * size_of_page(), size_of_page(), what) == 0;
  }
  void unlock(std::size_t page) {
    (void)allow(page, PROT_READ | PROT_WRITE);
    locked_[page] = 0;
    --pages_locked_;
  }

  std::span<std::byte> memory_;
  std::vector<std::byte> kept_;
  std::size_t piece_size_;
  std::vector<std::uint8_t> locked_;
  std::size_t pages_locked_ = 0;
};

/// Libraries that have no state of the program's; the C++ library's, which has; and whether there are others, of which
/// nothing is known, so that no image is made.
constexpr std::array<std::string_view, 9> without_state{
    "linux-vdso",           "/ld-linux",  "/libc.so", "/libm.so", "/libdl.so", "/librt.so", "/libpthread.so",
    "/libboost_context.so", "/vgpreload_"};
constexpr std::array<std::string_view, 6> with_state{"/libstdc++.so", "/libgcc_s.so",  "/libatomic.so",
                                                     "/libc++.so",    "/libc++abi.so", "/libunwind.so"};
bool has_others = false;
std::vector<region> libraries;
std::vector<kept_memory> own_memory;      ///< the program's
std::vector<kept_memory> library_memory;  ///< the libraries'
bool is_locked = false;
struct sigaction outer_fault{};

address instruction_of(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<address>(registers.gregs[REG_RIP]);
#else
  return registers.pc;
#endif
}

/// Who follows a pointer that leads nowhere, and where. A pointer that leads to below the stack is the stack's.
void report_fault(address at, address instruction) {
  const inside in;
  const site& s = site_of(reinterpret_cast<const void*>(instruction + 1));  // NOLINT(performance-no-int-to-ptr)
  name_sites();
  if (is_below_stack(at)) refuse_stack(s);
  object(violation::use_after_free, " follows a pointer that is null or leads nowhere (SIGSEGV) " + where(s));
}

/// A write to what is locked goes on when it is not; all else is for whoever was asked before, unless it is known where
/// in the program it is.
void on_fault(int signal, siginfo_t* what, void* context) {
  for (kept_memory& m : library_memory) {
    if (m.unlock_at(what->si_addr)) return;
  }
  if (refuse_unseen(instruction_of(context))) return;
  if (is_explored()) report_fault(reinterpret_cast<address>(what->si_addr), instruction_of(context));
  if (outer_fault.sa_handler != SIG_DFL && outer_fault.sa_handler != SIG_IGN) return outer_fault.sa_handler(signal);
  std::signal(signal, SIG_DFL);  // and the instruction goes on
}

/// On a stack of its own: the program's may be full.
void catch_faults() {
  static std::array<std::byte, std::size_t{512} << 10> stack;
  const stack_t own{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  sigaltstack(&own, nullptr);
  struct sigaction fault{};
  fault.sa_sigaction = &on_fault;
  fault.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART | SA_ONSTACK;
  sigaction(SIGSEGV, &fault, &outer_fault);
}

std::vector<thread_part> thread_parts;

address page_after(address a) { return (a + size_of_page() - 1) / size_of_page() * size_of_page(); }

/// The parts of a library's memory that a program's calls change. This library's is the engine's.
void look_at_library(const dl_phdr_info& object, std::string_view name) {
  const auto is_named = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (std::ranges::any_of(without_state, is_named)) return;
  region code;
  region writable;
  address readonly_end = 0;
  std::size_t of_threads = 0;
  for (const auto& p : std::span(object.dlpi_phdr, object.dlpi_phnum)) {
    const region at{object.dlpi_addr + p.p_vaddr, object.dlpi_addr + p.p_vaddr + p.p_memsz};
    if (p.p_type == PT_LOAD && (p.p_flags & PF_X) != 0) code = at;
    if (at.has(reinterpret_cast<address>(&libraries))) {
      runtime_code = code;  // which lies before its memory
      return;
    }
    if (p.p_type == PT_GNU_RELRO) readonly_end = at.end;
    if (p.p_type == PT_LOAD && (p.p_flags & PF_W) != 0) writable = at;
    if (p.p_type == PT_TLS) of_threads = p.p_memsz;
  }
  has_others = has_others || std::ranges::none_of(with_state, is_named);
  if (has_others) return;
  writable.begin = std::max(writable.begin, page_after(readonly_end));
  if (writable.begin < writable.end) libraries.push_back(writable);
  if (of_threads == 0 || object.dlpi_tls_data == nullptr) return;
  const auto* const here = static_cast<const std::byte*>(object.dlpi_tls_data);
  thread_parts.push_back({here - static_cast<const std::byte*>(__builtin_thread_pointer()), of_threads});
}

/// The executable is the first. Behind the part that is read-only after relocation lies what it may write.
int look_at(dl_phdr_info* object, std::size_t /*size*/, void* count) {
  const bool first = (*static_cast<int*>(count))++ == 0;
  const std::string_view name = object->dlpi_name == nullptr ? "" : object->dlpi_name;
  const bool is_libc = name.find("/libc.so") != std::string_view::npos;
  if (!first) look_at_library(*object, name);
  if (!first && !is_libc) return 0;
  address readonly_end = 0;
  for (const auto& p : std::span(object->dlpi_phdr, object->dlpi_phnum)) {
    const region at{object->dlpi_addr + p.p_vaddr, object->dlpi_addr + p.p_vaddr + p.p_memsz};
    if (p.p_type == PT_GNU_RELRO) readonly_end = at.end;
    if (p.p_type == PT_LOAD && (p.p_flags & PF_X) != 0) (first ? program.code : libc_code) = at;
    if (!first) continue;
    program.base = object->dlpi_addr;
    if (p.p_type == PT_LOAD && (p.p_flags & PF_W) != 0) program.writable = at;
    if (p.p_type != PT_TLS) continue;
    program.thread_local_alignment = std::max<std::size_t>(p.p_align, 1);
    program.thread_local_size = (p.p_memsz + program.thread_local_alignment - 1) / program.thread_local_alignment *
                                program.thread_local_alignment;
  }
  if (first) {
    program.writable.begin = std::max(program.writable.begin, page_after(readonly_end));
    program.writable.end = std::max(program.writable.begin, program.writable.end);
  }
  return 0;
}

struct variable {
  address end;
  std::string name;
};

template <class T>
std::vector<T> read(std::ifstream& from, std::size_t at, std::size_t count) {
  std::vector<T> all(count);
  from.seekg(static_cast<std::streamoff>(at));
  from.read(reinterpret_cast<char*>(all.data()), static_cast<std::streamsize>(count * sizeof(T)));
  return all;
}

/// The executable's file, as far as a section is concerned.
class executable {
 public:
  executable()
      : file_("/proc/self/exe", std::ios::binary),
        header_{read<ElfW(Ehdr)>(file_, 0, 1).front()},
        sections_{read<ElfW(Shdr)>(file_, header_.e_shoff, header_.e_shnum)} {}

  [[nodiscard]] std::span<const ElfW(Shdr)> sections() const { return sections_; }
  template <class T>
  std::vector<T> content(const ElfW(Shdr) & s) {
    return read<T>(file_, s.sh_offset, s.sh_size / sizeof(T));
  }
  std::vector<char> names_of_sections() {
    return header_.e_shstrndx < sections_.size() ? content<char>(sections_[header_.e_shstrndx]) : std::vector<char>();
  }

 private:
  std::ifstream file_;
  ElfW(Ehdr) header_;
  std::vector<ElfW(Shdr)> sections_;
};

/// By the executable's table of symbols.
std::map<address, variable> read_variables() {
  std::map<address, variable> all;
  for (const symbol& s : symbols_of_program(STT_OBJECT)) all[s.begin] = {s.begin + s.size, demangled(s.name.c_str())};
  return all;
}

}  // namespace

std::string demangled(const char* name) {
  if (!std::string_view(name).starts_with("_Z")) return name;  // "n" is also how __int128 is mangled
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text{abi::__cxa_demangle(name, nullptr, nullptr, &status), &std::free};
  return status == 0 ? text.get() : name;
}

std::vector<symbol> symbols_of_program(unsigned type) {
  std::vector<symbol> all;
  executable file;
  for (const auto& s : file.sections()) {
    if (s.sh_type != SHT_SYMTAB || s.sh_link >= file.sections().size()) continue;
    const auto names = file.content<char>(file.sections()[s.sh_link]);
    for (const auto& one : file.content<ElfW(Sym)>(s)) {
      if (ELF64_ST_TYPE(one.st_info) != type || one.st_size == 0 || one.st_name >= names.size()) continue;
      all.push_back({program.base + one.st_value, one.st_size, &names[one.st_name]});
    }
  }
  return all;
}

std::vector<address> section_of_program(std::string_view name) {
  executable file;
  const std::vector<char> names = file.names_of_sections();
  for (const auto& s : file.sections()) {
    if (s.sh_name >= names.size() || name != &names[s.sh_name]) continue;
    if ((s.sh_flags & SHF_COMPRESSED) != 0) {
      throw std::invalid_argument("the section " + std::string(name) + " is compressed: link it as it is");
    }
    return file.content<address>(s);
  }
  return {};
}

void find_image() {
  int count = 0;
  dl_iterate_phdr(&look_at, &count);
}

std::span<std::byte> globals() { return bytes_of(program.writable); }

std::size_t thread_local_size() { return program.thread_local_size; }
std::size_t thread_local_alignment() { return program.thread_local_alignment; }
bool is_of_program(address code) { return program.code.has(code); }
bool is_of_libc(address code) { return libc_code.has(code); }
bool is_of_runtime(address code) { return runtime_code.has(code); }
address in_file(address code) { return is_of_program(code) ? code - program.base : code; }
address in_memory(address in_file) { return is_of_program(in_file + program.base) ? in_file + program.base : in_file; }

void keep_image() {
  constexpr std::size_t piece = 1024;
  own_memory.emplace_back(globals(), piece);
  own_memory.emplace_back(std::span(const_cast<std::byte*>(early_memory().data()), early_memory().size()), piece);
  for (const region& writable : libraries) library_memory.emplace_back(bytes_of(writable), size_of_page());
}

void restore_image() {
  for (const kept_memory& m : own_memory) m.restore();
  for (const kept_memory& m : library_memory) m.restore();
}

bool memory_can_be_kept() {
  std::size_t size = 0;
  for (const auto* const all : {&own_memory, &library_memory}) {
    for (const kept_memory& m : *all) size += m.size();
  }
  return size <= image::most_bytes && !has_others;
}

void add_library_globals(std::vector<std::span<const std::byte>>& to) {
  for (const region& writable : libraries) to.emplace_back(bytes_of(writable));
}

/// Not the program's own: a system call that is to write to what is locked fails.
void lock_libraries(bool writes_are_seen) {
  if (std::exchange(is_locked, true)) return;
  catch_faults();
  if (!writes_are_seen) return;
  for (kept_memory& m : library_memory) m.lock();
}

void unlock_libraries() {
  if (!std::exchange(is_locked, false)) return;
  for (kept_memory& m : library_memory) m.unlock();
}

void keep_memory(image& in) {
  for (const kept_memory& m : own_memory) m.keep(in);
  for (const kept_memory& m : library_memory) m.keep(in);
}

void put_back_memory(image::reader& to) {
  for (const kept_memory& m : own_memory) m.put_back(to);
  for (const kept_memory& m : library_memory) m.put_back(to);
}

std::span<const thread_part> library_thread_parts() { return thread_parts; }
bool has_other_libraries() { return has_others; }

std::string variable_at(address a) {
  static const std::map<address, variable> variables = read_variables();
  const auto after = variables.upper_bound(a);
  if (after == variables.begin()) return "";
  const auto& [begin, v] = *std::prev(after);
  if (a >= v.end) return "";
  return v.name + (a == begin ? "" : "+" + std::to_string(a - begin));
}

}  // namespace licit::unmodified
