/* Long libc calls that wait inside: names, libraries, the log. They happen at home. */
#include <dlfcn.h>
#include <stdarg.h>

#include "pscope/home.h"
#include "pscope/process.h"
#include "pscope/real.h"

INTERPOSE int getaddrinfo(const char *restrict node, const char *restrict service,
                          const struct addrinfo *restrict hints, struct addrinfo **restrict result)
{
    return AT_HOME(int, REAL(getaddrinfo)(node, service, hints, result));
}

INTERPOSE int getnameinfo(const struct sockaddr *restrict address, socklen_t length,
                          char *restrict host, socklen_t host_size, char *restrict service,
                          socklen_t service_size, int flags)
{
    return AT_HOME(
        int, REAL(getnameinfo)(address, length, host, host_size, service, service_size, flags));
}

INTERPOSE struct hostent *gethostbyname(const char *name)
{
    return AT_HOME(struct hostent *, REAL(gethostbyname)(name));
}

INTERPOSE void *dlopen(const char *file, int mode)
{
    return AT_HOME(void *, REAL(dlopen)(file, mode));
}

INTERPOSE int dlclose(void *handle)
{
    return AT_HOME(int, REAL(dlclose)(handle));
}

INTERPOSE void vsyslog(int priority, const char *format, va_list arguments)
{
    AT_HOME_VOID(REAL(vsyslog)(priority, format, arguments));
}

INTERPOSE void syslog(int priority, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsyslog(priority, format, arguments);
    va_end(arguments);
}
