import { quoteTemplate } from '../../agent/engine/template.js';
import type { AgentScript, Redo, Rule, Step } from '../../domain/agent-script.js';
import { FORMATS } from '../../domain/common/format-version.js';
import { mapTexts } from '../../domain/common/map-texts.js';
import { type Guards, whyGuarded } from '../../domain/recording/guards.js';
import type { AgentRecording, Deed, RecordedCall, RecordedFile } from '../../domain/recording/recording.js';
import { insidePath } from '../../domain/recording/shell/check.js';
import { REDACTED } from '../../exec/redact/scanner-for.js';
import { type CommandPlan, planCommand, topicsEmittedBy, type Way } from './commands.js';

/** A recording as a script that the stand-ins play, or why there is none. */
export type ReplayScript =
  | { readonly kind: 'script'; readonly script: AgentScript }
  | { readonly kind: 'cannot'; readonly why: string };

type Used = Extract<Deed, { kind: 'used' }>;

/** A deed, and what becomes of it. */
type PlannedDeed =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'file'; readonly deed: Used }
  | { readonly kind: 'command'; readonly deed: Used; readonly plan: CommandPlan };

/** Writes a recording as a script: one rule for each call, and one step for each thing that the agent did. */
export function scriptOf(recording: AgentRecording, guards: Guards): ReplayScript {
  const why = [...recording.obstacles];
  const calls = recording.calls.map((call) => ({
    ...call,
    planned: call.deeds.flatMap((deed) => planDeed(deed, { recording, call, guards }, why)),
  }));
  const lastShown = calls.findLast(({ planned }) => planned.some(mayLeaveFiles))?.iteration;
  const rules = calls.map((call): Rule => {
    const { prompt, iteration, planned } = call;
    const left = recording.files.filter((file) => (file.iteration ?? lastShown) === iteration);
    return {
      name: `iteration ${iteration}`,
      when: { recorded: { prompt, workspace: recording.workspace } },
      respond: { steps: stepsFor(planned, { recording, call, guards }, left, why) },
      maxMatches: 1,
      turns: [],
    };
  });
  const [first] = why;
  if (first !== undefined) return { kind: 'cannot', why: first };
  const name = `recording of ${recording.scenarioId} in run ${recording.runId}`;
  return {
    kind: 'script',
    script: { version: FORMATS.agentScript.major, name, recording: { guards }, rules },
  };
}

interface DeedPlace {
  readonly recording: AgentRecording;
  readonly call: RecordedCall;
  readonly guards: Guards;
}

/** Tools that the stand-in runs as Claude Code does. What they answer is not Ralph's. */
const FILE_TOOLS: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit']);

function planDeed(deed: Deed, { recording, call, guards }: DeedPlace, why: string[]): PlannedDeed[] {
  const { workspace } = recording;
  const cannot = (reason: string): PlannedDeed[] => {
    why.push(reason);
    return [];
  };
  if (JSON.stringify(deed).includes(REDACTED))
    return cannot(
      `A credential was removed from what the agent did in iteration ${call.iteration}, so it cannot be done again.`,
    );
  if (deed.kind === 'said') return [{ kind: 'say', text: deed.text }];
  const { tool, input } = deed;
  const path = typeof input.file_path === 'string' ? insidePath(input.file_path, workspace) : null;
  if (FILE_TOOLS.has(tool) && path !== null && path !== '') {
    const guarded = tool === 'Read' ? null : whyGuarded(path, 'file', guards);
    if (guarded !== null)
      return cannot(`In iteration ${call.iteration} the agent changed ${shorten(path)}: ${guarded}.`);
    return [{ kind: 'file', deed }];
  }
  const plan: CommandPlan =
    tool === 'Bash' && typeof input.command === 'string'
      ? planCommand(input.command, { workspace, guards }, deed.isError)
      : { kind: 'show', ways: [{ line: [], lost: false }] };
  if (plan.kind === 'cannot')
    return cannot(
      `In iteration ${call.iteration} a command cannot be repeated: ${plan.why}: ${shorten(String(input.command))}`,
    );
  return [{ kind: 'command', deed, plan }];
}

function stepsFor(
  planned: readonly PlannedDeed[],
  { recording, call, guards }: DeedPlace,
  left: readonly RecordedFile[],
  why: string[],
): Step[] {
  const last = planned.findLastIndex(mayLeaveFiles);
  const steps = planned.map((deed, index): Step => {
    if (deed.kind === 'say') return { do: 'say', text: quoteTemplate(deed.text) };
    const { tool, input, result, isError } = deed.deed;
    const files =
      index === last ? left.filter(({ path }) => !isWritten(path, planned, recording.workspace)) : [];
    const how = redoHow(deed, { call, others: planned.filter((_, at) => at !== index) }, files, why);
    return { do: 'tool', name: tool, input: quoteInput(input), redo: { result, isError, how } };
  });
  for (const { path, content } of last < 0 ? [] : left) {
    const guarded =
      insidePath(path, recording.workspace) === path ? whyGuarded(path, 'file', guards) : OUTSIDE;
    if (guarded !== null) why.push(`The recording changes ${shorten(path)}: ${guarded}.`);
    if (guards.ralphHooks && !isWritten(path, planned, recording.workspace) && !isNamed(path, planned))
      why.push(
        `In iteration ${call.iteration} nobody knows whether a command or a hook of Ralph left ${shorten(path)}.`,
      );
    if (content.kind === 'unknown') why.push(`What a command left in ${path} is not known: ${content.why}.`);
  }
  if (call.emitted !== null && call.emitted.length > countEmits(steps))
    why.push(`In iteration ${call.iteration} events were emitted by a command that is not run again.`);
  return steps;
}

const OUTSIDE = 'it is outside the workspace';

function quoteInput(input: Used['input']): Used['input'] {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, mapTexts(value, quoteTemplate)]),
  );
}

function redoHow(
  planned: Exclude<PlannedDeed, { kind: 'say' }>,
  { call, others }: { readonly call: RecordedCall; readonly others: readonly PlannedDeed[] },
  left: readonly RecordedFile[],
  why: string[],
): Redo['how'] {
  if (planned.kind === 'file') return { kind: 'file' };
  const { plan, deed } = planned;
  if (plan.kind === 'run') return { kind: 'command', line: [...plan.line], sameResult: plan.asksRalph };
  const way = plan.kind === 'cannot' ? null : chooseWay(plan.ways, call.emitted, others);
  if (way === null)
    why.push(
      `In iteration ${call.iteration} nobody knows which calls of Ralph ran: ${shorten(String(deed.input.command))}`,
    );
  return {
    kind: 'show',
    line: [...(way?.line ?? [])],
    writes: left.flatMap(({ path, content }) =>
      content.kind === 'text' ? [{ path, text: content.text }] : [],
    ),
    removes: left.flatMap(({ path, content }) => (content.kind === 'gone' ? [path] : [])),
  };
}

/** Chooses the way that a command went by the events that Ralph recorded; null if they do not tell. */
function chooseWay(
  ways: readonly Way[],
  emitted: RecordedCall['emitted'],
  others: readonly PlannedDeed[],
): Way | null {
  const [only] = ways;
  if (ways.length === 1 && only !== undefined && !only.lost) return only;
  if (emitted === null) return null;
  const disputed = new Set(ways.flatMap(({ line }) => topicsEmittedBy(line)));
  const elsewhere = others.flatMap(emitsOf);
  if (elsewhere.includes(ANYTHING)) return null;
  const count = (topics: readonly string[], topic: string) =>
    topics.filter((other) => other === topic).length;
  const fitting = ways.filter(({ line, lost }) =>
    [...disputed].every(
      (topic) =>
        count(lost ? [] : topicsEmittedBy(line), topic) === count(emitted, topic) - count(elsewhere, topic),
    ),
  );
  const [found] = fitting;
  return fitting.length === 1 && found !== undefined && !found.lost ? found : null;
}

/** Stands for events that nobody can list: a script may emit any. */
const ANYTHING = '*';

function emitsOf(planned: PlannedDeed): string[] {
  if (planned.kind === 'say')
    return [...planned.text.matchAll(/<event [^>]{0,200}?topic="([^"]{1,200})"/g)].map(
      ([, topic = '']) => topic,
    );
  if (planned.kind === 'file' || planned.plan.kind === 'cannot') return [];
  const { plan } = planned;
  if (plan.kind === 'run') return startsScript(plan.line) ? [ANYTHING] : topicsEmittedBy(plan.line);
  const [way] = plan.ways;
  return plan.ways.length === 1 && way !== undefined ? topicsEmittedBy(way.line) : [ANYTHING];
}

type Line = Extract<Redo['how'], { kind: 'command' }>['line'];

function startsScript(line: Line): boolean {
  return line.some(({ commands }) =>
    commands.some(({ words: [program] }) => typeof program === 'string' && /^(?:ba)?sh$|\//.test(program)),
  );
}

/** Counts the events that the steps emit; any number if a step runs a script. */
function countEmits(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => {
    if (step.do === 'say') return sum + step.text.split('<event ').length - 1;
    if (step.do !== 'tool' || step.redo === undefined || step.redo.how.kind === 'file') return sum;
    const { line } = step.redo.how;
    return sum + (startsScript(line) ? Number.POSITIVE_INFINITY : topicsEmittedBy(line).length);
  }, 0);
}

/** Tools that change nothing in the workspace. */
const READING_TOOLS: ReadonlySet<string> = new Set([
  ...['Read', 'Glob', 'Grep', 'WebFetch', 'WebSearch', 'TodoWrite', 'TaskOutput', 'BashOutput', 'Skill'],
]);

/** Whether a deed is only shown although it may have changed files. The last one of a call leaves what they left. */
function mayLeaveFiles(planned: PlannedDeed): boolean {
  if (planned.kind !== 'command' || planned.plan.kind !== 'show') return false;
  const { tool } = planned.deed;
  return !READING_TOOLS.has(tool) && !FILE_TOOLS.has(tool);
}

/** Whether a file tool of the same call writes a file. */
function isWritten(path: string, planned: readonly PlannedDeed[], workspace: string): boolean {
  return planned.some(
    (other) =>
      other.kind === 'file' &&
      !other.deed.isError &&
      other.deed.tool !== 'Read' &&
      insidePath(String(other.deed.input.file_path), workspace) === path,
  );
}

/** Whether a command that is only shown names a file. */
function isNamed(path: string, planned: readonly PlannedDeed[]): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return planned.some((other) => {
    if (!mayLeaveFiles(other) || other.kind !== 'command') return false;
    let found = false;
    mapTexts(other.deed.input, (text) => {
      found ||= hasWord(text, name);
      return text;
    });
    return found;
  });
}

/** Whether a text contains a name that is not part of a longer one: `a.txt` is not in `data.txt` or `a.txt.gz`. */
function hasWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0 && name !== ''; at = text.indexOf(name, at + 1)) {
    const isWhole =
      !/[\p{L}\p{N}_.-]$/u.test(text.slice(Math.max(0, at - 2), at)) &&
      !/^[.-]*[\p{L}\p{N}_]/u.test(text.slice(at + name.length, at + name.length + 10));
    if (isWhole) return true;
  }
  return false;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}
