#include "task_queue.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct task_queue {
    pthread_mutex_t mutex; /* protects all below but `tasks` */
    pthread_cond_t work_available;
    pthread_cond_t task_freed;
    bool closed;
    struct task *free_tasks;
    struct task *oldest;
    struct task *newest;
    struct task *tasks;
};

struct task_queue *task_queue_create(size_t task_count)
{
    struct task_queue *queue = calloc(1, sizeof(*queue));
    struct task *tasks = calloc(task_count, sizeof(*tasks));
    if (queue == NULL || tasks == NULL) {
        free(queue);
        free(tasks);
        return NULL;
    }
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->work_available, NULL);
    pthread_cond_init(&queue->task_freed, NULL);
    queue->tasks = tasks;
    for (size_t i = 0; i < task_count; i++) {
        tasks[i].next = queue->free_tasks;
        queue->free_tasks = &tasks[i];
    }
    return queue;
}

void task_queue_free(struct task_queue *queue)
{
    if (queue != NULL) {
        pthread_cond_destroy(&queue->task_freed);
        pthread_cond_destroy(&queue->work_available);
        pthread_mutex_destroy(&queue->mutex);
        free(queue->tasks);
        free(queue);
    }
}

static void append(struct task_queue *queue, struct task *task)
{
    task->next = NULL;
    if (queue->oldest == NULL) {
        queue->oldest = task;
    } else {
        queue->newest->next = task;
    }
    queue->newest = task;
}

struct task *task_queue_submit(struct task_queue *queue, struct task *filled)
{
    pthread_mutex_lock(&queue->mutex);
    if (filled != NULL) {
        append(queue, filled);
        pthread_cond_signal(&queue->work_available);
    }
    while (queue->free_tasks == NULL && !queue->closed) {
        pthread_cond_wait(&queue->task_freed, &queue->mutex);
    }
    struct task *task = queue->closed ? NULL : queue->free_tasks;
    if (task != NULL) {
        queue->free_tasks = task->next;
    }
    pthread_mutex_unlock(&queue->mutex);
    return task;
}

struct task *task_queue_next(struct task_queue *queue, struct task *done)
{
    pthread_mutex_lock(&queue->mutex);
    if (done != NULL) {
        if (queue->free_tasks == NULL) {
            pthread_cond_signal(&queue->task_freed);
        }
        done->next = queue->free_tasks;
        queue->free_tasks = done;
    }
    while (queue->oldest == NULL && !queue->closed) {
        pthread_cond_wait(&queue->work_available, &queue->mutex);
    }
    struct task *task = queue->oldest;
    if (task != NULL) {
        queue->oldest = task->next;
    }
    pthread_mutex_unlock(&queue->mutex);
    return task;
}

void task_queue_close(struct task_queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    queue->closed = true;
    pthread_cond_broadcast(&queue->work_available);
    pthread_cond_broadcast(&queue->task_freed);
    pthread_mutex_unlock(&queue->mutex);
}
