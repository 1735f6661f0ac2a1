# The weak-memory plugin: its parts by themselves, and all of it in the emulator with guests of its own. What repeats
# another test with other seeds, schedules or compiler options is nightly.
licit_machine_test(qemu qemu_decisions_test.cpp qemu_options_test.cpp qemu_turns_test.cpp
                   LINK licit_qemu_parts)

set(guests ${PROJECT_BINARY_DIR}/models/machine/qemu/guests)

# licit_qemu_run(name [PLUGIN options] [CPU model] GUEST name arguments... [PRINTS regex] [NIGHTLY]): passes by the guest's exit
# status, or by what it prints.
function(licit_qemu_run name)
  cmake_parse_arguments(run "NIGHTLY" "PLUGIN;PRINTS;CPU" "GUEST" ${ARGN})
  if(NOT run_CPU)
    set(run_CPU max,sve=off)  # what libc does by scalable vectors is refused
  endif()
  list(POP_FRONT run_GUEST guest)
  string(JOIN "," plugin $<TARGET_FILE:licit_qemu> ${run_PLUGIN})
  add_test(NAME qemu.${name} COMMAND ${LICIT_QEMU_AARCH64} -cpu ${run_CPU} -plugin ${plugin} ${guests}/${guest} ${run_GUEST})
  set_tests_properties(qemu.${name} PROPERTIES TIMEOUT 1200 LABELS "qemu$<$<BOOL:${run_NIGHTLY}>:;nightly>")
  if(run_PRINTS)
    set_tests_properties(qemu.${name} PROPERTIES PASS_REGULAR_EXPRESSION "${run_PRINTS}")
  endif()
endfunction()

# It proves itself before it judges.
licit_qemu_run(litmus GUEST litmus --executions 500)
licit_qemu_run(litmus.strong PLUGIN weak=off NIGHTLY GUEST litmus --strong --executions 200)
foreach(schedule random sticky pct)
  licit_qemu_run(litmus.${schedule} PLUGIN schedule=${schedule} GUEST litmus --executions 1000 NIGHTLY)
endforeach()
licit_qemu_run(litmus.long PLUGIN seed=2 GUEST litmus --executions 20000 NIGHTLY)
# And its bugs are found: each must admit what Arm forbids.
set(wrong " +forbidden +seen +[1-9][0-9]* of [0-9]+  WRONG")
licit_qemu_run(litmus.seeded.dependencies PLUGIN fault=dependencies GUEST litmus --only MP+dmb+addr --executions 500
               PRINTS "MP.dmb.addr${wrong}")
licit_qemu_run(litmus.seeded.dependencies.data PLUGIN fault=dependencies NIGHTLY GUEST litmus --only S+dmb+data --executions 500
               PRINTS "S.dmb.data${wrong}")
licit_qemu_run(litmus.seeded.views PLUGIN fault=views GUEST litmus --only IRIW+addrs --executions 500
               PRINTS "IRIW.addrs${wrong}")
licit_qemu_run(litmus.seeded.foretelling PLUGIN foretell=all,fault=foretelling,history=off
               GUEST litmus --only LB+datas --foretold --executions 500 PRINTS "LB.datas${wrong}")
# Load buffering shows only where it is foretold; no outcome that is forbidden does.
licit_qemu_run(litmus.foretold PLUGIN foretell=all,history=off NIGHTLY GUEST litmus --foretold --executions 200)
# An allowed outcome that does not show is found too.
licit_qemu_run(litmus.seeded.strong PLUGIN weak=off NIGHTLY GUEST litmus --only MP --executions 500
               PRINTS "MP +allowed +seen +0 of 500  WRONG")

# The deque: correct code never fails, weakened orderings do, but not when memory is strong.
licit_qemu_run(deque GUEST deque --executions 3000)
foreach(guest deque deque_lse deque_exclusives)
  licit_qemu_run(${guest}.long GUEST ${guest} --executions 100000 NIGHTLY)
endforeach()
foreach(mutant "push.publish relaxed" "pop.fence relaxed" "steal.fence relaxed" "steal.bottom relaxed")
  string(REPLACE " " "." name ${mutant})
  licit_qemu_run(deque.${name} PLUGIN history=off GUEST deque --mutant ${mutant} --executions 5000
                 PRINTS "^execution [0-9]+: an item")
  licit_qemu_run(deque.${name}.strong PLUGIN weak=off NIGHTLY GUEST deque --mutant ${mutant} --executions 2000)
endforeach()
# The same with turns only where threads meet.
licit_qemu_run(deque.survey PLUGIN survey=20 NIGHTLY GUEST deque --executions 3000)
foreach(mutant "push.publish relaxed" "pop.fence relaxed" "steal.fence relaxed" "steal.bottom relaxed")
  string(REPLACE " " "." name ${mutant})
  licit_qemu_run(deque.${name}.survey PLUGIN survey=20,history=off NIGHTLY GUEST deque --mutant ${mutant} --executions 5000
                 PRINTS "^execution [0-9]+: an item")
endforeach()
licit_qemu_run(history.survey PLUGIN survey=20 NIGHTLY GUEST deque --mutant "steal.fence relaxed" --executions 5000
               PRINTS "decisions that are not the plain ones")
# By load buffering alone: a thief reads a slot that the owner overwrites after the thief's claim.
licit_qemu_run(deque.steal.claim.relaxed PLUGIN foretell=on,history=off
               GUEST deque_lap --mutant "steal.claim relaxed" --executions 5000 PRINTS "^execution [0-9]+: an item")
licit_qemu_run(deque.steal.claim.foretold PLUGIN foretell=on,history=off NIGHTLY GUEST deque_lap --executions 2000)
# What it shows of a failure: made smaller, and by the sites' names.
licit_qemu_run(history GUEST deque --mutant "steal.fence relaxed" --executions 5000
               PRINTS "decisions that are not the plain ones.*load acquire.*not the latest.*steal.bottom.*steal.claim")

# Joins of the fork-join layer: correct code never fails; each mutant does that Armv8 can show. By membarrier, and by full
# fences where only these have the instruction that is left out.
set(joins PLUGIN steps=20000,survey=20)
set(joins_quiet PLUGIN steps=20000,survey=20,history=off)
foreach(run "worker 200 10000" "joiner 200 10000" "onward 100 10000" "two 100 10000" "fails 100 10000"
            "fails-stolen 50 10000" "guests 100 10000" "tree 20 1000")
  separate_arguments(run)
  list(GET run 0 program)
  list(GET run 1 short)
  list(GET run 2 long)
  set(right "executions of ${program}, none wrong")
  licit_qemu_run(joins.${program} ${joins} GUEST joins ${program} --executions ${short} PRINTS "^${short} ${right}")
  foreach(guest joins joins_lse joins_exclusives)
    licit_qemu_run(${guest}.${program}.long NIGHTLY PLUGIN steps=20000,survey=20,seed=2
                   GUEST ${guest} ${program} --executions ${long} PRINTS "^${long} ${right}")
    licit_qemu_run(${guest}.${program}.full NIGHTLY ${joins} GUEST ${guest} ${program} --executions 1000 --fences full
                   PRINTS "^1000 ${right}")
  endforeach()
  licit_qemu_run(joins_mutants.${program} NIGHTLY ${joins} GUEST joins_mutants ${program} --executions 1000
                 PRINTS "^1000 ${right}")
endforeach()
# licit_qemu_join_mutant(program fences mutant [STRONG] [NIGHTLY]): caught; STRONG: and not when memory is strong.
function(licit_qemu_join_mutant program fences mutant)
  cmake_parse_arguments(PARSE_ARGV 3 is "STRONG;NIGHTLY" "" "")
  set(nightly "")
  if(is_NIGHTLY)
    set(nightly NIGHTLY)
  endif()
  set(arguments "")
  if(fences STREQUAL full)
    set(arguments --fences full)
  endif()
  string(REPLACE " " "." name "${program}.${mutant}")
  licit_qemu_run(joins.${name} ${nightly} ${joins_quiet} PRINTS "execution [0-9]+: "
                 GUEST joins_mutants ${program} --executions 1000 ${arguments} --mutant "${mutant}")
  if(is_STRONG)
    licit_qemu_run(joins.${name}.strong NIGHTLY PLUGIN weak=off,steps=20000,survey=20 PRINTS "none wrong"
                   GUEST joins_mutants ${program} --executions 1000 ${arguments} --mutant "${mutant}")
  endif()
endfunction()
licit_qemu_join_mutant(worker membarrier "job.complete relaxed" STRONG)
licit_qemu_join_mutant(worker membarrier "job.look relaxed" STRONG NIGHTLY)
licit_qemu_join_mutant(joiner membarrier "job.begin relaxed" STRONG)
licit_qemu_join_mutant(worker membarrier "no alert.fence" STRONG NIGHTLY)
licit_qemu_join_mutant(worker membarrier "no look.heavy" STRONG)
licit_qemu_join_mutant(joiner membarrier "no tell_of.heavy" STRONG NIGHTLY)
licit_qemu_join_mutant(worker full "no offer.fence" STRONG)
licit_qemu_join_mutant(onward full "no begin.fence" STRONG NIGHTLY)
licit_qemu_join_mutant(guests membarrier "guest.enter relaxed" STRONG NIGHTLY)
licit_qemu_join_mutant(guests membarrier "guest.leave relaxed" STRONG NIGHTLY)
licit_qemu_join_mutant(worker membarrier idle_not_told NIGHTLY)
licit_qemu_join_mutant(joiner membarrier joiner_not_told NIGHTLY)
licit_qemu_join_mutant(tree membarrier runs_unrelated NIGHTLY)
licit_qemu_join_mutant(joiner membarrier sleeps_without_a_look NIGHTLY)
licit_qemu_join_mutant(fails membarrier leaves_by_exception)
licit_qemu_join_mutant(fails membarrier throws_the_second NIGHTLY)
licit_qemu_join_mutant(onward membarrier request_not_passed_on NIGHTLY)
licit_qemu_join_mutant(joiner membarrier begins_in_silence NIGHTLY)
licit_qemu_join_mutant(worker membarrier announces_torn NIGHTLY)
licit_qemu_join_mutant(two membarrier found_in_silence NIGHTLY)

# Futexes, loops, membarrier; and what is refused.
licit_qemu_run(scene.wake-up NIGHTLY GUEST scenes wake-up PRINTS "wake-up: found sometimes")
licit_qemu_run(scene.woken GUEST scenes woken PRINTS "woken: found never")
licit_qemu_run(scene.lost GUEST scenes "lost wake-up" PRINTS "lost wake-up: execution [0-9]+ is blocked")
licit_qemu_run(scene.endless PLUGIN steps=500 GUEST scenes endless PRINTS "endless: execution 0 is endless")
licit_qemu_run(scene.spinning NIGHTLY GUEST scenes spinning PRINTS "spinning: found never")
licit_qemu_run(scene.yielding NIGHTLY GUEST scenes yielding --executions 200 PRINTS "yielding: found never")
licit_qemu_run(scene.membarrier GUEST scenes membarrier PRINTS "^membarrier: found never")
licit_qemu_run(scene.no-membarrier NIGHTLY GUEST scenes "no membarrier" PRINTS "no membarrier: found sometimes")
licit_qemu_run(scene.torn NIGHTLY GUEST scenes torn PRINTS "torn: found sometimes")
licit_qemu_run(scene.freed GUEST scenes freed PRINTS "^freed: found sometimes")
licit_qemu_run(scene.freed.later NIGHTLY GUEST scenes "freed later" PRINTS "later: found never")
licit_qemu_run(scene.freed.unordered GUEST scenes "freed unordered" PRINTS "unordered: found sometimes")
licit_qemu_run(scene.freed.strong PLUGIN weak=off NIGHTLY GUEST scenes "freed unordered" PRINTS "unordered: found never")
licit_qemu_run(scene.freed.unseen NIGHTLY GUEST scenes "freed unseen" PRINTS "unseen: found never")
licit_qemu_run(scene.stack GUEST scenes stack PRINTS "^stack: found sometimes")
licit_qemu_run(scene.stack.published GUEST scenes "stack published" PRINTS "published: found never")
licit_qemu_run(scene.stack.strong PLUGIN weak=off NIGHTLY GUEST scenes stack PRINTS "^stack: found never")
licit_qemu_run(scene.stack.alone PLUGIN steps=100 GUEST scenes "stack alone" --executions 100 PRINTS "alone: found never")
licit_qemu_run(refused.stacks GUEST scenes "stacks outside" PRINTS "plugin: stacks from .* outside the region")
licit_qemu_run(refused.freed GUEST scenes "freed outside" PRINTS "plugin: memory at .* is freed, outside the region")
licit_qemu_run(refused.clone GUEST scenes clone PRINTS "plugin: a thread or process is made in an execution")
licit_qemu_run(refused.end GUEST scenes end PRINTS "plugin: a worker ends in an execution")
licit_qemu_run(refused.mixed-sizes GUEST scenes "mixed sizes" PRINTS "plugin: .*overlaps one of another size.*scenes.cpp:[0-9]+")
licit_qemu_run(refused.scalable CPU max GUEST scenes scalable PRINTS "plugin: .*not understood.*sve=off")
licit_qemu_run(refused.zeroed GUEST scenes zeroed PRINTS "plugin: a block of shared memory is zeroed at once")
licit_qemu_run(refused.outside GUEST scenes "half outside" PRINTS "plugin: .* is partly in the shared region")

# The same seed, the same executions, whatever the host does.
add_test(NAME qemu.replay
         COMMAND ${CMAKE_COMMAND} -DEMULATOR=${LICIT_QEMU_AARCH64} -DPLUGIN=$<TARGET_FILE:licit_qemu> -DGUEST=${guests}/deque
                 -DFOLDER=${CMAKE_CURRENT_BINARY_DIR} -P ${CMAKE_CURRENT_SOURCE_DIR}/replay.cmake)
set_tests_properties(qemu.replay PROPERTIES TIMEOUT 1200 LABELS qemu)
