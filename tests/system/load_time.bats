#!/usr/bin/env bats
# dnscope load: what takes its time: timeouts, windows, servers that are gone, busy CPUs.

bats_require_minimum_version 1.5.0

setup() {
    # shellcheck source=tests/system/load.bash
    source "$BATS_TEST_DIRNAME/load.bash"
    load_setup
}

teardown() {
    load_teardown
}

@test "replies after the timeout are late, and their queries lost" {
    start_server
    queries "delay10 A"
    load -t 0.001 -l 0.3 -q 10
    [ "$status" -eq 0 ]
    count completed 0
    count duplicate 0
    count unexpected 0
    all_accounted
    [ "$(result '.counts.late > 50 and .counts.late <= .counts.lost')" = true ]
    [[ "$output" != *nan* ]]
    jq -e . result.json >/dev/null
}

@test "latency is what the server's delay makes it" {
    start_server
    queries "delay20 A"
    load -n 20 -q 1
    echo "p50 $(result .latency_us.p50)"
    [ "$(result '.latency_us | .min >= 20000 and .p50 < 26000 and .max >= .p50')" = true ]
}

@test "a closed port ends the run soon, with the reason" {
    closed_port
    queries "ok A" "ok AAAA"
    load -l 30
    [ "$status" -eq 2 ]
    [[ "$stderr" == *'ICMP says "Connection refused"; is a server listening on 127.0.0.1 port'* ]]
    [ "$(result '.counts | .refused > 0 and .refused == .lost and .completed == 0')" = true ]
    [ "$(result '.run_time_s < 3')" = true ]
    [[ "$output" == *"Testing complete (refused by the server)"* ]]
    all_accounted
}

@test "the window is what -q says, over all clients and threads" {
    start_server
    queries "drop A"
    load -q 7 -c 3 -T 2 -l 0.2 -t 0.5
    count sent 7
    count lost 7
    load -q 3 -c 5 -l 0.2 -t 0.5
    count sent 3
}

@test "waiting for lost queries costs no CPU time" {
    start_server
    queries "drop A"
    load -l 0.1 -t 1
    [ "$(result '.client | .user_s + .system_s < 0.1')" = true ]
    [ "$(result '.run_time_s < 0.5')" = true ]
}

@test "a server that is gone for a while is met again without a burst" {
    start_server
    queries "ok A"
    background "$dnscope" load -p "$port" -d queries.txt -q 10 -t 0.2 -l 1.5 -S 0.1 --json result.json
    sleep 0.4
    kill "$server_pid"
    sleep 0.4
    "$DNSCOPE_BUILD/tests/bad_server" "$port" >/dev/null 2>&1 3>&- &
    server_pid=$!
    wait "$load_pid"
    cat output
    all_accounted
    [ "$(result '.counts | .refused > 0 and .refused <= .lost')" = true ]
    # While it was gone, 10 queries every 10 ms at most; and it is found again.
    [ "$(result '.counts.lost < 1000 and .intervals[-1].completed > 0')" = true ]
    [ "$(result '.flags | index("refused") != null')" = true ]
}

@test "a busy CPU is told" {
    start_server
    queries "ok A"
    cpu=$(taskset -cp $$ | sed 's/.*[:,-] *//')
    timeout 9 taskset -c "$cpu" sh -c 'while :; do :; done' 3>&- &
    spinner=$!
    # Where others keep the server from its CPU for almost the whole second, nothing is measured.
    for _ in 1 2 3; do
        run -0 taskset -c "$cpu" "$dnscope" load -p "$port" -d queries.txt -l 1 --json result.json
        result '[.run_time_s, .counts, .flags, .client.threads[0]] | tojson'
        [ "$(result '.run_time_s >= 0.1')" = true ] && break
    done
    kill "$spinner"
    [ "$(result '.flags | index("cpu-contended") != null')" = true ]
}

@test "many clients and threads run; a limit that is hit is told" {
    start_server
    queries "ok A"
    load -T 10 -c 1500 -l 0.2
    [ "$status" -eq 0 ]
    [ "$(result '.counts.completed > 100 and .counts.completed == .counts.sent')" = true ]
    fails_with "cannot open a client socket (-c; ulimit -n is the limit): Too many open files" \
        bash -c "ulimit -n 40 && exec '$dnscope' load -d queries.txt -c 100"
}

@test "replies that overflow the tool's own buffers are told" {
    start_server
    queries "ok A"
    load -n 150 -q 150 -b 2 -t 0.3
    [ "$(result '.client.socket_drops > 0 and .client.socket_drops <= .counts.lost')" = true ]
    [ "$(result '.flags | index("client-drops") != null')" = true ]
    [ "$(result '.outstanding_mean < 150')" = true ]
    [[ "$output" == *"Dropped by client:"* ]]
}
