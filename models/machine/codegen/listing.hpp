/// What one compiler made of the ordering table for one target; listings as tables, and the expected tables in the
/// repository.
#ifndef LICIT_MODELS_CODEGEN_LISTING_HPP
#define LICIT_MODELS_CODEGEN_LISTING_HPP

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <licit/deque/order.hpp>

#include "machine/codegen/target.hpp"

namespace licit::codegen {

/// One side of a site: a label that the marked build puts there.
struct mark {
  bool begins;
  std::size_t row;  ///< of the ordering table
};

struct line {
  std::string text;
  std::string symbol;       ///< that the instruction refers to, or the function that it goes to, or empty
  std::vector<mark> marks;  ///< which stand before it, in their order
};

struct function {
  std::string name;  ///< its symbol
  std::vector<line> lines;
};

/// Reads the output of `objdump -t -d -r --no-show-raw-insn`. Throws std::runtime_error when there is no function in
/// it.
std::vector<function> read_disassembly(std::string_view objdump);

/// The instruction's name in a table ("stlr", "dmb ish", "lock cmpxchg"), or empty when it is an ordinary one. `text`
/// is a disassembler's, `callee` the symbol that it refers to, if any: calls of outlined atomics are instructions too.
std::string ordering(family f, std::string_view text, std::string_view callee);

/// The ordering instructions of one site at one place, in their order.
using sequence = std::vector<std::string>;

/// One site of the table; a place for each function that it was inlined into, and none twice that are the same.
struct site_code {
  std::string site;
  std::string order;  ///< "store release"
  std::vector<sequence> places;
  bool carried;  ///< the instructions are enough for the order, at each place
};

/// The ordering instructions of an operation and how often each stands in it.
using counts = std::map<std::string, std::size_t>;

struct listing {
  std::string structure;
  std::string target;
  compiler by;
  std::vector<site_code> sites;              ///< in the table's order
  std::map<std::string, counts> operations;  ///< of the code as users compile it: no marks
  std::map<std::string, counts> marked;      ///< the same kinds; a compiler may copy a site, or not, where marks are
};

/// Of each function licit_<operation>, with all that it calls: what is inlined and what is not makes no difference.
std::map<std::string, counts> count(family f, const std::vector<function>& functions);

/// The places of each row of the table, by its marks. Throws std::runtime_error when an ordering instruction stands
/// outside all marks, or marks do not match.
std::vector<std::vector<sequence>> attribute(const structure& s, family f, const std::vector<function>& functions);

/// Throws std::runtime_error that names the operation and both counts when the marked code has another kind of ordering
/// instruction than the plain code: the marks would then say nothing about it.
void compare_marked(const std::map<std::string, counts>& plain, const std::map<std::string, counts>& marked);

/// operations.cpp as that compiler makes it with these arguments more. `headers` is an include path.
/// Throws std::runtime_error with the compiler's words when it does not compile.
std::vector<function> disassemble_operations(const structure& s, const compiler& by, std::string_view headers,
                                             const std::vector<std::string>& arguments = {});

/// Compiles and disassembles, with and without marks. Throws as those above do.
listing measure(const structure& s, const target& t, const compiler& by, std::string_view headers,
                const std::vector<change>& changes);

/// True if one of a site's instructions releases, if the order does; one acquires, if the order does; and for a seq_cst
/// fence, and a seq_cst store on x86, one orders everything; a heavy fence calls the kernel's. Necessary, not
/// sufficient: it does not look at where they stand.
bool carries(family f, operation kind, order wanted, const std::vector<std::string>& instructions);

/// The first row has the columns' names, the first cell of each row is its name. All rows are equally long.
using table = std::vector<std::vector<std::string>>;

/// A row for each site, a column for each listing, "aarch64, g++ 12": what carries the order.
table table_of_sites(const std::vector<listing>& listings);

/// A row for each operation: its ordering instructions, and how many, with all that it calls.
table table_of_operations(const std::vector<listing>& listings);

/// The sites whose instructions are not enough for their order: "steal.claim: `lr.d` `sc.d` is not compare_exchange
/// release/relaxed".
std::vector<std::string> shortcomings(const listing& l);

/// For a terminal: the columns are aligned.
std::string as_text(const table& t);
std::string as_markdown(const table& t);

/// The section of the page of expected tables that holds a structure's: a heading, then both. At least one listing.
std::string as_section(const std::vector<listing>& listings);

/// The tables of such a section. Throws std::runtime_error that names the line when rows are not equally long.
std::vector<table> read_section(std::string_view text);

/// The page with that section in place of the structure's, or behind all others. An empty one gets its heading.
std::string with_section(std::string page, const std::vector<listing>& listings);

/// The structure's section of the page. Throws std::runtime_error when there is none.
std::string_view section_of(std::string_view page, std::string_view structure);

/// What is not as expected, one sentence each: "push.publish: expected plain, found `xchg`". `found` has one column of
/// code. Throws `missing` when no expected table has that column.
std::vector<std::string> differences(const std::vector<table>& expected, const std::vector<table>& found);

}  // namespace licit::codegen

#endif
