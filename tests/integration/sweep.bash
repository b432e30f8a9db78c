# What the tests of dnscope sweep with real servers share.

sweep_setup() {
    dnscope="$DNSCOPE_BUILD/bin/dnscope"
    cd "$BATS_TEST_TMPDIR"
    # Copies, so that the command line of every process of this test has this folder in it.
    cp "$DNSCOPE_SOURCE/configs/zones/bench.example.zone" zone
    head -2000 "$DNSCOPE_SOURCE/configs/queries/bench.example.txt" > queries
    cat > x.yaml <<'YAML'
name: x
target: {kind: scoped, model: dispatch, workers: 1}
workload: {zone: zone, queries: queries}
load: {threads: 1, clients: 2, outstanding: 20, warmup_s: 0.1, duration_s: 0.3, timeout_s: 1}
axes: {scope: [system], vcpus: [1], placement: [any], smt: [on, mask]}
repetitions: 2
YAML
}

# Processes of this test.
mine() {
    pgrep -a 'scoped|named|dnscope' | grep -F "$BATS_TEST_TMPDIR"
}

# Waits up to ten seconds for a command to succeed.
wait_for() {
    for _ in $(seq 200); do
        "$@" > /dev/null 2>&1 && return 0
        sleep 0.05
    done
    echo "waited in vain for: $*"
    return 1
}

# The target of a sweep in this folder: the server itself, not its keeper or dnscope.
target_pid() {
    pgrep -x "$1" | while read -r pid; do
        tr '\0' ' ' < "/proc/$pid/cmdline" | grep -qF "$BATS_TEST_TMPDIR" && echo "$pid"
    done | grep .
}

is_under_load() {
    pgrep -a -x dnscope | grep -F "$BATS_TEST_TMPDIR" | grep -qF " load -s "
}

counted() {
    jq -s 'map(select(.counted)) | length' "$1/runs.jsonl"
}

check_schema() {
    /usr/bin/python3 - "$DNSCOPE_SOURCE/docs/schema/run.schema.json" "$1/runs.jsonl" <<'PYTHON'
import json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
for line in open(sys.argv[2]):
    jsonschema.validate(json.loads(line), schema)
PYTHON
}
