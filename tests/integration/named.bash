# What every test that starts a private named needs: a port and a configuration.

# free_port: a port that no socket is bound to, out of `port_range`, the words of seq (FIRST STEP
# LAST): every group of tests has its own, for they run at the same time.
# shellcheck disable=SC2154 # set by the file that sources this one
free_port() {
  local port hex
  for port in $(seq "${port_range[@]}" | shuf); do
    hex=$(printf ':%04X ' "$port")
    if ! grep -q "$hex" /proc/net/udp /proc/net/tcp; then
      echo "$port"
      return
    fi
  done
  return 1
}

# named_options DIRECTORY PORT [STATEMENT...]: the part of named.conf before the zones: on that port
# of 127.0.0.1 alone, all its files in the directory, nothing asked or told elsewhere.
named_options() {
  local directory=$1 port=$2
  shift 2
  cat <<CONFIG
options {
  directory "$directory";
  pid-file "$directory/named.pid";
  session-keyfile "$directory/session.key";
  listen-on port $port { 127.0.0.1; };
  listen-on-v6 { none; };
  recursion no;
  dnssec-validation no;
  notify no;
  $*
};
controls { };
CONFIG
}
