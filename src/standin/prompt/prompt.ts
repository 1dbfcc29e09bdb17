import { resolve } from 'node:path';
import { isKickoff, RALPH_TOPICS } from '../../domain/evidence/ralph-words.js';
import { orElse } from '../failure.js';
import { faulty } from '../faults.js';
import type { BusEvent } from '../loop/bus.js';
import { readTextFile } from '../store/files.js';
import { readMemories, renderMemories } from '../store/memories.js';
import { readExistingTasks, renderReadyTasks } from '../store/tasks.js';
import { findBoundary } from '../text.js';
import { renderCore } from './core.js';
import { renderDone, renderEventWriting, renderWorkflow } from './guide.js';
import { renderHats } from './hats.js';
import type { PromptInput } from './input.js';
import { renderSkillIndex, renderSkills } from './skills.js';

/** Builds the prompt of one iteration; headings and their order are those of the real Ralph. */
export function buildPrompt(input: PromptInput): string {
  const { config, activeHats } = input;
  const bare = faulty('bare-prompt');
  const coordinating = activeHats.length === 0;
  const tellsAll = !coordinating && faulty('tell-hats-everything');
  const hasInstructions = activeHats.some((hat) => hat.instructions.trim() !== '');
  const prefix = [renderMemoryBlock(input), ...renderSkills(config, input.projectSkills)]
    .filter((part) => part !== '')
    .join('\n\n');
  return [
    config.tasksEnabled && !faulty('drop-ready-tasks')
      ? renderReadyTasks(
          orElse(() => readExistingTasks(input.files.tasks, input.log), []),
          input.loopId,
        )
      : '',
    renderScratchpad(input),
    prefix === '' ? '' : `${prefix}\n\n`,
    bare ? '' : renderCore(input),
    renderSkillIndex(config, input.projectSkills),
    renderObjective(input.objective),
    renderGuidance(input.guidance),
    renderPendingEvents(input.events),
    bare || (hasInstructions && !tellsAll) ? '' : renderWorkflow(input),
    config.hats.length > 0 ? renderHats(config, activeHats) : '',
    tellsAll ? renderHats(config, []) : '',
    bare ? '' : renderEventWriting(input.scratchpad),
    !bare && (coordinating || tellsAll) ? renderDone(input) : '',
  ].join('');
}

function renderMemoryBlock({ config, files }: PromptInput): string {
  if (!config.memories.enabled) return '';
  if (config.memories.inject !== 'auto' && !faulty('inject-always')) return '';
  if (faulty('skip-memory-injection')) return '';
  const memories = orElse(() => readMemories(files.memories), []);
  const budget = faulty('ignore-memory-budget') ? 0 : config.memories.budget;
  return memories.length === 0 ? '' : renderMemories(memories, budget);
}

const SCRATCHPAD_BYTES = 16_000;

/** Renders the notes of earlier iterations; of long notes only the end, which is the newest. */
function renderScratchpad({ scratchpad, workspace }: PromptInput): string {
  if (!scratchpad.enabled || faulty('drop-scratchpad')) return '';
  const content = orElse(() => readTextFile(resolve(workspace, scratchpad.path)), undefined);
  if (content === undefined || content.trim() === '') return '';
  return `<scratchpad path="${scratchpad.path}">\n${keepTail(content)}\n</scratchpad>\n\n`;
}

function keepTail(content: string): string {
  const bytes = Buffer.from(content);
  if (bytes.length <= SCRATCHPAD_BYTES) return content;
  const start = findBoundary(bytes, bytes.length - SCRATCHPAD_BYTES);
  const newline = bytes.indexOf(10, start);
  const cut = newline < 0 ? start : newline + 1;
  const headings = bytes
    .subarray(0, cut)
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('#'));
  const notes = [
    `<!-- earlier content truncated (${cut} chars omitted) -->`,
    ...(headings.length === 0 ? [] : [`<!-- discarded sections: ${headings.join(' | ')} -->`]),
  ];
  return `${notes.join('\n')}\n\n${bytes.subarray(cut).toString()}`;
}

function renderObjective(objective: string): string {
  return `## OBJECTIVE

**This is your primary goal. All work must advance this objective.**

> ${objective}

You MUST keep to it until the iteration ends; everything below only says how.

`;
}

function renderGuidance(guidance: readonly string[]): string {
  if (guidance.length === 0 || faulty('drop-guidance')) return '';
  const body =
    guidance.length === 1 || faulty('first-guidance-only')
      ? guidance[0]
      : guidance.map((message, index) => `${index + 1}. ${message}\n`).join('');
  return `## ROBOT GUIDANCE

A person sent this while the loop was running. You MUST act on it before you declare completion, and then emit \`${RALPH_TOPICS.guidanceRead}\` with a short summary.

${body}

`;
}

function renderPendingEvents(events: readonly BusEvent[]): string {
  const requests = events.filter(isRequest);
  const dropped = requests.length < events.length && faulty('drop-pending-events');
  const first = events.length > 1 && faulty('first-event-only');
  const shown = dropped ? requests : first ? events.slice(0, 1) : events;
  const lines = shown.map(renderEvent).join('\n');
  return lines.trim() === ''
    ? ''
    : `## PENDING EVENTS\n\nYou MUST handle these events in this iteration:\n\n${lines}\n\n`;
}

/** Fences the request that started or resumed the loop, so that its headings do no harm. */
function renderEvent(event: BusEvent): string {
  const { topic, payload } = event;
  return isRequest(event)
    ? `Event: ${topic} - <top-level-prompt>\n${payload}\n</top-level-prompt>`
    : `Event: ${topic} - ${payload}`;
}

function isRequest({ topic }: BusEvent): boolean {
  return isKickoff(topic);
}
