import { StringDecoder } from 'node:string_decoder';
import type { ChalkInstance } from 'chalk';
import * as z from 'zod';
import { parseJson } from '../../domain/common/json-lines.js';
import { type BackendId, executionKey, testLabel } from '../../domain/vocabulary.js';
import { cleanText, oneLine } from '../text/safe-text.js';
import { wrapTo } from './layout.js';

/** A running test whose output is shown. */
export interface FollowedTest {
  readonly scenarioId: string;
  readonly backend: BackendId;
}

interface Style {
  readonly chalk: ChalkInstance;
  readonly columns: () => number;
  readonly write: (lines: readonly string[]) => void;
}

/** A test prints at most so many lines: a flood would hide the others. */
const MOST_LINES = 1_000;
/** Longer lines are cut as they arrive. */
const MOST_CHARACTERS = 200_000;
const NAME = { most: 28 } as const;

/** Shows what running tests print, a prefixed line each. All of it is made harmless first. */
export function createFollower({ chalk, columns, write }: Style) {
  const tests = new Map<string, { decoder: StringDecoder; partial: string; lines: number }>();

  const show = (test: FollowedTest, line: string): void => {
    const state = stateOf(test);
    const name = oneLine(testLabel(test.scenarioId, test.backend), NAME.most);
    const prefix = chalk.dim(`${name} │ `);
    for (const text of readAgentLine(line)) {
      state.lines += 1;
      if (state.lines > MOST_LINES) return;
      const place = { columns: Math.max(40, columns() - name.length - 3), indent: 0 };
      const shown = state.lines === MOST_LINES ? ['… the rest is not shown'] : wrapTo(3, text, place);
      write(shown.map((part) => `${prefix}${part}`));
    }
  };
  const stateOf = (test: FollowedTest) => {
    const key = executionKey(test.scenarioId, test.backend);
    const state = tests.get(key) ?? { decoder: new StringDecoder('utf8'), partial: '', lines: 0 };
    tests.set(key, state);
    return state;
  };

  return {
    onOutput: (test: FollowedTest, chunk: Buffer): void => {
      const state = stateOf(test);
      const lines = `${state.partial}${state.decoder.write(chunk)}`.split('\n');
      state.partial = (lines.pop() ?? '').slice(0, MOST_CHARACTERS);
      for (const line of lines) show(test, line);
    },
    /** Shows what is left of a test that has ended. */
    end: (test: FollowedTest): void => {
      const key = executionKey(test.scenarioId, test.backend);
      const state = tests.get(key);
      if (state === undefined) return;
      if (state.partial !== '') show(test, state.partial);
      tests.delete(key);
    },
  };
}

/** The parts of an agent's message that people want to see. CLIs name and nest them differently. */
const blockSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_use'), name: z.string(), input: z.unknown() }),
  z
    .object({ type: z.literal('toolCall'), name: z.string(), arguments: z.unknown() })
    .transform(({ name, arguments: input }) => ({ type: 'tool_use' as const, name, input })),
  z.object({ type: z.literal('tool_result'), content: z.unknown(), is_error: z.boolean().optional() }),
  z.object({ type: z.string() }).transform(() => null),
]);
type Block = Exclude<z.infer<typeof blockSchema>, null>;

/** Claude Code under `stream-json`, and pi under `--mode json`, whose last event of a message has all of it. */
const messageSchema = z.object({
  type: z.enum(['assistant', 'user', 'message_end']),
  message: z.object({ role: z.string(), content: z.array(blockSchema) }),
});

/** OpenCode under `--format json`. */
const partSchema = z.union([
  z.object({ type: z.literal('text'), part: z.object({ text: z.string() }) }),
  z.object({
    type: z.literal('tool_use'),
    part: z.object({ tool: z.string(), state: z.object({ input: z.unknown() }) }),
  }),
]);

const endSchema = z.object({ type: z.literal('result'), is_error: z.literal(true), result: z.string() });
const eventSchema = z.looseObject({ type: z.string() });

/** What Ralph prints around the agent's words: rules, the paths of its files, footers. */
const FRAME = /^(?:=+|\+-+\+|-- ralph loop .*|\s+(?:events|scratchpad|tail|resume): .*|\|\s+\w+:\s.*)$/;
const BOX = /^\| \S (?=Loop terminated)/;
const HEADER = /^ ITERATION (\d+) \| \S+ (.+?) \|/;
const FOOTER = /^\[iter \d+\/\d+ done\]/;
const QUIET_LOG = /^\d{4}-\d\d-\d\dT[\d:.]+Z\s+(?:TRACE|DEBUG|INFO) /;
const LONGEST = 2_000;
const LONGEST_RESULT = 100;

/** Reads one line of a test's output: what the agent says and does, as plain lines; none for what is only noise. */
export function readAgentLine(line: string): string[] {
  const json = line.startsWith('{') ? parseJson(line) : undefined;
  if (json !== undefined) return readEvent(json);
  const clean = cleanText(line).trimEnd();
  if (clean.trim() === '' || FRAME.test(clean) || FOOTER.test(clean) || QUIET_LOG.test(clean)) return [];
  const header = HEADER.exec(clean);
  return header === null
    ? [oneLine(clean.replace(BOX, ''), LONGEST)]
    : [`── iteration ${header[1]}: ${header[2]} ──`];
}

function readEvent(json: unknown): string[] {
  const message = messageSchema.safeParse(json);
  if (message.success) {
    const { role, content } = message.data.message;
    // The prompt is a message, too: nobody wants to read it again.
    const blocks = content.filter((block) => role === 'assistant' || block?.type === 'tool_result');
    return blocks.flatMap((block) => describeBlock(block));
  }
  const part = partSchema.safeParse(json);
  if (part.success)
    return part.data.type === 'text'
      ? splitText(part.data.part.text)
      : [describeCall(part.data.part.tool, part.data.part.state.input)];
  const end = endSchema.safeParse(json);
  if (end.success) return [oneLine(`error: ${end.data.result}`, LONGEST)];
  return eventSchema.safeParse(json).success ? [] : [oneLine(JSON.stringify(json), LONGEST)];
}

function describeBlock(block: Block | null): string[] {
  if (block === null) return [];
  switch (block.type) {
    case 'text':
      return splitText(block.text);
    case 'tool_use':
      return [describeCall(block.name, block.input)];
    case 'tool_result': {
      const text = oneLine(describeValue(block.content), LONGEST_RESULT);
      return text === '' ? [] : [`← ${block.is_error === true ? 'error: ' : ''}${text}`];
    }
    default:
      return block satisfies never;
  }
}

function splitText(text: string): string[] {
  return cleanText(text)
    .split('\n')
    .map((line) => oneLine(line, LONGEST))
    .filter((line) => line !== '');
}

/** Describes a call of a tool: its name, and the arguments that are texts. */
function describeCall(name: string, input: unknown): string {
  const values = z.record(z.string(), z.unknown()).safeParse(input);
  const texts = values.success ? Object.values(values.data).map(describeValue) : [describeValue(input)];
  return oneLine(`→ ${name}: ${texts.filter((text) => text !== '').join(' · ')}`, 400);
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  const blocks = z.array(z.object({ type: z.literal('text'), text: z.string() })).safeParse(value);
  return blocks.success ? blocks.data.map(({ text }) => text).join(' ') : JSON.stringify(value);
}
