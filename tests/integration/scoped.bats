#!/usr/bin/env bats
# scoped answers like named, in every threading model, for every name and type of the zones.

load scoped.bash

setup() {
  # Not bats' own folder: named's user must be able to enter it, and to write there.
  directory=$(mktemp -d /tmp/scoped-test.XXXXXX)
  chmod 777 "$directory"
  pids=()
  launcher=()
}

teardown() {
  if [ "${#pids[@]}" -gt 0 ]; then
    kill "${pids[@]}" 2>/dev/null || true
    wait
  fi
  rm -rf "$directory"
}

# compare LIMIT ORIGIN=FILE...: starts named and one scoped a model, and compares for each zone.
# What `launcher` holds stands before scoped's name.
compare() {
  local limit=$1 reference port model zone arguments=() ports=()
  shift
  for zone in "$@"; do
    cp "$DNSCOPE_SOURCE/${zone#*=}" "$directory/"
    chmod 644 "$directory/${zone##*/}"
    arguments+=("${zone%%=*}=$directory/${zone##*/}")
  done
  reference=$(free_port)
  start_named "$directory" "$reference" "${arguments[@]}"
  pids+=("$named_pid")
  for model in reuseport shared dispatch; do
    port=$(free_port)
    start_scoped "$directory/$model.log" -n 2 -p "$port" --model "$model" "${arguments[@]/#/-z}"
    pids+=("$scoped_pid")
    ports+=("$port")
  done
  for zone in "${arguments[@]}"; do
    named-compilezone -q -i none -k ignore -o "$directory/plain" "${zone%%=*}" "${zone#*=}"
    run "$DNSCOPE_BUILD/tests/compare_answers" -n "$limit" "${zone%%=*}" "$directory/plain" \
      "$reference" "${ports[@]}"
    echo "$output" | tail -n 60
    [ "$status" -eq 0 ]
  done
  stop "${pids[@]}"
  pids=()
}

@test "the fixture zones: aliases, wildcards, delegations, DNAME, truncation, odd names" {
  compare 1000000 fixture.test=tests/integration/scoped/fixture.test.zone \
    child.fixture.test=tests/integration/scoped/child.fixture.test.zone
}

@test "the bench zone" {
  compare 60000 bench.example=configs/zones/bench.example.zone
}

@test "the fixture zones with process-scope threads, all workers on one virtual CPU" {
  [ -e "$DNSCOPE_BUILD/lib/libpscope.so" ] || skip "libpscope is not in this build"
  if is_sanitized asan || is_sanitized tsan; then
    skip "libpscope and sanitizers do not go together"
  fi
  launcher=(env LD_PRELOAD="$DNSCOPE_BUILD/lib/libpscope.so" LIBPTHREAD_PROCESS_SCOPE=1
    LIBPTHREAD_VIRTUAL_CPU=1)
  compare 20000 fixture.test=tests/integration/scoped/fixture.test.zone
}

@test "the root zone, where the apex has no label" {
  compare 1000000 .=tests/integration/scoped/root.zone
}

@test "damaged queries are judged as named judges them" {
  local port reference zone=$directory/fixture.test.zone
  cp "$DNSCOPE_SOURCE/tests/integration/scoped/fixture.test.zone" "$directory/"
  chmod 644 "$zone"
  reference=$(free_port)
  start_named "$directory" "$reference" "fixture.test=$zone"
  pids+=("$named_pid")
  port=$(free_port)
  start_scoped "$directory/log" -n 1 -p "$port" -z "fixture.test=$zone"
  pids+=("$scoped_pid")
  "$DNSCOPE_BUILD/tests/compare_messages" www.fixture.test "$reference" "$port"
  stop "${pids[@]}"
  pids=()
}
