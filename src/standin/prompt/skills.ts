import type { RalphConfig } from '../config/config.js';
import { faulty } from '../faults.js';
import type { ProjectSkill } from './project-skills.js';

interface Skill {
  readonly name: string;
  readonly description: string;
  readonly content: string;
  readonly injected: (config: RalphConfig) => boolean;
  /** Whether it can be loaded; always by default. */
  readonly listed?: (config: RalphConfig) => boolean;
}

const SKILLS: readonly Skill[] = [
  {
    name: 'ralph-tools',
    description: 'Commands that every iteration may need, and how their output looks',
    injected: (config) => config.memories.enabled || config.tasksEnabled,
    content: `# Ralph Tools

Commands of the loop that you are running in. They work in the workspace of the loop whatever folder you call them from.

## Publishing

\`\`\`bash
ralph emit "<topic>" "<payload>"                 # one event, then stop
ralph emit "<topic>" --json '{"key": "value"}'   # a payload with structure
\`\`\`

\`Event emitted: <topic>\` means that the event was written down. Whether it is accepted is decided after the iteration: some topics need evidence in their payload, and are turned into a \`.blocked\` event without it.

## Telling people

\`\`\`bash
ralph tools interact progress "half of the files are converted"
\`\`\`

Use it when an iteration takes more than a few minutes. It does not wait for an answer.

## Looking back

\`\`\`bash
ralph events                       # everything that was published in this run
ralph events --topic build.done    # one topic
ralph events --last 5              # the latest
ralph tools skill list             # texts like this one
ralph tools skill load <name>
\`\`\`

## Output formats

\`--format table\` is for reading, \`--format json\` for programs, \`--format quiet\` prints ids only. An empty result is a success.

## Decisions

Write decisions that somebody may question into \`.ralph/agent/decisions.md\`: what was decided, what else was possible, how sure you are (0 to 100), what would change your mind. Above 80 just act; from 50 to 80 act and write it down; below 50 take the choice that is easiest to undo and write it down.`,
  },
  {
    name: 'ralph-tools-tasks',
    description: 'Tasks: the work of this objective across iterations',
    injected: (config) => config.tasksEnabled,
    listed: (config) => config.tasksEnabled,
    content: `# Ralph Tools — Tasks

Tasks outlive the iteration that makes them; your own todo list does not. They are kept in \`.ralph/agent/tasks.jsonl\` and belong to the loop that made them.

## Commands

\`\`\`bash
ralph tools task add "title" -p 2 -d "what done means"   # priority 1 (first) to 5 (last), 3 by default
ralph tools task ensure "title" --key area:thing          # adds it unless the key is there already
ralph tools task list                                     # what is not over
ralph tools task list --all                               # everything
ralph tools task ready                                    # what can be picked up now
ralph tools task start <id>
ralph tools task close <id>
ralph tools task fail <id>
ralph tools task reopen <id>
ralph tools task show <id>
\`\`\`

## Rules

- One task is one iteration's work. Split what is larger, and say what waits for what: \`--blocked-by <id>,<id>\`.
- \`start\` before you begin, \`close\` after the commit, never before the checks have passed.
- What you cannot finish is failed or reopened with the reason in a memory; do not leave it in progress.
- Completion is refused as long as a task of this loop is open or in progress.`,
  },
  {
    name: 'ralph-tools-memories',
    description: 'Memories: what was learned, kept across loops',
    injected: (config) => config.memories.enabled,
    listed: (config) => config.memories.enabled,
    content: `# Ralph Tools — Memories

Memories outlive the loop. They are kept in \`.ralph/agent/memories.md\` and stand at the top of every prompt.

## Commands

\`\`\`bash
ralph tools memory add "text" -t pattern --tags build,ci
ralph tools memory search "words"          # in text and tags
ralph tools memory search --tags ci
ralph tools memory list -t fix --last 5
ralph tools memory show <id>
ralph tools memory delete <id>
ralph tools memory prime --budget 2000     # as they stand in the prompt
\`\`\`

## Types

| type | holds |
|------|-------|
| pattern | how things are done here |
| decision | what was chosen, and why |
| fix | a problem and what solved it |
| context | facts about the project that no file says |

## Habits

- Search before you work in a part that you do not know, and when an error looks familiar.
- Add one when something took you longer than it should, when a command failed and you found out why, when a person corrected you.
- One fact a memory, with the name of the file or command it is about. Delete what is no longer true.`,
  },
  {
    name: 'robot-interaction',
    description: 'Human-in-the-loop interaction via RObot',
    // Only a loop with a robot service can reach a person; the stand-in has none.
    injected: () => false,
    content: `# Talking to people

\`ralph emit "human.interact" "question"\` asks; the answer comes as \`human.response\`, or \`human.timeout\` comes instead.
\`ralph tools interact progress "text"\` tells without asking.`,
  },
];

/** Renders the skills that every prompt contains, each in its own tags. */
export function renderSkills(config: RalphConfig, project: readonly ProjectSkill[]): readonly string[] {
  if (!config.skills.enabled || faulty('drop-skills')) return [];
  const own = keepOwn(config, project).filter((skill) => skill.injected(config));
  const theirs = project.filter((skill) => skill.injected && isVisible(skill, config));
  return [...own, ...theirs].map(({ name, content }) => wrap({ name, content: content.trim() }));
}

/** Renders the table of skills that can be loaded. */
export function renderSkillIndex(config: RalphConfig, project: readonly ProjectSkill[]): string {
  if (!config.skills.enabled) return '';
  const own = keepOwn(config, project).filter(({ listed }) => listed?.(config) ?? true);
  const rows = [...own, ...project.filter((skill) => isVisible(skill, config))]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, description }) => `| ${name} | ${description} | \`ralph tools skill load ${name}\` |\n`);
  return `## SKILLS

Texts that you can load when you need them:

| Skill | Description | Load Command |
|-------|-------------|-------------|
${rows.join('')}
`;
}

/** A skill as the commands list it. */
export interface ListedSkill extends Pick<Skill, 'name' | 'description'> {
  readonly source: string;
  readonly path: string | null;
  readonly hats: readonly string[];
  readonly backends: readonly string[];
  readonly tags: readonly string[];
  readonly auto_inject: boolean;
}

/** Lists the skills that the commands offer, by name: those for another backend are left out. */
export function listSkills(config: RalphConfig, project: readonly ProjectSkill[]): readonly ListedSkill[] {
  const own = keepOwn(config, project).map(({ name, description }) => ({
    ...{ name, description, source: 'built-in', path: null },
    ...{ hats: [], backends: [], tags: [], auto_inject: false },
  }));
  const theirs = project
    .filter((skill) => isVisible(skill, config))
    .map(({ name, description, path, hats, backends, tags, injected }) => ({
      ...{ name, description, source: 'file', path, hats, backends, tags, auto_inject: injected },
    }));
  return [...own, ...theirs].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Finds a skill, visible or not, and renders it as in prompts. */
export function findSkill(
  name: string,
  config: RalphConfig,
  project: readonly ProjectSkill[],
): string | undefined {
  const skill = [...keepOwn(config, project), ...project].find((candidate) => candidate.name === name);
  return skill === undefined ? undefined : wrap(skill);
}

/** The built-in skills that are neither switched off nor replaced. */
function keepOwn({ skills }: RalphConfig, project: readonly ProjectSkill[]): readonly Skill[] {
  return SKILLS.filter(
    ({ name }) => skills.overrides[name]?.enabled !== false && !project.some((skill) => skill.name === name),
  );
}

/** Filters by backend only: Ralph never says which hat asks, so a skill for one hat is there for all. */
function isVisible({ backends }: ProjectSkill, { cli }: RalphConfig): boolean {
  return backends.length === 0 || backends.includes(cli.backend);
}

function wrap({ name, content }: Pick<Skill, 'name' | 'content'>): string {
  return `<${name}-skill>\n${content}\n</${name}-skill>`;
}
