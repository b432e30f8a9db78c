#!/usr/bin/env bats
# What the environment tells libpscope: bad values stop the program with one line, scopes as said.

load pscope_named.bash

setup() {
  library=$DNSCOPE_BUILD/lib/libpscope.so
  statistics=$BATS_TEST_TMPDIR/statistics.json
  program=$DNSCOPE_BUILD/tests/validators/validator_queue
}

# refuses VARIABLE VALUE: the program does not start, one line says why.
refuses() {
  run env LD_PRELOAD="$library" LIBPTHREAD_PROCESS_SCOPE=1 "$1=$2" echo started
  [ "$status" -ne 0 ]
  [ "${#lines[@]}" -eq 1 ]
  [[ ${lines[0]} == *"$1"* ]]
  [[ $output != *started* ]]
  # The line belongs on standard error.
  [ -z "$(env LD_PRELOAD="$library" LIBPTHREAD_PROCESS_SCOPE=1 "$1=$2" echo started 2>/dev/null)" ]
}

@test "bad numbers of virtual CPUs are refused" {
  for value in 0x -1 99999999 '' ' 1' 1.5 two 1x 18446744073709551617; do
    refuses LIBPTHREAD_VIRTUAL_CPU "$value"
  done
}

@test "bad time slices are refused" {
  for value in 0x -1 99999999999 '' fast; do
    refuses LIBPTHREAD_QUANTUM_US "$value"
  done
}

@test "a bad number is refused whatever the scope" {
  run env LD_PRELOAD="$library" LIBPTHREAD_VIRTUAL_CPU=-1 echo started
  [ "$status" -ne 0 ]
  run env LD_PRELOAD="$library" LIBPTHREAD_SYSTEM_SCOPE=1 LIBPTHREAD_VIRTUAL_CPU=-1 echo started
  [ "$status" -ne 0 ]
}

@test "a program without threads runs as ever" {
  run env LD_PRELOAD="$library" LIBPTHREAD_PROCESS_SCOPE=1 sh -c 'echo one; (exit 3)'
  [ "$status" -eq 3 ]
  [ "$output" = one ]
}

@test "process scope switches threads, and the statistics tell" {
  env LD_PRELOAD="$library" LIBPTHREAD_PROCESS_SCOPE=1 LIBPTHREAD_VIRTUAL_CPU=1 \
    LIBPTHREAD_STATS="$statistics" VALIDATOR_SCOPE=process VALIDATOR_VCPUS=1 "$program"
  [ "$(counter switches "$statistics")" -gt 100 ]
}

@test "statistics that cannot be written are told of" {
  run env LD_PRELOAD="$library" LIBPTHREAD_PROCESS_SCOPE=1 LIBPTHREAD_VIRTUAL_CPU=1 \
    LIBPTHREAD_STATS=/dev/full VALIDATOR_SCOPE=process VALIDATOR_VCPUS=1 "$program"
  [[ "$output" == *"libpscope: LIBPTHREAD_STATS: the file is not whole"* ]]
}

@test "system scope wins when both are asked for" {
  env LD_PRELOAD="$library" LIBPTHREAD_PROCESS_SCOPE=1 LIBPTHREAD_SYSTEM_SCOPE= \
    LIBPTHREAD_STATS="$statistics" VALIDATOR_SCOPE=system "$program"
  if [ -e "$statistics" ]; then
    [ "$(counter switches "$statistics")" -eq 0 ]
  fi
}

@test "without either variable threads are system scope" {
  env LD_PRELOAD="$library" VALIDATOR_SCOPE=system "$program"
}

@test "0 virtual CPUs means those of the affinity mask" {
  cpu=$(sed -n 's/^Cpus_allowed_list:\t\([0-9]*\).*/\1/p' /proc/self/status)
  VALIDATOR_SCOPE=process VALIDATOR_VCPUS=1 LIBPTHREAD_PROCESS_SCOPE=1 LIBPTHREAD_VIRTUAL_CPU=0 \
    LIBPTHREAD_QUANTUM_US=0 LD_PRELOAD="$library" \
    taskset -c "$cpu" "$DNSCOPE_BUILD/tests/validators/validator_cpu_parallel"
}

# without CALLS VALIDATOR: runs it as on a kernel that does not have these system calls.
without() {
  strace -f --seccomp-bpf -qq -o "$BATS_TEST_TMPDIR/trace" -e trace="$1" -e inject="$1":error=ENOSYS \
    env LD_PRELOAD="$library" LIBPTHREAD_PROCESS_SCOPE=1 LIBPTHREAD_VIRTUAL_CPU=2 \
    VALIDATOR_SCOPE=process VALIDATOR_VCPUS=2 "$DNSCOPE_BUILD/tests/validators/validator_$2"
}

@test "kernels without epoll_pwait2 and preadv2 will do" {
  without epoll_pwait2 cond_timed
  # Who asked in vain once does not ask again, which would be to spin.
  [ "$(grep -c epoll_pwait2 "$BATS_TEST_TMPDIR/trace")" -eq 1 ]
  without preadv2,pwritev2 pipe
}

# with_hwcap2 VALUE [COMMAND...]: under COMMAND, threads take turns where the kernel tells of this
# AT_HWCAP2, whose bit 1 allows the instruction that sets the thread pointer.
with_hwcap2() {
  env LD_PRELOAD="$library:$DNSCOPE_BUILD/lib/libhwcap2.so" VALIDATOR_HWCAP2="$1" \
    LIBPTHREAD_DEBUG=1 LIBPTHREAD_PROCESS_SCOPE=1 LIBPTHREAD_VIRTUAL_CPU=2 \
    VALIDATOR_SCOPE=process VALIDATOR_VCPUS=2 "${@:2}" "$program"
}

@test "the thread pointer is set by system call where the kernel does not allow the instruction" {
  [ "$(uname -m)" = x86_64 ] || skip "only x86-64 has two ways"
  trace=$BATS_TEST_TMPDIR/trace
  run with_hwcap2 0 strace -f -qq -e trace=arch_prctl -o "$trace"
  [ "$status" -eq 0 ]
  [[ $output == *"thread pointer by system call"* ]]
  [ "$(grep -c ARCH_SET_FS "$trace")" -gt 100 ]
}
