// What every test includes, compiled beforehand: tests/CMakeLists.txt.
