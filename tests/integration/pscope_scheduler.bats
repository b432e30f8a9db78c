#!/usr/bin/env bats
# What libpscope's scheduler asks of the kernel, and what its counters say it did.

setup() {
  validators=$DNSCOPE_BUILD/tests/validators
  statistics=$BATS_TEST_TMPDIR/statistics.json
  trace=$BATS_TEST_TMPDIR/trace
  export LIBPTHREAD_PROCESS_SCOPE=1 VALIDATOR_SCOPE=process
}

# registrations VIRTUAL_CPUS ROUNDS: epoll_ctl calls of that many rounds of waiting for a socket.
registrations() {
  strace -f -qq -e trace=epoll_ctl -o "$trace" env LIBPTHREAD_VIRTUAL_CPU="$1" \
    VALIDATOR_VCPUS="$1" VALIDATOR_ROUNDS="$2" LD_PRELOAD="$DNSCOPE_BUILD/lib/libpscope.so" "$validators/validator_steady" || return
  grep -c epoll_ctl "$trace"
}

# counter VALIDATOR VIRTUAL_CPUS NAME: that counter at the validator's end.
counter() {
  env LIBPTHREAD_VIRTUAL_CPU="$2" VALIDATOR_VCPUS="$2" LIBPTHREAD_STATS="$statistics" \
    LD_PRELOAD="$DNSCOPE_BUILD/lib/libpscope.so" "$validators/validator_$1" || return
  jq ".$3" "$statistics"
}

@test "waiting for a descriptor again and again registers it once" {
  for virtual_cpus in 1 2; do
    few=$(registrations "$virtual_cpus" 50)
    many=$(registrations "$virtual_cpus" 2000)
    echo "virtual CPUs $virtual_cpus: $few epoll_ctl calls for 50 rounds, $many for 2000"
    [ "$few" -gt 0 ]
    [ "$many" -le $((few + 4)) ]
  done
}

@test "a virtual CPU that the kernel keeps is substituted" {
  [ "$(counter substitute 1 substitutes)" -gt 0 ]
}

@test "a thread that computes is preempted" {
  [ "$(counter preempt 1 preemptions)" -gt 0 ]
}

@test "a virtual CPU without work takes it from another" {
  [ "$(counter mix 4 steals)" -gt 0 ]
}
