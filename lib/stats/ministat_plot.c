#include "stats/ministat_plot.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

/* A grid of octets, characters or numbers of samples; row 0 is the lowest. */
struct grid {
    size_t width;
    size_t rows;
    unsigned char *cells;
};

/* All cells `empty`. */
static int grid_init(struct grid *grid, size_t width, size_t rows, unsigned char empty)
{
    *grid = (struct grid){.width = width, .rows = rows, .cells = calloc(rows + 1, width)};
    if (grid->cells == NULL) {
        return ERR_MEMORY;
    }
    memset(grid->cells, empty, rows * width);
    return 0;
}

static unsigned char *grid_cell(struct grid *grid, size_t row, size_t column)
{
    return &grid->cells[row * grid->width + column];
}

/* The interval of the axis: all values and all bars. */
struct axis {
    double low;
    double high;
    size_t width;
};

static struct axis axis_over(const struct sample *samples, size_t count, size_t width)
{
    struct axis axis = {.low = INFINITY, .high = -INFINITY, .width = width};
    for (size_t i = 0; i < count; i++) {
        const struct summary *summary = &samples[i].summary;
        axis.low = fmin(axis.low, fmin(summary->min, summary->mean - summary->stddev));
        axis.high = fmax(axis.high, fmax(summary->max, summary->mean + summary->stddev));
    }
    return axis;
}

static double axis_step(const struct axis *axis)
{
    return (axis->high - axis->low) / (double)(axis->width - 1);
}

/* The nearest column: columns have their centre at whole steps from the lowest. Where the numbers
 * are so close that a step is lost in rounding, the last column is the limit. */
static size_t axis_column(const struct axis *axis, double value)
{
    double step = axis_step(axis);
    double column = (value - (axis->low - 0.5 * step)) / step;
    return column < (double)(axis->width - 1) ? (size_t)column : axis->width - 1;
}

/* How many values of the sample stand in its fullest column. */
static size_t stack_height(const struct axis *axis, const struct sample *sample)
{
    size_t highest = 0;
    size_t height = 0;
    size_t last_column = SIZE_MAX;
    for (size_t i = 0; i < sample->n; i++) {
        size_t column = axis_column(axis, sample->sorted[i]);
        height = column == last_column ? height + 1 : 1;
        last_column = column;
        highest = height > highest ? height : highest;
    }
    return highest;
}

static void stack_values(struct grid *grid, const struct axis *axis, const struct sample *sample,
                         unsigned char number)
{
    size_t row = 0;
    size_t last_column = SIZE_MAX;
    for (size_t i = 0; i < sample->n; i++) {
        size_t column = axis_column(axis, sample->sorted[i]);
        row = column == last_column ? row + 1 : 0;
        last_column = column;
        *grid_cell(grid, row, column) |= number;
    }
}

/* |___M__A___|: one deviation to either side of the mean. What an earlier sample drew in the same
 * row shines through the line, not through the signs. */
static void draw_bar(struct grid *grid, size_t row, const struct axis *axis,
                     const struct summary *summary)
{
    size_t left = axis_column(axis, summary->mean - summary->stddev);
    size_t right = axis_column(axis, summary->mean + summary->stddev);
    for (size_t column = left; column <= right; column++) {
        unsigned char *cell = grid_cell(grid, row, column);
        if (*cell == ' ') {
            *cell = '_';
        }
    }
    *grid_cell(grid, row, left) = '|';
    *grid_cell(grid, row, right) = '|';
    *grid_cell(grid, row, axis_column(axis, summary->median)) = 'M';
    *grid_cell(grid, row, axis_column(axis, summary->mean)) = 'A';
}

static void print_frame(size_t width, FILE *out)
{
    fputc('+', out);
    for (size_t i = 0; i < width; i++) {
        fputc('-', out);
    }
    fputs("+\n", out);
}

/* Cells are indices into `symbols`, or themselves what to print when that is NULL. */
static void print_rows(struct grid *grid, const char *symbols, FILE *out)
{
    for (size_t row = grid->rows; row-- > 0;) {
        fputc('|', out);
        for (size_t column = 0; column < grid->width; column++) {
            unsigned char cell = *grid_cell(grid, row, column);
            fputc(symbols != NULL ? symbols[cell] : cell, out);
        }
        fputs("|\n", out);
    }
}

/*
 * ministat cuts the plot to the height of each sample as it draws it, so that the last one's height
 * counts in the end and taller stacks of earlier samples lose their tops.
 */
static void cut_to(struct grid *grid, size_t rows)
{
    if (rows < grid->rows) {
        memset(grid_cell(grid, rows, 0), 0, (grid->rows - rows) * grid->width);
    }
    grid->rows = rows;
}

static int draw_values(struct grid *grid, const struct axis *axis, const struct sample *samples,
                       size_t count)
{
    size_t highest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t height = stack_height(axis, &samples[i]);
        highest = height > highest ? height : highest;
    }
    if (grid_init(grid, axis->width, highest, 0) != 0) {
        return ERR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        cut_to(grid, stack_height(axis, &samples[i]));
        stack_values(grid, axis, &samples[i], (unsigned char)(i + 1));
    }
    return 0;
}

/* One bar below the other, or all in one row. */
static int draw_bars(struct grid *grid, const struct axis *axis, const struct sample *samples,
                     size_t count, bool separate)
{
    if (grid_init(grid, axis->width, separate ? count : 1, ' ') != 0) {
        return ERR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        draw_bar(grid, separate ? count - 1 - i : 0, axis, &samples[i].summary);
    }
    return 0;
}

int ministat_plot_print(const struct ministat_options *options, const struct sample *samples,
                        size_t count, FILE *out)
{
    struct axis axis = axis_over(samples, count, options->width);
    if (axis_step(&axis) == 0) {
        fputs("[no plot, span is zero width]\n", out);
        return 0;
    }
    struct grid values = {0};
    struct grid bars = {0};
    int status = draw_values(&values, &axis, samples, count);
    if (status == 0) {
        status = draw_bars(&bars, &axis, samples, count, options->separate_bars);
    }
    if (status == 0) {
        print_frame(axis.width, out);
        print_rows(&values, MINISTAT_SYMBOLS, out);
        print_rows(&bars, NULL, out);
        print_frame(axis.width, out);
    }
    free(values.cells);
    free(bars.cells);
    return status;
}
