#!/usr/bin/env bats
# scoped in every threading model, asked by dnscope load, each with process-scope threads.

load pscope_named.bash

setup() {
  directory=$BATS_TEST_TMPDIR
  port=$(free_port)
  server_pid=
}

teardown() {
  if [ -n "$server_pid" ] && kill -0 "$server_pid" 2>/dev/null; then
    kill -KILL "$server_pid"
  fi
}

# start_scoped MODEL WORKERS VCPUS
start_scoped() {
  statistics=$directory/statistics.json
  rm -f "$statistics"
  (pscope "$3" "$DNSCOPE_BUILD/bin/scoped" -g -p "$port" -n "$2" --model "$1" \
    -z "bench.example=$DNSCOPE_SOURCE/configs/zones/bench.example.zone") \
    >"$directory/log" 2>&1 3>&- &
  server_pid=$!
  for _ in $(seq 100); do
    if grep -q 'running$' "$directory/log"; then return 0; fi
    sleep 0.1
  done
  cat "$directory/log"
  return 1
}

# ask SCOPE-OPTION...: dnscope load, every query answered.
ask() {
  DNSCOPE_LIBPSCOPE=$DNSCOPE_BUILD/lib/libpscope.so "$DNSCOPE_BUILD/bin/dnscope" load -p "$port" \
    -d "$DNSCOPE_SOURCE/configs/queries/bench.example.txt" -l 1 -c 4 -T 2 -q 50 \
    --json "$directory/load.json" "$@" >"$directory/load" 2>&1
  python3 - "$directory/load.json" <<'SCRIPT'
import json, sys

run = json.load(open(sys.argv[1]))
counts = run["counts"]
assert counts["completed"] > 1000, counts
for unwanted in ("lost", "mismatched", "malformed", "refused"):
    assert counts[unwanted] == 0, counts
SCRIPT
}

stop_scoped() {
  kill -TERM "$server_pid"
  wait_for_exit "$server_pid" 5
  [ "$(counter switches "$statistics")" -gt 100 ]
}

@test "scoped on one and two virtual CPUs, three workers in every model" {
  for model in reuseport shared dispatch; do
    for vcpus in 1 2; do
      echo "model $model, $vcpus virtual CPUs"
      start_scoped "$model" 3 "$vcpus"
      ask --scope system
      stop_scoped
    done
  done
}

@test "dnscope load on one and two virtual CPUs, the server on as many" {
  for vcpus in 1 2; do
    start_scoped dispatch 2 "$vcpus"
    ask --scope process --vcpus "$vcpus"
    stop_scoped
  done
}

@test "scoped at rest uses no CPU" {
  start_scoped dispatch 2 2
  sleep 1
  before=$(awk '{print $14 + $15}' "/proc/$server_pid/stat")
  sleep 1
  after=$(awk '{print $14 + $15}' "/proc/$server_pid/stat")
  [ $((after - before)) -le 2 ] # ticks of 10 ms
  kill -TERM "$server_pid"
  wait_for_exit "$server_pid" 5
}
