#include "report/plot_text.h"

#include <math.h>
#include <string.h>

#include "stats/sample.h"

/* Colours that stand out on white and on black. */
static const char *const palette[] = {"#d9822b", "#3b82c4", "#2e9e6b", "#9b6bc3",
                                      "#d1495b", "#2aa1b3", "#9a8a2b", "#7f8896"};

#define WIDTH_PX        620
#define ROW_PX          34
#define FRAME_PX        80
#define DRIFT_HEIGHT_PX 340
#define KEY_ROW_PX      20
/* More setups than this in one drift plot have no key: it would be longer than the plot. */
#define KEY_SETUPS_MAX 12

bool plots_have_data(const struct results *results)
{
    for (size_t i = 0; i < results->setup_count; i++) {
        if (results->setups[i].sample.n > 0) {
            return true;
        }
    }
    return false;
}

static size_t count_shown(const struct results *results)
{
    size_t shown = 0;
    for (size_t i = 0; i < results->setup_count; i++) {
        shown += results->setups[i].sample.n > 0;
    }
    return shown;
}

/* A name between double quotes, as data files have texts; gnuplot knows no escape for the quote. */
static void print_name(const char *name, FILE *out)
{
    fputc('"', out);
    for (; *name != '\0'; name++) {
        unsigned char c = (unsigned char)*name;
        fputc(c == '"' ? '\'' : c < 0x20 || c == 0x7f ? '?' : c, out);
    }
    fputc('"', out);
}

/* Each setup its own colour in all plots; where they are too many for that, process scope has one
 * and system scope another, so that what belongs together shows. */
static const char *colour_of(const struct setup_results *setup, size_t index, size_t shown)
{
    const char *scope = json_string_value(json_object_get(setup->axes, "scope"));
    if (shown > ARRAY_LENGTH(palette) && scope != NULL) {
        return palette[strcmp(scope, "process") == 0 ? 0 : 1];
    }
    return palette[index % ARRAY_LENGTH(palette)];
}

/* The distance of tics for about five of them: 1, 2 or 5 times a power of ten. */
static double tic_step(double span)
{
    double power = pow(10, floor(log10(span / 5)));
    double steps = span / 5 / power;
    return power * (steps <= 1 ? 1 : steps <= 2 ? 2 : steps <= 5 ? 5 : 10);
}

/* The ends of an axis ("x", "y") for all rates and intervals, with some room beside them, but no
 * rates below 0. */
static void print_rate_range(const struct results *results, const char *axis, FILE *out)
{
    double low = INFINITY;
    double high = -INFINITY;
    for (size_t i = 0; i < results->setup_count; i++) {
        const struct sample *sample = &results->setups[i].sample;
        if (sample->n > 0) {
            double half = sample_mean_half_width(sample);
            low = fmin(low, fmin(sample->summary.min, sample->summary.mean - half));
            high = fmax(high, fmax(sample->summary.max, sample->summary.mean + half));
        }
    }
    double room = high > low ? 0.04 * (high - low) : fmax(1, 0.04 * fabs(high));
    low = fmax(0, low - room);
    high += room;
    fprintf(out, "set %srange [%.6g:%.6g]\nset %stics %.6g\n", axis, low, high, axis,
            tic_step(high - low));
}

static void print_head(const char *name, const char *title, size_t height_px, FILE *out)
{
    fprintf(out,
            "# %s. Made by dnscope report; run gnuplot in this folder to make it again.\n"
            "set terminal svg size %d,%zu dynamic font \"sans-serif,14\" name \"%s\" noenhanced\n"
            "set output \"%s.svg\"\n"
            "set border 3 linecolor rgb \"#808080\"\n"
            "set tics nomirror scale 0.5\n",
            title, WIDTH_PX, height_px, name, name);
}

/* setups.dat: a block for each setup, its name and then "qps row"; dots are spread within the row
 * so that equal ones show. */
static void print_setups_data(const struct results *results, FILE *out)
{
    size_t row = 0;
    for (size_t i = 0; i < results->setup_count; i++) {
        const struct setup_results *setup = &results->setups[i];
        if (setup->sample.n == 0) {
            continue;
        }
        row++;
        print_name(setup->name, out);
        fputc('\n', out);
        for (size_t n = 0; n < setup->sample.n; n++) {
            fprintf(out, "%.6f %.2f\n", setup->qps[n], (double)row + 0.06 * (double)(n % 5) - 0.28);
        }
        fputs("\n\n", out);
    }
}

/* setups-mean.dat: mean, ends of its 95% interval, row, name. One run has no interval. */
static void print_means_data(const struct results *results, FILE *out)
{
    size_t row = 0;
    for (size_t i = 0; i < results->setup_count; i++) {
        const struct sample *sample = &results->setups[i].sample;
        if (sample->n == 0) {
            continue;
        }
        row++;
        double half = sample_mean_half_width(sample);
        fprintf(out, "%.6f %.6f %.6f %zu ", sample->summary.mean, sample->summary.mean - half,
                sample->summary.mean + half, row);
        print_name(results->setups[i].name, out);
        fputc('\n', out);
    }
}

static void print_setups_script(const struct results *results, FILE *out)
{
    size_t shown = count_shown(results);
    print_head("setups", "Every run as a dot, the mean with its 95% interval",
               FRAME_PX + ROW_PX * shown, out);
    fprintf(out,
            "set grid xtics linecolor rgb \"#808080\" linetype 1 linewidth 0.3\n"
            "set border 1\n"
            "set ytics scale 0\n"
            "set xlabel \"queries per second\"\n"
            "set yrange [%zu.6:0.4]\n"
            "unset key\n",
            shown);
    print_rate_range(results, "x", out);
    fputs("plot", out);
    size_t index = 0;
    for (size_t i = 0; i < results->setup_count; i++) {
        if (results->setups[i].sample.n > 0) {
            fprintf(out,
                    " \"setups.dat\" index %zu using 1:2 every ::1 with points pt 7 ps 0.7 lc "
                    "rgb \"%s\", \\\n",
                    index, colour_of(&results->setups[i], index, shown));
            index++;
        }
    }
    fputs(
        " \"setups-mean.dat\" using 1:($4+0.22):2:3:ytic(5) with xerrorbars pt 7 ps 0.5 lw 1.5 lc "
        "rgb \"black\"\n",
        out);
}

/* drift.dat: a block for each setup, its name and then "position qps". */
static void print_drift_data(const struct results *results, FILE *out)
{
    for (size_t i = 0; i < results->setup_count; i++) {
        const struct setup_results *setup = &results->setups[i];
        if (setup->sample.n == 0) {
            continue;
        }
        print_name(setup->name, out);
        fputc('\n', out);
        for (size_t n = 0; n < setup->sample.n; n++) {
            fprintf(out, "%zu %.6f\n", setup->counted[n] + 1, setup->qps[n]);
        }
        fputs("\n\n", out);
    }
}

static void print_drift_script(const struct results *results, FILE *out)
{
    size_t shown = count_shown(results);
    bool has_key = shown <= KEY_SETUPS_MAX;
    print_head("drift", "The rate of every run in the order they were made",
               DRIFT_HEIGHT_PX + (has_key ? KEY_ROW_PX * ((shown + 1) / 2) : 0), out);
    fprintf(out,
            "set grid ytics linecolor rgb \"#808080\" linetype 1 linewidth 0.3\n"
            "set xlabel \"run\"\n"
            "set ylabel \"queries per second\"\n"
            "set xrange [0.5:%zu.5]\n"
            "%s\n",
            results->run_count, has_key ? "set key below maxcols 2" : "unset key");
    print_rate_range(results, "y", out);
    fputs("plot", out);
    size_t index = 0;
    for (size_t i = 0; i < results->setup_count; i++) {
        if (results->setups[i].sample.n == 0) {
            continue;
        }
        fprintf(out,
                "%s \"drift.dat\" index %zu using 1:2 with linespoints lw 1 pt 7 ps 0.6 lc rgb "
                "\"%s\" title columnheader(1)",
                index > 0 ? ", \\\n" : "", index, colour_of(&results->setups[i], index, shown));
        index++;
    }
    fputc('\n', out);
}

const struct plot_file plot_files[] = {
    {"setups.gp", print_setups_script},    {"setups.dat", print_setups_data},
    {"setups-mean.dat", print_means_data}, {"drift.gp", print_drift_script},
    {"drift.dat", print_drift_data},       {NULL, NULL},
};

const char *const plot_names[] = {"setups", "drift", NULL};
