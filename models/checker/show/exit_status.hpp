/// The exit statuses of every command, and of a program that `licit check` runs.
#ifndef LICIT_CHECKER_SHOW_EXIT_STATUS_HPP
#define LICIT_CHECKER_SHOW_EXIT_STATUS_HPP

namespace licit::checker {

enum exit_status : int {
  as_expected = 0,
  violated = 1,   ///< something is not as expected: a violation, say, or a mutant that was not caught
  bad_usage = 2,  ///< a wrong option, or a file that cannot be read, parsed or written
  undecided = 3,  ///< nothing is wrong so far, but a search ended at its limit, or what the command needs is missing
};

}  // namespace licit::checker

#endif
