# named and scoped side by side for the scoped tests: own folder, own ports, ended by process id.

# Words that stand before scoped's name when it is started.
launcher=()

# shellcheck source=tests/integration/named.bash
source "$DNSCOPE_SOURCE/tests/integration/named.bash"

port_range=(21000 1 21499)

# wait_for_line FILE TEXT PID: until the log has the line, or the process ends.
wait_for_line() {
  local file=$1 text=$2 pid=$3
  for _ in $(seq 200); do
    if grep -q "$text" "$file" 2>/dev/null; then
      return 0
    fi
    if ! kill -0 "$pid" 2>/dev/null; then
      break
    fi
    sleep 0.05
  done
  echo "no line \"$text\" from process $pid; its last lines:"
  tail -n 20 "$file"
  return 1
}

# named_conf DIRECTORY PORT ORIGIN=FILE...: the reference's configuration, scoped's behaviour.
named_conf() {
  local directory=$1 port=$2 zone
  shift 2
  named_options "$directory" "$port" 'minimal-responses yes; check-integrity no;' \
    'check-names primary ignore;'
  for zone in "$@"; do
    echo "zone \"${zone%%=*}\" { type primary; file \"${zone#*=}\"; };"
  done
}

# start_named DIRECTORY PORT ORIGIN=FILE...: sets named_pid; returns when all zones are loaded.
start_named() {
  named_conf "$@" >"$1/named.conf"
  named -g -n 1 -c "$1/named.conf" >"$1/named.log" 2>&1 3>&- &
  named_pid=$!
  wait_for_line "$1/named.log" 'running$' "$named_pid"
}

# start_scoped LOG OPTION...: sets scoped_pid; returns when it runs. The words of `launcher`, if any,
# come first.
start_scoped() {
  local log=$1
  shift
  rm -f "$log" # or an earlier server's lines would be taken for this one's
  "${launcher[@]}" "$DNSCOPE_BUILD/bin/scoped" -g "$@" >"$log" 2>&1 3>&- &
  scoped_pid=$!
  wait_for_line "$log" 'running$' "$scoped_pid"
}

# is_sanitized KIND: whether the programs are built with asan or tsan.
is_sanitized() {
  nm -D "$DNSCOPE_BUILD/bin/scoped" | grep -q "__$1_"
}

# stop PID...: SIGTERM; fails when one does not end with status 0.
stop() {
  local pid status=0
  kill "$@"
  for pid in "$@"; do
    wait "$pid" || status=$?
  done
  return "$status"
}
