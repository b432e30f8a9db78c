#!/usr/bin/env bats
# dnscope load: its command line, input and output, against a server that misbehaves on order.

bats_require_minimum_version 1.5.0

setup() {
    # shellcheck source=tests/system/signal.bash
    source "$BATS_TEST_DIRNAME/signal.bash"
    # shellcheck source=tests/system/load.bash
    source "$BATS_TEST_DIRNAME/load.bash"
    load_setup
}

teardown() {
    load_teardown
}

@test "help and version" {
    run -0 "$dnscope" load --help
    [[ "$output" == "Usage: dnscope load"* ]]
    run -0 "$dnscope" load -h
    [[ "$output" == "Usage: dnscope load"* ]]
    run -0 "$dnscope" load --version
    [[ "$output" == "dnscope "[0-9]* ]]
}

@test "a wrong command line is one line that says what would be right" {
    fails_with "load: wrong option -Z;" "$dnscope" load -Z
    fails_with "load: wrong option --bogus;" "$dnscope" load --bogus
    fails_with "load: a value is missing after -c;" "$dnscope" load -c
    fails_with "load: a value is missing after --json;" "$dnscope" load --json
    fails_with "-c 0: a number from 1" "$dnscope" load -c 0
    fails_with "-p 65536: a number from 1 to 65535" "$dnscope" load -p 65536
    fails_with "-t 0: seconds from 0.000001 to 3153600000 are right" "$dnscope" load -t 0
    fails_with "-l x: seconds from 0.000001 to 3153600000 are right" "$dnscope" load -l x
    fails_with "-f ipv4: inet, inet6 or any" "$dnscope" load -f ipv4
    fails_with "-m tcp: udp" "$dnscope" load -m tcp
    fails_with "-E 3: CODE:HEX" "$dnscope" load -E 3
    fails_with "-E 3:abc: pairs" "$dnscope" load -E 3:abc
    fails_with "-q 65537 -c 1: a client has 65536" "$dnscope" load -q 65537
    fails_with "-x 65535 -c 2: the last" "$dnscope" load -x 65535 -c 2
    fails_with 'unexpected argument "queries"' "$dnscope" load queries
    fails_with 'no IPv4 address for "::1"' "$dnscope" load -s ::1 -f inet -d <(echo a A)
    fails_with 'no IPv4 address for "::1"' "$dnscope" load -a ::1 -d <(echo a A)
    fails_with 'no address for "no such host"' "$dnscope" load -s "no such host" -d <(echo a A)
}

@test "a malformed query file is one line with file and line, and nothing is sent" {
    queries "ok A" "ok" "ok A"
    fails_with "queries.txt:2: no type" "$dnscope" load -d queries.txt
    queries "ok A" "" "ok AAA"
    fails_with 'queries.txt:3: unknown type "AAA"' "$dnscope" load -d queries.txt
    queries "; only" "; comments"
    fails_with "queries.txt: no valid query" "$dnscope" load -d queries.txt
    fails_with "missing.txt: cannot open: No such file" "$dnscope" load -d missing.txt
    fails_with "(standard input): no valid query" "$dnscope" load
    queries "google.com" "idnes.cz"
    run -1 "$dnscope" load -d queries.txt --skip-invalid
    [ "${#lines[@]}" -eq 3 ]
    [[ "${lines[2]}" == "dnscope: queries.txt: no valid query"* ]]
}

@test "invalid lines are skipped and counted on demand" {
    start_server
    queries "ok A" "ok" "a..b A" "ok MX"
    load --skip-invalid
    [ "$status" -eq 0 ]
    count completed 2
    [[ "$stderr" == *"queries.txt:2: no type"*"queries.txt:3: name"*"skipped 2 invalid, kept 2 valid lines"* ]]
    load --skip-invalid -W
    [ -z "$stderr" ]
    [[ "$output" == *"skipped 2 invalid"* ]]
}

@test "standard input, CRLF, and a last line without newline" {
    start_server
    run -0 --separate-stderr "$dnscope" load -p "$port" --json result.json < <(printf 'ok A\r\n;c\r\n\r\nok2 AAAA')
    count completed 2
    [ -z "$stderr" ]
}

@test "every reply is checked, and what is wrong is counted apart" {
    start_server
    queries "ok1 A" "ok2 A" "upper.Ab AAAA" "tc A" "rcode3 A" "rcode5 A" "twice A" "badid A" \
        "badname A" "badtype A" "query A" "short0 A" "short1 A" "short2 A" "short3 A" "short11 A" \
        "short14 A" "drop A" "swap A"
    load -t 0.3
    [ "$status" -eq 0 ]
    count sent 19
    count completed 8
    count lost 11
    count truncated 1
    count duplicate 1
    count unexpected 1
    count mismatched 3
    count malformed 7
    count late 0
    all_accounted
    [ "$(result '.rcodes | tojson')" = '{"NOERROR":6,"NXDOMAIN":1,"REFUSED":1}' ]
    [ "$(result '.flags | index("wrong-replies") != null')" = true ]
    [[ "$output" == *"Queries lost:         11 (57.89%)"* ]]
    [[ "$output" == *"Malformed replies:    7"* ]]
}

@test "runs through the file are exact over all threads" {
    start_server
    queries "ok1 A" "ok2 A" "ok3 A" "rcode3 A" "ok5 A"
    load -n 7 -T 3 -c 4
    count sent 35
    count completed 35
    [ "$(result .rcodes.NXDOMAIN)" = 7 ]
    [[ "$output" == *"Testing complete (end of file)"* ]]
    load -n 1000000 -l 0.2
    [[ "$output" == *"Stopping after 0.200000 seconds or 1000000 runs through file"* ]]
    [[ "$output" == *"Testing complete (time limit)"* ]]
    [ "$(result '.run_time_s >= 0.2 and .run_time_s < 0.4')" = true ]
}

@test "clients are sockets: exactly as many as -c says" {
    start_server
    queries "ok A"
    background "$dnscope" load -p "$port" -d queries.txt -T 6 -c 24 -l 30
    until [ "$(grep -c '^' output)" -ge 7 ]; do sleep 0.01; done
    sockets=$(find "/proc/$load_pid/fd" -lname 'socket:*' | wc -l)
    threads=$(grep -l '^load-' /proc/"$load_pid"/task/*/comm | wc -l)
    kill -INT "$load_pid"
    wait "$load_pid"
    echo "sockets $sockets threads $threads"
    [ "$sockets" -eq 24 ]
    [ "$threads" -eq 6 ]
}

@test "SIGINT and SIGTERM end the run with statistics" {
    start_server
    queries "ok A" "drop A"
    for signal in INT TERM; do
        background "$dnscope" load -p "$port" -d queries.txt -l 30 -v --json result.json
        until grep -q NOERROR output; do sleep 0.01; done
        kill -"$signal" "$load_pid"
        wait "$load_pid"
        grep -q '^\[Status\] Testing complete (interruption)$' output
        grep -qE '^  Queries interrupted:  [1-9]' output
        grep -q '^> I drop A$' output
        [ "$(result .interrupted)" = true ]
        all_accounted
    done
}

@test "interrupted before anything was measured is 130" {
    start_server
    queries "ok A"
    background "$dnscope" load -p "$port" -d queries.txt -l 30 --warmup 30
    until grep -q Stopping output; do sleep 0.01; done
    kill -INT "$load_pid"
    wait "$load_pid" && ended=0 || ended=$?
    echo "ended with $ended"
    [ "$ended" -eq 130 ]
}

@test "-v prints dnsperf's line for every query" {
    start_server
    queries "ok.x A rest" "rcode3	AAAA" "rcode11 A" "drop A"
    load -v -t 0.2
    grep -qE '^> NOERROR ok\.x A rest 0\.[0-9]{6}$' <<<"$output"
    grep -qE '^> NXDOMAIN rcode3	AAAA 0\.[0-9]{6}$' <<<"$output"
    grep -qE '^> rcode11 rcode11 A 0\.[0-9]{6}$' <<<"$output"
    grep -qE '^> T drop A$' <<<"$output"
}

@test "the warm-up is counted apart and shown as omitted" {
    start_server
    queries "ok A"
    load --warmup 0.3 -l 0.5 -S 0.25
    # A busy machine may look late and so make fewer intervals.
    [ "$(result '.intervals | map(.omitted) | .[0] and (last | not) and . == (sort | reverse)')" = true ]
    [ "$(result '[.intervals[] | select(.omitted | not) | .sent] | add')" = "$(result .counts.sent)" ]
    [ "$(result '[.intervals[] | select(.omitted | not) | .completed] | add')" = "$(result .counts.completed)" ]
    grep -qE '^\[  0\] .* qps \(omitted\)$' <<<"$output"
    grep -qE '^[0-9]{10}\.[0-9]{6}: [0-9]+\.[0-9]{6}$' <<<"$output"
    [[ "$output" == *"Warm-up (omitted):    sent "* ]]
    all_accounted
    # None of the run time is the warm-up's: the intervals, which begin with it, end later.
    [ "$(result '.run_time_s >= 0.5 and .intervals[-1].end_s - .run_time_s > 0.2')" = true ]
}

@test "intervals of several threads have a sum" {
    start_server
    queries "ok A"
    load -T 2 -c 2 -l 0.4 -S 0.2
    sums=$(grep -c '^\[SUM\]' <<<"$output")
    [ "$sums" -ge 1 ]
    [ "$(grep -c '^\[  1\]' <<<"$output")" -eq "$sums" ]
}

@test "fewer threads than asked for is told" {
    start_server
    queries "ok A"
    load -T 8
    [[ "$stderr" == *"-T 8: only 1 thread runs"* ]]
    [ "$(result .threads)" = 1 ]
}

@test "JSON on standard output is alone there" {
    start_server
    queries "ok A"
    run -0 --separate-stderr "$dnscope" load -p "$port" -d queries.txt --json -
    jq -e '.counts.completed == 1' <<<"$output"
    [[ "$stderr" == *"Statistics:"* ]]
}

@test "whatever is JSON on standard output, text is not beside it" {
    start_server
    queries "ok A" "bad" "drop A"
    for path in - /dev/stdout /dev/fd/1; do
        run -0 --separate-stderr "$dnscope" load -p "$port" -d queries.txt --json "$path" \
            -v -W -S 0.05 -t 0.2 --skip-invalid -T 3
        echo "$path: $output"
        jq -e '.counts.completed == 1' <<<"$output"
        [[ "$stderr" == *"skipped 1 invalid"*"> NOERROR ok A"*"> T drop A"*"Statistics:"* ]]
    done
}

@test "JSON goes wherever a shell could write, and leaves there what was there" {
    start_server
    queries "ok A"
    mkfifo fifo
    jq -r .counts.completed fifo >out 3>&- &
    load --json fifo
    [ "$status" -eq 0 ]
    wait $!
    [ "$(cat out)" = 1 ]
    [ -p fifo ]
    run -0 "$dnscope" load -p "$port" -d queries.txt --json >(jq -r .counts.completed >out2)
    until [ -s out2 ]; do sleep 0.01; done
    touch target.json target.json.tmp
    chmod 604 target.json
    ln -s target.json link.json
    load --json link.json
    [ "$(jq .counts.completed target.json)" = 1 ]
    [ -L link.json ]
    [ "$(stat -c %a target.json)" = 604 ]
    [ ! -s target.json.tmp ]
}

@test "JSON that cannot be written is told before anything is sent" {
    start_server
    queries "ok A"
    fails_with "/nonexistent/r.json: cannot write" \
        "$dnscope" load -p "$port" -d queries.txt --json /nonexistent/r.json
    fails_with "--json: a file name is missing" "$dnscope" load --json=
    fails_with "-d: a file name is missing" "$dnscope" load -d ""
    # A failed run leaves no empty file.
    fails_with "missing.txt: cannot open" "$dnscope" load -d missing.txt --json new.json
    [ ! -e new.json ]
}

@test "a signal before the run is 130 and a line, wherever the tool waits" {
    mkfifo never
    for signal in INT TERM HUP; do
        background "$dnscope" load -d never
        until_handling "$load_pid"
        kill -"$signal" "$load_pid"
        wait "$load_pid" && ended=0 || ended=$?
        echo "$signal: $ended $(cat output)"
        [ "$ended" -eq 130 ]
        [ "$(cat output)" = "dnscope: interrupted" ]
        background "$dnscope" load --json never
        until_handling "$load_pid"
        kill -"$signal" "$load_pid"
        wait "$load_pid" && ended=0 || ended=$?
        [ "$ended" -eq 130 ]
    done
}

@test "statistics that cannot be written are an error" {
    start_server
    queries "ok A"
    run -1 bash -c "'$dnscope' load -p '$port' -d queries.txt >/dev/full"
    [[ "$output" == "dnscope: cannot write the statistics" ]]
}

@test "the result follows its schema" {
    start_server
    queries "ok A" "rcode3 A" "drop A"
    load -t 0.1 -l 0.3 --warmup 0.1 -T 2 -c 2
    /usr/bin/python3 -W ignore -m jsonschema -i result.json "$DNSCOPE_SOURCE/docs/schema/load.schema.json"
}

@test "source address and ports are as asked for" {
    start_server
    queries "ok A"
    background "$dnscope" load -p "$port" -d queries.txt -a 127.0.0.9 -x 21990 -c 3 -T 2 -l 30
    until grep -q Stopping output; do sleep 0.01; done
    # 127.0.0.9 and 21990 to 21992, as /proc writes them.
    found=$(grep -cE ' 0900007F:55E[678] ' /proc/net/udp || true)
    kill -INT "$load_pid"
    wait "$load_pid"
    [ "$found" -eq 3 ]
    fails_with "cannot send from 192.0.2.1 port 0" "$dnscope" load -p "$port" -d queries.txt -a 192.0.2.1
}

@test "the tool's own threads are of the scope asked for" {
    start_server
    queries "ok A"
    load --scope system -n 3
    [ "$(result .scope)" = system ]
    fails_with "--vcpus 2: virtual CPUs belong to --scope process" "$dnscope" load --vcpus 2
    grep -q '^DNSCOPE_SANITIZERS:STRING=$' "$DNSCOPE_BUILD/CMakeCache.txt" ||
        skip "libpscope is not loaded into programs of a sanitizer build"
    load --scope process --vcpus 1 -T 2 -c 2 -l 0.3 --warmup 0.1
    [ "$status" -eq 0 ]
    [ "$(result '[.scope, .vcpus] | tojson')" = '["process",1]' ]
    [ "$(result '.counts | .completed > 0 and .lost == 0')" = true ]
    [[ "$output" == *"Command line: dnscope load -p $port"*"--scope process --vcpus 1"* ]]
    DNSCOPE_LOAD_IN_SCOPE=1 load --scope process --vcpus 2
    [ "$(result '[.scope, .vcpus] | tojson')" = '["process",2]' ]
    # Not told how many: as many as there are.
    load --scope process
    [ "$(result .vcpus)" = "$(nproc)" ]
    # Words in the environment are no library.
    LD_PRELOAD=/nonexistent/libpscope.so LIBPTHREAD_PROCESS_SCOPE=1 LIBPTHREAD_VIRTUAL_CPU=2 load
    [ "$(result '[.scope, .vcpus] | tojson')" = '["system",0]' ]
}
