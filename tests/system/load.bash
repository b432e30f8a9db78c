# What the tests of dnscope load share: a server that misbehaves on order (bad_server.c), a run, and
# questions to its JSON result.

load_setup() {
    cd "$BATS_TEST_TMPDIR"
    dnscope="$DNSCOPE_BUILD/bin/dnscope"
    unset LIBPTHREAD_PROCESS_SCOPE LIBPTHREAD_SYSTEM_SCOPE LIBPTHREAD_VIRTUAL_CPU LD_PRELOAD
    server_pid=
}

load_teardown() {
    [ -z "$server_pid" ] || kill "$server_pid"
}

start_server() { # sets $port
    "$DNSCOPE_BUILD/tests/bad_server" >port 2>/dev/null 3>&- &
    server_pid=$!
    until [ -s port ]; do sleep 0.01; done
    port=$(cat port)
}

closed_port() { # a port where nobody listens: one that was free a moment ago
    start_server
    kill "$server_pid"
    wait "$server_pid" || true
    server_pid=
}

queries() { # LINE...
    printf '%s\n' "$@" >queries.txt
}

# A shell's background jobs ignore SIGINT, and what ignores it from the start keeps doing so.
background() { # COMMAND...: sets $load_pid; both outputs to the file output
    : >output # now, lest somebody looks at an earlier one
    env --default-signal=INT "$@" >>output 2>&1 3>&- &
    load_pid=$!
}

load() { # OPTION...: runs it on queries.txt, JSON in result.json
    run --separate-stderr "$dnscope" load -p "$port" -d queries.txt --json result.json "$@"
    echo "status $status"
    echo "$output"
    echo "$stderr"
}

result() { # JQ-PATH
    jq -r "$1" result.json
}

count() { # NAME EXPECTED
    local found
    found=$(result ".counts.$1")
    echo "$1: $found, expected $2"
    [ "$found" = "$2" ]
}

all_accounted() { # sent = completed + lost + interrupted
    [ "$(result '.counts | .sent == .completed + .lost + .interrupted')" = true ]
}

fails_with() { # TEXT COMMAND...: status 1, one line on standard error that has the text, no run
    local text=$1
    shift
    run -1 --separate-stderr "$@" </dev/null
    echo "$output"
    echo "$stderr"
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ "$stderr" == "dnscope: "*"$text"* ]]
}
