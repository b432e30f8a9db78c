#include "../unit.h"

#include <elf.h>
#include <string.h>

#include "core/attributes.h"
#include "system/preload.h"

#if defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#define MACHINE EM_X86_64
#endif

struct image {
    Elf64_Ehdr header;
    Elf64_Phdr segments[2];
};

static struct image program(unsigned second_type)
{
    struct image image = {
        .header = {.e_machine = MACHINE,
                   .e_phoff = sizeof(Elf64_Ehdr),
                   .e_phentsize = sizeof(Elf64_Phdr),
                   .e_phnum = 2},
        .segments = {{.p_type = PT_LOAD}, {.p_type = second_type}},
    };
    memcpy(image.header.e_ident, ELFMAG, SELFMAG);
    image.header.e_ident[EI_CLASS] = ELFCLASS64;
    return image;
}

static void kinds(void **state)
{
    (void)state;
    struct image dynamic = program(PT_INTERP);
    struct image fixed = program(PT_DYNAMIC); /* a static position-independent program */
    struct image foreign = program(PT_INTERP);
    foreign.header.e_machine = EM_S390;
    struct image small = program(PT_INTERP);
    small.header.e_ident[EI_CLASS] = ELFCLASS32;
    struct image far_away = program(PT_INTERP);
    far_away.header.e_phoff = UINT64_MAX - 8;
    struct image many = program(PT_DYNAMIC);
    many.header.e_phnum = UINT16_MAX;
    const struct {
        const void *bytes;
        size_t size;
        enum preload_kind kind;
    } cases[] = {
        {&dynamic, sizeof(dynamic), PRELOAD_DYNAMIC},
        {&fixed, sizeof(fixed), PRELOAD_STATIC},
        {&foreign, sizeof(foreign), PRELOAD_FOREIGN},
        {&small, sizeof(small), PRELOAD_FOREIGN},
        {&far_away, sizeof(far_away), PRELOAD_STATIC},
        {&many, sizeof(many), PRELOAD_STATIC},
        {&dynamic, sizeof(Elf64_Ehdr), PRELOAD_STATIC},
        {&dynamic, sizeof(Elf64_Ehdr) - 1, PRELOAD_NOT_PROGRAM},
        {&dynamic, 4, PRELOAD_FOREIGN},
        {"#!/bin/sh\n", 10, PRELOAD_SCRIPT},
        {"#!", 2, PRELOAD_SCRIPT},
        {"#", 1, PRELOAD_NOT_PROGRAM},
        {"", 0, PRELOAD_NOT_PROGRAM},
        {"hello", 5, PRELOAD_NOT_PROGRAM},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        assert_int_equal(preload_classify(cases[i].bytes, cases[i].size), cases[i].kind);
    }
}

static void this_program(void **state)
{
    (void)state;
    struct diag diag = {0};
    assert_int_equal(preload_check("/proc/self/exe", &diag), 0);
    assert_int_not_equal(preload_check("/no/such/program", &diag), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),
        cmocka_unit_test(this_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
