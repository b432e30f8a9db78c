#!/usr/bin/env bats
# Debian's named and dnsperf, unmodified, with process-scope threads: start, serve, stop cleanly.

load pscope_named.bash

setup() {
  # Not bats' own directory: named's user must be able to enter it.
  directory=$(mktemp -d /tmp/pscope-named.XXXXXX)
  port=$(free_port)
  named_pid=
  named_prepare "$directory" "$port"
}

teardown() {
  if [ -n "$named_pid" ] && kill -0 "$named_pid" 2>/dev/null; then
    kill -KILL "$named_pid"
  fi
  rm -rf "$directory"
}

# ask SECONDS ENVIRONMENT-OR-COMMAND...: dnsperf's statistics, every query answered.
ask() {
  local seconds=$1
  shift
  "$@" dnsperf -s 127.0.0.1 -p "$port" -d "$DNSCOPE_SOURCE/configs/queries/bench.example.txt" \
    -l "$seconds" -c 4 -T 2 -q 50 >"$directory/dnsperf" 2>&1
}

every_query_answered() {
  cat "$directory/dnsperf"
  grep -qE 'Queries lost: +0 ' "$directory/dnsperf"
  grep -qE 'Queries completed: +[1-9][0-9]* \(100\.00%\)' "$directory/dnsperf"
}

serve_and_stop() { # serve_and_stop VCPUS OPTION...
  named_start "$directory" "$port" "$@"
  grep -q libpscope "/proc/$named_pid/maps"
  ask 1
  every_query_answered
  kill -TERM "$named_pid"
  wait_for_exit "$named_pid" 5
  grep -q ' exiting$' "$directory/log"
  [ "$(counter switches "$directory/statistics.json")" -gt 100 ]
  [ -z "$(pgrep -f "$directory/named.conf")" ] # no stray process
}

@test "named -n 1 on one virtual CPU, three times" {
  for _ in 1 2 3; do serve_and_stop 1 -n 1; done
}

@test "named -n 1 on two virtual CPUs, three times" {
  for _ in 1 2 3; do serve_and_stop 2 -n 1; done
}

@test "named -n 2 on one virtual CPU, three times" {
  for _ in 1 2 3; do serve_and_stop 1 -n 2; done
}

@test "named -n 2 on two virtual CPUs, three times" {
  for _ in 1 2 3; do serve_and_stop 2 -n 2; done
}

@test "named drops its privileges to user bind" {
  if [ "$(id -u)" != 0 ]; then
    skip "only root can change its user"
  fi
  user=$(id -u bind)
  chown -R "$user" "$directory"
  for vcpus in 1 2; do
    named_start "$directory" "$port" "$vcpus" -n 2 -u bind
    # Every kernel thread: real, effective, saved and file-system user.
    [ -z "$(grep -h '^Uid:' "/proc/$named_pid/task"/*/status | grep -v "$user.$user.$user.$user")" ]
    ask 1
    every_query_answered
    kill -TERM "$named_pid"
    wait_for_exit "$named_pid" 5
  done
}

@test "named at rest uses no CPU" {
  named_start "$directory" "$port" 2 -n 2
  sleep 1
  before=$(awk '{print $14 + $15}' "/proc/$named_pid/stat")
  sleep 1
  after=$(awk '{print $14 + $15}' "/proc/$named_pid/stat")
  [ $((after - before)) -le 2 ] # ticks of 10 ms
  kill -TERM "$named_pid"
  wait_for_exit "$named_pid" 5
}

@test "dnsperf on one and two virtual CPUs loses nothing" {
  statistics=$directory/dnsperf.json
  named -g -n 1 -c "$directory/named.conf" >"$directory/log" 2>&1 3>&- &
  named_pid=$!
  for _ in $(seq 50); do
    if grep -q ' running$' "$directory/log"; then break; fi
    sleep 0.1
  done
  for vcpus in 1 2 1 2; do
    rm -f "$statistics"
    (ask 1 pscope "$vcpus")
    every_query_answered
    [ "$(counter switches "$statistics")" -gt 100 ]
  done
  kill -TERM "$named_pid"
  wait_for_exit "$named_pid" 5
}

@test "named and dnsperf both with process-scope threads" {
  named_start "$directory" "$port" 1 -n 2
  statistics=$directory/dnsperf.json
  (ask 2 pscope 1)
  every_query_answered
  kill -TERM "$named_pid"
  wait_for_exit "$named_pid" 5
}
