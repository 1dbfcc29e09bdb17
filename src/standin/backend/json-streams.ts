import { isRecord } from '../record.js';
/** Extracts the text of Copilot's JSON lines: only whole messages, each on its own line. */
export function extractCopilotText(output: string): string {
  return output
    .split('\n')
    .flatMap((line) => readCopilotLine(line) ?? [])
    .map((text) => (text.endsWith('\n') ? text : `${text}\n`))
    .join('');
}

/** Reads the message in one line of Copilot; everything else is hidden from the screen. */
export function readCopilotLine(line: string): string | undefined {
  const value = parseRecord(line);
  if (value?.type !== 'assistant.message' || !isRecord(value.data)) return undefined;
  const { content } = value.data;
  if (!Array.isArray(content)) return readText(content);
  const texts = content.map(readText).join('');
  return texts === '' ? undefined : texts;
}

/** Extracts the text of pi's JSON lines by joining deltas. If there are none, the whole output is the text. */
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
    // Anything else on stdout is not part of the stream.
    return undefined;
  }
}
