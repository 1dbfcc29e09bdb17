import type { Log } from '../log.js';
import { isRecord } from '../record.js';
import { takeBytes } from '../text.js';

/**
 * Extracts Claude Code's text from its stream of JSON lines: the text blocks of assistant messages, each followed by a
 * newline. If there are none, the whole output is the text.
 */
export function extractClaudeText(output: string, log: Log): string {
  const texts = output.split('\n').flatMap((line) => readAssistantTexts(line, log));
  return texts.length === 0 ? output : texts.map((text) => `${text}\n`).join('');
}

/**
 * The real parser knows two kinds of blocks. It fails on a message that contains any other kind, such as `thinking`,
 * and loses its text.
 */
function readAssistantTexts(line: string, log: Log): readonly string[] {
  const trimmed = line.trim();
  if (trimmed === '') return [];
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch {
    // Anything else on stdout is not part of the stream.
    const shown = Buffer.byteLength(trimmed) <= 100 ? trimmed : `${takeBytes(trimmed, 100)}...`;
    log.debug(
      'ralph_adapters::claude_stream',
      `Skipping malformed JSON line: ${shown} (error: expected value at line 1 column 1)`,
    );
    return [];
  }
  const blocks = readBlocks(value);
  const texts: string[] = [];
  for (const block of blocks) {
    if (isRecord(block) && block.type === 'text' && typeof block.text === 'string') texts.push(block.text);
    else if (!isToolUse(block)) return [];
  }
  return texts;
}

function readBlocks(value: unknown): readonly unknown[] {
  if (!isRecord(value) || value.type !== 'assistant' || !isRecord(value.message)) return [];
  return Array.isArray(value.message.content) ? value.message.content : [];
}

function isToolUse(block: unknown): boolean {
  if (!isRecord(block) || block.type !== 'tool_use') return false;
  return typeof block.id === 'string' && typeof block.name === 'string' && 'input' in block;
}
