import { type Arrangement, type Check, type Errand, errandAnswered } from '../../src/authoring.js';

/** A configuration that Ralph must refuse. */
export interface Refusal {
  /** The bad file, which `-c` or `-H` names; `args` may name it otherwise. */
  readonly file?: string;
  /** The arguments that Ralph refuses; `-c <name>.yml` by default. */
  readonly args?: readonly string[];
  /** What Ralph must print on stderr. */
  readonly says: RegExp;
}
export type Refusals = Readonly<Record<string, Refusal>>;

/** Nothing starts even if Ralph accepts what it should refuse. */
const DRY = ['run', '--dry-run', '--no-tui', '-p', 'Say hello.'];

/** The files of the refusals, each with the name of its refusal. */
export function refusedFiles(refusals: Refusals): Record<string, string> {
  return Object.fromEntries(
    Object.entries(refusals).flatMap(([name, { file }]) =>
      file === undefined ? [] : [[`${name}.yml`, file]],
    ),
  );
}

/** Asks Ralph for each of them. */
export function refusalErrands(refusals: Refusals): Errand[] {
  return Object.entries(refusals).map(([name, refusal]) => ({ ralph: wordsOf(name, refusal) }));
}

/** Checks that Ralph refuses each of them with exit code 1 and its reason. */
export function refusalChecks(refusals: Refusals): Record<string, Check> {
  return Object.fromEntries(
    Object.entries(refusals).map(([name, refusal]) => [
      name,
      errandAnswered(wordsOf(name, refusal).join(' '), { exitCode: 1, stderr: refusal.says }),
    ]),
  );
}

/** Replaces every bad file by one that Ralph accepts. */
export function accepting(content: string): (arrangement: Arrangement) => Arrangement {
  return (arrangement) => ({
    ...arrangement,
    files: Object.fromEntries(Object.keys(arrangement.files ?? {}).map((path) => [path, content])),
  });
}

function wordsOf(name: string, { args = ['-c', `${name}.yml`] }: Refusal): readonly string[] {
  return [...DRY, ...args];
}
