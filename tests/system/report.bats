# dnscope report: one page that needs nothing else, whatever stands in the results.

setup() {
    dnscope="$DNSCOPE_BUILD/bin/dnscope"
    results="$DNSCOPE_SOURCE/tests/data/results-2004"
    check="$DNSCOPE_SOURCE/tests/system/check-html"
    cd "$BATS_TEST_TMPDIR"
    cp -r "$results" sweep
    chmod -R u+w sweep
}

# absent PATTERN FILE...: in none of the files.
absent() {
    if grep -q -e "$@"; then
        return 1
    fi
}

@test "the page has the answer, the tables, the plots, the warnings, and needs nothing else" {
    run "$dnscope" report sweep
    [ "$status" = 0 ]
    [ "$output" = "sweep/report.html" ]
    "$check" sweep/report.html
    grep -q "system scope is 13.1% faster than process scope (95% interval 9.7% to 16.5%; not a matter of chance)" sweep/report.html
    grep -q "13.0834% +/- 3.37359%" sweep/report.html
    grep -q "21.2352% +/- 1.48659%" sweep/report.html
    grep -q "generator-bound in 2 of 20 runs, of process-scope-2-cpu" sweep/report.html
    grep -q 'BIND 9.3.0' sweep/report.html
    grep -q 'each &lt;&quot;HTT&quot;&gt;' sweep/report.html
    grep -q 'order: randomized-blocks' sweep/report.html
    [ "$(grep -c '<svg' sweep/report.html)" = 2 ]
    for file in setups.gp setups.dat setups-mean.dat setups.svg drift.gp drift.dat drift.svg; do
        [ -s "sweep/plots/$file" ]
    done
}

@test "the answer comes before everything else" {
    "$dnscope" report sweep
    answer=$(grep -n -m1 'class="answers' sweep/report.html | cut -d: -f1)
    plot=$(grep -n -m1 '<figure>' sweep/report.html | cut -d: -f1)
    [ "$answer" -lt "$plot" ]
}

@test "every dot of the plot is a run" {
    "$dnscope" report sweep
    # 20 dots of runs, and 4 of means
    dots=$(grep -c "use xlink:href='#gpPt6' transform" sweep/plots/setups.svg)
    [ "$dots" = 24 ]
}

@test "runs.csv has every run" {
    "$dnscope" report sweep
    [ "$(wc -l < sweep/runs.csv)" = 21 ]
    /usr/bin/python3 - sweep/runs.csv <<'PYTHON'
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
assert len(rows) == 20
row = next(r for r in rows if r["setup"] == "process-scope-1-cpu" and float(r["qps"]) == 9531.2955)
assert row["scope"] == "process" and row["vcpus"] == "1" and row["counted"] == "yes"
assert {r["flags"] for r in rows} == {"", "steal", "generator-bound"}
PYTHON
}

@test "names that would be markup, gnuplot or shell stay text" {
    jq -c '.setup |= sub("process-scope-1-cpu"; "<script>alert(1)</script>&\"`touch pwned`\u0027$(touch pwned)_^{x}\\")
           | .flags += ["<b>\"flag"]' "$results/runs.jsonl" > sweep/runs.jsonl
    echo '{"<i>": {"a&b": "<script>x</script>", "n": null, "list": ["</td>"]}}' > sweep/environment.json
    printf 'name: </pre><script>alert(2)</script>\n\377\001\n' > sweep/experiment.yaml
    run "$dnscope" report sweep
    [ "$status" = 0 ]
    "$check" sweep/report.html
    [ ! -e pwned ] && [ ! -e sweep/plots/pwned ]
    [ "$(grep -c '<svg' sweep/report.html)" = 2 ]
    "$dnscope" compare sweep > text
}

@test "without gnuplot the page says so and has the rest" {
    run env PATH=/nonexistent "$dnscope" report sweep
    [ "$status" = 0 ]
    [[ "$output" == *"gnuplot is not installed"* ]]
    "$check" sweep/report.html
    grep -q "gnuplot is not installed" sweep/report.html
    absent "<svg" sweep/report.html
    grep -q "13.0834%" sweep/report.html
    [ -s sweep/plots/setups.gp ]
}

@test "a gnuplot that fails is an error that names its log" {
    mkdir bin
    printf '#!/bin/sh\necho broken >&2\nexit 3\n' > bin/gnuplot
    chmod +x bin/gnuplot
    run env PATH="$PWD/bin:$PATH" "$dnscope" report sweep
    [ "$status" = 1 ]
    [[ "$output" == *"/plots/gnuplot.log: gnuplot exited with status 3; this file says why"* ]]
    grep -q broken sweep/plots/gnuplot.log
    "$check" sweep/report.html
    grep -q "gnuplot failed; plots/gnuplot.log says why" sweep/report.html
}

@test "no run, one setup, runs that do not count, no environment" {
    rm sweep/environment.json sweep/experiment.yaml
    : > sweep/runs.jsonl
    "$dnscope" report sweep
    "$check" sweep/report.html
    grep -q "Nothing to compare: there is no run" sweep/report.html
    grep process-scope-1-cpu "$results/runs.jsonl" > sweep/runs.jsonl
    "$dnscope" report sweep
    "$check" sweep/report.html
    grep -q "Nothing to compare: there is one setup only" sweep/report.html
    jq -c '.flags = ["target-died"] | .counted = false | del(.qps)' "$results/runs.jsonl" > sweep/runs.jsonl
    "$dnscope" report sweep
    "$check" sweep/report.html
    grep -q "has 0 runs that count, 3 are needed" sweep/report.html
    head -n 1 "$results/runs.jsonl" > sweep/runs.jsonl
    "$dnscope" report sweep
    "$check" sweep/report.html
    absent "nan" sweep/report.html sweep/runs.csv sweep/plots/*.dat
}

@test "equal rates in all runs still have a plot" {
    jq -c '.qps = 1000' "$results/runs.jsonl" > sweep/runs.jsonl
    "$dnscope" report sweep
    "$check" sweep/report.html
    grep -q "no plot, span is zero width" sweep/report.html
    [ "$(grep -c '<svg' sweep/report.html)" = 2 ]
}

@test "60 setups" {
    for i in $(seq 15); do
        jq -c --arg i "$i" '.setup += "-variant-" + $i | .axes.variant = $i | .qps *= (1 + ($i | tonumber) / 50)' "$results/runs.jsonl"
    done > sweep/runs.jsonl
    "$dnscope" report sweep
    "$check" sweep/report.html
    [ "$(grep -c 'virtual CPU' sweep/report.html)" = 30 ]
}

@test "what cannot be read or written" {
    run "$dnscope" report nowhere
    [ "$status" = 1 ]
    [ "$output" = "dnscope: nowhere/runs.jsonl: cannot open: No such file or directory" ]
    run "$dnscope" report
    [ "$status" = 1 ]
    run "$dnscope" report --frob sweep
    [ "$status" = 1 ]
    echo '{"a":' > sweep/environment.json
    run "$dnscope" report sweep
    [ "$status" = 1 ]
    [[ "$output" == "dnscope: sweep/environment.json:"*": is not JSON: "* ]]
    echo '[1]' > sweep/environment.json
    run "$dnscope" report sweep
    [ "$status" = 1 ]
    [ "$output" = "dnscope: sweep/environment.json: a JSON object is right" ]
    rm sweep/environment.json
    echo > sweep/plots
    run "$dnscope" report sweep
    [ "$status" = 1 ]
    [[ "$output" == *"/plots"* ]]
}
