# dnscope sweep before anything runs: dry runs, and everything that must be refused.

setup() {
    # shellcheck source=tests/system/signal.bash
    source "$BATS_TEST_DIRNAME/signal.bash"
    dnscope="$DNSCOPE_BUILD/bin/dnscope"
    source_2004="$DNSCOPE_SOURCE/configs/experiments/scope-2004.yaml"
    cd "$BATS_TEST_TMPDIR"
    # A dry run needs the library's place, and any ELF file; and a machine that is always the same.
    ln -s "$dnscope" libpscope.so
    export DNSCOPE_LIBPSCOPE="$PWD/libpscope.so"
    export HWLOC_SYNTHETIC="pack:2 core:4 pu:2"
    cat > x.yaml <<'YAML'
name: x
target:
  kind: scoped
workload:
  zone: zone
  queries: queries
YAML
    printf '%s\n' '$ORIGIN example.' '$TTL 60' '@ SOA ns host 1 3600 900 86400 60' '@ NS ns' \
        'ns A 192.0.2.1' > zone
    printf 'ns.example A\nexample MX\n' > queries
}

# fails STATUS COMMAND...: one line on standard error, nothing started, no results left.
fails() {
    local expected=$1 status=0
    shift
    "$@" > out 2> err || status=$?
    cat err
    [ "$status" = "$expected" ] && [ "$(wc -l < err)" = 1 ] && [ ! -e results ] && [ ! -e new ]
}

@test "a byte-order mark in front of an experiment changes nothing" {
    printf '\357\273\277' | cat - x.yaml > marked.yaml
    "$dnscope" sweep marked.yaml --dry-run | cmp - <("$dnscope" sweep x.yaml --dry-run)
}

@test "a dry run shows setups, CPUs, processes and order, and starts nothing" {
    run "$dnscope" sweep "$source_2004" --dry-run
    [ "$status" = 0 ]
    [[ "${lines[1]}" == "before the first run, for the version: $DNSCOPE_BUILD/bin/scoped -v" ]]
    # Each setup's files have the names of its first start.
    [[ "$output" == *"LIBPTHREAD_STATS=DIR/logs/001-process-scope-2-cpu.pscope.json "*">>DIR/logs/001-process-scope-2-cpu.target.log "* ]]
    [[ "$output" == *"--json DIR/logs/001-system-scope-1-cpu.load.json "*">>DIR/logs/001-system-scope-1-cpu.load.log "* ]]
    [[ "${lines[0]}" == "scope-2004: 4 setups x 5 starts = 20 runs of 6 s on scoped, randomized-blocks, seed 1; about 2 min"* ]]
    for name in process-scope-1-cpu system-scope-1-cpu process-scope-2-cpu system-scope-2-cpu; do
        [[ "$output" == *$'\n'"$name"$'\n'* ]]
    done
    [[ "$output" == *"LD_PRELOAD=$DNSCOPE_LIBPSCOPE:libc.so.6 LIBPTHREAD_PROCESS_SCOPE=1 LIBPTHREAD_VIRTUAL_CPU=2 "* ]]
    [[ "$output" == *"/scoped -g -p PORT -n 2 --model dispatch -z bench.example.=$DNSCOPE_SOURCE/configs/zones/bench.example.zone"* ]]
    [[ "$output" == *"/dnscope load -s 127.0.0.1 -p PORT -d $DNSCOPE_SOURCE/configs/queries/bench.example.txt -T 1 -c 4 -q 100 -t 5 --warmup 1 -l 5 "* ]]
    [ "$(grep -c '^  block' <<< "$output")" = 5 ]
    [ ! -e results ]
}

@test "a dry run whose plan cannot be written fails, with the reason" {
    run -1 bash -c '"$0" sweep x.yaml --dry-run > /dev/full' "$dnscope"
    [ "$output" = "dnscope: (standard output): cannot write: No space left on device" ]
}

@test "the order follows the seed alone" {
    order() { "$dnscope" sweep "$source_2004" --dry-run "$@" | sed -n '/^Order/,$p'; }
    [ "$(order)" = "$(order --set target.kind=named)" ]
    [ "$(order --set seed=2)" != "$(order)" ]
    # Worked out by hand from splitmix64 and Fisher-Yates: see test_plan.c.
    [ "$(order | sed -n 2p)" = "  block 1: process-scope-2-cpu process-scope-1-cpu system-scope-2-cpu system-scope-1-cpu" ]
    [ "$(order --set order=sequential | sed -n 2p)" = "  process-scope-1-cpu process-scope-1-cpu process-scope-1-cpu process-scope-1-cpu" ]
}

@test "each setup has its CPUs: two sockets of four cores of two threads" {
    # In such a machine hwloc numbers the CPUs 0-7 in socket 0, siblings 0-1, 2-3 ...
    run "$dnscope" sweep x.yaml --dry-run --set axes='{scope: system, smt: [on, mask], placement: [same-socket, split-sockets]}'
    [ "$status" = 0 ]
    cpus() { grep -A1 "^$1\$" <<< "$output" | tail -1; }
    [ "$(cpus system-scope-1-cpu-on-same-socket)" = "  server on CPUs 0-5, load on CPUs 6-7" ]
    [ "$(cpus system-scope-1-cpu-mask-same-socket)" = "  server on CPUs 0,2,4, load on CPUs 6" ]
    [[ "$(cpus system-scope-1-cpu-mask-split-sockets)" == "  server on CPUs 0,2,4,6, load on CPUs "* ]]
}

@test "--set changes kind, lists and numbers" {
    run "$dnscope" sweep "$source_2004" --dry-run --set target.kind=named --set axes.vcpus='[1]' \
        --set axes.scope=system --set target.workers=3 --set target.port=5399
    [ "$status" = 0 ]
    [[ "$output" == *"/named -g -n 3 -c DIR/target/named.conf"* ]]
    [[ "$output" == *" -p 5399 "* ]]
    [[ "$output" == *$'\nDIR/target/named.conf:\noptions {'*"listen-on port 5399 { 127.0.0.1; };"* ]]
    [[ "$output" != *process-scope* ]]
}

@test "--set below a value without keys shows how the whole is set" {
    echo 'axes: {placement: [any]}' >> x.yaml
    echo 'repetitions: 5' >> x.yaml
    run fails 1 "$dnscope" sweep x.yaml -o new --set repetitions.starts=3
    [ "$status" = 0 ]
    [[ "$output" == *"\"repetitions\" is a single value here"*"with --set repetitions=VALUE, "* ]]
    run fails 1 "$dnscope" sweep x.yaml -o new --set axes.placement.server=0
    [ "$status" = 0 ]
    [[ "$output" == *"\"placement\" is a list here"*"with --set axes.placement=VALUE, "* ]]
}

@test "--set of nothing is an empty value, told what would be right" {
    for empty in '' ' ' '""'; do
        run fails 1 "$dnscope" sweep x.yaml -o new --set name="$empty"
        [ "$status" = 0 ]
        [[ "$output" == *': "name" must be 1 to '*' letters, digits, '* ]]
        run fails 1 "$dnscope" sweep x.yaml -o new --set target.kind="$empty"
        [ "$status" = 0 ]
        [[ "$output" == *': "kind" must be scoped or named, not ""' ]]
        run fails 1 "$dnscope" sweep x.yaml -o new --set seed="$empty"
        [ "$status" = 0 ]
        [[ "$output" == *': "seed" must be '* ]]
    done
}

@test "an unknown key names its place and the nearest key" {
    echo 'repetition: 5' >> x.yaml
    run fails 1 "$dnscope" sweep x.yaml -o new
    [ "$status" = 0 ]
    [ "$output" = 'dnscope: x.yaml:7: unknown key "repetition"; did you mean "repetitions"?' ]
}

@test "wrong values name their place and what would be right" {
    echo 'load: {duration_s: fast}' >> x.yaml
    run fails 1 "$dnscope" sweep x.yaml -o new
    [ "$status" = 0 ]
    [ "$output" = 'dnscope: x.yaml:7: "duration_s" must be a number from 0.01 to 86400, not "fast"' ]
    run fails 1 "$dnscope" sweep x.yaml -o new --set load.duration_s=-1
    [ "$status" = 0 ]
    [[ "$output" == 'dnscope: --set load.duration_s=-1: "duration_s" must be '* ]]
    run fails 1 "$dnscope" sweep x.yaml --set load='{}' --set target.kind=unbound
    [ "$status" = 0 ]
    [ "$output" = 'dnscope: --set target.kind=unbound: "kind" must be scoped or named, not "unbound"' ]
    printf 'name: [x\n' > bad.yaml
    run fails 1 "$dnscope" sweep bad.yaml
    [ "$status" = 0 ]
    [[ "$output" == "dnscope: bad.yaml:2: not YAML: "* ]]
}

@test "a setup that the machine cannot make is said before the first run" {
    run fails 1 "$dnscope" sweep x.yaml -o new --set axes.scope=system --set axes.vcpus='[1, 99]'
    [ "$status" = 0 ]
    [[ "$output" == "dnscope: --set axes.vcpus=[1, 99]: this machine cannot make the setup system-scope-99-cpu: "* ]]
    echo 'axes: {scope: system, vcpus: 99}' > axes
    cat x.yaml axes > large.yaml
    run fails 1 "$dnscope" sweep large.yaml -o new
    [ "$status" = 0 ]
    [[ "$output" == "dnscope: large.yaml:7: this machine cannot make the setup system-scope-99-cpu: "* ]]
    run fails 1 "$dnscope" sweep x.yaml -o new --set axes.smt=offline
    [ "$status" = 0 ]
    [[ "$output" == "dnscope: --set axes.smt=offline: "*root*"smt: mask"* ]]
    run fails 1 "$dnscope" sweep x.yaml -o new --set axes.placement=socket-off
    [ "$status" = 0 ]
    [[ "$output" == "dnscope: --set axes.placement=socket-off: "*root*same-socket* ]]
    run fails 1 "$dnscope" sweep x.yaml -o new --set axes.placement='{server: "0", client: "400"}'
    [ "$status" = 0 ]
    [[ "$output" == "dnscope: --set axes.placement={"*"CPU 400"* ]]
    run fails 1 "$dnscope" sweep x.yaml -o new
    [ "$status" = 0 ]
    [[ "$output" == *"another machine"* ]]
    run fails 1 env DNSCOPE_LIBPSCOPE=/nonexistent/lib.so "$dnscope" sweep x.yaml -o new
    [ "$status" = 0 ]
    [[ "$output" == "dnscope: the setup process-scope-1-cpu cannot be made: /nonexistent/lib.so: cannot read it: "* ]]
}

@test "missing and malformed input is said with its place before the first run" {
    run fails 1 "$dnscope" sweep nowhere.yaml
    [ "$status" = 0 ]
    [ "$output" = "dnscope: nowhere.yaml: cannot open: No such file or directory" ]
    # Files that are not there: in the experiment by its line, on the command line by the option.
    for key in zone queries; do
        run fails 1 "$dnscope" sweep x.yaml -o new --set workload.$key=nowhere
        [ "$status" = 0 ]
        [ "$output" = "dnscope: --set workload.$key=nowhere: $PWD/nowhere: cannot open: No such file or directory" ]
        sed "s/$key: $key/$key: nowhere/" x.yaml > other.yaml
        run fails 1 "$dnscope" sweep other.yaml -o new
        [ "$status" = 0 ]
        [[ "$output" =~ ^"dnscope: other.yaml:"[56]": $PWD/nowhere: cannot open: No such file or directory"$ ]]
    done
    run fails 1 "$dnscope" sweep x.yaml -o new --set target.program=/nonexistent/scoped
    [ "$status" = 0 ]
    [[ "$output" == "dnscope: --set target.program=/nonexistent/scoped: /nonexistent/scoped: "* ]]
    printf 'ns.example A\nns.example AAA\n' > queries
    run fails 1 "$dnscope" sweep x.yaml -o new
    [ "$status" = 0 ]
    [[ "$output" == "dnscope: $PWD/queries:2: "*AAA* ]]
    printf 'ns.example A\n' > queries
    echo 'www A 192.0.2.256' >> zone
    run fails 1 "$dnscope" sweep x.yaml -o new
    [ "$status" = 0 ]
    [[ "$output" == "dnscope: $PWD/zone:6: "* ]]
    printf '@ SOA ns host 1 3600 900 86400 60\n@ NS ns\n' > zone
    run fails 1 "$dnscope" sweep x.yaml -o new
    [ "$status" = 0 ]
    [[ "$output" == *workload.origin* ]]
}

@test "a port that somebody has is refused" {
    unset HWLOC_SYNTHETIC
    # The holder says its port, and holds it until its standard input ends.
    coproc holder {
        exec /usr/bin/python3 -c 'import socket, sys
held = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
held.bind(("127.0.0.1", 0))
print(held.getsockname()[1], flush=True)
sys.stdin.read()'
    }
    read -r port <&"${holder[0]}"
    run fails 1 "$dnscope" sweep x.yaml -o new --set target.port="$port" --set axes.scope=system \
        --set axes.placement=any
    [ "$status" = 0 ]
    [[ "$output" == "dnscope: --set target.port=$port: port $port (UDP) of 127.0.0.1 is in use before the target starts; "* ]]
    # A dry run shows the plan all the same.
    run "$dnscope" sweep x.yaml --dry-run --set target.port="$port" --set axes.scope=system \
        --set axes.placement=any
    [ "$status" = 1 ]
    [[ "$output" == *$'\nOrder of the starts:'*"port $port (UDP) of 127.0.0.1 is in use"* ]]
    kill "$holder_PID"
}

@test "an existing directory is refused, an unwritable place, too" {
    unset HWLOC_SYNTHETIC
    mkdir full
    touch full/precious
    run "$dnscope" sweep x.yaml -o full --set axes='{scope: system, placement: any}'
    [ "$status" = 1 ]
    [[ "$output" == "dnscope: full: is there already; "*--resume* ]]
    [ "$(ls full)" = precious ]
    run "$dnscope" sweep x.yaml -o full --dry-run --set axes='{scope: system, placement: any}'
    [ "$status" = 1 ]
    [[ "$output" == *"dnscope: full: is there already; "*--resume* ]]
    run "$dnscope" sweep x.yaml -o zone/new --set axes='{scope: system, placement: any}'
    [ "$status" = 1 ]
    [[ "$output" == "dnscope: zone"*"Not a directory" ]]
    touch results
    run "$dnscope" sweep x.yaml --set axes='{scope: system, placement: any}'
    [ "$status" = 1 ]
    [[ "$output" == "dnscope: results"*"; -o DIR puts the results elsewhere" ]]
}

@test "a signal before the first run is 130 and a line" {
    mkfifo never
    for signal in INT TERM HUP; do
        env --default-signal=INT "$dnscope" sweep never >out 2>&1 3>&- &
        until_handling $!
        kill -"$signal" $!
        wait $! && ended=0 || ended=$?
        echo "$signal: $ended $(cat out)"
        [ "$ended" = 130 ]
        [ "$(cat out)" = "dnscope: interrupted" ]
    done
}

@test "wrong usage is exit status 1 with a hint" {
    run fails 1 "$dnscope" sweep
    [ "$status" = 0 ]
    run fails 1 "$dnscope" sweep --bogus x.yaml
    [ "$status" = 0 ]
    [[ "$output" == *--help* ]]
    run fails 1 "$dnscope" sweep x.yaml y.yaml
    [ "$status" = 0 ]
    run fails 1 "$dnscope" sweep --resume somewhere -o new x.yaml
    [ "$status" = 0 ]
    run fails 1 "$dnscope" sweep --resume nowhere
    [ "$status" = 0 ]
    run fails 1 "$dnscope" sweep --resume nowhere --set seed=1
    [ "$status" = 0 ]
    run fails 1 "$dnscope" sweep x.yaml -o ''
    [ "$status" = 0 ]
    [[ "$output" == 'dnscope: -o "": the name of a new directory is right'* ]]
    run fails 1 "$dnscope" sweep --resume ''
    [ "$status" = 0 ]
    [[ "$output" == 'dnscope: --resume "": '* ]]
    run "$dnscope" sweep --help
    [ "$status" = 0 ]
    [[ "$output" == *--dry-run* ]]
}

@test "every experiment that is shipped makes a plan" {
    for file in "$DNSCOPE_SOURCE"/configs/experiments/*.yaml; do
        "$dnscope" sweep "$file" --dry-run
    done
}
