#!/usr/bin/env bats
# dnscope exec and dnscope cpus: what the program that was started sees, and what is refused.

bats_require_minimum_version 1.5.0

setup() {
    dnscope="$DNSCOPE_BUILD/bin/dnscope"
    allowed=$(taskset -cp $$ | sed 's/.*: //')
    last=${allowed##*[,-]}
    unset LIBPTHREAD_PROCESS_SCOPE LIBPTHREAD_SYSTEM_SCOPE LIBPTHREAD_VIRTUAL_CPU LD_PRELOAD
}

fails_with() { # STATUS TEXT COMMAND...: one line on standard error that has the text
    local status_wanted=$1 text=$2
    shift 2
    run -"$status_wanted" "$@"
    echo "status $status: $output"
    [ "$status" -eq "$status_wanted" ]
    [ "${#lines[@]}" -eq 1 ]
    [[ "$output" == "dnscope: "*"$text"* ]]
}

needs_pscope() {
    [ -e "$DNSCOPE_BUILD/lib/libpscope.so" ] || skip "this build has no libpscope"
}

@test "a CPU list becomes the program's affinity" {
    run "$dnscope" exec --cpus "$last" -- sh -c 'taskset -cp $$'
    [ "$status" -eq 0 ]
    [[ "$output" == *"affinity list: $last" ]]
}

@test "without an option about CPUs the affinity stays" {
    run taskset -c "$last" "$dnscope" exec --scope system -- sh -c 'taskset -cp $$'
    [[ "$output" == *"affinity list: $last" ]]
}

@test "any is every CPU that is usable, and respects the caller's mask" {
    run "$dnscope" exec --cpus any -- sh -c 'taskset -cp $$'
    [[ "$output" == *"affinity list: $allowed" ]]
    run taskset -c "$last" "$dnscope" exec --cpus any -- sh -c 'taskset -cp $$'
    [[ "$output" == *"affinity list: $last" ]]
}

@test "a CPU outside the caller's mask is refused, not dropped" {
    [ "$allowed" != "$last" ] || skip "one CPU"
    fails_with 1 "usable are $last" taskset -c "$last" "$dnscope" exec --cpus "$allowed" true
}

@test "bad CPU lists" {
    fails_with 1 'runs backwards; write 1-3' "$dnscope" exec --cpus 3-1 true
    fails_with 1 "',' at character 3" "$dnscope" exec --cpus 0,,1 true
    fails_with 1 'from 0 to' "$dnscope" exec --cpus 999999999999 true
    fails_with 1 'number is missing at the end' "$dnscope" exec --cpus 0, true
    fails_with 1 'an empty CPU list' "$dnscope" exec --cpus "" true
    fails_with 1 'CPU 8000 is not there' "$dnscope" exec --cpus 8000 true
}

@test "unknown words and numbers" {
    fails_with 1 'same-socket' "$dnscope" exec --cpus same-sock true
    fails_with 1 'process or system' "$dnscope" exec --scope thread true
    fails_with 1 'on or mask' "$dnscope" exec --smt maybe true
    fails_with 1 'jemalloc or libc' "$dnscope" exec --malloc tcmalloc true
    fails_with 1 'from 1 to' "$dnscope" exec --vcpus 0 true
    fails_with 1 'from 1 to' "$dnscope" exec --vcpus -1 true
    fails_with 1 'from 1 to 256' "$dnscope" exec --scope process --vcpus 257 true
    fails_with 1 'wrong option --nonsense' "$dnscope" exec --nonsense true
    fails_with 1 'value is missing' "$dnscope" exec --cpus
    fails_with 1 'a program is missing' "$dnscope" exec
}

@test "what this machine cannot do is said" {
    [ "$(nproc)" -ge 256 ] ||
        fails_with 1 "needs 256 CPUs, this machine has $(nproc)" "$dnscope" exec --cpus any --vcpus 256 true
    fails_with 1 'not offered' "$dnscope" exec --cpus socket-off true
    fails_with 1 'not offered' "$dnscope" exec --smt offline true
}

@test "virtual CPUs that nothing takes are refused" {
    fails_with 1 '--vcpus 1 does nothing here: it needs --scope process' "$dnscope" exec --vcpus 1 true
    fails_with 1 '--vcpus 1 does nothing here' "$dnscope" exec --scope system --vcpus 1 true
    fails_with 1 '--vcpus 1 does nothing here' "$dnscope" exec --scope system --vcpus 1 --cpus "$last" true
    run "$dnscope" exec --scope system --vcpus 1 --cpus same-socket true
    [ "$status" -eq 0 ]
}

@test "a script without its interpreter: both are named, 127; 126 when it cannot be executed" {
    cd "$BATS_TEST_TMPDIR"
    for first in '#!/no/such/shell' '#! /no/such/shell -e'; do
        printf '%s\necho never\n' "$first" >script
        chmod +x script
        for scope in system process; do
            fails_with 127 'script:1: a script whose interpreter "/no/such/shell" cannot be found' \
                "$dnscope" exec --scope "$scope" ./script
        done
        PATH="$PWD:$PATH" fails_with 127 'script:1: ' "$dnscope" exec script
    done
    for interpreter in /etc/passwd /tmp; do
        printf '#!%s\n' "$interpreter" >script
        fails_with 126 "\"$interpreter\" is no executable file" "$dnscope" exec ./script
    done
    printf '#!/bin/sh\nexit 5\n' >script
    run "$dnscope" exec ./script
    [ "$status" -eq 5 ]
    # What the kernel itself refuses, and what is no script at all.
    printf '#!\n' >script
    fails_with 126 'cannot execute' "$dnscope" exec ./script
}

@test "the exit status is the program's" {
    run "$dnscope" exec -- sh -c 'exit 42'
    [ "$status" -eq 42 ]
}

@test "127 when the program is not there, 126 when it cannot be executed" {
    fails_with 127 'no program "no-such-program"' "$dnscope" exec no-such-program
    fails_with 127 '/no/such' "$dnscope" exec /no/such
    touch "$BATS_TEST_TMPDIR/plain"
    fails_with 126 'not an executable file' "$dnscope" exec "$BATS_TEST_TMPDIR/plain"
    printf 'not a program' >"$BATS_TEST_TMPDIR/broken"
    chmod +x "$BATS_TEST_TMPDIR/broken"
    fails_with 126 'cannot execute' "$dnscope" exec "$BATS_TEST_TMPDIR/broken"
}

@test "the program keeps the process ID and gets the signals" {
    "$dnscope" exec -- sh -c 'echo $$ >"$0"; exec sleep 60' "$BATS_TEST_TMPDIR/pid" &
    local pid=$!
    for _ in $(seq 100); do [ -s "$BATS_TEST_TMPDIR/pid" ] && break; sleep 0.05; done
    [ "$(cat "$BATS_TEST_TMPDIR/pid")" -eq "$pid" ]
    kill -TERM "$pid"
    run wait "$pid"
    local result=0
    wait "$pid" || result=$?
    [ "$result" -eq 143 ]
}

@test "arguments arrive as they are" {
    run "$dnscope" exec -- printf '[%s]' 'a b' '' '--cpus' "it's"
    [ "$output" = "[a b][][--cpus][it's]" ]
}

@test "system scope sets its variable and takes out what belongs to process scope" {
    LIBPTHREAD_PROCESS_SCOPE=1 LIBPTHREAD_VIRTUAL_CPU=7 run "$dnscope" exec --scope system env
    [[ "$output" == *LIBPTHREAD_SYSTEM_SCOPE=1* ]]
    [[ "$output" != *LIBPTHREAD_PROCESS_SCOPE* ]]
    [[ "$output" != *LIBPTHREAD_VIRTUAL_CPU* ]]
}

@test "process scope preloads libpscope before what was preloaded and says how many virtual CPUs" {
    needs_pscope
    LD_PRELOAD=/no/other.so LIBPTHREAD_SYSTEM_SCOPE=1 \
        run "$dnscope" exec -n --scope process --vcpus 1 -- env
    [ "$status" -eq 0 ]
    [[ "$output" == *"/libpscope.so"*":/no/other.so "* ]]
    [[ "$output" == *"LIBPTHREAD_VIRTUAL_CPU=1"* ]]
    [[ "$output" == *"LIBPTHREAD_PROCESS_SCOPE=1"* ]]
    [[ "$output" == *"env -u LIBPTHREAD_SYSTEM_SCOPE "* ]]
}

@test "threads of process scope run on the virtual CPUs that were asked for" {
    needs_pscope
    LIBPTHREAD_STATS="$BATS_TEST_TMPDIR/stats.json" run "$dnscope" exec --scope process --vcpus 1 \
        -- /usr/bin/python3 -c 'import threading
threads = [threading.Thread(target=lambda: None) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print("done")'
    [ "$status" -eq 0 ]
    [ "$output" = done ]
    grep -q '"virtual_cpus":1,' "$BATS_TEST_TMPDIR/stats.json"
}

@test "a library that cannot be preloaded is refused, not passed over" {
    export DNSCOPE_LIBPSCOPE="$BATS_TEST_TMPDIR/missing.so"
    fails_with 1 'missing.so: cannot read it' "$dnscope" exec --scope process true
    echo text >"$BATS_TEST_TMPDIR/text.so"
    export DNSCOPE_LIBPSCOPE="$BATS_TEST_TMPDIR/text.so"
    fails_with 1 'not a shared library' "$dnscope" exec --scope process true
    run "$dnscope" exec --scope system true
    [ "$status" -eq 0 ]
}

@test "jemalloc is really in the process, libc's allocator really alone" {
    "$dnscope" exec -n --malloc jemalloc true || skip "no jemalloc here"
    run "$dnscope" exec --malloc jemalloc -- grep -c libjemalloc /proc/self/maps
    [ "$output" -gt 0 ]
    run "$dnscope" exec --malloc libc -- grep -c libjemalloc /proc/self/maps
    [ "$output" = 0 ]
    LD_PRELOAD=/no/such/libjemalloc.so.2 run "$dnscope" exec -n --malloc libc true
    [[ "$output" == *"env LD_PRELOAD=libc.so.6 /"*"/true" ]]
    # A program that is linked with jemalloc gets libc's malloc all the same: the loader says so.
    ldd "$DNSCOPE_BUILD/bin/scoped" | grep -q libjemalloc || return 0
    bound() {
        LD_DEBUG=bindings "$dnscope" exec --malloc "$1" "$DNSCOPE_BUILD/bin/scoped" -v 2>&1 |
            sed -n "s/.*bin\/scoped .* to .*\/\(lib[a-z]*\).*symbol .malloc'.*/\1/p"
    }
    [ "$(bound libc)" = libc ]
    [ "$(bound jemalloc)" = libjemalloc ]
}

@test "programs that nothing can be preloaded into" {
    "$dnscope" exec -n --malloc jemalloc true || skip "no jemalloc here"
    printf 'int main(void) { return 0; }\n' >"$BATS_TEST_TMPDIR/x.c"
    cc -static -o "$BATS_TEST_TMPDIR/static" "$BATS_TEST_TMPDIR/x.c" || skip "no static libc"
    fails_with 1 'statically linked' "$dnscope" exec --malloc jemalloc "$BATS_TEST_TMPDIR/static"
    run "$dnscope" exec --scope system "$BATS_TEST_TMPDIR/static"
    [ "$status" -eq 0 ]
    [ "$(id -u)" -eq 0 ] || skip "not root"
    cp "$(type -P true)" "$BATS_TEST_TMPDIR/setuid"
    chown nobody "$BATS_TEST_TMPDIR/setuid"
    chmod u+s "$BATS_TEST_TMPDIR/setuid"
    fails_with 1 'set-user-ID' "$dnscope" exec --malloc jemalloc "$BATS_TEST_TMPDIR/setuid"
}

@test "a library that is not there" {
    # Beside a copy of the program there is none, unless one is installed.
    mkdir -p "$BATS_TEST_TMPDIR/bin"
    cp "$dnscope" "$BATS_TEST_TMPDIR/bin/dnscope"
    run "$BATS_TEST_TMPDIR/bin/dnscope" exec -n --scope process true
    [ "$status" -ne 0 ] || skip "libpscope is installed"
    fails_with 1 'set DNSCOPE_LIBPSCOPE' "$BATS_TEST_TMPDIR/bin/dnscope" exec --scope process true
}

@test "a dry run prints a line that does the same" {
    line=$("$dnscope" exec -n --scope system --cpus "$last" -- sh -c 'taskset -cp $$; env' "it's")
    run sh -c "$line"
    [[ "$output" == *"affinity list: $last"* ]]
    [[ "$output" == *"LIBPTHREAD_SYSTEM_SCOPE=1"* ]]
}

@test "cpus lists what the kernel lists" {
    run "$dnscope" cpus
    [ "$status" -eq 0 ]
    [[ "$output" == *"Usable: $(sed -n 's/^Cpus_allowed_list:\t//p' /proc/self/status)"* ]]
    run "$dnscope" cpus --json
    [[ "$output" == *"\"online\": \"$(cat /sys/devices/system/cpu/online)\""* ]]
}

@test "cpus refuses a folder that is no dump" {
    export HWLOC_HIDE_ERRORS=2 HWLOC_FSROOT="$BATS_TEST_TMPDIR"
    run "$dnscope" cpus
    [ "$status" -eq 1 ]
    [[ "$output" == *"dnscope: $BATS_TEST_TMPDIR: no CPUs below sys/devices/system"* ]]
}

@test "help" {
    run "$dnscope" exec --help
    [ "$status" -eq 0 ]
    [[ "$output" == Usage:* ]]
    run "$dnscope" cpus --help
    [ "$status" -eq 0 ]
}
