import { mkdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { requireProgram } from '../programs.js';
import { makeFolder } from './environment.js';

export type RecipeName = 'claude' | 'codex' | 'opencode' | 'gemini' | 'pi';

const PAGE = readFileSync(new URL('../../../docs/model-server.md', import.meta.url), 'utf8');

/** Finds the first block of a language after a heading of docs/model-server.md. */
export function findBlock(language: string, after = '## Recipes'): string {
  const [, block] = PAGE.slice(PAGE.indexOf(after)).split(`\`\`\`${language}\n`);
  if (block === undefined) throw new Error(`docs/model-server.md has no ${language} after ${after}`);
  return block.slice(0, block.indexOf('```'));
}

/** Runs the recipe of a CLI against a model server, or its preparations and then another command. */
export async function followRecipe(name: RecipeName, url: string, command?: string) {
  const base = makeFolder();
  const [home, project] = [join(base, 'home'), join(base, 'project')];
  for (const folder of [home, project]) mkdirSync(folder);
  const recipe = findBlock('bash', `### ${name}\n`).replaceAll('http://127.0.0.1:8765', url);
  const prepared = recipe.split('\n').filter((line) => !line.startsWith(`${name} `));
  const PATH = [dirname(requireProgram(name)), process.env.PATH ?? ''].join(delimiter);
  const { all, exitCode } = await execa(
    'bash',
    ['-e', '-c', command === undefined ? recipe : [...prepared, command].join('\n')],
    {
      cwd: project,
      env: { PATH, HOME: home, IS_SANDBOX: '1' },
      extendEnv: false,
      all: true,
      reject: false,
      timeout: 300_000,
    },
  );
  return { all, exitCode, project };
}
