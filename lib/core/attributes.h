/* Compiler attributes, under names that say what they promise. */
#ifndef CORE_ATTRIBUTES_H
#define CORE_ATTRIBUTES_H

/* The caller must look at the result. */
#define MUST_CHECK __attribute__((warn_unused_result))
/* No pointer argument may be NULL. */
#define NONNULL_ALL __attribute__((nonnull))
/* The result depends on the arguments and on memory, and nothing is written. */
#define PURE_FUNCTION __attribute__((pure))
/* Argument number `text` is a printf format, its values begin at argument `first`. */
#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#endif
