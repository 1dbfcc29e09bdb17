import { readdirSync } from 'node:fs';
import { readErrorCode } from '../failure.js';
import { faulty } from '../faults.js';
import type { Files } from '../store/files.js';
import type { PromptInput } from './input.js';

const FIRST_GUARDRAIL = 999;
/** Files that appear elsewhere in the prompt. */
const KNOWN_FILES = ['memories.md', 'scratchpad.md'];

/** Renders who the agent is, where it keeps notes and what it must not do. */
export function renderCore(input: PromptInput): string {
  return [
    renderOrientation(input),
    input.scratchpad.enabled ? renderNotebook(input.scratchpad.path) : '',
    input.scratchpad.enabled ? renderState(input.scratchpad.path) : STATE_WITHOUT_NOTES,
    renderContextFiles(input.files),
    renderGuardrails(input),
  ].join('');
}

function renderOrientation({ config, scratchpad }: PromptInput): string {
  const steps = [
    ...(scratchpad.enabled
      ? ['Read `<scratchpad>` above, if it is there: it is what you knew last time']
      : []),
    'Read `<ready-tasks>` above, if it is there: it is the work that waits',
    'Pick one of those tasks; without any, write down your plan as tasks',
  ];
  const first = config.memories.enabled
    ? `\n**First thing every iteration:**\n${steps.map((step, index) => `${index + 1}. ${step}\n`).join('')}`
    : '';
  return `
### 0a. ORIENTATION
You are Ralph. You are running in a loop. You have fresh context each iteration.
You MUST do one small, complete piece of work towards the objective and leave the rest to later iterations.
${first}`;
}

function renderNotebook(path: string): string {
  return `### 0b. SCRATCHPAD
\`${path}\` is your notebook for this objective; what is in it comes back to you in \`<scratchpad>\` tags.

**Add to the end**, newest entry last: what you understood, why you decided as you did, what the plan is.
**Keep out of it** lists of work and their status: those are tasks (\`ralph tools task ensure\` with a stable key, \`ralph tools task add\` otherwise).

`;
}

function renderState(path: string): string {
  return `### STATE MANAGEMENT

**Scratchpad** (\`${path}\`) — your thinking: reasoning, notes, decisions.
**Context files** (\`.ralph/agent/*.md\`) — findings that are too long for it; read them when they matter.

**Commands:** \`$RALPH_BIN\` is the program that runs this loop: \`$RALPH_BIN emit ...\` and \`$RALPH_BIN tools ...\` always work.
Judge a command by what it changed, not by how much it printed. Do not investigate the environment unless that is the task.
Leave temporary files where a later step can find them, such as \`logs/\` in the repository or \`/var/tmp\`.

`;
}

const STATE_WITHOUT_NOTES = `### STATE MANAGEMENT

**Tasks** (\`ralph tools task\`) — the work: what it is, how far, what it waits for.
**Memories** (\`.ralph/agent/memories.md\`) — what was learned: conventions, decisions and their reasons, fixes that recur.
**Context files** (\`.ralph/agent/*.md\`) — findings; read them when they matter.

**Rule:** Work goes into tasks, learning goes into memories.

`;

function renderContextFiles(files: Files): string {
  const names = listMarkdown(files.agent).filter(
    (name) => !KNOWN_FILES.includes(name) || faulty('list-known-notes'),
  );
  if (names.length === 0) return '';
  const list = names.map((name) => `- \`.ralph/agent/${name}\`\n`).join('');
  return `### AVAILABLE CONTEXT FILES\n\nNotes in \`.ralph/agent/\`, to be read when they matter for the work at hand:\n${list}\n`;
}

function renderGuardrails({ config }: PromptInput): string {
  const lines = config.core.guardrails.map((text, index) => {
    const adapted = config.memories.enabled
      ? text.replaceAll('scratchpad is memory', 'save learnings to memories for next time')
      : text;
    return `${FIRST_GUARDRAIL + index}. ${adapted}`;
  });
  return `### GUARDRAILS\n${lines.join('\n')}\n\n`;
}

function listMarkdown(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.md'));
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
