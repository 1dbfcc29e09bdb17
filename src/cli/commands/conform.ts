import { join } from 'node:path';
import { standInFolder } from '../../backends/index.js';
import { KnownError } from '../../domain/common/known-error.js';
import { findExecutable } from '../../exec/find-executable.js';
import { runCommand } from '../../exec/process/run-command.js';
import { type CaseConformity, conform } from '../../run/conform/conform.js';
import { conformGenerated, type GeneratedCase } from '../../run/conform/conform-generated.js';
import { generateCases } from '../../run/conform/generate/generate.js';
import { readSurface } from '../../run/conform/generate/surface.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { openScreen } from '../screen.js';

/** The flags of `conform` as commander passes them. */
export interface ConformFlags {
  readonly executable?: string;
  readonly min?: string;
  readonly generate?: string;
  readonly seed?: string;
  readonly only?: string;
  readonly json?: boolean;
}

/** Runs `ralph-e2e conform`: plays the same scripts on the stand-in and on the real CLI, and counts equal fields. */
export async function conformCommand(backend: string, flags: ConformFlags): Promise<ExitCode> {
  if (backend !== 'claude') {
    throw new KnownError(
      `conform ${backend}: expected claude, the only CLI whose stand-in imitates its event stream.`,
      {
        hint: 'kiro is not in any package registry, so there is nothing to compare with; the scripted lane runs the real opencode.',
      },
    );
  }
  const minimum = Number(flags.min ?? (flags.generate === undefined ? 95 : 97));
  if (!(minimum >= 0 && minimum <= 100)) {
    throw new KnownError(`--min ${flags.min}: expected a number from 0 to 100.`);
  }
  const real = findExecutable(flags.executable ?? 'claude', process.env.PATH);
  if (real === null) {
    throw new KnownError(
      flags.executable === undefined
        ? 'claude was not found on PATH, so there is nothing to compare with.'
        : `--executable ${flags.executable}: expected an executable, found none.`,
      {
        hint: 'Install Claude Code (npm install -g @anthropic-ai/claude-code), or name it with --executable <path>.',
      },
    );
  }
  const version = await readVersion(real);
  const screen = openScreen({ json: flags.json === true });
  const { tell } = screen;
  tell(`Comparing the stand-in for claude with ${real} (${version}):`);
  const sides = { standIn: join(standInFolder(), 'claude'), real };
  if (flags.generate !== undefined) {
    const { percent, counts, ...rest } = await compareGenerated(sides, flags, tell);
    if (flags.json === true)
      screen.print(JSON.stringify({ backend, version, percent, counts, ...rest }, null, 2));
    if (percent < minimum || counts.permissive > 0) return EXIT.failed;
    return counts.unjudged > UNJUDGED_SHARE * rest.cases.length ? EXIT.untested : EXIT.passed;
  }
  const result = await conform(sides, (item) => tell(describeCase(item)));
  const percent = (100 * result.equal) / result.fields;
  tell(`\n${result.equal} of ${result.fields} fields are equal: ${percent.toFixed(2)} %`);
  if (flags.json === true) screen.print(JSON.stringify({ backend, version, percent, ...result }, null, 2));
  return percent >= minimum ? EXIT.passed : EXIT.failed;
}

/** With more cases than this that the real CLI did not end, there is no verdict. */
const UNJUDGED_SHARE = 0.05;

/** Generates cases from what the real CLI offers, and compares the outcomes. */
async function compareGenerated(
  sides: { readonly standIn: string; readonly real: string },
  flags: ConformFlags,
  tell: (text: string) => void,
) {
  const count = readCount('--generate', flags.generate, 1);
  const seed = flags.seed === undefined ? Date.now() % 1_000_000 : readCount('--seed', flags.seed, 0);
  const only = flags.only === undefined ? null : readCount('--only', flags.only, 1);
  const surface = await readSurface(sides.real);
  const settings = Object.keys(surface.settings).length;
  tell(`Seed ${seed}; ${surface.options.length} options in the help, ${settings} settings in the schema.`);
  const cases = generateCases(seed, count, surface).filter((_, index) => only === null || index + 1 === only);
  const result = await conformGenerated(sides, cases, (item) => {
    if (item.class !== 'equal') tell(describeGenerated(item));
  });
  const { equal, refused, different, permissive, unjudged } = result.counts;
  const left = unjudged === 0 ? '' : `; ${unjudged} not judged`;
  tell(
    `\n${equal} outcomes are equal, ${refused} refused by name, ${different} different, ${permissive} more permissive: ${result.percent.toFixed(1)} %${left}`,
  );
  const percentage = ((100 * result.equalFields) / Math.max(1, result.fields)).toFixed(2);
  tell(`${result.equalFields} of ${result.fields} fields are equal: ${percentage} %`);
  return { seed, ...result };
}

function readCount(flag: string, text: string | undefined, least: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= least) return count;
  throw new KnownError(`${flag} ${text}: expected a whole number from ${least}.`);
}

function describeGenerated({ id, class: kind, details, call, setting }: GeneratedCase): string {
  if (kind === 'refused') return `  ${id}: refused by name: ${shorten(details[0])}`;
  if (kind === 'unjudged') return `  ${id}: not judged: the real CLI did not end: ${shorten(call.join(' '))}`;
  const name = kind === 'permissive' ? 'MORE PERMISSIVE' : kind;
  const lines = [call.join(' '), ...setting, ...details];
  return [`  ${id}: ${name}`, ...lines.map((line) => `    ${shorten(line)}`)].join('\n');
}

async function readVersion(executable: string): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/' };
  const { ok, stdout } = await runCommand(executable, ['--version'], {
    cwd: process.cwd(),
    env,
    timeoutMs: 30_000,
  });
  if (ok && !stdout.includes('stand-in')) return stdout.trim();
  const found = ok ? `the stand-in from ralph-e2e (${stdout.trim()})` : 'a program that fails on --version';
  throw new KnownError(`${executable}: expected the real Claude Code, found ${found}.`, {
    hint: 'Name the real one with --executable <path>.',
  });
}

function describeCase({ id, fields, differences }: CaseConformity): string {
  return [
    `  ${id}: ${fields - differences.length} of ${fields}`,
    ...differences.flatMap(({ where, field, standIn, real }) => [
      `    ${where}: ${field}`,
      `      stand-in ${shorten(standIn)}`,
      `      real     ${shorten(real)}`,
    ]),
  ].join('\n');
}

function shorten(value: string | undefined): string {
  if (value === undefined) return '(missing)';
  return value.length > 400 ? `${value.slice(0, 400)}…` : value;
}
