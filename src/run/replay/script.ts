import { quoteTemplate } from '../../agent/engine/template.js';
import type { AgentScript, Redo, Rule, Step } from '../../domain/agent-script.js';
import { FORMATS } from '../../domain/common/format-version.js';
import { mapTexts } from '../../domain/common/map-texts.js';
import type { AgentRecording, Deed, RecordedCall, RecordedFile } from '../../domain/recording/recording.js';
import { REDACTED } from '../../exec/redact/scanner-for.js';
import { type CommandPlace, type CommandPlan, planCommand } from './shell-commands.js';

/** A recording as a script that the stand-ins play, or why there is none. */
export type ReplayScript =
  | { readonly kind: 'script'; readonly script: AgentScript }
  | { readonly kind: 'cannot'; readonly why: string };

type Used = Extract<Deed, { kind: 'used' }>;

/**
 * Writes a recording as a script: one rule for each call, and one step for each thing that the agent did. `arranged` are
 * the files that the scenario puts into the workspace.
 */
export function scriptOf(recording: AgentRecording, arranged: ReadonlySet<string>): ReplayScript {
  const why = [...recording.obstacles];
  const changed = new Set(recording.files.map(({ path }) => path));
  const scripts = new Set([...arranged].filter((path) => !changed.has(path)));
  const rules = recording.calls.map((call): Rule => {
    const place = { recording, call, shell: { workspace: recording.workspace, scripts } };
    const steps = call.deeds.flatMap((deed, index) => stepsFor(deed, { ...place, index }, why));
    if (call.emitted > countEmits(steps))
      why.push(`In iteration ${call.iteration} events were emitted by a command that is not run again.`);
    const { prompt, iteration } = call;
    return {
      name: `iteration ${iteration}`,
      when: { recorded: { prompt, workspace: recording.workspace } },
      respond: { steps },
      maxMatches: 1,
      turns: [],
    };
  });
  const [first] = why;
  if (first !== undefined) return { kind: 'cannot', why: first };
  const name = `recording of ${recording.scenarioId} in run ${recording.runId}`;
  return { kind: 'script', script: { version: FORMATS.agentScript.major, name, recording: true, rules } };
}

/** Counts the events that the steps emit; any number if a step runs a script. */
function countEmits(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => {
    if (step.do === 'say') return sum + step.text.split('<event ').length - 1;
    if (step.do !== 'tool' || step.redo === undefined) return sum;
    const { how } = step.redo;
    const run = how.kind === 'show' ? how.commands.join('\n') : String(step.input.command ?? '');
    const isScript = how.kind === 'run' && /(?:^|\s)(?:(?:ba)?sh\s|\.\/)/.test(run);
    return sum + (isScript ? Number.POSITIVE_INFINITY : run.split(/\bemit\b/).length - 1);
  }, 0);
}

interface DeedPlace {
  readonly recording: AgentRecording;
  readonly call: RecordedCall;
  readonly shell: CommandPlace;
  /** The place of the deed in the call. */
  readonly index: number;
}

function stepsFor(deed: Deed, place: DeedPlace, why: string[]): Step[] {
  if (JSON.stringify(deed).includes(REDACTED)) {
    why.push(
      `A credential was removed from what the agent did in iteration ${place.call.iteration}, so it cannot be done again.`,
    );
    return [];
  }
  if (deed.kind === 'said') return [{ do: 'say', text: quoteTemplate(deed.text) }];
  const how = redoHow(deed, place, why);
  const { tool, input, result, isError } = deed;
  return [{ do: 'tool', name: tool, input: quoteInput(input), redo: { result, isError, how } }];
}

function quoteInput(input: Used['input']): Used['input'] {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, mapTexts(value, quoteTemplate)]),
  );
}

/** Tools that the stand-in runs as Claude Code does. What they answer is not Ralph's. */
const FILE_TOOLS: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit']);

function redoHow(deed: Used, place: DeedPlace, why: string[]): Redo['how'] {
  const { recording, call } = place;
  if (FILE_TOOLS.has(deed.tool) && isInside(deed.input.file_path, recording.workspace))
    return { kind: 'run', sameResult: false };
  const plan = planOf(deed, place.shell);
  switch (plan.kind) {
    case 'run':
      return { kind: 'run', sameResult: plan.asksRalph };
    case 'cannot':
      why.push(
        `In iteration ${call.iteration} the agent called Ralph in a command that cannot be split: ${shorten(String(deed.input.command))}`,
      );
      return SHOWN;
    case 'show': {
      const left = isLastShown(place) ? filesLeftIn(place) : [];
      for (const { path, content } of left)
        if (content.kind === 'unknown')
          why.push(`What a command left in ${path} is not known: ${content.why}.`);
      return {
        kind: 'show',
        commands: [...plan.commands],
        writes: left.flatMap(({ path, content }) =>
          content.kind === 'text' ? [{ path, text: content.text }] : [],
        ),
        removes: left.flatMap(({ path, content }) => (content.kind === 'gone' ? [path] : [])),
      };
    }
    default:
      return plan satisfies never;
  }
}

const SHOWN: Redo['how'] = { kind: 'show', commands: [], writes: [], removes: [] };

function planOf({ tool, input, isError }: Used, shell: CommandPlace): CommandPlan {
  return tool === 'Bash' && typeof input.command === 'string'
    ? planCommand(input.command, shell, isError)
    : { kind: 'show', commands: [] };
}

/** Tools that change nothing in the workspace. */
const READING_TOOLS: ReadonlySet<string> = new Set([
  ...['Read', 'Glob', 'Grep', 'WebFetch', 'WebSearch', 'TodoWrite', 'TaskOutput', 'BashOutput', 'Skill'],
]);

/** Whether a deed is one that is only shown although it may have changed files. */
function mayLeaveFiles(deed: Deed, shell: CommandPlace): boolean {
  if (deed.kind === 'said' || READING_TOOLS.has(deed.tool)) return false;
  if (FILE_TOOLS.has(deed.tool)) return false;
  return planOf(deed, shell).kind === 'show';
}

/** What commands left in files is only known for the end of a call, so the last of them writes it. */
function isLastShown({ call, index, shell }: DeedPlace): boolean {
  const last = call.deeds.findLastIndex((deed) => mayLeaveFiles(deed, shell));
  return last === index;
}

/** Lists the files that were changed last in this call and that nothing else in it writes. */
function filesLeftIn({ call, recording, shell }: DeedPlace): readonly RecordedFile[] {
  const { files, calls, workspace } = recording;
  const shown = calls.filter(({ deeds }) => deeds.some((deed) => mayLeaveFiles(deed, shell)));
  return files.filter(({ path, iteration }) => {
    const owner = iteration ?? shown.at(-1)?.iteration;
    return owner === call.iteration && !call.deeds.some((deed) => writes(deed, path, workspace));
  });
}

function writes(deed: Deed, path: string, workspace: string): boolean {
  if (deed.kind === 'said' || deed.isError || (deed.tool !== 'Write' && deed.tool !== 'Edit')) return false;
  return deed.input.file_path === `${workspace}/${path}` || deed.input.file_path === path;
}

function isInside(path: unknown, workspace: string): boolean {
  if (typeof path !== 'string' || /(?:^|\/)\.\.(?:\/|$)/.test(path)) return false;
  return path.startsWith('/') ? path.startsWith(`${workspace}/`) : true;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}
