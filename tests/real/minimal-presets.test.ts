import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { reportSchema } from '../../src/domain/report/report.js';
import { fetchCrates } from '../contract/read-surface.js';
import { runCli, tempFolder } from '../support/cli.js';
import { realPrograms, requireProgram } from './programs.js';

/*
 * The presets in presets/minimal of Ralph's sources. They are not in the binary: a user passes the file with -c.
 */

/** How each preset runs: the backend that takes part, and the promise. */
const RUNS = {
  amp: { backend: 'claude', args: ['-b', 'claude'] },
  claude: { backend: 'claude' },
  codex: { backend: 'codex' },
  gemini: { backend: 'gemini' },
  kiro: { backend: 'kiro', delegates: 'build.task' },
  // OpenCode may not read the file of a long prompt by default: docs/ralph-behavior.md.
  opencode: {
    backend: 'opencode',
    files: { 'opencode.json': '{"permission":{"external_directory":"allow"}}' },
  },
  'preset-evaluator': { backend: 'kiro', promise: 'EVALUATION_COMPLETE' },
  smoke: { backend: 'claude' },
  test: { backend: 'claude' },
} as const satisfies Record<string, Run>;

/** What Ralph 2.10.1 refuses: their hats wait for an event that Ralph keeps for itself. */
const REFUSED = ['builder', 'code-assist'];

interface Run {
  readonly backend: string;
  readonly args?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** The word that ends the loop, if it is not the usual one. */
  readonly promise?: string;
  /** The event that brings its hat. */
  readonly delegates?: string;
}

let folder: string;

beforeAll(() => {
  const crate = fetchCrates(realPrograms().ralph.version).get('ralph-cli') ?? '';
  folder = join(crate, 'presets/minimal');
});

describe('presets/minimal', () => {
  test('has no preset without a run here', () => {
    const names = readdirSync(folder).map((file) => file.replace(/\.yml$/, ''));
    expect(names.sort()).toEqual([...Object.keys(RUNS), ...REFUSED].sort());
  });

  test.each(Object.entries<Run>(RUNS))('%s completes', async (name, run) => {
    const result = await runPreset(name, run);
    expect(result.assertions.filter(({ passed }) => !passed)).toEqual([]);
    expect(result.outcome).toBe('passed');
  });

  test.each(REFUSED)('%s is refused: its hat waits for task.start', async (name) => {
    const { outcome, assertions } = await runPreset(name, { backend: 'claude' });
    expect(outcome).toBe('failed');
    expect(assertions.map(({ actual }) => actual).join('\n')).toContain(
      "Reserved trigger 'task.start' used by hat 'builder'",
    );
  });
});

async function runPreset(name: string, run: Run) {
  const { backend } = run;
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'preset.mjs'), scenarioFor(name, run));
  const { stdout } = await runCli(
    [backend, '--mock', '--ralph', requireProgram('ralph'), '--scenarios', 'preset.mjs', '--json'],
    { cwd },
  );
  const [result] = reportSchema.parse(JSON.parse(stdout)).results;
  if (result === undefined) throw new Error(`expected a result for ${name}, found none`);
  return result;
}

const INDEX = new URL('../../dist/index.js', import.meta.url).href;

/** A scenario whose ralph.yml is the preset. */
function scenarioFor(name: string, { backend, args = [], files = {}, promise, delegates }: Run): string {
  const config = JSON.stringify(parse(readFileSync(join(folder, `${name}.yml`), 'utf8')));
  const last = promise === undefined ? '.completes()' : `.emits('${promise}', 'done')`;
  const work = `onObjective(/Write (\\w+) in uppercase/).writes('word.txt', '{{upper 1}}\\n')${last}`;
  // A hat that works on what Ralph delegates; its answer brings the work back.
  const rules =
    delegates === undefined
      ? [work]
      : [
          `onEvent('build.blocked').reads(/Write (\\w+) in uppercase/).writes('word.txt', '{{upper 1}}\\n')${last}`,
          `onEvent('${delegates}').emits('build.blocked', 'no')`,
          `onObjective('Write').emits('${delegates}', 'work')`,
        ];
  return `
import { completed, fileContains, onEvent, onObjective, scenario } from '${INDEX}';

export const preset = scenario({
  id: 'minimal-${name}',
  tier: 2,
  priority: 'must',
  phase: 'green',
  description: 'The preset completes',
  covers: [],
  backends: ['${backend}'],
  arrange: ({ nonce }) => ({ config: ${config}, args: ${JSON.stringify(args)}, files: ${JSON.stringify(files)}, prompt: 'Write ' + nonce + ' in uppercase to word.txt.' }),
  expect: ({ nonce }) => ({ ends: completed(), file: fileContains('word.txt', nonce.toUpperCase()) }),
  agent: [${rules.join(', ')}],
});
`;
}
