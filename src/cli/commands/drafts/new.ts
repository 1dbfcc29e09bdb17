import { writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { KnownError } from '../../../domain/common/known-error.js';
import { PLAIN_NAME } from '../../../domain/scenario/schema.js';
import { draftBlank } from '../../../draft/blank.js';
import { readFolder } from '../../../draft/folder/read-folder.js';
import { draftReplay } from '../../../draft/replay.js';
import { credentialValues } from '../../../exec/environment.js';
import { hasErrorCode } from '../../../exec/error-code.js';
import { makeChosenFolder } from '../../../exec/files/make-folder.js';
import { oneLine } from '../../../report/text/safe-text.js';
import { EXIT, type ExitCode } from '../../exit-codes.js';
import { loadNamed } from '../../input/load-scenarios.js';
import { listNextSteps } from '../../program-name.js';
import { openScreen } from '../../screen.js';

/** The flags of `new` as commander passes them. */
export interface NewFlags {
  readonly from?: string;
  readonly output: string;
}

/** Runs `ralph-e2e new`: drafts a small scenario, or one that replays what a run left in a folder. */
export async function newCommand(id: string, flags: NewFlags): Promise<ExitCode> {
  if (!PLAIN_NAME.test(id)) {
    throw new KnownError(`new ${id}: expected an id such as "my-scenario", found "${id}".`, {
      hint: 'Use lowercase letters, digits and single hyphens: the id becomes a folder name.',
    });
  }
  const built = await loadNamed({});
  if (built.some((scenario) => scenario.id === id))
    throw new KnownError(`new ${id}: expected an id of your own, but a built-in scenario has this one.`, {
      hint: `Choose another, such as my-${id}. \`ralph-e2e --list --verbose --test ${id}\` shows the built-in one.`,
    });
  const draft =
    flags.from === undefined
      ? { text: draftBlank(id), found: [], backends: [] }
      : await draftFrom(id, flags.from);
  const folder = resolve(flags.output);
  await makeChosenFolder(folder, 'Name a writable folder with --output <dir>.');
  const path = join(folder, `${id}.scenario.${runsTypeScript() ? 'ts' : 'mjs'}`);
  await writeNew(path, draft.text);
  const file = relative(process.cwd(), path);
  openScreen({ json: false }).print(
    [`Drafted ${file}`, ...draft.found, '', ...nextSteps(file, draft.backends)].join('\n'),
  );
  return EXIT.passed;
}

async function draftFrom(id: string, from: string) {
  const facts = await readFolder(from, credentialValues(process.env));
  const { text, checks, rules, saboteurs } = draftReplay(id, facts);
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
  return {
    text,
    backends: [facts.backend],
    found: [
      `It has ${count(checks, 'check')}, ${count(rules, 'agent rule')} and ${count(saboteurs, 'saboteur')}. Search it for DECIDE.`,
      ...(facts.gaps.length === 0 ? [] : ['', 'Missing in the folder, or left out:']),
      ...facts.gaps.map((gap) => `  - ${oneLine(gap, 300)}`),
    ],
  };
}

/** Whether Node runs TypeScript, which it does since 22.18. The draft is also valid JavaScript. */
function runsTypeScript(): boolean {
  return 'typescript' in process.features && Boolean(process.features.typescript);
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error;
    throw new KnownError(`The file ${path} already exists.`, {
      hint: 'A draft never overwrites a file. Choose another id, or another folder with --output <dir>.',
    });
  }
}

function nextSteps(file: string, backends: readonly string[]): string[] {
  return listNextSteps([
    ['run it on the stand-ins', [...backends, '--mock', '--ralph', 'embedded', '--scenarios', file]],
    ['show that each check can fail', ['prove', '--scenarios', file]],
    ['run it on your Ralph', [...backends, '--mock', '--ralph', 'path/to/ralph', '--scenarios', file]],
  ]);
}
