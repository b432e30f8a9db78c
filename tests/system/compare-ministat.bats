# The oracle: Debian's ministat itself.

@test "--ministat prints what ministat prints, on 250 generated sets of files" {
    "$DNSCOPE_SOURCE/tests/system/ministat-oracle" "$DNSCOPE_BUILD/bin/dnscope" 250
}
