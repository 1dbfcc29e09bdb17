import type { Log } from '../log.js';
import { isRecord } from '../record.js';
import { anything, count, decimal, flag, list, object, optional, tagged, text } from './json-shape.js';
import { parseStreamLine, type Stream } from './stream-line.js';

const tokens = (value: unknown) => value === undefined || count(value);

/**
 * The real parser knows two kinds of blocks. It fails on a message that contains any other kind, such as `thinking`,
 * and loses its text.
 */
const block = tagged({
  text: object({ text }),
  tool_use: object({ id: text, name: text, input: anything }),
});

const CLAUDE: Stream = {
  target: 'ralph_adapters::claude_stream',
  malformed: 'JSON line',
  line: tagged({
    system: object({
      session_id: text,
      model: text,
      tools: (value) => value === undefined || Array.isArray(value),
    }),
    assistant: object({
      message: object({
        content: list(block),
        usage: optional(
          object({
            input_tokens: tokens,
            output_tokens: tokens,
            cache_creation_input_tokens: tokens,
            cache_read_input_tokens: tokens,
          }),
        ),
      }),
    }),
    user: object({
      message: object({
        content: list(tagged({ tool_result: object({ tool_use_id: text, content: text }) })),
      }),
    }),
    result: object({ duration_ms: count, total_cost_usd: decimal, num_turns: count, is_error: flag }),
  }),
};

/**
 * Extracts Claude Code's text from its stream of JSON lines: the text blocks of assistant messages, each followed by a
 * newline. If there are none, the whole output is the text.
 */
export function extractClaudeText(output: string, log: Log): string {
  const texts = output.split('\n').flatMap((line) => readTexts(parseStreamLine(line, CLAUDE, log)));
  return texts.length === 0 ? output : texts.map((said) => `${said}\n`).join('');
}

function readTexts(event: unknown): readonly string[] {
  if (!isRecord(event) || event.type !== 'assistant' || !isRecord(event.message)) return [];
  const { content } = event.message;
  if (!Array.isArray(content)) return [];
  return content.flatMap((part: unknown) =>
    isRecord(part) && typeof part.text === 'string' && part.type === 'text' ? [part.text] : [],
  );
}
