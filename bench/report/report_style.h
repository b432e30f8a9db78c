/* The style sheet of a report: light and dark, phone and paper. */
#ifndef REPORT_REPORT_STYLE_H
#define REPORT_REPORT_STYLE_H

extern const char report_style[];

#endif
