import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { joinHeadAndTail } from '../../src/exec/process/capture.js';
import type { DifferentialCase } from './case.js';
import { Normaliser, type Places } from './normalise.js';
import { readPromptParts } from './prompt-parts.js';
import type { Finished } from './run-case.js';

/** What a ralph did in a case, field by field, as lines that can be compared. */
export type Observation = Readonly<Record<string, readonly string[]>>;

export interface Traces extends Omit<Places, 'given'> {
  readonly testCase: DifferentialCase;
  readonly finished: readonly Finished[];
  readonly seen: string;
  readonly config: string;
}

/** Reads everything that a case left behind. */
export async function observe(traces: Traces): Promise<Observation> {
  const { testCase, finished, workspace, seen, config } = traces;
  const { log } = testCase;
  const normaliser = new Normaliser({ ...traces, given: JSON.stringify(testCase) });
  const screens = finished.map(({ result }) => joinHeadAndTail(result.stdout));
  const files = listFiles(workspace);
  const calls = readCalls(seen);
  const eventRows = files.filter(isEventsFile).flatMap((name) => readLines(join(workspace, name)));
  return {
    exit: finished.map(({ result }) => describeExit(result)),
    label: screens.flatMap((text) => matches(text, /Loop terminated: (.+)/g)),
    reason: eventRows.flatMap((row) => matches(row, /"topic":"loop\.terminate".*## Reason\\n(\w+)/g)),
    iterations: screens.flatMap((text) =>
      matches(text, /^ (ITERATION \d+ \| \? .+ \|) .* elapsed (\| \d+\/\d+)$/gm),
    ),
    calls: calls.map(({ args }) => normaliser.text(args.join(' '))),
    ...Object.fromEntries(
      calls.map(({ prompt }, index) => [
        `prompt ${index + 1}`,
        readPromptParts(prompt, config).map((part) => normaliser.text(part)),
      ]),
    ),
    events: eventRows.map((row) => normaliser.text(row)),
    screen: screens.flatMap((text) => normaliser.screen(text)),
    ...(log === undefined ? {} : { log: screens.flatMap((text) => normaliser.log(text, log)) }),
    errors: finished.flatMap(({ result }) => readErrors(normaliser.text(joinHeadAndTail(result.stderr)))),
    leftBehind: finished.flatMap(({ result }) => result.leftBehind.map(({ command }) => command)),
    files: normaliser.files(files),
    ...Object.fromEntries(
      files
        .filter((name) => isCompared(name) && !isEventsFile(name) && existsSync(join(workspace, name)))
        .map((name) => [
          normaliser.text(`file ${name}`),
          readLines(join(workspace, name)).map((line) => normaliser.text(line)),
        ]),
    ),
    git: await readGit(traces, normaliser),
  };
}

function describeExit({ exitCode, signal, timedOut }: Finished['result']): string {
  if (timedOut) return 'still running';
  return signal === null ? `exit ${exitCode}` : `killed by ${signal}`;
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map((match) => match.slice(1).join(' '));
}

interface Call {
  readonly args: readonly string[];
  readonly prompt: string;
}

function readCalls(seen: string): readonly Call[] {
  const count = readdirSync(seen).filter((name) => name.startsWith('call-')).length;
  return Array.from({ length: count }, (_, index) => {
    const prompt = readText(join(seen, `prompt-${index + 1}`));
    const args = readText(join(seen, `call-${index + 1}`))
      .split('\0')
      .slice(0, -1);
    return { prompt, args: args.map((arg) => (prompt !== '' && arg === prompt ? '<prompt>' : arg)) };
  });
}

/** The first line of each complaint and of its cause: what a user reads. */
function readErrors(stderr: string): readonly string[] {
  const lines = stderr.split('\n');
  return lines.filter(
    (line, index) =>
      /^(error|Error|Warning)\b/.test(line) ||
      (lines[index - 1] === 'Caused by:' && !isYamlError(lines[index - 3])),
  );
}

function isYamlError(line: string | undefined): boolean {
  return line?.startsWith('Error: Failed to parse YAML') ?? false;
}

/** Files that are compared line by line; the others are lists, locks and prose. */
function isCompared(name: string): boolean {
  if (!/(^|\/)\.ralph\//.test(name)) return true;
  return /^\.ralph\/(agent\/(memories\.md|tasks\.jsonl|scratchpad\.md)|history\.jsonl|current-loop-id|loop\.lock|api\/loop-state\.json|current-events|loops\.json)$/.test(
    name,
  );
}

function isEventsFile(name: string): boolean {
  return /^\.ralph\/events.*\.jsonl$/.test(name);
}

function listFiles(root: string): readonly string[] {
  // An agent may have removed it.
  if (!existsSync(root)) return ['<no workspace>'];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((name) => !name.startsWith('.git/'))
    .sort();
}

const SHOW_REPO = `git log --name-status --format='commit: %s'
echo stashes:; git stash list
echo status:; git status --porcelain
true`;

async function readGit({ workspace, home }: Traces, normaliser: Normaliser): Promise<readonly string[]> {
  if (!existsSync(workspace)) return [];
  // Where an agent removed the repository, git says so on stderr and nothing on stdout.
  const env = { PATH: process.env.PATH ?? '', HOME: home, GIT_CEILING_DIRECTORIES: dirname(workspace) };
  const { stdout } = await promisify(execFile)('sh', ['-c', SHOW_REPO], { cwd: workspace, env });
  return normaliser
    .text(stdout)
    .split('\n')
    .filter((line) => line !== '' && !line.includes('.ralph/diagnostics/'));
}

function readLines(path: string): readonly string[] {
  return readText(path).split('\n');
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}
