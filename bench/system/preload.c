#include "system/preload.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "core/error.h"
#include "system/script.h"

/* Program headers follow the ELF header in all that linkers make. */
#define HEAD_SIZE 4096
/* As deep as the kernel follows interpreters that are scripts themselves. */
#define SCRIPT_DEPTH 4

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#else
#define OWN_MACHINE EM_NONE
#endif

static bool has_interpreter(const unsigned char *bytes, size_t size, const Elf64_Ehdr *header)
{
    for (unsigned i = 0; i < header->e_phnum; i++) {
        uint64_t at = header->e_phoff + (uint64_t)i * sizeof(Elf64_Phdr);
        Elf64_Phdr segment;
        if (header->e_phoff > size || at + sizeof(segment) > size) {
            return false;
        }
        memcpy(&segment, bytes + at, sizeof(segment));
        if (segment.p_type == PT_INTERP) {
            return true;
        }
    }
    return false;
}

enum preload_kind preload_classify(const void *bytes, size_t size)
{
    const unsigned char *text = bytes;
    Elf64_Ehdr header;
    if (size >= 2 && text[0] == '#' && text[1] == '!') {
        return PRELOAD_SCRIPT;
    }
    if (size < SELFMAG || memcmp(text, ELFMAG, SELFMAG) != 0) {
        return PRELOAD_NOT_PROGRAM;
    }
    if (size <= EI_CLASS || text[EI_CLASS] != ELFCLASS64) {
        return PRELOAD_FOREIGN;
    }
    if (size < sizeof(header)) {
        return PRELOAD_NOT_PROGRAM;
    }
    memcpy(&header, text, sizeof(header));
    if (header.e_machine != OWN_MACHINE && OWN_MACHINE != EM_NONE) {
        return PRELOAD_FOREIGN;
    }
    return has_interpreter(text, size, &header) ? PRELOAD_DYNAMIC : PRELOAD_STATIC;
}

/*
 * In secure execution mode the loader ignores LD_PRELOAD (ld.so(8)): the program gets another
 * user or group than the caller's, or capabilities that the caller lacks.
 */
static int check_secure(const char *path, const struct stat *info, struct diag *diag)
{
    if ((info->st_mode & S_ISUID && info->st_uid != geteuid()) ||
        (info->st_mode & S_ISGID && info->st_mode & S_IXGRP && info->st_gid != getegid())) {
        return diag_fail(diag, ERR_UNSUPPORTED, path, 0,
                         "set-user-ID or set-group-ID, so the loader ignores preloaded libraries; "
                         "use a copy without these bits");
    }
    if (geteuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0) {
        return diag_fail(diag, ERR_UNSUPPORTED, path, 0,
                         "has file capabilities, so the loader ignores preloaded libraries; use a "
                         "copy without them, or be root");
    }
    return 0;
}

static int read_head(const char *path, char *head, size_t *size, struct stat *info,
                     struct diag *diag)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return diag_fail_errno(diag, path, "cannot read it");
    }
    ssize_t count = fstat(fd, info) == 0 ? pread(fd, head, HEAD_SIZE, 0) : -1;
    int status = count < 0 ? diag_fail_errno(diag, path, "cannot read it") : 0;
    close(fd);
    *size = count < 0 ? 0 : (size_t)count;
    return status;
}

static int check_at_depth(const char *path, int depth, struct diag *diag)
{
    char head[HEAD_SIZE + 1];
    size_t size = 0;
    struct stat info = {0};
    int status = read_head(path, head, &size, &info, diag);
    if (status != 0) {
        return status;
    }
    head[size] = '\0';
    switch (preload_classify(head, size)) {
    case PRELOAD_DYNAMIC:
        return check_secure(path, &info, diag);
    case PRELOAD_SCRIPT:
        if (depth < SCRIPT_DEPTH) {
            return check_at_depth(script_interpreter(head), depth + 1, diag);
        }
        return diag_fail(diag, ERR_UNSUPPORTED, path, 0, "scripts run by scripts, too deep");
    case PRELOAD_STATIC:
        return diag_fail(diag, ERR_UNSUPPORTED, path, 0,
                         "statically linked, so no library can be preloaded; use a dynamically "
                         "linked build");
    case PRELOAD_FOREIGN:
        return diag_fail(diag, ERR_UNSUPPORTED, path, 0,
                         "a program for another machine or word size, into which our libraries "
                         "cannot be preloaded");
    case PRELOAD_NOT_PROGRAM:
        break;
    }
    return diag_fail(diag, ERR_UNSUPPORTED, path, 0, "neither an ELF program nor a #! script");
}

int preload_check(const char *path, struct diag *diag)
{
    return check_at_depth(path, 0, diag);
}

int preload_check_library(const char *path, struct diag *diag)
{
    char head[HEAD_SIZE];
    size_t size = 0;
    struct stat info = {0};
    int status = read_head(path, head, &size, &info, diag);
    if (status != 0) {
        return status;
    }
    /* A library seldom has an interpreter, so that it looks as a static program does. */
    enum preload_kind kind = preload_classify(head, size);
    if (kind == PRELOAD_STATIC || kind == PRELOAD_DYNAMIC) {
        return 0;
    }
    return diag_fail(diag, ERR_UNSUPPORTED, path, 0,
                     "not a shared library for this machine, so it cannot be preloaded");
}

int preload_check_setup(const struct launch_setup *setup, const struct launch_libraries *libraries,
                        const char *program, struct diag *diag)
{
    bool pscope = setup->scope == THREAD_SCOPE_PROCESS;
    bool jemalloc = setup->allocator == ALLOCATOR_JEMALLOC;
    int status = launch_check_libraries(setup, libraries, diag);
    if (status == 0 && pscope) {
        status = preload_check_library(libraries->pscope, diag);
    }
    if (status == 0 && jemalloc) {
        status = preload_check_library(libraries->jemalloc, diag);
    }
    if (status == 0 && (pscope || jemalloc)) {
        status = preload_check(program, diag);
    }
    return status;
}
