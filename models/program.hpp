/// A client program: what a checker runs. Written once, as a template over the model (a memory policy that also has
/// `check`), and run under every checker.
///
///     template <class Model> struct last_item {
///       static constexpr program_info about{"last_item", "what must hold", threads, items};
///       last_item();                // on the main thread, before the others start
///       void thread(unsigned i);    // i = 0 is the owner
///       void finish();              // on the main thread, after they have ended; then the destructor
///     };
#ifndef LICIT_MODELS_PROGRAM_HPP
#define LICIT_MODELS_PROGRAM_HPP

#include <string_view>

namespace licit::models {

/// How much of a program's executions Relacy can be asked for.
enum class reach {
  none,     ///< it is not run there
  full,     ///< all, in Relacy's model
  bounded,  ///< those with three preemptions, and a random sample
  sampled,  ///< a random sample
};

struct program_info {
  std::string_view name;
  std::string_view property;
  unsigned threads;
  reach relacy;
  bool waits = false;  ///< a thread of it may wait for another: nobody is to do without one that is stopped
};

}  // namespace licit::models

#endif
