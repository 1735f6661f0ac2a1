/// What the census's client programs share: tasks that write, and one who reads all of it when none is left.
#ifndef LICIT_MODELS_PROGRAMS_CENSUS_CLIENT_HPP
#define LICIT_MODELS_PROGRAMS_CENSUS_CLIENT_HPP

#include <array>
#include <cstddef>

#include <licit/scheduler/census.hpp>

#include "program.hpp"

namespace licit::models::on_census {

template <class Model, std::size_t Workers, std::size_t Tasks>
class client {
 public:
  client() : census_{Workers} { Model::name(done_, "done"); }

  /// A worker: a task runs and ends.
  void run(std::size_t worker, std::size_t task) {
    done_[task].write(1);
    census_.leave(worker);
  }
  /// It has nothing more to run.
  void idle() { census_.tell(); }

  /// After the close: the tasks' writes are there, and it is theirs no more.
  void wait_for(std::size_t tasks) {
    Model::check(census_.wait_for_none(), "without a limit of time the wait ended early");
    for (std::size_t i = 0; i != tasks; ++i) {
      Model::check(done_[i].read() == 1, "the census was empty before a task had ended");
    }
  }

 protected:
  census<Model> census_;

 private:
  std::array<typename Model::template plain<int>, Tasks> done_;
};

}  // namespace licit::models::on_census

#endif
