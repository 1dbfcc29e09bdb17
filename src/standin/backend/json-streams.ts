import { isRecord } from '../record.js';
/** The text of Copilot's JSON lines: whole messages only, each on a line of its own. */
export function extractCopilotText(output: string): string {
  return output
    .split('\n')
    .flatMap((line) => readCopilotLine(line) ?? [])
    .map((text) => (text.endsWith('\n') ? text : `${text}\n`))
    .join('');
}

/** What one line of Copilot says; everything but its messages is kept from the reader. */
export function readCopilotLine(line: string): string | undefined {
  const value = parseRecord(line);
  if (value?.type !== 'assistant.message' || !isRecord(value.data)) return undefined;
  const { content } = value.data;
  if (!Array.isArray(content)) return readText(content);
  const texts = content.map(readText).join('');
  return texts === '' ? undefined : texts;
}

/** The text of pi's JSON lines: deltas put together. Without any, what was printed counts as text. */
export function extractPiText(output: string): string {
  const text = output.split('\n').map(readPiDelta).join('');
  return text === '' ? output : text;
}

function readPiDelta(line: string): string {
  const value = parseRecord(line);
  if (value?.type !== 'message_update' || !isRecord(value.assistantMessageEvent)) return '';
  const { type, delta } = value.assistantMessageEvent;
  return type === 'text_delta' && typeof delta === 'string' ? delta : '';
}

function readText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return isRecord(value) && typeof value.text === 'string' ? value.text : undefined;
}

function parseRecord(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    // Anything else on stdout is no part of the stream.
    return undefined;
  }
}
