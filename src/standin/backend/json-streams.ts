import type { Log } from '../log.js';
import { isRecord } from '../record.js';
import { anything, count, decimal, flag, list, object, optional, tagged, text } from './json-shape.js';
import { parseStreamLine, type Stream } from './stream-line.js';

const COPILOT: Stream = {
  target: 'ralph_adapters::copilot_stream',
  malformed: 'JSON line',
  line: anything,
};

/** Extracts the text of Copilot's JSON lines: only whole messages, each on its own line. */
export function extractCopilotText(output: string, log: Log): string {
  return output
    .split('\n')
    .flatMap((line) => readCopilotLine(line, log) ?? [])
    .map((said) => (said.endsWith('\n') ? said : `${said}\n`))
    .join('');
}

/** Reads the message in one line of Copilot; everything else is hidden from the screen. */
export function readCopilotLine(line: string, log: Log): string | undefined {
  const value = parseStreamLine(line, COPILOT, log);
  if (!isRecord(value) || value.type !== 'assistant.message' || !isRecord(value.data)) return undefined;
  const { content } = value.data;
  if (!Array.isArray(content)) return readText(content);
  const texts = content.map(readText).join('');
  return texts === '' ? undefined : texts;
}

const others = anything;

const PI: Stream = {
  target: 'ralph_adapters::pi_stream',
  malformed: 'pi JSON',
  line: tagged(
    {
      message_update: object({
        assistantMessageEvent: tagged(
          {
            text_delta: object({ delta: text }),
            thinking_delta: object({ delta: text }),
            error: object({ reason: text }),
          },
          others,
        ),
      }),
      tool_execution_start: object({ toolCallId: text, toolName: text, args: anything }),
      tool_execution_end: object({
        toolCallId: text,
        toolName: text,
        result: object({ content: list(tagged({ text: object({ text }) }, others)) }),
        isError: flag,
      }),
      turn_end: object({
        message: optional(
          object({
            stopReason: optional(text),
            provider: optional(text),
            model: optional(text),
            usage: optional(
              object({
                input: count,
                output: count,
                cacheRead: count,
                cacheWrite: count,
                cost: optional(object({ total: decimal })),
              }),
            ),
          }),
        ),
      }),
    },
    others,
  ),
};

/** Extracts the text of pi's JSON lines by joining deltas. If there are none, the whole output is the text. */
export function extractPiText(output: string, log: Log): string {
  const said = output
    .split('\n')
    .map((line) => readPiDelta(parseStreamLine(line, PI, log)))
    .join('');
  return said === '' ? output : said;
}

function readPiDelta(event: unknown): string {
  if (!isRecord(event) || event.type !== 'message_update' || !isRecord(event.assistantMessageEvent))
    return '';
  const { type, delta } = event.assistantMessageEvent;
  return type === 'text_delta' && typeof delta === 'string' ? delta : '';
}

function readText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isRecord(value) && typeof value.text === 'string' ? value.text : undefined;
}
