#include "pscope/thread_pointer.h"

bool thread_pointer_by_instruction;

void thread_pointer_start(void)
{
    thread_pointer_by_instruction = machine_thread_pointer_instruction();
}
