import { Chalk, type ChalkInstance } from 'chalk';
import { involvesRalph } from '../../domain/attempt.js';
import type { Proof, ScenarioProof } from '../../domain/proof/proof.js';
import { BUILT_IN_SABOTEURS } from '../../domain/scenario/saboteur.js';
import { testLabel } from '../../domain/vocabulary.js';
import { wrapText } from '../terminal/layout.js';
import type { TerminalStream } from '../terminal/terminal.js';
import { breakCommands, oneLine } from '../text/safe-text.js';
import { countOf, describeConversationTarget, formatDuration, laneMeaning } from '../words/words.js';
import {
  CELL_LEGEND,
  CELL_SIGNS,
  describeProof,
  describeProved,
  layOutMatrix,
  listFindings,
  type MatrixCell,
  nameProofVerdict,
} from './matrix.js';

/** What the reporter learns before the first run. */
interface Start {
  readonly target: Proof['target'];
  readonly lane: Proof['lane'];
  readonly scenarios: number;
  readonly jobs: number;
}

interface ProofReporterOptions {
  readonly stream: TerminalStream;
  readonly color: boolean;
  readonly quiet: boolean;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * Shows a running proof: a matrix for each scenario and, on a terminal, the progress. If the line cannot be rewritten,
 * progress is printed once per scenario.
 */
export function createProofReporter({ stream, color, quiet, now }: ProofReporterOptions) {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const startedAt = now();
  const animated = !quiet && stream.isTTY === true && (stream.columns ?? 0) > 0;
  let progress = { done: 0, total: 0, what: '' };
  let shown = false;

  const clear = (): void => {
    if (shown) stream.write('\r\u001b[2K');
    shown = false;
  };
  const describeProgress = (): string => {
    const { done, total } = progress;
    return `${done}/${total} runs, ${formatDuration((now() - startedAt) / 1000)}`;
  };
  const draw = (): void => {
    if (!animated || progress.total === 0) return;
    clear();
    stream.write(
      oneLine(`${describeProgress()}, ${progress.what}`, Math.max(10, (stream.columns ?? 80) - 1)),
    );
    shown = true;
  };
  const write = (lines: readonly string[]): void => {
    clear();
    stream.write(`${breakCommands(wrapText(lines.join('\n'), stream))}\n`);
    draw();
  };

  return {
    start: (start: Start): void => {
      if (!quiet) write(renderStart(start, chalk));
    },
    progress: (done: number, total: number, what: string): void => {
      progress = { done, total, what };
      draw();
    },
    scenario: (proof: ScenarioProof): void => {
      if (!quiet) write(renderMatrix(proof, chalk, animated ? '' : ` (${describeProgress()})`));
    },
    finish: (proof: Proof, paths: readonly string[]): void => {
      progress = { done: 0, total: 0, what: '' };
      write(renderEnd(proof, paths, chalk, quiet));
    },
    /** Removes the progress line. Safe to call at any time. */
    stop: clear,
  };
}

function renderStart({ target, lane, scenarios, jobs }: Start, chalk: ChalkInstance): string[] {
  return [
    `Target: ${describeProvedTarget(target, lane)}`,
    `Lane: ${lane} (${laneMeaning(lane)})`,
    `Proving ${countOf(scenarios, 'scenario')}, ${jobs} at a time...`,
    '',
    chalk.dim(CELL_LEGEND),
    chalk.dim(
      `  ${Object.keys(BUILT_IN_SABOTEURS)
        .map((name, index) => `${index + 1} ${name}`)
        .join(' · ')}`,
    ),
  ];
}

function describeProvedTarget(target: Proof['target'], lane: Proof['lane']): string {
  if (!involvesRalph(target)) return describeConversationTarget(lane);
  const on = `ralph ${oneLine(target.version, 60)}`;
  return target.kind === 'stand-in'
    ? `stand-in ${on}, which can be told to misbehave`
    : `${on}; saboteurs of the target need the stand-in and are left out`;
}

const WIDTH = 60;

/** Renders the matrix of one scenario, with the names of its own saboteurs below it. */
function renderMatrix(scenario: ScenarioProof, chalk: ChalkInstance, suffix = ''): string[] {
  const { id, backend, oracle } = scenario;
  const { columns, rows } = layOutMatrix(scenario);
  const label = chalk.bold(oneLine(testLabel(id, backend), 120));
  const head = `${label}: oracle ${oracle.outcome}, ${describeProved(scenario)}${chalk.dim(suffix)}`;
  if (oracle.outcome !== 'passed' && oracle.outcome !== 'known-issue') {
    return ['', head, `  ${chalk.red(oneLine(oracle.reason ?? '', 600))}`];
  }
  const pad = (text: string, key: string) => text.padStart(key.length + 1);
  return [
    '',
    head,
    `  ${''.padEnd(WIDTH)} ${columns.map(({ key }) => pad(key, key)).join('')}`,
    ...rows.map(({ name, check, cells }) => {
      const line = `  ${oneLine(name, WIDTH).padEnd(WIDTH)} ${cells.map((cell, at) => paint(cell, columns[at]?.key ?? '', chalk)).join('')}`;
      return check === null || check.state === 'proved'
        ? line
        : `${line}  ${check.state === 'unkilled' ? chalk.red(check.state) : chalk.yellow(check.state)}`;
    }),
    ...columns
      .filter(({ saboteur }) => saboteur.origin !== 'built-in' || WRONG.has(saboteur.verdict))
      .map(({ key, saboteur: { name, verdict, reason } }) => {
        const line = `    ${key} ${oneLine(name, 120)}`;
        if (verdict === 'noticed') return chalk.dim(line);
        const why = `${line}: ${verdict}${reason === null ? '' : `, ${oneLine(reason, 300)}`}`;
        return WRONG.has(verdict) ? chalk.red(why) : chalk.yellow(why);
      }),
  ];
}

const WRONG: ReadonlySet<string> = new Set(['survived', 'missed', 'ineffective']);

function paint(cell: MatrixCell, key: string, chalk: ChalkInstance): string {
  const sign = CELL_SIGNS[cell].padStart(key.length + 1);
  return cell === 'proof' ? chalk.green(sign) : cell === 'green' ? chalk.dim(sign) : sign;
}

function renderEnd(proof: Proof, paths: readonly string[], chalk: ChalkInstance, quiet: boolean): string[] {
  const findings = listFindings(proof).filter(({ wrong }) => wrong || !quiet);
  const verdict = oneLine(describeProof(proof), 300);
  return [
    ...findings.flatMap(({ title, wrong, items }) => [
      '',
      wrong ? chalk.red(`${title}: ${items.length}`) : `${title}: ${items.length}`,
      ...items.map((item) => `  ${oneLine(item, 400)}`),
    ]),
    '',
    (proof.passed ? chalk.green : chalk.red)(`${nameProofVerdict(proof)}: ${verdict}`),
    ...(quiet ? [] : paths.map((path) => `Written: ${oneLine(path, 600)}`)),
  ];
}
