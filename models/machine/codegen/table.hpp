/// Listings as tables, and the expected tables in the repository.
#ifndef LICIT_MODELS_CODEGEN_TABLE_HPP
#define LICIT_MODELS_CODEGEN_TABLE_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "machine/codegen/listing.hpp"

namespace licit::codegen {

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

/// The file that holds a structure's expected tables: a heading, then both. At least one listing.
std::string as_document(const std::vector<listing>& listings);

/// The tables of such a file. Throws std::runtime_error that names the line when rows are not equally long.
std::vector<table> read_document(std::string_view text);

/// What is not as expected, one sentence each: "push.publish: expected plain, found `xchg`". `found` has one column of
/// code. Throws `missing` when no expected table has that column.
std::vector<std::string> differences(const std::vector<table>& expected, const std::vector<table>& found);

}  // namespace licit::codegen

#endif
