# Until a process is dnscope, no longer who starts it, and handles SIGTERM (number 15: bit 14 of the
# mask in proc(5)).
until_handling() { # PID
    until [ "$(cat "/proc/$1/comm")" = dnscope ] &&
        (($(sed -n 's/^SigCgt:\s*/0x/p' "/proc/$1/status") & 0x4000)); do
        sleep 0.01
    done
}
