/// Code that the compiler has not instrumented: nobody is told what it does to memory.
#ifndef LICIT_MODELS_UNMODIFIED_UNSEEN_HPP
#define LICIT_MODELS_UNMODIFIED_UNSEEN_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace licit::unmodified {

// --- instructions.cpp

/// Registers of x86-64 by their numbers.
enum : unsigned { rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi };
/// The set of one register; sets have a bit for each.
constexpr unsigned set_of(unsigned number) { return 1U << number; }

/// What is known of an instruction of x86-64.
struct instruction {
  static constexpr unsigned no_register = 32;

  std::size_t length = 0;
  bool is_locked = false;        ///< a read-modify-write that is atomic
  bool is_fence = false;         ///< mfence, lfence or sfence
  bool is_system_call = false;   ///< syscall, sysenter, int 0x80
  bool has_memory = false;       ///< reads or writes memory, other than by push, pop, call and ret
  bool is_of_thread = false;     ///< memory that is found by fs or gs
  unsigned base = no_register;   ///< of the memory's address
  unsigned index = no_register;  ///< of the address, too
  std::uint16_t written = 0;     ///< the registers that may have another value behind it, a bit each
  bool is_address = false;       ///< takes the address of the memory into the only register that is written
  bool is_relative = false;      ///< the address is `displacement` behind the instruction
  bool is_call = false;          ///< or a jump that leaves the function: to `displacement` behind the instruction
  bool is_indirect = false;      ///< a call or a jump by what is in memory there
  std::int64_t displacement = 0;
  bool is_store = false;          ///< writes its memory without reading it
  bool is_load = false;           ///< the only register that is written gets what is in the memory, of 64 bits
  unsigned stores = no_register;  ///< the register whose 64 bits the memory gets
  bool is_of_texts = false;       ///< memory at rdi, rsi or both, whichever are written
  bool is_jump = false;           ///< may go on `displacement` behind the instruction
  bool is_end = false;            ///< never goes on behind itself: ret, jmp and the like
  bool is_return = false;
  bool returns_here = false;        ///< a call
  unsigned copy_of = no_register;   ///< the register whose value the only one that is written gets, of 64 bits
  unsigned moved_by = no_register;  ///< the register that is added to the only one that is written
  bool is_moved = false;  ///< a number is added to the only register that is written, or is taken off or masked
};

/// The one that the bytes begin with; nothing: there is none that is known.
std::optional<instruction> decode(std::span<const std::byte> code);

// --- unseen.cpp

/// Looks at the program's code. What is not instrumented is refused when an execution comes to it, except for functions
/// and files of these names. Throws std::invalid_argument for a name that none of it has.
void find_unseen(const std::vector<std::string>& accepted);
const std::vector<std::string>& accepted_unseen();
/// While the engine explores, whoever comes to such code faults.
void guard_unseen();
void unguard_unseen();
/// A fault of such code is refused. True: it is none of the exploration's, and goes on. False: it is another fault.
bool refuse_unseen(std::uintptr_t instruction);

// --- image.cpp: the executable's file

struct symbol {
  std::uintptr_t begin;
  std::size_t size;
  std::string name;
};
/// Of a type of ELF's, with a size.
std::vector<symbol> symbols_of_program(unsigned type);
std::string demangled(const char* name);
/// The words of its section of that name; none, if it has none. Throws std::invalid_argument for one that is
/// compressed.
std::vector<std::uintptr_t> section_of_program(std::string_view name);

// --- sites.cpp

/// Without namespaces that have no name, arguments of templates and parameters.
std::string shortened(std::string function);
/// The functions that the i-th address is in, inlined ones included, and their files. To be asked for in turn.
std::vector<std::string> names_of_code(std::span<const std::uintptr_t> code, std::size_t i);

}  // namespace licit::unmodified

#endif
