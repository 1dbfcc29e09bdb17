import { confirmedEmits } from '../../domain/diagnosis/clues.js';
import type { EventRecord, Evidence, Iteration, ToolCall } from '../../domain/evidence/evidence.js';
import { isSummary } from '../../domain/evidence/ralph-words.js';

/** What the agent did, as far as its own output shows it. */

/** Whether the agent had its tools in an iteration, and everything that it said and did is known. */
export function isVisible({ cli, saidCut, durationSeconds }: Iteration): boolean {
  return (
    cli?.whole === true &&
    saidCut === undefined &&
    durationSeconds !== null &&
    cli.permissionMode === 'bypassPermissions' &&
    NEEDED_TOOLS.every((tool) => cli.tools.includes(tool))
  );
}

const NEEDED_TOOLS = ['Bash', 'Read', 'Write', 'Edit'];

/** The commands of Ralph in a tool call, such as `emit build.done`. Agents also call Ralph by its variable. */
export function ralphCommands({ input }: ToolCall): string[] {
  return [...input.matchAll(/(?:\bralph|\$\{?RALPH_BIN\}?\\?"?)\s+((?:emit|tools|wave)\b[^;&|\n]*)/g)].map(
    ([, command = '']) => command,
  );
}

/** The tool calls of all iterations. */
export function allCalls({ iterations }: Evidence): ToolCall[] {
  return iterations.flatMap(({ toolCalls }) => toolCalls);
}

/** Whether a command of Ralph in any tool call mentions all of these words, or may do so unseen. */
export function ranRalph(evidence: Evidence, ...words: readonly string[]): boolean {
  return allCalls(evidence).some(
    (call) =>
      mayHide(call, words, evidence) ||
      (ralphCommands(call).length > 0 && words.every((word) => mentions(call.input, word))),
  );
}

/** Whether the agent used an answer of Ralph of which nobody knows whether it was right. */
export function reliedOnRalph(evidence: Evidence): boolean {
  return answersOfRalph(evidence) === null;
}

/**
 * What the agent learned from Ralph's answers; null if nobody knows whether they were right. They were if all of them show one
 * memory as it is stored. Of an event or a new memory, the answer says no more than what the agent itself gave.
 */
export function answersOfRalph(evidence: Evidence): string[] | null {
  const asking = allCalls(evidence).filter((call) =>
    ralphCommands(call).some((command) => !/^(?:emit|tools memory add)\b/.test(command)),
  );
  if (asking.length === 0) return [];
  const shown = new Set(asking.flatMap(({ result }) => result?.match(/\bmem-\d+-[\da-f]+\b/g) ?? []));
  const memory = evidence.memories.find(({ id }) => shown.size === 1 && shown.has(id));
  const isWhole = ({ result }: ToolCall) =>
    memory !== undefined && result?.includes(`"content": ${JSON.stringify(memory.content)}`) === true;
  return memory !== undefined && asking.every(isWhole) ? [memory.content] : null;
}

/** Whether the agent passed exactly this payload to `ralph emit`. */
export function emittedExactly(evidence: Evidence, topic: string, payload: string): boolean {
  const commands = allCalls(evidence).flatMap(ralphCommands);
  return commands.some((command) => {
    const at = command.indexOf(topic);
    return (
      command.startsWith('emit') &&
      at !== -1 &&
      unquoted(command.slice(at + topic.length)).replace(/^--json/, '') === unquoted(payload)
    );
  });
}

/** A text without the quotes that a shell and JSON put around it. */
function unquoted(text: string): string {
  return text.replaceAll(/["'\\{}\s]/g, '');
}

/** Whether a tool call may have written a file: it does not only read, and mentions the path other than in an event. */
export function mayHaveWritten(evidence: Evidence, path: string): boolean {
  return allCalls(evidence).some((call) => {
    const rest = ralphCommands(call).reduce((text, command) => text.replace(command, ''), call.input);
    return call.name !== 'Read' && !(call.name === 'Bash' && READS.test(call.input)) && rest.includes(path);
  });
}

/** Whether a file is as it was before, and nothing can have been written to it. */
export function leftAlone(evidence: Evidence, path: string): boolean {
  const file = evidence.files.find((one) => one.path === path);
  return file?.change === 'unchanged' && !mayHaveWritten(evidence, path);
}

/** A Bash call with commands that only read. */
const READS = /^\{"command":"(?:\s*(?:cat|head|tail|ls|wc|grep|nl)\b[^"\\;&|<>`$]*(?:;|&&|"))+[,}]/;

/** Whether the content of a file is what the agent itself wrote there, by a tool for files or in a command. */
export function wroteItself(evidence: Evidence, path: string, content: string): boolean {
  const text = JSON.stringify(content.trim()).slice(1, -1);
  return (
    text !== '' &&
    allCalls(evidence).some(
      (call) =>
        call.name !== 'Read' &&
        ralphCommands(call).length === 0 &&
        call.input.includes(path) &&
        call.input.includes(text),
    )
  );
}

/** Whether a tool call changed a file: a tool for files other than `Read`, or a command that writes to it. */
export function changed(evidence: Evidence, path: string): boolean {
  return allCalls(evidence).some(({ name, input }) => {
    if (name !== 'Bash') return name !== 'Read' && mentions(input, path);
    const targets = input.split(CHANGES).slice(1);
    return targets.some((rest) => mentions(rest.split(/[;&|]/)[0] ?? '', path));
  });
}

const CHANGES = />|\b(?:tee|sed|rm|mv|cp|truncate|dd|patch|git|python3?|perl|node)\b/;

/** Whether any tool call mentions a text. */
export function touched(evidence: Evidence, text: string): boolean {
  return allCalls(evidence).some(({ input }) => mentions(input, text));
}

/** Whether the JSON of a tool call mentions a text, as it is or escaped. */
function mentions(input: string, text: string): boolean {
  return input.includes(text) || input.includes(JSON.stringify(text).slice(1, -1));
}

/** Whether the agent tried to publish an event: by a command, or by a tag in its words. */
export function triedToEmit(evidence: Evidence, topic: string): boolean {
  return (
    ranRalph(evidence, 'emit', topic) ||
    evidence.iterations.some(({ said }) => hasTag(said, topic)) ||
    evidence.events.some((event) => event.source === 'agent' && event.topic === topic) ||
    confirmedEmits(evidence).some((emit) => emit.topic === topic)
  );
}

/** Whether a tool call may run a command with all of these words that its input does not show. */
function mayHide({ name, input }: ToolCall, words: readonly string[], { files }: Evidence): boolean {
  if (name !== 'Bash' || !OPAQUE.test(input)) return false;
  const scripts = files.filter(
    ({ path, change, content }) =>
      change === 'unchanged' && content === undefined && new RegExp(`\\bsh ${literal(path)}`).test(input),
  );
  const rest = scripts.reduce((text, { path }) => text.replaceAll(`sh ${path}`, ''), input);
  if (OPAQUE.test(rest)) return true;
  return scripts.some(
    ({ preview }) => /\bemit\s+["']?\$/.test(preview) || words.every((word) => preview.includes(word)),
  );
}

function literal(text: string): string {
  return text.replaceAll(/[^\w/]/g, '\\$&');
}

/** What may hide a command or its words. Arithmetic hides neither. */
const OPAQUE =
  /\b(?:for|while|until|xargs|eval|source|bash|sh|zsh|python3?|node|perl|ruby|make|npm|npx|env|find|parallel)\b|(?:^|[\s"'`;&|(])\.{1,2}\/|\$(?!\(\()[({\w]/;

function hasTag(said: string, topic: string): boolean {
  return said.includes('<event') && said.includes(topic);
}

/** The events of agents that Ralph recorded in an iteration: those before the iteration's summary in the file. */
export function eventsOf({ events }: Evidence, iteration: number): EventRecord[] {
  const ends = (number: number) =>
    events.findIndex((event) => isSummary(event) && event.iteration === number);
  const end = ends(iteration);
  const start = ends(iteration - 1);
  return events.slice(start + 1, end === -1 ? undefined : end).filter(({ source }) => source === 'agent');
}

/** Whether the agent declared completion in an iteration as Ralph asks for it: alone on the last line, or as an event. */
export function declares(evidence: Evidence, iteration: Iteration, promise: string): boolean {
  const lastLine = iteration.said.trimEnd().split('\n').at(-1)?.trim();
  return lastLine === promise || eventsOf(evidence, iteration.number).some(({ topic }) => topic === promise);
}

/** Whether the agent said the promise in a form that does not count, such as bold. */
export function misdeclares(evidence: Evidence, iteration: Iteration, promise: string): boolean {
  return iteration.said.includes(promise) && !declares(evidence, iteration, promise);
}
