/* What LIBPTHREAD_DEBUG tells on standard error. */
#ifndef PSCOPE_DEBUG_H
#define PSCOPE_DEBUG_H

/* One line behind "libpscope[PID]: " when LIBPTHREAD_DEBUG is set. Not on a carrier's stack. */
void debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
