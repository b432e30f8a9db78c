"""gdb commands for programs that run under libpscope: `info pscope` and `pscope bt N|all`.

Load with `source scripts/gdb/pscope.py` while attached to the process. gdb itself sees the kernel
threads: carriers, and homes that wait; these commands show the user threads.
"""
import gdb

# context_x86_64.S: what save_context pushed, from the saved stack pointer upwards.
SAVED = ["r15", "r14", "r13", "r12", "rbx", "rbp", "rip"]
SAVED_OFFSET = 8  # MXCSR and the x87 control word
STATES = ["armed", "parked", "woken", "timed out", "interrupted"]


def threads():
    """All registered user threads, in the order of their start."""
    uthread = gdb.lookup_type("struct uthread")
    offset = next(f.bitpos // 8 for f in uthread.fields() if f.name == "registered")
    first = gdb.parse_and_eval("registry.first")
    link = first
    while int(link):
        address = int(link) - offset
        yield gdb.Value(address).cast(uthread.pointer()).dereference()
        link = link["next"]
        if int(link) == int(first):
            return


def running():
    """The carrier that runs a user thread, by the thread's address."""
    result = {}
    carrier = gdb.parse_and_eval("all_carriers")
    while int(carrier):
        if int(carrier["state"]) != 0:
            result[int(carrier["running"])] = carrier
        carrier = carrier["next_all"]
    return result


def where(thread, carriers):
    carrier = carriers.get(int(thread.address))
    if carrier is not None:
        return "runs on kernel thread %d" % int(carrier["tid"])
    if not int(thread["carrier"]):
        return "at home"
    return STATES[int(thread["wake"])]


def select_kernel_thread(tid):
    for kernel_thread in gdb.selected_inferior().threads():
        if kernel_thread.ptid[1] == tid:
            kernel_thread.switch()
            return True
    return False


def backtrace_saved(thread):
    """Lends the saved registers to the home, which waits, for the time of a backtrace."""
    if not select_kernel_thread(int(thread["tid"])):
        print("  its kernel thread is gone")
        return
    names = SAVED + ["rsp"]
    before = {name: int(gdb.parse_and_eval("(unsigned long)$" + name)) for name in names}
    word = gdb.lookup_type("unsigned long").pointer()
    stack = int(thread["context"]) + SAVED_OFFSET
    saved = gdb.Value(stack).cast(word)
    try:
        gdb.execute("set $rsp = %d" % (stack + 8 * len(SAVED)))
        for i, name in enumerate(SAVED):
            gdb.execute("set $%s = %d" % (name, int(saved[i])))
        gdb.execute("backtrace")
    finally:
        for name in names:
            gdb.execute("set $%s = %d" % (name, before[name]))


class InfoPscope(gdb.Command):
    """info pscope: the user threads of libpscope, and where each of them is."""

    def __init__(self):
        super().__init__("info pscope", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        carriers = running()
        print("virtual CPUs: %d, carriers: %d, idle: %d, in the global queue: %d" % tuple(
            int(gdb.parse_and_eval(name)) for name in
            ("vcpu_count", "carrier_count", "idle_count", "global_queue.length")))
        for number, thread in enumerate(threads(), 1):
            print("%4d  home %d  %s" % (number, int(thread["tid"]), where(thread, carriers)))


class Pscope(gdb.Command):
    """pscope bt N|all: the backtrace of a user thread by its number in `info pscope`."""

    def __init__(self):
        super().__init__("pscope", gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        if len(words) != 2 or words[0] != "bt":
            raise gdb.GdbError("pscope bt N|all")
        selected = gdb.selected_thread()
        carriers = running()
        for number, thread in enumerate(threads(), 1):
            if words[1] not in ("all", str(number)):
                continue
            print("user thread %d, %s" % (number, where(thread, carriers)))
            carrier = carriers.get(int(thread.address))
            if carrier is not None or not int(thread["carrier"]):
                tid = int(carrier["tid"]) if carrier is not None else int(thread["tid"])
                if select_kernel_thread(tid):
                    gdb.execute("backtrace")
            else:
                backtrace_saved(thread)
        selected.switch()


InfoPscope()
Pscope()
