# cmake -Dprogram=… -Darguments=… -Dstatus=… -Dexpected=<file> -P output.cmake: the program's status, and what it prints to
# the letter. With -Dwrite=ON the file is written instead.
execute_process(COMMAND ${program} ${arguments} OUTPUT_VARIABLE printed RESULT_VARIABLE ended)
if(NOT ended EQUAL status)
  message(FATAL_ERROR "The status is ${ended}, not ${status}: ${program} ${arguments}\n${printed}")
endif()
if(write)
  file(WRITE ${expected} "${printed}")
endif()
file(READ ${expected} wanted)
if(NOT printed STREQUAL wanted)
  message(FATAL_ERROR "Not what is expected: ${program} ${arguments}, ${expected}\n${printed}")
endif()
