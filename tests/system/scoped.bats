#!/usr/bin/env bats
# scoped's command line: options, errors, signals. What it answers is tests/integration's matter.

bats_require_minimum_version 1.5.0

load ../integration/scoped.bash

setup() {
  cd "$BATS_TEST_TMPDIR" || return 1
  scoped=$DNSCOPE_BUILD/bin/scoped
  port=$(free_port)
  scoped_pid=
  cat >zone <<'ZONE'
$TTL 60
@ SOA ns hostmaster 1 3600 600 86400 60
@ NS ns
ns A 192.0.2.1
www A 192.0.2.2
ZONE
}

teardown() {
  if [ -n "$scoped_pid" ]; then
    kill "$scoped_pid" 2>/dev/null || true
    wait "$scoped_pid" || true
  fi
}

# ask NAME [TYPE]: the short answer.
ask() {
  dig +short +tries=1 +time=2 -p "$port" @127.0.0.1 "$@"
}

# fails_with TEXT OPTION...: exit 1 and one line on standard error, which has TEXT; no thread ran.
fails_with() {
  local text=$1
  shift
  run --separate-stderr "$scoped" "$@"
  [ "$status" -eq 1 ]
  [ -z "$output" ]
  line=$(grep '^scoped: ' <<<"$stderr")
  echo "$line"
  [ "$(grep -c '^scoped: ' <<<"$stderr")" -eq 1 ]
  [[ $line == *"$text"* ]]
  [[ $stderr != *running* ]]
}

@test "--help, -v and -V print and end" {
  run "$scoped" --help
  [ "$status" -eq 0 ]
  [[ $output == *"--model MODEL"* ]]
  run "$scoped" -v
  [ "$status" -eq 0 ]
  [[ $output == "scoped "[0-9]* ]]
  run "$scoped" -V
  [ "$status" -eq 0 ]
  [[ $output == *"compiled by"* ]]
}

@test "wrong options say what would be right" {
  fails_with 'nothing to serve; give -c FILE or -z ORIGIN=FILE'
  fails_with 'there is no option -q' -q
  fails_with 'there is no option --nonsense' --nonsense
  fails_with 'option -p needs a value' -p
  fails_with '"0" is not a whole number from 1 to 65535' -p 0 -z example=zone
  fails_with '"65536" is not' -p 65536 -z example=zone
  fails_with '"two" is not a whole number from 1 to' -n two -z example=zone
  fails_with 'there is no "best"; there are reuseport, shared and dispatch' --model best -z a=zone
  fails_with '"example" is not ORIGIN=FILE' -z example
  fails_with '"=zone" is not ORIGIN=FILE' -z =zone
  fails_with 'unexpected argument "more"' -z example=zone more
  fails_with 'exclude each other' -4 -6 -z example=zone
}

@test "bad input is one line with file and line, and nothing starts" {
  printf '@ 60 SOA a.b. c.d. 1 2 3 4 5\n@ 60 NS a.b.\nx 60 A 300.1.1.1\n' >bad
  fails_with 'bad:3: bad data for type A' -g -p "$port" -z example=bad
  fails_with 'missing: cannot open: No such file' -g -p "$port" -z example=missing
  fails_with "option -z: zone name 'a..b': " -g -p "$port" -z 'a..b=zone'
  printf '\nzone "a..b" { type primary; file "zone"; };\n' >bad.conf
  fails_with "bad.conf:2: zone name 'a..b': " -g -c bad.conf
  fails_with 'there twice' -g -p "$port" -z example=zone -z EXAMPLE.=zone
  printf 'options {\n  directory "/"\n};\n' >bad.conf
  fails_with "bad.conf:3: expected ';', not '}'" -g -c bad.conf
  fails_with 'none.conf: cannot open' -g -c none.conf
  printf 'options { listen-on { localhost; }; };\n' >bad.conf
  fails_with "bad.conf:1: 'localhost' is not an IPv4 address" -g -c bad.conf
  printf '\noptions { directory "nowhere"; };\n' >bad.conf
  fails_with "bad.conf:2: cannot enter directory 'nowhere'" -g -c bad.conf
  printf '\n\ninclude "nofile.conf";\n' >bad.conf
  fails_with "bad.conf:3: include of 'nofile.conf', which cannot be read" -g -c bad.conf
  printf '@ 60 SOA a.b. c.d. 1 2 3 4 5\n@ 60 NS a.b.\n$INCLUDE nofile\n' >bad
  fails_with "bad:3: \$INCLUDE of 'nofile', which cannot be read" -g -p "$port" -z example=bad
}

@test "a configuration without zones starts, as named does, and says what it means" {
  printf 'options { listen-on port %s { 127.0.0.1; }; };\n' "$port" >a.conf
  start_scoped log -c a.conf
  grep -q 'warning: there is no zone, so every question will be REFUSED' log
  [ "$(dig +noall +comments @127.0.0.1 -p "$port" x.example | grep -c 'status: REFUSED')" = 1 ]
}

@test "the port of the configuration counts where neither listen-on nor -p names one" {
  printf 'OPTIONS { port %s; };\nZone "example" { Type Primary; File "zone"; };\n' "$port" >a.conf
  start_scoped log -c a.conf
  [ "$(ask www.example)" = 192.0.2.2 ]
}

@test "a port that somebody has is refused, in every model" {
  start_scoped log -p "$port" -z example=zone
  for model in reuseport shared dispatch; do
    fails_with "cannot listen on 127.0.0.1#$port" -g -p "$port" --model "$model" -z example=zone
  done
  [ "$(ask www.example)" = 192.0.2.2 ]
}

@test "an address that is not ours is refused" {
  printf 'options { listen-on port %s { 192.0.2.77; }; };\n' "$port" >a.conf
  fails_with "cannot listen on 192.0.2.77#$port" -g -c a.conf
}

@test "every model serves, logs as named does, and ends cleanly on SIGTERM and SIGINT" {
  for model in reuseport shared dispatch; do
    for signal in TERM INT; do
      start_scoped log -n 3 -p "$port" --model "$model" -z example=zone
      grep -q "^[0-9][0-9]-[A-Z][a-z][a-z]-20[0-9][0-9] [0-9:.]* zone example/IN: loaded serial 1$" log
      grep -q ' all zones loaded$' log
      [ "$(ask www.example)" = 192.0.2.2 ]
      kill -"$signal" "$scoped_pid"
      wait "$scoped_pid"
      grep -q ' exiting$' log
    done
  done
  scoped_pid=
}

# threads MODEL WORKERS: how many threads the server has.
threads() {
  start_scoped log -n "$2" -p "$port" --model "$1" -z example=zone
  ls "/proc/$scoped_pid/task" | wc -l
  stop "$scoped_pid"
}

@test "the workers are as many as -n says" {
  for model in reuseport shared dispatch; do
    [ "$(threads "$model" 4)" -eq "$(($(threads "$model" 1) + 3))" ]
  done
}

@test "an idle server uses no CPU" {
  for model in reuseport shared dispatch; do
    start_scoped log -n 2 -p "$port" --model "$model" -z example=zone
    before=$(awk '{ print $14 + $15 }' "/proc/$scoped_pid/stat")
    sleep 0.5
    after=$(awk '{ print $14 + $15 }' "/proc/$scoped_pid/stat")
    [ "$after" -le "$((before + 1))" ]
    stop "$scoped_pid"
  done
  scoped_pid=
}

@test "named.conf: relative files, several addresses, warnings that do not stop it" {
  mkdir zones
  mv zone zones/
  cat >named.conf <<CONF
options {
  directory "zones";
  listen-on port $port { 127.0.0.1; 127.0.0.2; };
  version "none";
};
zone "example" { type primary; file "zone"; };
CONF
  for model in reuseport shared dispatch; do
    start_scoped log -n 2 --model "$model" -c named.conf
    grep -q "warning: named.conf:4: statement 'version' is not implemented; ignored$" log
    [ "$(ask www.example)" = 192.0.2.2 ]
    [ "$(dig +short +tries=1 +time=2 -p "$port" @127.0.0.2 www.example)" = 192.0.2.2 ]
    stop "$scoped_pid"
  done
  scoped_pid=
}

@test "SIGHUP serves the new data; when that is bad, the old" {
  start_scoped log -n 2 -p "$port" -z example=zone
  sed -i 's/192.0.2.2/192.0.2.3/' zone
  kill -HUP "$scoped_pid"
  wait_for_line log 'reloading zones succeeded$' "$scoped_pid"
  [ "$(ask www.example)" = 192.0.2.3 ]
  echo 'bad 60 A nonsense' >>zone
  kill -HUP "$scoped_pid"
  wait_for_line log 'the zones stay as they were$' "$scoped_pid"
  grep -q 'error: zone:6: bad data for type A' log
  [ "$(ask www.example)" = 192.0.2.3 ]
}

@test "queries are answered while zones are reloaded again and again" {
  start_scoped log -n 2 -p "$port" -z example=zone
  for _ in $(seq 20); do
    kill -HUP "$scoped_pid"
    [ "$(ask www.example)" = 192.0.2.2 ]
  done
}

@test "without -g and -f it goes into the background, and stays in its folder" {
  "$scoped" -p "$port" -z example=zone
  [ "$(ask www.example)" = 192.0.2.2 ]
  scoped_pid=$(pgrep -f "scoped -p $port -z")
  kill "$scoped_pid"
  for _ in $(seq 100); do
    kill -0 "$scoped_pid" 2>/dev/null || break
    sleep 0.02
  done
  ! kill -0 "$scoped_pid" 2>/dev/null
  scoped_pid=
}

@test "-u gives up root's rights" {
  [ "$(id -u)" -eq 0 ] || skip "needs root"
  start_scoped log -p "$port" -u nobody -z example=zone
  [ "$(stat -c %U "/proc/$scoped_pid")" = nobody ]
  stop "$scoped_pid"
  scoped_pid=
  fails_with 'there is no user "no-such-user"' -g -p "$port" -u no-such-user -z example=zone
}

@test "-t changes the root, and -u knows users from outside it" {
  [ "$(id -u)" -eq 0 ] || skip "needs root"
  if is_sanitized asan || is_sanitized tsan; then
    skip "sanitizers need what is outside the new root"
  fi
  mkdir root
  mv zone root/inside
  start_scoped log -p "$port" -t "$PWD/root" -u nobody -z example=/inside
  [ "$(ask www.example)" = 192.0.2.2 ]
  [ "$(stat -c %U "/proc/$scoped_pid")" = nobody ]
  stop "$scoped_pid"
  scoped_pid=
  fails_with 'nowhere: cannot make it the root directory' -g -p "$port" -t nowhere -z example=zone
}

@test "listen-on any is every address of the host, IPv6 too" {
  printf 'options { listen-on port %s { any; }; listen-on-v6 port %s { ::1; }; };\n' \
    "$port" "$port" >any.conf
  [ -e /proc/sys/net/ipv6 ] || skip "no IPv6 here"
  start_scoped log -c any.conf -z example=zone
  grep -q "listening on 127.0.0.1#$port$" log
  [ "$(ask www.example)" = 192.0.2.2 ]
  [ "$(dig +short +tries=1 +time=2 -p "$port" @::1 www.example)" = 192.0.2.2 ]
  stop "$scoped_pid"
  start_scoped log -6 -c any.conf -z example=zone
  ! grep -q 'listening on 127' log
}
