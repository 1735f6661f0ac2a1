# What runs subjects; without main and without rows. For the executables, and for the tests.
set(licit_stress_sources arena.cpp chance.cpp failure.cpp findings.cpp plugin.cpp report.cpp sanitizer.cpp subjects.cpp
                         threads.cpp watch.cpp)
