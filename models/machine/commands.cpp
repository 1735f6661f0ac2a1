#include "machine/commands.hpp"

#include <CLI/CLI.hpp>

#include "machine/matrix/run.hpp"

namespace licit::machine {

namespace {

const CLI::Range up_to_a_trillion(std::uint64_t{1}, std::uint64_t{1'000'000'000'000});

CLI::App* add_codegen(CLI::App& app, codegen_options& options) {
  CLI::App* codegen =
      app.add_subcommand("codegen", "Show which instructions carry each ordering, by target and compiler");
  codegen->add_option("--structure", options.structures, "Only these structures")
      ->check(CLI::IsMember(codegen_structures()));
  codegen->add_option("--target", options.targets, "Only these targets")->check(CLI::IsMember(codegen_targets()));
  codegen->add_option("--compiler", options.compilers, "Only these compilers")
      ->check(CLI::IsMember(codegen_compilers()));
  codegen
      ->add_option("--change", options.changes,
                   "Compile the --structure with a changed row: SITE=ORDER, SITE=removed, SITE=release-fence, "
                   "SITE=acquire-fence or SITE=std-fence")
      ->type_name("CHANGE");
  codegen
      ->add_option("--include", options.headers, "Folders that hold <licit/...>, joined by ':' (default: this build's)")
      ->type_name("FOLDER");
  codegen
      ->add_option("--check", options.check,
                   "Compare with the tables in FOLDER/expected.md; exit status 1 if they differ, 3 if there are none")
      ->type_name("FOLDER");
  codegen->add_option("--write", options.write, "Write the expected tables to FOLDER/expected.md")
      ->type_name("FOLDER")
      ->excludes("--check");
  codegen->add_option("--json", options.json, "Write the results to FILE, as JSON")->type_name("FILE");
  codegen->add_flag("--markdown", options.markdown, "Print the tables as Markdown");
  return codegen;
}

CLI::App* add_binary(CLI::App& app, binary_options& options) {
  CLI::App* binary =
      app.add_subcommand("binary", "Explore every execution of the compiled operations under Armv8's memory model");
  binary->add_option("--structure", options.structures, "Only these structures")
      ->check(CLI::IsMember(codegen_structures()));
  binary->add_option("--target", options.targets, "Only these targets")->check(CLI::IsMember(binary_targets()));
  binary->add_option("--compiler", options.compilers, "Only these compilers")
      ->check(CLI::IsMember(codegen_compilers()));
  binary->add_option("--client", options.clients, "Only these clients")->check(CLI::IsMember(binary_clients()));
  binary
      ->add_option("--change", options.changes,
                   "Compile the --structure with a changed row, as `licit codegen --change`")
      ->type_name("CHANGE");
  binary->add_flag("--mutants", options.mutants, "Also weaken each ordering: by one step, and to relaxed");
  binary
      ->add_option("--include", options.headers, "Folders that hold <licit/...>, joined by ':' (default: this build's)")
      ->type_name("FOLDER");
  binary->add_option("--json", options.json, "Write the results to FILE, as JSON")->type_name("FILE");
  binary->add_option("--limit", options.limit, "Stop a client after this many executions (exit status 3)")
      ->type_name("N")
      ->check(up_to_a_trillion)
      ->capture_default_str();
  return binary;
}

void add_choice(CLI::App& matrix, matrix_options& options) {
  matrix.add_option("--row", options.rows, "Only these rows: STRUCTURE/NAME, or NAME in every structure")
      ->type_name("ROW");
  matrix.add_option("--structure", options.structures, "Only these structures")
      ->check(CLI::IsMember(matrix_structures()));
  matrix.add_option("--column", options.columns, "Only these columns")->check(CLI::IsMember(matrix_columns()));
  matrix.add_option("--budget", options.budget, "What a column may spend on a row")
      ->check(CLI::IsMember(matrix::budget_names()))
      ->capture_default_str();
  matrix.add_option("--seeds", options.seeds, "Seeds of each sampled cell, 1 to 1000 (default: the budget's)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  matrix.add_option("--jobs", options.jobs, "Processes, 1 to 1024")
      ->type_name("N")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

CLI::App* add_matrix(CLI::App& app, matrix_options& options) {
  CLI::App* matrix = app.add_subcommand("matrix", "Measure which kind of test catches which mutant");
  add_choice(*matrix, options);
  CLI::Option* from =
      matrix->add_option("--from", options.from, "Take over cells from FILE, which --json or --record wrote")
          ->type_name("FILE");
  matrix
      ->add_flag("--missing", options.missing,
                 "Run only cells that --from lacks, even where --row or --column names them")
      ->needs(from);
  matrix
      ->add_flag("--adopt", options.adopt,
                 "Also take over cells of other sources: you have found their machine code to be the same")
      ->needs(from);
  matrix->add_flag("--pages", options.only_pages, "Run nothing: write --record, --html and --markdown from --from")
      ->needs(from);
  matrix
      ->add_option("--check", options.check,
                   "Run each mutant of the record FILE again by the cheapest column that caught it, and the controls; "
                   "exit status 1 if a mutant is missed or a control is caught")
      ->type_name("FILE")
      ->excludes(from);
  matrix->add_option("--json", options.json, "Write every detail to FILE, as JSON, also while running")
      ->type_name("FILE");
  matrix->add_option("--record", options.record, "Write the compact record to FILE: a line for each row")
      ->type_name("FILE");
  matrix->add_option("--html", options.html, "Write the results to FILE, as one page of HTML")->type_name("FILE");
  matrix->add_option("--markdown", options.markdown, "Write the results to FILE, as a page in Markdown")
      ->type_name("FILE");
  matrix->add_option("--fuzzer", options.at.fuzzer, "The libFuzzer executable")
      ->type_name("FILE")
      ->capture_default_str();
  matrix->add_option("--stress", options.at.stress, "The folder of the stress executables")
      ->type_name("FOLDER")
      ->capture_default_str();
  matrix->add_option("--plugin", options.at.plugin, "The weak-memory plugin for qemu-aarch64")
      ->type_name("FILE")
      ->capture_default_str();
  matrix
      ->add_option("--hardware", options.at.hardware, "The folder with the results of an arm64 machine (make hardware)")
      ->type_name("FOLDER")
      ->capture_default_str();
  matrix->add_flag("--quiet", options.quiet, "Print no line for each cell");
  matrix->add_flag("--list", options.list, "List columns and rows, and run nothing");
  return matrix;
}

}  // namespace

struct commands::all {
  codegen_options looked_at = {};
  binary_options explored = {};
  matrix_options judged = {};
  CLI::App* codegen = nullptr;
  CLI::App* binary = nullptr;
  CLI::App* matrix = nullptr;
};

commands::commands(CLI::App& app) : all_{std::make_unique<all>()} {
  all_->judged.at = default_places();
  all_->codegen = add_codegen(app, all_->looked_at);
  all_->binary = add_binary(app, all_->explored);
  all_->matrix = add_matrix(app, all_->judged);
}

commands::~commands() = default;

std::optional<int> commands::run() const {
  if (all_->codegen->parsed()) return run_codegen(all_->looked_at);
  if (all_->binary->parsed()) return run_binary(all_->explored);
  if (all_->matrix->parsed()) return run_matrix(all_->judged);
  return std::nullopt;
}

}  // namespace licit::machine
