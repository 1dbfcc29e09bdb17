import { quoteTemplate } from '../../agent/engine/template.js';
import type { AgentScript, Redo, Rule, Step } from '../../domain/agent-script.js';
import { FORMATS } from '../../domain/common/format-version.js';
import { mapTexts } from '../../domain/common/map-texts.js';
import type { Deed, RecordedCall, RecordedFile, Recording } from '../../domain/recording/recording.js';
import { REDACTED } from '../../exec/redact/scanner-for.js';
import { type CommandPlan, planCommand } from './shell-commands.js';

/** A recording as a script that the stand-ins play, or why there is none. */
export type ReplayScript =
  | { readonly kind: 'script'; readonly script: AgentScript }
  | { readonly kind: 'cannot'; readonly why: string };

type Used = Extract<Deed, { kind: 'used' }>;

/** Writes a recording as a script: one rule for each call, and one step for each thing that the agent did. */
export function scriptOf(recording: Recording): ReplayScript {
  const why = [...recording.obstacles];
  const rules = recording.calls.map((call): Rule => {
    const steps = call.deeds.flatMap((deed, index) => stepsFor(deed, { recording, call, index }, why));
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

interface DeedPlace {
  readonly recording: Recording;
  readonly call: RecordedCall;
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
  const plan = planOf(deed, recording.workspace);
  switch (plan.kind) {
    case 'run':
      return { kind: 'run', sameResult: plan.asksRalph };
    case 'cannot':
      why.push(
        `In iteration ${call.iteration} the agent called Ralph in a command that cannot be split: ${shorten(String(deed.input.command))}`,
      );
      return SHOWN;
    case 'show': {
      const left = isLastShown(place) ? filesLeftIn(call, recording) : [];
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

function planOf({ tool, input, isError }: Used, workspace: string): CommandPlan {
  return tool === 'Bash' && typeof input.command === 'string'
    ? planCommand(input.command, workspace, isError)
    : { kind: 'show', commands: [] };
}

/** Tools that change nothing in the workspace. */
const READING_TOOLS: ReadonlySet<string> = new Set([
  ...['Read', 'Glob', 'Grep', 'WebFetch', 'WebSearch', 'TodoWrite', 'TaskOutput', 'BashOutput', 'Skill'],
]);

/** Whether a deed is one that is only shown although it may have changed files. */
function mayLeaveFiles(deed: Deed, workspace: string): boolean {
  if (deed.kind === 'said' || READING_TOOLS.has(deed.tool)) return false;
  if (FILE_TOOLS.has(deed.tool)) return false;
  return planOf(deed, workspace).kind === 'show';
}

/** What commands left in files is only known for the end of a call, so the last of them writes it. */
function isLastShown({ recording, call, index }: DeedPlace): boolean {
  const last = call.deeds.findLastIndex((deed) => mayLeaveFiles(deed, recording.workspace));
  return last === index;
}

/** Lists the files that were changed last in this call and that nothing else in it writes. */
function filesLeftIn(call: RecordedCall, { files, calls, workspace }: Recording): readonly RecordedFile[] {
  const shown = calls.filter(({ deeds }) => deeds.some((deed) => mayLeaveFiles(deed, workspace)));
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
