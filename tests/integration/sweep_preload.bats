# dnscope sweep over what is preloaded into the server: libpscope and an allocator.

load sweep.bash

setup() {
    sweep_setup
}

teardown() {
    ! mine
}

# Which of the two libraries the server under load has, when it is there.
libraries() {
    wait_for is_under_load
    pid=$(target_pid scoped)
    grep -oE 'libpscope|libjemalloc' "/proc/$pid/maps" | sort -u | tr '\n' ' '
}

@test "libpscope and the allocator are in the server that the setup says" {
    # The library comes with the setup and leaves with it.
    for axes in '{scope: process}' '{scope: system, malloc: jemalloc}' '{scope: system}'; do
        rm -rf out
        "$dnscope" sweep x.yaml -o out --set repetitions=1 --set load.duration_s=1 --set axes="$axes" > log 2>&1 &
        libraries >> found
        wait $!
        echo >> found
    done
    cat log found
    # scoped is linked with jemalloc itself where the build has it so.
    linked=$(ldd "$DNSCOPE_BUILD/bin/scoped" | grep -o libjemalloc | head -1)
    [ "$(sed -n 1p found)" = "${linked:+$linked }libpscope " ]
    [ "$(sed -n 2p found)" = "libjemalloc " ]
    [ "$(sed -n 3p found)" = "${linked:+$linked }" ]
}

@test "libpscope's counters are in the record" {
    run "$dnscope" sweep x.yaml -o out --set repetitions=1 --set axes='{scope: [process, system], placement: any}'
    echo "$output"
    [ "$status" = 0 ]
    check_schema out
    [ "$(jq -r '[.axes.scope, (.target.pscope | type)] | join(" ")' out/runs.jsonl | sort | tr '\n' ,)" = "process object,system null," ]
}

@test "named serves under process scope" {
    run "$dnscope" sweep x.yaml -o out --set repetitions=1 --set axes='{scope: process, placement: any}' \
        --set target.kind=named
    echo "$output"
    [ "$status" = 0 ]
    [ "$(counted out)" = 1 ]
    jq -e '.counts.lost == 0 and .rcodes.NOERROR > 0' out/runs.jsonl
}
