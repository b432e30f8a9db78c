# The committed zone and query file are what the committed script makes, and mean what they say.

setup() {
    data="$DNSCOPE_SOURCE/configs"
}

@test "the script makes the committed files again, byte for byte" {
    "$DNSCOPE_SOURCE/scripts/gen-bench-data" "$BATS_TEST_TMPDIR"
    cmp "$BATS_TEST_TMPDIR/zones/bench.example.zone" "$data/zones/bench.example.zone"
    cmp "$BATS_TEST_TMPDIR/queries/bench.example.txt" "$data/queries/bench.example.txt"
}

@test "another seed makes other files" {
    "$DNSCOPE_SOURCE/scripts/gen-bench-data" --seed 7 "$BATS_TEST_TMPDIR"
    run cmp "$BATS_TEST_TMPDIR/queries/bench.example.txt" "$data/queries/bench.example.txt"
    [ "$status" = 1 ]
}

@test "there are 50,000 queries and 10,000 owner names" {
    [ "$(wc -l < "$data/queries/bench.example.txt")" = 50000 ]
    names=$(ldns-read-zone "$data/zones/bench.example.zone" | awk '{ print $1 }' | sort -u | wc -l)
    [ "$names" = 10000 ]
}

@test "named, nsd and ldns accept the zone" {
    named-checkzone -i local bench.example "$data/zones/bench.example.zone"
    nsd-checkzone bench.example "$data/zones/bench.example.zone"
    ldns-read-zone -c "$data/zones/bench.example.zone" > "$BATS_TEST_TMPDIR/zone"
}
