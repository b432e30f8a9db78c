# dnscope sweep with real servers: what it leaves behind when all goes well, and when not.

load sweep.bash

setup() {
    sweep_setup
}

teardown() {
    ! mine
}

@test "scoped: every run is recorded, in the order of the dry run" {
    order=$("$dnscope" sweep x.yaml --dry-run | sed -n 's/^  block .: //p')
    run "$dnscope" sweep x.yaml -o out
    echo "$output"
    [ "$status" = 0 ]
    [ "$(ls out | tr '\n' ' ')" = "compare.txt environment.json experiment.yaml logs ministat plots report.html runs.csv runs.jsonl target " ]
    check_schema out
    [ "$(jq -r .setup out/runs.jsonl | tr '\n' ' ')" = "$(tr '\n' ' ' <<< "$order")" ]
    [ "$(jq -r '[.block, .position] | join(" ")' out/runs.jsonl | tr '\n' ,)" = "1 1,1 2,2 3,2 4," ]
    # The derived files are the records' rates in their order.
    for name in system-scope-1-cpu-on system-scope-1-cpu-mask; do
        jq -r "select(.setup == \"$name\").qps" out/runs.jsonl | awk '{ printf "%.6f\n", $1 }' | cmp - "out/ministat/$name.txt"
    done
    # Every query sent has one end, and the rate is what was completed in the measured time.
    jq -e '.counts | .sent > 100 and .sent == .completed + .lost + .interrupted' out/runs.jsonl
    jq -e '(.counts.completed / .run_time_s - .qps) | fabs < 0.01' out/runs.jsonl
    [[ "$output" == *$'\nsetup '*runs*median*mean*stddev*flags* ]]
    [[ "$output" == *"[4/4] block 2 "* ]]
    [[ "$output" == *"Results: $PWD/out"* ]]
    grep -qx "Report: $PWD/out/report.html" <<<"$output"
    # No terminal, no escape sequences.
    [[ "$output" != *$'\033'* && "$output" != *$'\r'* ]]
    [ "$(ls out/logs/*.target.log | wc -l)" = 4 ]
}

@test "masks are what was asked and are read back for both sides" {
    cpu=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
    run "$dnscope" sweep x.yaml -o out --set repetitions=1 --set axes.smt=on \
        --set axes.placement="{server: \"$cpu\", client: \"$cpu\"}"
    echo "$output"
    [ "$status" = 0 ]
    jq -e ".target.cpus == \"$cpu\" and .client.cpus == \"$cpu\"" out/runs.jsonl
    jq -e ".target.threads | length >= 2 and all(.allowed == \"$cpu\" and .last_cpu == $cpu)" out/runs.jsonl
    jq -e ".client.threads | length >= 1 and all(.allowed == \"$cpu\")" out/runs.jsonl
    jq -e '.flags | index("shared-core")' out/runs.jsonl
}

@test "a server that runs on other CPUs than it was given is found out" {
    [ "$(nproc)" -ge 2 ] || skip "needs two CPUs"
    read -r first second _ <<< "$(/usr/bin/python3 -c 'import os; print(*sorted(os.sched_getaffinity(0)))')"
    printf '#!/bin/sh\nexec taskset -c %s %s "$@"\n' "$second" "$DNSCOPE_BUILD/bin/scoped" > server
    chmod +x server
    run "$dnscope" sweep x.yaml -o out --set target.program=./server \
        --set axes="{scope: system, placement: {server: '$first', client: '$second'}}"
    echo "$output"
    [ "$status" = 1 ]
    [[ "$output" == *"the target's thread "*" may run on CPUs $second instead of $first in the setup system-scope-1-cpu: something moves it; 0 of 2 runs are done"* ]]
    ! mine
}

@test "named answers in a sweep, with a private configuration" {
    run "$dnscope" sweep x.yaml -o out --set target.kind=named --set axes.smt=on
    echo "$output"
    [ "$status" = 0 ]
    check_schema out
    [ "$(counted out)" = 2 ]
    version=$(named -v)
    jq -e --arg version "$version" '.target.version == $version and .target.kind == "named"' out/runs.jsonl
    jq -e '.rcodes.NOERROR > 0 and (.rcodes | has("REFUSED") | not) and .counts.lost == 0' out/runs.jsonl
    grep -q 'minimal-responses yes;' out/target/named.conf
    named-checkconf out/target/named.conf
}

@test "several runs in one start" {
    run "$dnscope" sweep x.yaml -o out --set repetitions='{starts: 2, runs_per_start: 2}' \
        --set axes.smt=on
    echo "$output"
    [ "$status" = 0 ]
    [ "$(jq -r '[.block, .run] | join(" ")' out/runs.jsonl | tr '\n' ,)" = "1 1,1 2,2 1,2 2," ]
    [ "$(jq -r .target.pid out/runs.jsonl | uniq -c | awk '{ print $1 }' | tr '\n' ,)" = "2,2," ]
    [ "$(wc -l < out/ministat/system-scope-1-cpu.txt)" = 4 ]
}

@test "the results are below ./results by default, and hold the experiment as it was run" {
    run "$dnscope" sweep x.yaml --set repetitions=1 --set axes.smt=on --set seed=77
    [ "$status" = 0 ]
    [[ "$(ls results)" =~ ^x-[0-9]{8}T[0-9]{6}Z$ ]]
    "$dnscope" sweep "results/$(ls results)/experiment.yaml" --dry-run > again
    "$dnscope" sweep x.yaml --set repetitions=1 --set axes.smt=on --set seed=77 --dry-run | cmp - again
}

@test "SIGINT: the run is marked, the target stopped; --resume does the rest" {
    # A shell starts its background processes with SIGINT ignored.
    env --default-signal=INT "$dnscope" sweep x.yaml -o out --set axes.smt=on \
        --set load.duration_s=2 > log 2>&1 &
    sweep=$!
    wait_for is_under_load
    sleep 0.3
    kill -INT "$sweep"
    status=0
    wait "$sweep" || status=$?
    cat log
    [ "$status" = 130 ]
    ! mine
    check_schema out
    jq -e '.counted == false and (.flags | index("interrupted"))' out/runs.jsonl
    [ ! -e out/ministat/system-scope-1-cpu.txt ]
    grep -q "0 of 2 runs are done, dnscope sweep --resume $PWD/out does the rest" log
    run "$dnscope" sweep --resume out
    echo "$output"
    [ "$status" = 0 ]
    [ "$(counted out)" = 2 ]
    [ "$(wc -l < out/ministat/system-scope-1-cpu.txt)" = 2 ]
    # Nothing is left to do a second time, and the environment stays that of the runs.
    cp out/environment.json kept.json
    run "$dnscope" sweep --resume out
    [ "$status" = 0 ]
    [ "$(wc -l < out/runs.jsonl)" = 3 ]
    cmp out/environment.json kept.json
    # Without the record of the environment, or with a run twice, nothing more is added.
    for damage in 'rm out/environment.json' 'echo [] > out/environment.json' \
        'tail -1 out/runs.jsonl > last; cat last >> out/runs.jsonl'; do
        cp out/runs.jsonl kept.jsonl
        sed -i '$d' out/runs.jsonl
        eval "$damage"
        cp out/runs.jsonl damaged.jsonl
        run "$dnscope" sweep --resume out
        echo "$output"
        [ "$status" = 1 ]
        [[ "$output" == *"out/environment.json: "*"make a new sweep" || "$output" == *"out/runs.jsonl:3: is a run that an earlier line has"* ]]
        cmp out/runs.jsonl damaged.jsonl
        cp kept.jsonl out/runs.jsonl
        cp kept.json out/environment.json
    done
    # Runs of another machine, or on other CPUs, are no part of the sample.
    jq '.machine.topology.usable = "0-63"' kept.json > out/environment.json
    run "$dnscope" sweep --resume out
    [ "$status" = 1 ]
    [[ "$output" == *'the usable CPUs: "0-63", now "'* ]]
    [ "$(wc -l < out/runs.jsonl)" = 3 ]
}

@test "SIGKILL of dnscope: nothing is left running, a torn line is cut, --resume goes on" {
    "$dnscope" sweep x.yaml -o out --set load.duration_s=1 --set axes.smt=on > log 2>&1 &
    sweep=$!
    wait_for test -s out/runs.jsonl
    wait_for is_under_load
    kill -KILL "$sweep"
    wait "$sweep" || true
    wait_for eval '! mine'
    [ "$(counted out)" = 1 ]
    head -c 300 out/runs.jsonl >> out/runs.jsonl.torn
    cat out/runs.jsonl.torn >> out/runs.jsonl
    run "$dnscope" sweep --resume out x.yaml --set load.duration_s=1 --set axes.smt=on
    echo "$output"
    [ "$status" = 0 ]
    [[ "$output" == *"the last 300 bytes are a record that was not finished; cut off"* ]]
    [ "$(counted out)" = 2 ]
    [ "$(wc -l < out/runs.jsonl)" = 2 ]
    run "$dnscope" sweep --resume out x.yaml --set seed=5
    [ "$status" = 1 ]
    [[ "$output" == *"is not what out/experiment.yaml began"* ]]
}

@test "a reader who goes ends it after the run, with a word of how to go on" {
    for reader in "head -1" "sh -c 'exec <&-'" "cat > /dev/full"; do
        rm -rf out
        status=0
        { "$dnscope" sweep x.yaml -o out 2> err || echo $? > status; } | eval "$reader" || true
        cat err
        [ "$(cat status)" = 1 ]
        grep -q "^dnscope: (standard output): cannot write: .*; . of 4 runs are done, dnscope sweep --resume $PWD/out does the rest$" err
        [ "$(wc -l < err)" = 1 ]
        ! mine
        [ ! -e out/runs.jsonl ] || [ "$(wc -l < out/runs.jsonl)" -lt 4 ]
    done
    run "$dnscope" sweep --resume out
    [ "$status" = 0 ]
    [ "$(counted out)" = 4 ]
}

@test "a conclusion that cannot be written is said beside another reason for the end" {
    "$dnscope" sweep x.yaml -o out --set axes.smt=on
    sed -i '$d' out/runs.jsonl
    rm out/compare.txt
    mkdir out/compare.txt
    status=0
    "$dnscope" sweep --resume out > /dev/full 2> err || status=$?
    cat err
    [ "$status" = 1 ]
    grep -q "^dnscope: $PWD/out/compare.txt: cannot write: " err
    grep -q "^dnscope: (standard output): cannot write: No space left on device; 1 of 2 runs are done" err
    [ "$(wc -l < err)" = 2 ]
}

@test "a target that dies in a run: marked, its log shown, exit status 2" {
    "$dnscope" sweep x.yaml -o out --set load.duration_s=3 --set axes.smt=on > log 2>&1 &
    sweep=$!
    wait_for is_under_load
    kill -KILL "$(target_pid scoped)"
    status=0
    wait "$sweep" || status=$?
    cat log
    [ "$status" = 2 ]
    check_schema out
    jq -e '.counted == false and (.flags | index("target-died"))' out/runs.jsonl
    grep -q "the target died in block 1 of system-scope-1-cpu: it was killed by signal 9" log
    grep -q "^scoped: .*running" log
    run "$dnscope" compare out
    [ "$status" = 0 ]
    run "$dnscope" sweep --resume out
    [ "$status" = 0 ]
    [ "$(counted out)" = 2 ]
}

@test "a target that is no program: exit status 2" {
    printf 'garbage' > server
    chmod +x server
    run "$dnscope" sweep x.yaml -o out --set target.program=./server --set axes.smt=on
    echo "$output"
    [ "$status" = 2 ]
    [[ "$output" == *"cannot execute: "* ]]
    ! mine
}

@test "a target that cannot start: its last log lines, exit status 2" {
    printf '#!/bin/sh\necho "the key is missing" >&2\nexit 3\n' > server
    chmod +x server
    run "$dnscope" sweep x.yaml -o out --set target.program=./server --set axes.smt=on
    echo "$output"
    [ "$status" = 2 ]
    [[ "$output" == *"scoped: the key is missing"* ]]
    [[ "$output" == *"the target ended before it answered a query; 0 of 2 runs are done"* ]]
    [ ! -e out/runs.jsonl ]
}

@test "a server of another zone is not taken for the target" {
    sed 's/^\$ORIGIN.*/$ORIGIN other.example./' zone > other
    cat > server <<SH
#!/bin/sh
# scoped with another zone than it was told.
while [ "\$1" != -z ]; do set -- "\$@" "\$1"; shift; done
shift 2
exec "$DNSCOPE_BUILD/bin/scoped" "\$@" -z other.example=$PWD/other
SH
    chmod +x server
    run "$dnscope" sweep x.yaml -o out --set target.program=./server --set axes.smt=on
    echo "$output"
    [ "$status" = 2 ]
    [[ "$output" == *"the server that answers is not authoritative for the zone bench.example."* ]]
}

@test "on a terminal there is a live line, colours unless NO_COLOR" {
    sweep="$dnscope sweep x.yaml --set load.duration_s=1 --set repetitions=1 --set axes.smt=on"
    TERM=xterm script -qec "$sweep -o one" /dev/null > log
    grep -qF $'\r\033[K[1/1] system-scope-1-cpu: measuring' log
    grep -qF 'ETA ' log
    NO_COLOR=1 TERM=xterm script -qec "$sweep -o two" /dev/null > log
    ! grep -qF $'\033[3' log
}
