/** The names of the report formats. Renderers are loaded only when a report is written. */
export const REPORT_FORMAT_NAMES = ['markdown', 'json', 'html', 'junit', 'ctrf', 'github'] as const;
export type ReportFormat = (typeof REPORT_FORMAT_NAMES)[number];

/** Where a copy of a report is: in the folder of all runs (`top`), or in the folder of its run. */
export type ReportPlace = 'top' | 'run';
