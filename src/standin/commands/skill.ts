import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readOption } from '../argv.js';
import type { RalphConfig } from '../config/config.js';
import { loadConfig } from '../config/load.js';
import { CommandError } from '../failure.js';
import { createLog } from '../log.js';
import { type ProjectSkill, readProjectSkills } from '../prompt/project-skills.js';
import { findSkill, type ListedSkill, listSkills } from '../prompt/skills.js';
import { ellipsize } from '../text.js';
import { runSubcommand, type Subcommand } from './subcommands.js';

const ROOT = { long: 'root', value: 'ROOT' };

function describe({ config, project }: Registry): Readonly<Record<string, Subcommand>> {
  return {
    list: {
      spec: {
        usage: 'ralph tools skill list',
        options: [{ long: 'format', value: 'FORMAT', choices: ['table', 'json', 'quiet'] }, ROOT],
      },
      run: (args) => {
        const skills = listSkills(config, project);
        process.stdout.write(render(skills, readOption(args, 'format') ?? 'table'));
      },
    },
    load: {
      spec: { usage: 'ralph tools skill load <NAME>', options: [ROOT], positionals: ['<NAME>'] },
      run: (args) => {
        const name = args.positionals[0] ?? '';
        const skill = findSkill(name, config, project);
        if (skill !== undefined) process.stdout.write(skill);
        else {
          const names = listSkills(config, project).map((known) => known.name);
          throw new CommandError(`skill '${name}' not found\nAvailable skills: ${names.join(', ')}`);
        }
      },
    },
  };
}

interface Registry {
  readonly config: RalphConfig;
  readonly project: readonly ProjectSkill[];
}

/** `ralph tools skill`. */
export async function skillCommand(words: readonly string[]): Promise<number> {
  const given = words.indexOf('--root');
  const workspace = given < 0 ? process.cwd() : resolve(words[given + 1] ?? '.');
  process.chdir(workspace);
  const log = createLog({ verbose: false, headless: true, workspace });
  const config = await loadConfig([], undefined, log);
  const fallback = '.claude/skills';
  if (config.skills.dirs.length === 0 && existsSync(join(workspace, fallback)))
    config.skills = { ...config.skills, dirs: [fallback] };
  const project = readProjectSkills(config, workspace, log);
  return runSubcommand('skill', describe({ config, project }), words);
}

function render(skills: readonly ListedSkill[], format: string): string {
  if (format === 'json') return `${JSON.stringify(skills, null, 2)}\n`;
  if (format === 'quiet') return skills.map(({ name }) => `${name}\n`).join('');
  if (skills.length === 0) return 'No skills found\n';
  const rows = skills.map(({ name, source, path, description }) => {
    const from = source === 'file' ? (path ?? '') : source;
    const what = description === '' ? '(no description)' : description;
    return row(ellipsize(name, 24), ellipsize(from, 28), ellipsize(what, 60));
  });
  return [row('Name', 'Source', 'Description'), '-'.repeat(112), ...rows, ''].join('\n');
}

function row(name: string, source: string, description: string): string {
  return `${name.padEnd(24)} ${source.padEnd(28)} ${description.padEnd(60)}`;
}
