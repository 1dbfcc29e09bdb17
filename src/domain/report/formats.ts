/** The words that ask for a report. What renders them is loaded only when a report is made. */
export const REPORT_FORMAT_NAMES = ['markdown', 'json', 'html', 'junit', 'ctrf', 'github'] as const;
export type ReportFormat = (typeof REPORT_FORMAT_NAMES)[number];

/** Where a copy of a report lies: at the top, in the folder of all runs, or in the folder of its run. */
export type ReportPlace = 'top' | 'run';
