/* Message queues, System V semaphores and other waits inside the kernel. They happen at home. */
#include <aio.h>
#include <mqueue.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <termios.h>

#include "pscope/home.h"
#include "pscope/process.h"
#include "pscope/real.h"

INTERPOSE ssize_t mq_receive(mqd_t queue, char *message, size_t size, unsigned *priority)
{
    return AT_HOME(ssize_t, REAL(mq_receive)(queue, message, size, priority));
}

INTERPOSE ssize_t mq_timedreceive(mqd_t queue, char *restrict message, size_t size,
                                  unsigned *restrict priority, const struct timespec *restrict when)
{
    return AT_HOME(ssize_t, REAL(mq_timedreceive)(queue, message, size, priority, when));
}

INTERPOSE int mq_send(mqd_t queue, const char *message, size_t size, unsigned priority)
{
    return AT_HOME(int, REAL(mq_send)(queue, message, size, priority));
}

INTERPOSE int mq_timedsend(mqd_t queue, const char *message, size_t size, unsigned priority,
                           const struct timespec *when)
{
    return AT_HOME(int, REAL(mq_timedsend)(queue, message, size, priority, when));
}

INTERPOSE ssize_t msgrcv(int queue, void *message, size_t size, long type, int flags)
{
    return AT_HOME(ssize_t, REAL(msgrcv)(queue, message, size, type, flags));
}

INTERPOSE int msgsnd(int queue, const void *message, size_t size, int flags)
{
    return AT_HOME(int, REAL(msgsnd)(queue, message, size, flags));
}

INTERPOSE int semop(int set, struct sembuf *operations, size_t count)
{
    return AT_HOME(int, REAL(semop)(set, operations, count));
}

INTERPOSE int semtimedop(int set, struct sembuf *operations, size_t count,
                         const struct timespec *timeout)
{
    return AT_HOME(int, REAL(semtimedop)(set, operations, count, timeout));
}

INTERPOSE int aio_suspend(const struct aiocb *const list[], int count,
                          const struct timespec *timeout)
{
    return AT_HOME(int, REAL(aio_suspend)(list, count, timeout));
}

INTERPOSE ssize_t sendfile(int out, int in, off_t *offset, size_t size)
{
    return AT_HOME(ssize_t, REAL(sendfile)(out, in, offset, size));
}

INTERPOSE ssize_t sendfile64(int out, int in, off64_t *offset, size_t size)
{
    return AT_HOME(ssize_t, REAL(sendfile64)(out, in, offset, size));
}

INTERPOSE int tcdrain(int fd)
{
    return AT_HOME(int, REAL(tcdrain)(fd));
}
