import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportSchema } from '../../src/domain/report/report.js';
import { runCli, tempFolder } from '../support/cli.js';

const HELPER = `
export interface Asked { readonly word: string }
export function ask<T extends Asked>(asked: T): string {
  return \`Say \${asked.word} in uppercase.\`;
}
`;

const TALK = `import { conversation, onPrompt, turnSays, type ScenarioContext } from 'ralph-e2e';
import { ask, type Asked } from './helper.ts';

const asked = ({ nonce }: ScenarioContext) => ({ word: nonce }) satisfies Asked;

export const talk = conversation({
  id: 'talk',
  description: 'The agent answers',
  arrange: (context: ScenarioContext) => ({ turns: [ask(asked(context))] }),
  expect: (context) => ({ answer: turnSays(1, context.nonce.toUpperCase() as string) }),
  agent: [onPrompt(/Say (\\w+) in uppercase/).says('{{upper 1}}')],
});
`;

function writeFiles(files: Readonly<Record<string, string>>): string {
  const cwd = tempFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  return cwd;
}

/** On a Node without TypeScript these show that ralph-e2e runs it; on a newer one, that both do the same. */
describe('scenarios in TypeScript', () => {
  test.each<{ where: string; files: Readonly<Record<string, string>> }>([
    { where: 'a folder without a package', files: {} },
    { where: 'a package of ES modules', files: { 'package.json': '{"type":"module"}' } },
  ])('run as they are, in $where', async ({ files }) => {
    const cwd = writeFiles({ 'talk.ts': TALK, 'helper.ts': HELPER, ...files });
    const { code, stdout } = await runCli(['--mock', '--scenarios', 'talk.ts', '--json'], { cwd });
    const { results } = reportSchema.parse(JSON.parse(stdout));
    expect(results.map(({ scenario_id, outcome }) => [scenario_id, outcome])).toEqual([['talk', 'passed']]);
    expect(code).toBe(0);
  });

  test('an error in their code names the line of their file', async () => {
    const broken = TALK.replace(
      'satisfies Asked;',
      'satisfies Asked;\nconst missing: Asked | undefined = undefined;',
    ).replace('ask(asked(context))', 'ask((missing as unknown as { readonly asked: Asked }).asked)');
    const cwd = writeFiles({ 'talk.mts': broken, 'helper.ts': HELPER });
    const { code, stdout } = await runCli(['--mock', '--scenarios', 'talk.mts'], { cwd });
    const line = broken.split('\n').findIndex((text) => text.includes('missing as unknown')) + 1;
    expect(stdout).toContain(`at talk.mts:${line}`);
    expect(code).toBe(2);
  });

  test('what cannot be stripped is refused with its line', async () => {
    const cwd = writeFiles({ 'talk.ts': `${TALK}\nenum Kind { One }\n`, 'helper.ts': HELPER });
    const { code, stderr } = await runCli(['--mock', '--scenarios', 'talk.ts'], { cwd });
    const line = readFileSync(join(cwd, 'talk.ts'), 'utf8').split('\n').indexOf('enum Kind { One }') + 1;
    expect(stderr).toMatch(/enum is not supported in strip-only mode/);
    expect(stderr).toContain(`talk.ts:${line}`);
    expect(code).toBe(2);
  });
});
