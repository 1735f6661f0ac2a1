/// How far the work has come and how long the rest will take: one line on a terminal, nothing in a pipe.
#ifndef LICIT_MODELS_TOOL_PROGRESS_HPP
#define LICIT_MODELS_TOOL_PROGRESS_HPP

#include <chrono>
#include <string>
#include <string_view>

namespace licit::tool {

/// On standard error.
class progress {
 public:
  /// `total`: the work, in any unit.
  progress(double total, bool wanted);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void add(double work) { done_ += work; }
  /// Draws the line, with what is going on now.
  void show(std::string_view what) const;
  /// Takes the line away, so that something can be printed.
  void clear() const;

 private:
  using clock = std::chrono::steady_clock;

  double total_;
  double done_ = 0;
  clock::time_point start_ = clock::now();
  bool wanted_;
};

/// "[####....]  42 %  35 s left  NAME"; without the time where too little is done to say.
std::string progress_text(double done, double total, double seconds, std::string_view what);

}  // namespace licit::tool

#endif
