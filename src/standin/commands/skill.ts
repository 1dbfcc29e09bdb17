import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { writeOutput } from '../../exec/direct-output.js';
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
        writeOutput('stdout', render(skills, readOption(args, 'format') ?? 'table'));
      },
    },
    load: {
      spec: { usage: 'ralph tools skill load <NAME>', options: [ROOT], positionals: ['<NAME>'] },
      run: (args) => {
        const name = args.positionals[0] ?? '';
        const skill = findSkill(name, config, project);
        if (skill !== undefined) writeOutput('stdout', skill);
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
  const start = process.cwd();
  const root =
    given < 0 ? (findUpwards(start, configIn) ?? { folder: start }).folder : resolve(words[given + 1] ?? '.');
  process.chdir(root);
  const log = createLog({ verbose: false, headless: true, workspace: root });
  const file = configIn(root);
  const config = await loadConfig(file === undefined ? [] : [file], undefined, log);
  config.skills = { ...config.skills, dirs: locateFolders(config.skills.dirs, root, start) };
  const project = readProjectSkills(config, root, log);
  return runSubcommand('skill', describe({ config, project }), words);
}

/** Unlike `ralph run`, these commands also know the other ending of YAML files. */
function configIn(folder: string): string | undefined {
  return ['ralph.yml', 'ralph.yaml'].map((name) => join(folder, name)).find((path) => existsSync(path));
}

const CLAUDE_SKILLS = '.claude/skills';

/** The configured folders, in the root or above it; without any, the nearest folder of skills for Claude. */
function locateFolders(dirs: readonly string[], root: string, start: string): string[] {
  const inside = (dir: string) => (folder: string) => {
    const path = resolve(folder, dir);
    return existsSync(path) ? path : undefined;
  };
  if (dirs.length > 0) return dirs.map((dir) => findUpwards(root, inside(dir))?.found ?? resolve(root, dir));
  const claude = inside(CLAUDE_SKILLS);
  const nearest =
    start === root || start.startsWith(`${root}/`) ? findUpwards(start, claude)?.found : undefined;
  const found = claude(root) ?? nearest;
  return found === undefined ? [] : [found];
}

/** Looks in a folder and then in the folders above it. */
function findUpwards(
  folder: string,
  look: (folder: string) => string | undefined,
): { readonly folder: string; readonly found: string } | undefined {
  const found = look(folder);
  if (found !== undefined) return { folder, found };
  const above = dirname(folder);
  return above === folder ? undefined : findUpwards(above, look);
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
