import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { RalphConfig } from '../config/config.js';
import { orElse } from '../failure.js';
import type { Log } from '../log.js';
import { readTextFile } from '../store/files.js';

/** A skill from the project that agents can load, or that every prompt contains. */
export interface ProjectSkill {
  readonly name: string;
  readonly description: string;
  readonly content: string;
  readonly path: string;
  readonly hats: readonly string[];
  readonly backends: readonly string[];
  readonly tags: readonly string[];
  readonly injected: boolean;
}

/** Reads the skills in `skills.dirs`: `<name>.md`, or `<name>/SKILL.md`. Of two with one name, the later one counts. */
export function readProjectSkills(
  { skills }: RalphConfig,
  workspace: string,
  log: Log,
): readonly ProjectSkill[] {
  const found = skills.dirs
    .flatMap((dir) => listSkillFiles(resolve(workspace, dir), log))
    .flatMap(({ path, name }) =>
      parseSkill(
        orElse(() => readTextFile(path), undefined),
        name,
        path,
      ),
    )
    .filter(({ name }) => skills.overrides[name]?.enabled !== false)
    .map((skill) => override(skill, skills.overrides[skill.name]));
  return [...new Map(found.map((skill) => [skill.name, skill])).values()];
}

type Override = RalphConfig['skills']['overrides'][string];

function override(skill: ProjectSkill, own: Override | undefined): ProjectSkill {
  const replace = (list: readonly string[] | undefined, old: readonly string[]) =>
    list === undefined || list.length === 0 ? old : list;
  return {
    ...skill,
    hats: replace(own?.hats, skill.hats),
    backends: replace(own?.backends, skill.backends),
    tags: replace(own?.tags, skill.tags),
    injected: own?.autoInject ?? false,
  };
}

function listSkillFiles(folder: string, log: Log): readonly { path: string; name: string }[] {
  if (!existsSync(folder)) {
    log.warn('ralph_core::skill_registry', `Skills directory does not exist: ${folder}`);
    return [];
  }
  return readdirSync(folder).flatMap((entry) => {
    const path = join(folder, entry);
    if (!statSync(path).isDirectory())
      return entry.endsWith('.md') ? [{ path, name: basename(entry, '.md') }] : [];
    const inside = join(path, 'SKILL.md');
    return existsSync(inside) ? [{ path: inside, name: entry }] : [];
  });
}

function parseSkill(text: string | undefined, fallback: string, path: string): readonly ProjectSkill[] {
  if (text === undefined) return [];
  const [, head = '', body = text] = /^\s*---\n(.*?)\n---\n*(.*)$/s.exec(text) ?? [];
  const field = (name: string) =>
    new RegExp(`^${name}:[ \\t]*(.*)$`, 'm')
      .exec(head)?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, '$2');
  const list = (name: string) =>
    (field(name) ?? '')
      .replace(/^\[|\]$/g, '')
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
  return [
    {
      name: field('name') ?? fallback,
      description: field('description') ?? '',
      content: body,
      path,
      hats: list('hats'),
      backends: list('backends'),
      tags: list('tags'),
      injected: false,
    },
  ];
}
