# A private named for the libpscope tests: own directory, own port, stopped by its own process id.

# shellcheck source=tests/integration/named.bash
source "$DNSCOPE_SOURCE/tests/integration/named.bash"

port_range=(20500 2 20998)

# named_prepare DIRECTORY PORT: a configuration that serves bench.example alone. The directory must
# belong to the user that named runs as: even as root it gives up the right to write elsewhere.
named_prepare() {
  local directory=$1 port=$2
  cp "$DNSCOPE_SOURCE/configs/zones/bench.example.zone" "$directory/zone"
  {
    named_options "$directory" "$port"
    echo "zone \"bench.example\" { type primary; file \"$directory/zone\"; };"
  } >"$directory/named.conf"
}

# pscope VCPUS COMMAND...: COMMAND in place of the shell, with process-scope threads.
pscope() {
  local vcpus=$1
  shift
  exec env LD_PRELOAD="$DNSCOPE_BUILD/lib/libpscope.so" LIBPTHREAD_PROCESS_SCOPE=1 \
    LIBPTHREAD_VIRTUAL_CPU="$vcpus" LIBPTHREAD_STATS="$statistics" "$@"
}

# named_start DIRECTORY PORT VCPUS OPTION...: sets named_pid; returns when it answers.
named_start() {
  local directory=$1 port=$2 vcpus=$3
  shift 3
  statistics=$directory/statistics.json
  rm -f "$statistics"
  (pscope "$vcpus" named -g -c "$directory/named.conf" "$@") >"$directory/log" 2>&1 3>&- &
  named_pid=$!
  for _ in $(seq 100); do
    if dig +short +tries=1 +time=1 @127.0.0.1 -p "$port" bench.example SOA | grep -q '^ns1'; then
      return 0
    fi
    if ! kill -0 "$named_pid" 2>/dev/null; then
      break
    fi
    sleep 0.1
  done
  echo "named does not answer; its last lines:"
  tail -n 20 "$directory/log"
  return 1
}

# wait_for_exit PID SECONDS: its exit status, or 1 with its threads shown when it does not end.
wait_for_exit() {
  local pid=$1 seconds=$2
  for _ in $(seq $((seconds * 20))); do
    if ! kill -0 "$pid" 2>/dev/null; then
      wait "$pid"
      return
    fi
    sleep 0.05
  done
  echo "process $pid still runs after $seconds s:"
  cat "/proc/$pid/task"/*/wchan 2>/dev/null | sort | uniq -c
  return 1
}

# counter NAME FILE: a number of the statistics' top level, or the sum over the virtual CPUs.
counter() {
  /usr/bin/python3 - "$1" "$2" <<'SCRIPT'
import json, sys

def total(node, name):
    if isinstance(node, dict):
        return sum(value if key == name and isinstance(value, int) else total(value, name)
                   for key, value in node.items())
    if isinstance(node, list):
        return sum(total(value, name) for value in node)
    return 0

print(total(json.load(open(sys.argv[2])), sys.argv[1]))
SCRIPT
}
