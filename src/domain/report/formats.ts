/** The names of the report formats. Renderers are loaded only when a report is written. */
export const REPORT_FORMAT_NAMES = ['markdown', 'json', 'html', 'junit', 'ctrf', 'github'] as const;
export type ReportFormat = (typeof REPORT_FORMAT_NAMES)[number];

/** What `--report` of a run takes: the formats, and `blob`, from which `merge-reports` makes all of them. */
export const REPORT_CHOICES = [...REPORT_FORMAT_NAMES, 'blob'] as const;
export type ReportChoice = (typeof REPORT_CHOICES)[number];

/** Where a copy of a report is: in the folder of all runs (`top`), or in the folder of its run. */
export type ReportPlace = 'top' | 'run';
