# dnscope compare: figures of 2004, sweeps' directories, and what is wrong with bad input.

setup() {
    dnscope="$DNSCOPE_BUILD/bin/dnscope"
    results="$DNSCOPE_SOURCE/tests/data/results-2004"
    cd "$BATS_TEST_TMPDIR"
    printf '%s\n' 9531.2955 9870.636117 9895.4739 9995.012983 10089.776 > process-scope-1-cpu
    printf '%s\n' 10925.816 10978.100452 11082.488 11407.488548 11449.187 > system-scope-1-cpu
    printf '%s\n' 8319.6891 8423.214671 8476.9996 8537.997929 8558.6617 > process-scope-2-cpu
    printf '%s\n' 10159.815 10206.095820 10284.944 10315.662180 10336.033 > system-scope-2-cpu
}

# fails COMMAND...: prints the diagnosis, if there was exit status 1, one line on standard error
# and nothing on standard output.
fails() {
    local status=0
    "$@" > out 2> err || status=$?
    [ "$status" = 1 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ] && cat err
}

@test "the figures of 2004 come out of files" {
    run "$dnscope" compare process-scope-1-cpu system-scope-1-cpu
    [ "$status" = 0 ]
    [[ "$output" == *$'\t1292.18 +/- 333.191\n\t13.0834% +/- 3.37359%\n\t(Student\'s t, pooled s = 228.456)'* ]]
    [[ "$output" == *"system-scope-1-cpu is 13.1% higher than process-scope-1-cpu (95% interval 9.7% to 16.5%; by this test unlikely to be chance, but see the warnings)"* ]]
    [[ "$output" == *"warning: files do not tell when the runs were made"* ]]
    run "$dnscope" compare process-scope-2-cpu system-scope-2-cpu
    [[ "$output" == *$'\t1797.2 +/- 125.815\n\t21.2352% +/- 1.48659%\n\t(Student\'s t, pooled s = 86.2664)'* ]]
}

@test "the figures of 2004 come out of a sweep's directory, pair by pair" {
    run "$dnscope" compare "$results"
    [ "$status" = 0 ]
    [[ "$output" == *$'\n* process-scope-1-cpu vs system-scope-1-cpu\nx process-scope-1-cpu\n+ system-scope-1-cpu\n'* ]]
    [[ "$output" == *$'\n* process-scope-2-cpu vs system-scope-2-cpu\n'* ]]
    [[ "$output" == *"13.0834% +/- 3.37359%"* ]]
    [[ "$output" == *"21.2352% +/- 1.48659%"* ]]
    [[ "$output" == *"system scope is 13.1% faster than process scope (95% interval 9.7% to 16.5%; not a matter of chance)"* ]]
    [[ "$output" == *"warning: generator-bound in 2 of 10 runs, of process-scope-2-cpu (the load tool was the limit"* ]]
    [[ "$output" == *$'\nprocess-scope-2-cpu     5       8477.0       8463.3     1.1%  generator-bound (2 of 5)\n'* ]]
    [[ "$output" != *"interleaved"* ]]
    [[ "$output" != *"and the others"* ]]
}

@test "a baseline is compared with everything" {
    run "$dnscope" compare --baseline system-scope-1-cpu "$results"
    [ "$status" = 0 ]
    [[ "$output" == *"* system-scope-1-cpu and the others"* ]]
    [[ "$output" == *"process-scope-2-cpu is 24.2% slower than system-scope-1-cpu"* ]]
}

@test "--ministat on a directory is ministat on its files" {
    "$dnscope" compare --ministat "$results" > ours
    { ministat process-scope-1-cpu system-scope-1-cpu
      ministat process-scope-2-cpu system-scope-2-cpu; } > theirs
    cmp ours theirs
}

@test "-n says nothing about differences, in no words" {
    run "$dnscope" compare -n process-scope-1-cpu system-scope-1-cpu
    [ "$status" = 0 ]
    [[ "$output" == *$'\n+   5     10925.816 '* ]]
    [[ "$output" != *"higher than"* ]]
    [[ "$output" != *"Difference"* ]]
}

@test "--json has the figures, the sentence and the warnings" {
    "$dnscope" compare --json "$results" > json
    [ "$(jq -r '.comparisons | length' json)" = 2 ]
    [ "$(jq -r '.samples | map(.n) | add' json)" = 20 ]
    [ "$(jq -r '.comparisons[0] | .base + " " + .other' json)" = "process-scope-1-cpu system-scope-1-cpu" ]
    [ "$(jq -r '.comparisons[0].difference_percent * 10000 | round' json)" = 130834 ]
    [ "$(jq -r '.comparisons[1].half_width_percent * 100000 | round' json)" = 148659 ]
    [ "$(jq -r '.comparisons[1].is_difference' json)" = true ]
    jq -e '.comparisons[1].warnings[] | select(contains("generator-bound"))' json
}

@test "a mean of zero gives no nan in the JSON" {
    printf '%s\n' -1 0 1 > zero
    "$dnscope" compare --json zero process-scope-1-cpu > json
    [ "$(jq -r '.comparisons[0].difference_percent' json)" = null ]
}

@test "runs of a dead target and interrupted runs do not count, and this is said" {
    mkdir sweep
    jq -c 'if .block == 1 and .setup == "process-scope-1-cpu" then .flags = ["target-died"] | .counted = false | del(.qps)
           elif .block == 2 and .setup == "system-scope-1-cpu" then .flags = ["interrupted"] | .counted = false | .qps = 1
           else . end' "$results/runs.jsonl" > sweep/runs.jsonl
    run "$dnscope" compare sweep
    [ "$status" = 0 ]
    [[ "$output" == *"2 of 20 runs do not count"* ]]
    [[ "$output" == *"warning: target-died in 1 of 10 runs, of process-scope-1-cpu (the server died: not counted)"* ]]
    [[ "$output" == *$'\nx   4 '* ]]
    [[ "$output" == *$'\n+   4 '* ]]
}

@test "flags alone tell which runs do not count, where records do not" {
    mkdir sweep
    jq -c 'del(.counted) | if .block == 1 then .flags = ["target-died"] | del(.qps) else . end' \
        "$results/runs.jsonl" > sweep/runs.jsonl
    run "$dnscope" compare sweep
    [ "$status" = 0 ]
    [[ "$output" == *"4 of 20 runs do not count"* ]]
    jq -c 'del(.counted) | if .block == 1 and .setup == "process-scope-1-cpu" then .flags = ["interrupted"] else . end' \
        "$results/runs.jsonl" > sweep/runs.jsonl
    run "$dnscope" compare sweep
    [[ "$output" == *"1 of 20 runs do not count"* ]]
}

@test "a spread of over a tenth is a warning" {
    mkdir sweep
    jq -c 'if .block < 3 then .qps *= 1.5 else . end' "$results/runs.jsonl" > sweep/runs.jsonl
    run "$dnscope" compare sweep
    [[ "$output" == *"warning: the standard deviation is over 10% of the mean: process-scope-1-cpu, system-scope-1-cpu"* ]]
}

@test "the runs of these tests are runs by the schema" {
    /usr/bin/python3 - "$DNSCOPE_SOURCE/docs/schema/run.schema.json" "$results/runs.jsonl" <<'PYTHON'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
for line in open(sys.argv[2]):
    jsonschema.validate(json.loads(line), schema)
PYTHON
}

@test "too few runs: the text says so and how many are needed" {
    mkdir sweep
    head -n 8 "$results/runs.jsonl" > sweep/runs.jsonl
    run "$dnscope" compare sweep
    [ "$status" = 0 ]
    [[ "$output" == *"no comparison of process scope and system scope: process-scope-1-cpu has 2 runs that count, 3 are needed"* ]]
}

@test "no runs, and one setup alone" {
    mkdir sweep
    : > sweep/runs.jsonl
    run "$dnscope" compare sweep
    [ "$status" = 0 ]
    [ "$output" = "nothing to compare: no run was made" ]
    grep process-scope-1-cpu "$results/runs.jsonl" > sweep/runs.jsonl
    run "$dnscope" compare sweep
    [ "$status" = 0 ]
    [[ "$output" == *"there is one setup only"* ]]
    head -n 1 "$results/runs.jsonl" > sweep/runs.jsonl
    run "$dnscope" compare sweep
    [[ "$output" == *" 11449.2      11449.2        -"* ]]
}

@test "a sequential sweep is told apart from an interleaved one" {
    mkdir sweep
    jq -sc 'sort_by(.setup)[]' "$results/runs.jsonl" > sweep/runs.jsonl
    run "$dnscope" compare sweep
    [[ "$output" == *"warning: the runs of process-scope-1-cpu were not interleaved with those of system-scope-1-cpu"* ]]
    [[ "$output" == *"unlikely to be chance, but see the warnings"* ]]
    [[ "$output" != *"not a matter of chance"* ]]
    jq -c '.flags += ["generator-bound"]' "$results/runs.jsonl" > sweep/runs.jsonl
    run "$dnscope" compare sweep
    [[ "$output" == *"unlikely to be chance, but see the warnings"*"warning: generator-bound"* ]]
    [[ "$output" != *"not a matter of chance"* ]]
}

@test "setups that do not differ in scope are compared with the first" {
    mkdir sweep
    grep -v system-scope "$results/runs.jsonl" > sweep/runs.jsonl
    run "$dnscope" compare sweep
    [[ "$output" == *"process-scope-2-cpu is 14.3% slower than process-scope-1-cpu"* ]]
}

@test "a torn last line is left out and said; a broken one before it is an error" {
    mkdir sweep
    head -c -100 "$results/runs.jsonl" > sweep/runs.jsonl
    run "$dnscope" compare sweep
    [ "$status" = 0 ]
    [[ "$output" == *"the last line of runs.jsonl was cut off and is left out"* ]]
    { head -n 2 "$results/runs.jsonl"; echo '{"setup":'; tail -n 2 "$results/runs.jsonl"; } > sweep/runs.jsonl
    [[ "$(fails "$dnscope" compare sweep)" == "dnscope: sweep/runs.jsonl:3: is not JSON: "* ]]
    echo '{"setup": "x", "flags": []}' > sweep/runs.jsonl
    [[ "$(fails "$dnscope" compare sweep)" == 'dnscope: sweep/runs.jsonl:1: the run has no rate: a number "qps" from 0 to 1e+100 is right' ]]
    echo '[1]' > sweep/runs.jsonl
    [[ "$(fails "$dnscope" compare sweep)" == 'dnscope: sweep/runs.jsonl:1: is not a run: '* ]]
}

@test "bad files: file, line, and what would be right" {
    printf 'qps\n1\n2\n3\n' > header
    printf '1\n2\n3,5\n' > comma
    printf '1\nnan\n3\n' > nan
    printf '1\n2\n-inf\n' > inf
    printf '# two\n1\n2\n' > few
    printf '\357\273\2771\n2\n3\n' > bom
    [ "$(fails "$dnscope" compare process-scope-1-cpu header)" = 'dnscope: header:1: "qps" is not a number; one number a line is right, # begins a comment' ]
    [ "$(fails "$dnscope" compare comma)" = 'dnscope: comma:3: "3,5" has a decimal comma; write a decimal point' ]
    [[ "$(fails "$dnscope" compare nan)" == 'dnscope: nan:2: "nan" cannot be compared'* ]]
    [[ "$(fails "$dnscope" compare inf)" == 'dnscope: inf:3: "-inf" cannot be compared'* ]]
    [ "$(fails "$dnscope" compare few)" = 'dnscope: few: holds 2 numbers; at least 3 are needed' ]
    [[ "$(fails "$dnscope" compare bom)" == 'dnscope: bom:1: the file begins with a byte-order mark'* ]]
    [ "$(fails "$dnscope" compare missing)" = 'dnscope: missing: cannot open: No such file or directory' ]
    [[ "$(fails "$dnscope" compare "$BATS_TEST_TMPDIR")" == *'/runs.jsonl: cannot open: No such file or directory' ]]
}

@test "bad usage: what would be right" {
    [[ "$(fails "$dnscope" compare)" == *"a results directory, or files of numbers" ]]
    [[ "$(fails "$dnscope" compare --confidence 42 process-scope-1-cpu)" == *"one of 80, 90, 95, 98, 99, 99.5 is right" ]]
    [[ "$(fails "$dnscope" compare -w 1 process-scope-1-cpu)" == "dnscope: -w 1: a number from 2 to "* ]]
    [[ "$(fails "$dnscope" compare -C 0 process-scope-1-cpu)" == "dnscope: -C 0: a number from 1 to "* ]]
    [[ "$(fails "$dnscope" compare --frob process-scope-1-cpu)" == *"--help"* ]]
    [[ "$(fails "$dnscope" compare --baseline proces-scope-1-cpu "$results")" == *'did you mean "process-scope-1-cpu"?' ]]
    [[ "$(fails "$dnscope" compare "$results" process-scope-1-cpu)" == *"one results directory alone, or files of numbers" ]]
    [[ "$(fails "$dnscope" compare p p p p p p p p)" == *"8 files are too many; 7 are the most" ]]
}

@test "a run that is there twice is an error with both lines" {
    mkdir sweep
    run_of() { jq -nc "{block: $1, setup: \"$2\", run: $3, qps: 100, axes: {}, flags: ${4:-[]}}"; }
    { run_of 1 a 1; run_of 1 b 1; run_of 2 a 1; run_of 1 a 2; run_of 1 a 1; } > sweep/runs.jsonl
    run fails "$dnscope" compare sweep
    [ "$status" = 0 ]
    [[ "$output" == *"runs.jsonl:5: is the same run as line 1"* ]]
    # One that does not count is made again on resuming.
    { run_of 1 a 1 '["interrupted"]'; run_of 1 a 1; } > sweep/runs.jsonl
    run "$dnscope" compare sweep
    [ "$status" = 0 ]
}

@test "control characters of names do not get to the terminal" {
    mkdir sweep
    for i in 1 2 3; do
        printf '{"setup": "a\\u001b[31m", "qps": %d, "axes": {}, "flags": ["f\\u0007"]}\n' $((100 + i))
        printf '{"setup": "b\\r", "qps": %d, "axes": {}, "flags": []}\n' $((200 + i))
    done > sweep/runs.jsonl
    run "$dnscope" compare sweep
    [ "$status" = 0 ]
    [[ "$output" == *"a?[31m"*"f?"*"b?"* ]]
    [[ "${output//$'\n'/}" != *[$'\e\a\r']* ]]
}

@test "one form of output, and columns of files alone" {
    run fails "$dnscope" compare --json --ministat process-scope-1-cpu system-scope-1-cpu
    [[ "$output" == *"--json and --ministat exclude each other"* ]]
    for option in "-C 1" "-d ,"; do
        run fails "$dnscope" compare $option "$results"
        [ "$status" = 0 ]
        [[ "$output" == *"is a folder: -C and -d are for files of numbers"* ]]
    done
}

@test "one setup alone warns of a wide spread, too" {
    mkdir sweep
    printf '{"setup": "a", "qps": %d, "axes": {}, "flags": []}\n' 100 200 300 > sweep/runs.jsonl
    run "$dnscope" compare sweep
    [[ "$output" == *"there is one setup only"*"warning: the standard deviation is over 10%"* ]]
}

@test "a full disk is an error" {
    run bash -c '"$1" compare process-scope-1-cpu > /dev/full' -- "$dnscope"
    [ "$status" = 1 ]
}
