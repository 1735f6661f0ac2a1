/// The commands of `licit` and their options.
#ifndef LICIT_MODELS_TOOL_ARGUMENTS_HPP
#define LICIT_MODELS_TOOL_ARGUMENTS_HPP

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "checker/litmus/explore.hpp"
#include "drawings.hpp"
#include "gallery/gallery.hpp"

namespace CLI {
class App;
class Option;
class Validator;
}  // namespace CLI

namespace licit::tool {

/// Called after the command line was parsed: runs the command and returns its exit status. Nothing: the command line
/// names another one.
using command = std::function<std::optional<int>()>;

/// Adds the commands of this executable: all of them (arguments.cpp), or `verify` alone (CMakeLists.txt).
/// `behind`: the words behind a `--`, which are another program's and not options of ours.
std::vector<command> add_commands(CLI::App& app, const std::vector<std::string>& behind);

command add_verify(CLI::App& app);

// `licit merge`.
struct merge_options {
  std::vector<std::string> files;  ///< one a shard, as `verify --shard --json` wrote them, in any order
  std::string json;                ///< file for the results, or empty
};

/// Adds up and prints; the exit status, as of `verify`. Throws std::runtime_error that says which file does not fit and
/// why: it cannot be read, is no shard's, is of other programs, another build, another limit or another number of
/// shards, or one that is there already; or a shard is missing; or the shards together explored not every piece.
int merge(const merge_options& options);

/// `licit replay`: runs the recorded violation again, and prints. The exit status: 1 it is violated again, 0 it is not,
/// 2 the program cannot do what was recorded. Throws std::runtime_error for a file that cannot be read or is spoilt, or
/// is of an unknown program or mutant.
int replay(const std::string& file);

/// Whether the file is one that `licit check` wrote, and so of a program as it is.
bool is_of_checked_program(const std::string& file);
/// Becomes the program of such a file, which runs the execution again; under gdb it stops where the violation is found.
/// Throws std::runtime_error for a file that cannot be read or a program that cannot be run.
int replay_program(const std::string& file, bool under_gdb);

// `licit trace`.
struct trace_options {
  std::string file;  ///< that `scheduler::write_trace` wrote
  std::string html;  ///< where the page goes; empty: the file's name with .html for its extension
};

/// Writes the page and prints what is in it; the exit status. Throws std::runtime_error for a file that cannot be read
/// or written, or is no trace.
int trace(const trace_options& options);

// `licit prove`.
struct prove_options {
  std::string structure;      ///< or empty: all that have a proof
  std::string mutant;         ///< prove this one instead, or none
  bool mutants = false;       ///< prove all of the structure's mutants instead
  bool steps = false;         ///< prove nothing: print the transition system
  bool needs = false;         ///< print which invariants the proof of each step needs, as a table
  std::string solver = "z3";  ///< or cvc5
  unsigned seed = 0;          ///< of the solver
  std::string smt;            ///< folder for the questions as SMT-LIB, or empty
  std::string json;           ///< file for a row of each condition, or empty
  unsigned jobs = 0;          ///< solver processes; 0: one per processor
};

/// Proves and prints; the exit status: 1 a condition is not proved, or of a mutant another one than recorded. Throws
/// std::runtime_error for an unknown mutant and when the solver or the folder cannot be used.
int prove(const prove_options& options);

// `licit check`.
struct check_options {
  std::vector<std::string> command;  ///< a program that is linked with the runtime, and its arguments
  std::string mode = "exhaustive";
  std::optional<std::uint64_t> executions;
  std::optional<double> seconds;
  std::optional<std::uint64_t> seed;
  std::optional<unsigned> depth;
  unsigned events = 5000;
  bool audit = false;
  bool without_leaks = false;
  bool without_timeouts = false;
  bool spurious = false;
  bool distinct = false;
  std::string release_sequences = "c++20";
  unsigned jobs = 1;
  std::string shard = {};                  ///< "0/4", or empty
  std::optional<unsigned> stall;           ///< a thread
  std::vector<std::string> accepted = {};  ///< functions and files whose code need not be instrumented
  std::string trace = {};  ///< for a violation; empty: the program's name with .trace, in the working folder
  drawings draw = {};      ///< of a violation
  bool quiet = false;      ///< no line about the progress
};

/// Becomes the program, which explores itself (models/unmodified). Throws std::runtime_error for one that cannot be
/// read or run, or does not.
int check(const check_options& options);

// `licit audit`: are the orderings enough, is each needed, and is this library what was checked?
struct audit_options {
  std::vector<std::string> structures;  ///< empty: all
  std::string site;                     ///< empty: every one
  bool minima = false;                  ///< look for every weakest table, too
  std::string json;                     ///< files to write, or empty
  std::string html;
  std::string markdown;
  std::string record;   ///< also read first: what it says of unchanged structures stays
  std::string from;     ///< findings or a record: nothing is run
  std::string library;  ///< an archive, to be compared with the record
  std::string check;    ///< a record, to be compared with this build; some of its rows are run again
  bool each = false;    ///< with `check`: a row of each structure, and with it the executions of all its programs
  unsigned jobs = 0;    ///< processes; 0: as many as the machine has processors
  bool fresh = false;   ///< earlier results are not used
  std::uint64_t limit = 50'000'000;
  bool quiet = false;
};

/// Runs and prints; the exit status: 0 if every ordering is enough and needed (or the library is what was checked), 1
/// if not, 3 if that is not known. Throws std::runtime_error for files that cannot be read or written, and for sites
/// and structures that there are not.
int audit(const audit_options& options);

// `licit litmus`: herd's litmus tests under the exhaustive checker.
struct litmus_options {
  std::vector<std::string> paths;  ///< files, and folders whose *.litmus files are meant, those further down too
  std::string json;                ///< file for the results, or empty
  litmus::options search;
};

/// Runs and prints; the exit status: 0 as expected, 1 a verdict that is not, 2 a file that cannot be read or is
/// malformed (the others run all the same), 3 nothing wrong so far, but a limit or the bound of loops left something
/// unexplored. A file's `expect:` comment says what is expected; where there is none, that `~exists` and `forall` hold,
/// and that there is no race. Throws std::runtime_error when the JSON cannot be written.
int litmus(const litmus_options& options);

// `licit gallery`: published deques under the exhaustive checker, each with the verdict that is expected of it.
struct gallery_options {
  std::vector<std::string> names;    ///< empty: all; else these only, each with its execution where it fails
  std::string json;                  ///< file for the results, or empty
  std::uint64_t limit = 10'000'000;  ///< executions of one program
};

/// Every exhibit's name.
std::vector<std::string> gallery_names();

/// Runs the chosen of the exhibits and prints what came of them; the exit status, as `verify`'s. Throws
/// std::runtime_error when the JSON cannot be written.
int gallery(const gallery_options& options,
            std::span<const models::gallery::exhibit> shown = models::gallery::exhibits());

/// Prints the exhibits, where they come from and what is claimed of them.
void list_gallery();

/// What runs when the command line names `named`, whose help then ends with the exit statuses.
command when(CLI::App* named, std::function<int()> run);

// Options that several commands have.
inline constexpr std::uint64_t most_executions = 1'000'000'000'000;
inline constexpr std::uint64_t largest_seed = 1'000'000'000'000'000'000;
CLI::Option* add_limit(CLI::App& to, std::uint64_t& limit, const std::string& what);
CLI::Option* add_jobs(CLI::App& to, unsigned& jobs, const std::string& what);
CLI::Option* add_file(CLI::App& to, const char* option, std::string& file, const std::string& what);
/// The same for a file that is written: what cannot be is refused before the work begins.
CLI::Option* add_output(CLI::App& to, const char* option, std::string& file, const std::string& what);
/// Refuses the empty word, as of a variable of the shell that is not set: it would count as an option that is not
/// given.
CLI::Validator not_empty(const std::string& what = "word");
/// A name of a list. The help does not print the list, which may be long; the error does.
CLI::Validator one_of(std::vector<std::string> names);
std::vector<std::string> structure_names();
/// Those that have a proof (prove.cpp).
std::vector<std::string> proved_names();

}  // namespace licit::tool

#endif
