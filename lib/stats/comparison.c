#include "stats/comparison.h"

#include <math.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "stats/student.h"

struct level {
    const char *name;
    double percent;
    double t_probability;
};

/* ministat's last column is headed 99.5 and holds the two-sided t of 99.8: the one-sided 0.999 of
 * the table that it was taken from. Its answers are kept, being what people compare with. */
static const struct level levels[] = {
    [CONFIDENCE_80] = {"80", 80.0, 0.80}, [CONFIDENCE_90] = {"90", 90.0, 0.90},
    [CONFIDENCE_95] = {"95", 95.0, 0.95}, [CONFIDENCE_98] = {"98", 98.0, 0.98},
    [CONFIDENCE_99] = {"99", 99.0, 0.99}, [CONFIDENCE_99_5] = {"99.5", 99.5, 0.998},
};

/* Beyond this many degrees of freedom the table goes on with the normal distribution. */
#define TABLE_DOF_MAX 100

/* The power for which detectable differences are told, and the same as a two-sided probability. */
#define POWER           0.80
#define POWER_TWO_SIDED (2 * POWER - 1)

/* A difference that is surely smaller than this is of no use to anybody. */
#define MATTERS_PERCENT 1.0

/* Beyond this the base's mean is so near to zero that a ratio to it says nothing. */
#define PERCENT_MAX 10000.0

int confidence_parse(const char *text, enum confidence *confidence)
{
    for (size_t i = 0; i < ARRAY_LENGTH(levels); i++) {
        size_t length = strlen(levels[i].name);
        if (strncmp(text, levels[i].name, length) == 0 &&
            (text[length] == '\0' || strcmp(text + length, "%") == 0)) {
            *confidence = (enum confidence)i;
            return 0;
        }
    }
    return ERR_RANGE;
}

double confidence_percent(enum confidence confidence)
{
    return levels[confidence].percent;
}

/* The printed table that ministat holds has these misprints in its last column; the right values
 * are 4.785 4.501 4.297 4.144 4.025 3.930. Observed in the output of Debian's ministat. */
static double misprinted_t(enum confidence confidence, size_t dof)
{
    static const double misprints[] = {4.782, 4.499, 4.296, 4.143, 4.024, 3.929};
    if (confidence == CONFIDENCE_99_5 && dof >= 7 && dof < 7 + ARRAY_LENGTH(misprints)) {
        return misprints[dof - 7];
    }
    return 0;
}

double confidence_student_t(enum confidence confidence, size_t dof)
{
    CHECK(dof >= 1);
    double misprint = misprinted_t(confidence, dof);
    if (misprint > 0) {
        return misprint;
    }
    unsigned table_dof = dof > TABLE_DOF_MAX ? STUDENT_DOF_INFINITE : (unsigned)dof;
    double exact = student_two_sided_quantile(levels[confidence].t_probability, table_dof);
    return round(exact * 1000) / 1000;
}

struct comparison comparison_make(const struct sample *base, const struct sample *other,
                                  enum confidence confidence)
{
    CHECK(base->n >= 2 && other->n >= 2);
    size_t dof = base->n + other->n - 2;
    double n_base = (double)base->n;
    double n_other = (double)other->n;
    double squares =
        (n_base - 1) * base->summary.variance + (n_other - 1) * other->summary.variance;
    double pooled_stddev = sqrt(squares / (double)dof);
    double standard_error = pooled_stddev * sqrt(1 / n_base + 1 / n_other);
    double t = confidence_student_t(confidence, dof);
    double t_power = student_two_sided_quantile(
        POWER_TWO_SIDED, dof > TABLE_DOF_MAX ? STUDENT_DOF_INFINITE : (unsigned)dof);
    double mean = base->summary.mean;

    struct comparison comparison = {
        .base_n = base->n,
        .other_n = other->n,
        .confidence_percent = levels[confidence].percent,
        .difference = other->summary.mean - mean,
        .half_width = t * standard_error,
        .pooled_stddev = pooled_stddev,
    };
    comparison.is_difference = fabs(comparison.difference) > comparison.half_width;
    comparison.difference_percent = comparison.difference * 100 / mean;
    comparison.half_width_percent = comparison.half_width * 100 / mean;
    /* Not so for what is not a number. */
    comparison.has_percent = fabs(comparison.difference_percent) <= PERCENT_MAX &&
                             fabs(comparison.half_width_percent) <= PERCENT_MAX;
    comparison.detectable_percent = (t + t_power) * standard_error * 100 / fabs(mean);
    return comparison;
}

/* "9.7% to 16.5%": from no change outwards, so that "slower" reads upwards, too. */
static void print_interval(const struct comparison *comparison, FILE *out)
{
    double middle = fabs(comparison->difference_percent);
    double half = fabs(comparison->half_width_percent);
    fprintf(out, "%g%% interval %.1f%% to %.1f%%", comparison->confidence_percent, middle - half,
            middle + half);
}

static void print_difference(const struct comparison *comparison,
                             const struct comparison_words *words, FILE *out)
{
    const char *word = comparison->difference > 0 ? words->more : words->less;
    const char *certainty = words->is_doubtful
                                ? "by this test unlikely to be chance, but see the warnings"
                                : "not a matter of chance";
    if (!comparison->has_percent) {
        fprintf(out, "%s is %s than %s by %g +/- %g (%g%% confidence; %s)", words->other, word,
                words->base, fabs(comparison->difference), comparison->half_width,
                comparison->confidence_percent, certainty);
        return;
    }
    fprintf(out, "%s is %.1f%% %s than %s (", words->other, fabs(comparison->difference_percent),
            word, words->base);
    print_interval(comparison, out);
    fprintf(out, "; %s)", certainty);
}

/* Whether all of the interval is too near to no change to be worth anything. */
static bool is_too_small_to_matter(const struct comparison *comparison)
{
    return comparison->has_percent &&
           fabs(comparison->difference_percent) + fabs(comparison->half_width_percent) <
               MATTERS_PERCENT;
}

static void print_small_difference(const struct comparison *comparison,
                                   const struct comparison_words *words, FILE *out)
{
    double half = fabs(comparison->half_width_percent);
    fprintf(out,
            "no difference that matters between %s and %s (%+.2f%%, %g%% interval %+.2f%% to "
            "%+.2f%%)",
            words->base, words->other, comparison->difference_percent,
            comparison->confidence_percent, comparison->difference_percent - half,
            comparison->difference_percent + half);
}

static void print_no_difference(const struct comparison *comparison,
                                const struct comparison_words *words, FILE *out)
{
    fprintf(out, "no difference shown between %s and %s", words->base, words->other);
    if (!comparison->has_percent) {
        fprintf(out, " (%g +/- %g, %g%% confidence)", comparison->difference,
                comparison->half_width, comparison->confidence_percent);
        return;
    }
    double half = fabs(comparison->half_width_percent);
    fprintf(out, " (%g%% interval %+.1f%% to %+.1f%%); ", comparison->confidence_percent,
            comparison->difference_percent - half, comparison->difference_percent + half);
    if (comparison->base_n == comparison->other_n) {
        fprintf(out, "%zu runs each", comparison->base_n);
    } else {
        fprintf(out, "%zu and %zu runs", comparison->base_n, comparison->other_n);
    }
    int decimals = comparison->detectable_percent < 10 ? 1 : 0;
    fprintf(out, " could have shown about %.*f%%", decimals, comparison->detectable_percent);
}

void comparison_print_sentence(const struct comparison *comparison,
                               const struct comparison_words *words, FILE *out)
{
    if (comparison->is_difference && is_too_small_to_matter(comparison)) {
        print_small_difference(comparison, words, out);
    } else if (comparison->is_difference) {
        print_difference(comparison, words, out);
    } else {
        print_no_difference(comparison, words, out);
    }
}
