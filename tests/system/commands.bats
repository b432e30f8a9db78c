#!/usr/bin/env bats
# What all commands of dnscope have in common.

bats_require_minimum_version 1.5.0

setup() {
    dnscope="$DNSCOPE_BUILD/bin/dnscope"
    commands=$("$dnscope" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
    [ "$(wc -w <<<"$commands")" -ge 6 ]
}

@test "every command has the same help and version" {
    for command in "" $commands; do
        for option in -h --help; do
            run -0 --separate-stderr "$dnscope" $command "$option"
            [[ "$output" == "Usage: dnscope ${command:-COMMAND}"*--help*--version* ]]
            [ -z "$stderr" ]
        done
        run -0 --separate-stderr "$dnscope" $command --version
        [[ "$output" == "dnscope "[0-9]* ]]
        [ "${#lines[@]}" -eq 1 ]
    done
}

@test "what cannot be printed is an error in every command" {
    for words in --help --version "cpus" "cpus --json" "exec -n true" \
        $(for command in $commands; do echo "$command@--help" "$command@--version"; done); do
        run -1 bash -c "'$dnscope' ${words/@/ } >/dev/full"
        echo "$words: $output"
        [[ "$output" == "dnscope: (standard output): cannot write"* ]]
    done
}
