import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { parseScript } from '../../src/agent/script/parse.js';
import { createModelServer } from '../../src/model-server.js';
import { requireProgram } from './programs.js';
import { makeFolder } from './support/environment.js';

const PAGE = readFileSync(new URL('../../docs/model-server.md', import.meta.url), 'utf8');

/** The first block of a language after a heading. */
function findBlock(language: string, after = '## Recipes'): string {
  const [, block] = PAGE.slice(PAGE.indexOf(after)).split(`\`\`\`${language}\n`);
  if (block === undefined) throw new Error(`docs/model-server.md has no ${language} after ${after}`);
  return block.slice(0, block.indexOf('```'));
}

test.each(['claude', 'codex', 'opencode', 'gemini', 'pi'] as const)(
  'the recipe for %s works word for word',
  async (name) => {
    const { script } = parseScript(findBlock('yaml'), { format: 'yaml' });
    const model = await createModelServer(script);
    onTestFinished(model.close);
    const base = makeFolder();
    const [home, project] = [join(base, 'home'), join(base, 'project')];
    for (const folder of [home, project]) mkdirSync(folder);
    const recipe = findBlock('bash', `### ${name}\n`).replaceAll('http://127.0.0.1:8765', model.url);
    const PATH = [dirname(requireProgram(name)), process.env.PATH ?? ''].join(delimiter);
    const { all, exitCode } = await execa('bash', ['-e', '-c', recipe], {
      cwd: project,
      env: { PATH, HOME: home, IS_SANDBOX: '1' },
      extendEnv: false,
      all: true,
      reject: false,
      timeout: 300_000,
    });
    expect(exitCode, all).toBe(0);
    expect(all).toContain('pong');
    expect(all).toContain('Done.');
    expect(existsSync(join(project, 'made.txt')), all).toBe(true);
    expect(model.unused()).toEqual([]);
    expect(model.unanswered()).toEqual([]);
  },
);
