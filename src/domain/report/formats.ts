/**
 * The report formats: the name that `--report` takes, the file, and who reads it. A new format is an entry here and its
 * renderer in report-files.ts. Help, `clean`, the MCP tool and the tests of hostile text and credentials go through this
 * list.
 */
export const REPORT_FORMATS = [
  { name: 'markdown', file: 'report.md', reader: 'people and agents' },
  { name: 'json', file: 'report.json', reader: 'programs' },
  { name: 'html', file: 'report.html', reader: 'people' },
  { name: 'junit', file: 'report.junit.xml', reader: 'CI servers' },
  { name: 'github', file: 'report.github.md', reader: 'GitHub workflows' },
] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number]['name'];
export const REPORT_FORMAT_NAMES = REPORT_FORMATS.map(({ name }) => name);

/** What `--report` of a run takes: the formats, and `blob`, from which `merge-reports` makes all of them. */
export const REPORT_CHOICES = [...REPORT_FORMAT_NAMES, 'blob' as const];

/** What `show` prints: a format, what the terminal showed, or a few lines for release notes. */
export const SHOWN_FORMATS = ['terminal', ...REPORT_FORMAT_NAMES, 'release'] as const;
export type ShownFormat = (typeof SHOWN_FORMATS)[number];

/** Where a copy of a report is: in the folder of all runs (`top`), or in the folder of its run. */
export type ReportPlace = 'top' | 'run';
