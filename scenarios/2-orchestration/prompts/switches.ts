import { planning } from '../../6-memory/tasks/stored.js';
import { questionsOnly } from '../../support/commands.js';
import { answersOf, askAll, type Inquiries, together } from '../../support/inquiries.js';
import { remembering } from '../../support/memory.js';

/*
 * What ralph.yml switches, in combination: each part of a prompt depends on its own switches and on no other. A program of
 * the workspace plays the agent, and says which of these parts its prompt has.
 */

interface Switches {
  readonly memories: boolean;
  readonly tasks: boolean;
  readonly notes: boolean;
  readonly hats: boolean;
  /** With `none`, skills are on and every one of them is switched off by its name. */
  readonly skills: 'all' | 'none' | 'off';
  readonly robot: boolean;
  readonly inject: 'auto' | 'manual';
}
const ON: Switches = {
  memories: true,
  tasks: true,
  notes: true,
  hats: true,
  skills: 'all',
  robot: false,
  inject: 'auto',
};

/** By its name: a text that a part of the prompt has, and when it is there. */
const PARTS: Readonly<Record<string, readonly [text: string, when: (on: Switches) => boolean]>> = {
  memory: ['The wood is oak.', ({ memories, inject }) => memories && inject === 'auto'],
  task: ['[P2] Saw the wood', ({ tasks }) => tasks],
  note: ['The saw is blunt.', keepsNotes],
  skillList: ['## SKILLS', hasSkills],
  tools: ['<ralph-tools-skill>', (on) => hasSkills(on) && (on.memories || on.tasks)],
  taskSkill: ['<ralph-tools-tasks-skill>', (on) => hasSkills(on) && on.tasks],
  memorySkill: ['<ralph-tools-memories-skill>', (on) => hasSkills(on) && on.memories],
  listedTasks: ['| ralph-tools-tasks |', (on) => hasSkills(on) && on.tasks],
  listedMemories: ['| ralph-tools-memories |', (on) => hasSkills(on) && on.memories],
  robotSkill: ['<robot-skill>', (on) => hasSkills(on) && on.robot],
  lookAtNotes: ['Review your `<scratchpad>`', (on) => on.memories && keepsNotes(on)],
  lookAtTasks: ['Review your `<ready-tasks>`', ({ memories }) => memories],
  keepNotes: ['### 0b. SCRATCHPAD', keepsNotes],
  planInNotes: ['You MUST update `.ralph/agent/scratchpad.md` with', keepsNotes],
  planInBoth: ['You MUST check `<ready-tasks>` first', (on) => on.memories && keepsNotes(on)],
  planInTasks: ['You MUST create tasks with', (on) => on.memories && !keepsNotes(on)],
  detailsInNotes: ['write detailed output to', keepsNotes],
  lookBeforeDone: ['**Before declaring completion:**', ({ memories }) => memories],
};

function hasSkills({ skills }: Switches): boolean {
  return skills === 'all';
}

/** Without hats, notes are all that a loop remembers: they cannot be switched off. */
function keepsNotes({ notes, hats }: Switches): boolean {
  return notes || !hats;
}

const bothWays = [true, false];
const COMBINATIONS: Readonly<Record<string, Partial<Switches>>> = {
  ...Object.fromEntries(
    bothWays.flatMap((memories) =>
      bothWays.flatMap((tasks) =>
        bothWays.map((notes) => [nameOf({ memories, tasks, notes }), { memories, tasks, notes }] as const),
      ),
    ),
  ),
  aloneWithTasks: { hats: false, notes: false, memories: false },
  aloneWithMemories: { hats: false, notes: false, tasks: false },
  nothing: { memories: false, tasks: false, notes: false, skills: 'none' },
  withoutSkills: { skills: 'off' },
  byHand: { inject: 'manual', tasks: false },
  withRobot: { robot: true, memories: false },
};

/** `tasksNotes` has tasks and notes on, and memories off. */
function nameOf(on: Readonly<Record<string, boolean>>): string {
  const names = Object.keys(on).filter((name) => on[name]);
  return (
    names
      .map((name, at) => (at === 0 ? name : name.replace(/^./, (first) => first.toUpperCase())))
      .join('') || 'nothing'
  );
}

const NO_SKILL = Object.fromEntries(
  ['ralph-tools', 'ralph-tools-tasks', 'ralph-tools-memories', 'robot-interaction'].map((name) => [
    name,
    { enabled: false },
  ]),
);

function configOf({ memories, tasks, notes, hats, skills, robot, inject }: Switches): string {
  const idler = {
    name: 'Idler',
    description: 'waits',
    triggers: ['work.come'],
    publishes: ['work.gone'],
    instructions: 'Wait.',
  };
  return JSON.stringify({
    cli: { backend: 'custom', command: '../agent.sh', prompt_mode: 'stdin' },
    event_loop: { max_iterations: 2 },
    ...(hats ? { hats: { idler } } : {}),
    core: { scratchpad: { enabled: notes } },
    memories: { enabled: memories, inject },
    tasks: { enabled: tasks },
    skills: { enabled: skills !== 'off', overrides: skills === 'none' ? NO_SKILL : {} },
    ...(robot ? { RObot: { enabled: true, mode: 'web', timeout_seconds: 9 } } : {}),
  });
}

/** Says what its prompt has, and declares completion. */
const AGENT = [
  '#!/bin/sh',
  'n=$(($(cat calls.txt 2> /dev/null) + 1)); echo $n > calls.txt; cat > prompt.txt',
  'has() { grep -qF -e "$2" prompt.txt && printf " %s" "$1"; }',
  'printf "%s:" $n',
  ...Object.entries(PARTS).map(([name, [text]]) => `has ${name} '${text}'`),
  "has refused 'runtime tasks remain open'",
  'echo; echo LOOP_COMPLETE',
  '',
].join('\n');

/** What an earlier session of the loop left behind. */
const LEFT = {
  '.ralph/agent/scratchpad.md': 'The saw is blunt.\n',
  ...planning({ id: 'task-1700000001-aaaa', title: 'Saw the wood', priority: 2, loop_id: 'carpentry' }),
  ...remembering({ id: 'mem-1700000001-aaaa', type: 'pattern', content: 'The wood is oak.' }),
};

/** The prompt of the first iteration, and that of the second, which only an open task can bring about. */
function inquiryOf(name: string, on: Switches): Inquiries[string] {
  const parts = Object.entries(PARTS).flatMap(([part, [, when]]) => (when(on) ? [` ${part}`] : []));
  const first = `1:${parts.join('')}`;
  return {
    args: ['run', '--no-tui', '--continue', '--loop-id', 'carpentry', '-p', name],
    in: `asked/${name}`,
    env: { RALPH_DIAGNOSTICS: '0' },
    answer: on.memories
      ? { exitCode: 2, stdout: together(first, `2:${parts.join('')} refused`) }
      : { exitCode: 0, stdout: together(first) },
  };
}

const SETTINGS = Object.entries(COMBINATIONS).map(
  ([name, changed]) => [name, { ...ON, ...changed }] as const,
);
const INQUIRIES = Object.fromEntries(SETTINGS.map(([name, on]) => [name, inquiryOf(name, on)]));
/** Asks for the prompts of loops with these switches. */
export const promptSwitches = questionsOnly({
  id: 'prompt-switches',
  description:
    'Memories, tasks, notes, skills and RObot can be switched one by one: each brings its own parts of the prompt, and no others',
  covers: ['FR4', 'FR5', 'FR13'],
  beyondStandIn: 'RObot, which talks to people',

  plan: {
    files: {
      'asked/agent.sh': { content: AGENT, mode: 0o755 },
      ...Object.fromEntries(
        SETTINGS.flatMap(([name, on]) => [
          [`asked/${name}/ralph.yml`, configOf(on)],
          ...Object.entries(LEFT).map(([path, content]) => [`asked/${name}/${path}`, content] as const),
        ]),
      ),
    },
    before: askAll(INQUIRIES),
  },

  answers: answersOf(INQUIRIES),
});
