import type { CheckResult, PreflightReport } from './preflight.js';

const ICONS = { pass: '✓', warn: '⚠', fail: '✗' } as const;

/** Renders the line before a run, followed by the reasons for failures. */
export function renderSummary(report: PreflightReport, prefix: string, verbose: boolean): string {
  const icons = report.checks.map(({ name, status }) => `${ICONS[status]} ${name}`).join(' ');
  const suffix =
    report.failures > 0
      ? ` (${count(report.failures, 'failure')})`
      : report.warnings > 0
        ? ` (${count(report.warnings, 'warning')})`
        : '';
  const list = (status: CheckResult['status']) =>
    report.checks
      .filter((check) => check.status === status)
      .map(({ name, message }) => `  ${ICONS[status]} ${name}: ${message ?? ''}\n`)
      .join('');
  const head = `${prefix}${icons === '' ? 'no checks' : icons}${suffix}\n`;
  return `${head}${list('fail')}${verbose ? list('warn') : ''}`;
}

/** Renders why a run does not start. */
export function renderRefusal({ failures, warnings }: PreflightReport, strict: boolean): string {
  const warned = strict && warnings > 0 ? `, ${count(warnings, 'warning')}` : '';
  return `Preflight checks failed (${count(failures, 'failure')}${warned}). Fix the issues above or use --skip-preflight to bypass.`;
}

/** Renders the report of `ralph preflight`. */
export function renderReport(report: PreflightReport, source: string, strict: boolean): string {
  const width = Math.max(4, ...report.checks.map(({ name }) => name.length));
  const words = { pass: 'OK  ', warn: 'WARN', fail: 'FAIL' } as const;
  const lines = report.checks.flatMap(({ name, label, status, message }) => [
    `  ${words[status]} ${name.padEnd(width)} ${label}`,
    ...(message ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `      ${line}`),
  ]);
  const details = [
    ...(report.failures > 0 ? [`${report.failures} failure(s)`] : []),
    ...(report.warnings > 0 ? [`${report.warnings} warning(s)`] : []),
  ];
  const result = `Result: ${report.passed ? 'PASS' : 'FAIL'}${details.length === 0 ? '' : ` (${details.join(', ')})`}`;
  const note = strict && report.warnings > 0 ? ['Note: strict mode treats warnings as failures.'] : [];
  return [`Preflight checks for ${source}`, '', ...lines, '', result, ...note, ''].join('\n');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
