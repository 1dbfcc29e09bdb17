import { isAbsolute, relative } from 'node:path';
import { writeRecordedStep } from '../../agent/recorded.js';
import type { AgentScript, Redo, Rule, Step } from '../../domain/agent-script.js';
import { FORMATS } from '../../domain/common/formats.js';
import type { AgentRecording, Deed, RecordedCall, RecordedFile } from '../../domain/recording/recording.js';
import { REDACTED } from '../../exec/redact/scanner-for.js';

/** A recording as a script that the stand-ins play, or why there is none. */
export type ReplayScript =
  | { readonly kind: 'script'; readonly script: AgentScript }
  | { readonly kind: 'cannot'; readonly why: string };

type Used = Extract<Deed, { kind: 'used' }>;

/** Writes a recording as a script: one rule for each call, and one step for each thing that the agent did. */
export function scriptOf(
  recording: AgentRecording,
  {
    ralphHooks,
  }: { /** Whether Ralph itself starts programs, which may leave files too. */ ralphHooks: boolean },
): ReplayScript {
  const why = [...recording.obstacles];
  const lastShown = recording.calls.findLast(({ deeds }) => deeds.some(mayLeaveFiles))?.iteration;
  const rules = recording.calls.map((call): Rule => {
    const { prompt, iteration, deeds } = call;
    const files = recording.files.filter((file) => (file.iteration ?? lastShown) === iteration);
    const left = deeds.some(mayLeaveFiles)
      ? files.filter(({ path }) => !deeds.some((deed) => writes(deed, path, recording.workspace)))
      : [];
    why.push(...listDoubts(call, left, ralphHooks));
    return {
      name: `iteration ${iteration}`,
      when: { recorded: { prompt, workspace: recording.workspace } },
      respond: { steps: stepsFor(call, recording.workspace, left) },
      maxMatches: 1,
      turns: [],
    };
  });
  const [first] = why;
  if (first !== undefined) return { kind: 'cannot', why: first };
  const name = `recording of ${recording.scenarioId} in run ${recording.runId}`;
  return { kind: 'script', script: { format: FORMATS.agentScript.format, name, recording: {}, rules } };
}

/** Says why nobody knows what a call did. */
function listDoubts(
  { iteration, deeds }: RecordedCall,
  left: readonly RecordedFile[],
  ralphHooks: boolean,
): string[] {
  const others = ralphHooks ? 'a hook of Ralph' : deeds.some(isCommand) ? 'a command' : null;
  return [
    ...(JSON.stringify(deeds).includes(REDACTED)
      ? [
          `A credential was removed from what the agent did in iteration ${iteration}, so it cannot be done again.`,
        ]
      : []),
    ...left.flatMap(({ path, content }) => [
      ...(isInside(path) ? [] : [`A tool left ${path}, which is outside the workspace.`]),
      ...(others === null
        ? []
        : [`In iteration ${iteration} nobody knows whether a tool or ${others} left ${path}.`]),
      ...(content.kind === 'unknown' ? [`What a tool left in ${path} is not known: ${content.why}.`] : []),
    ]),
  ];
}

function stepsFor({ deeds }: RecordedCall, workspace: string, left: readonly RecordedFile[]): Step[] {
  const last = deeds.findLastIndex(mayLeaveFiles);
  return deeds.map((deed, index): Step => {
    const step = writeRecordedStep(deed);
    if (step.do !== 'tool' || deed.kind !== 'used') return step;
    const { result, isError } = deed;
    return { ...step, redo: { result, isError, how: redoHow(deed, workspace, index === last ? left : []) } };
  });
}

/** Commands and file tools run again, in the sandbox of the replay. Of other tools only the answer is shown. */
function redoHow(deed: Used, workspace: string, left: readonly RecordedFile[]): Redo['how'] {
  if (FILE_TOOLS.has(deed.tool) && pathOf(deed, workspace) !== null) return { kind: 'file' };
  if (isCommand(deed))
    return { kind: 'command', sameResult: /\bralph\b|RALPH_BIN/.test(String(deed.input.command)) };
  return {
    kind: 'show',
    writes: left.flatMap(({ path, content }) =>
      content.kind === 'text' ? [{ path, text: content.text }] : [],
    ),
    removes: left.flatMap(({ path, content }) => (content.kind === 'gone' ? [path] : [])),
  };
}

/** Tools that the stand-in runs as Claude Code does. What they answer is not Ralph's. */
const FILE_TOOLS: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit']);

/** Other tools that change nothing in the workspace. */
const READING_TOOLS: ReadonlySet<string> = new Set([
  ...['Glob', 'Grep', 'WebFetch', 'WebSearch', 'TodoWrite', 'TaskOutput', 'BashOutput', 'Skill'],
]);

function isCommand(deed: Deed): boolean {
  return deed.kind === 'used' && deed.tool === 'Bash' && typeof deed.input.command === 'string';
}

/** Whether a tool is only shown although it may have changed files. The last one of a call leaves what they left. */
function mayLeaveFiles(deed: Deed): boolean {
  return (
    deed.kind === 'used' && !isCommand(deed) && !FILE_TOOLS.has(deed.tool) && !READING_TOOLS.has(deed.tool)
  );
}

/** Whether a file tool writes a file. */
function writes(deed: Deed, path: string, workspace: string): boolean {
  if (deed.kind !== 'used' || deed.isError || deed.tool === 'Read') return false;
  return FILE_TOOLS.has(deed.tool) && pathOf(deed, workspace) === path;
}

/** The path of a tool's file relative to the workspace, or null if it is not inside. */
function pathOf({ input }: Used, workspace: string): string | null {
  if (typeof input.file_path !== 'string') return null;
  const path = isAbsolute(input.file_path) ? relative(workspace, input.file_path) : input.file_path;
  return isInside(path) ? path.replace(/^(?:\.\/)+/, '') : null;
}

function isInside(path: string): boolean {
  return path !== '' && !isAbsolute(path) && !path.split('/').includes('..');
}
