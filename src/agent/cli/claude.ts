import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { IMITATED_VERSIONS, STAND_IN_MARK } from '../../domain/stand-ins.js';
import type { ToolUse } from '../play.js';
import type { Call, Face, Voice, Write } from './face.js';
import { type OptionTable, type ParsedOptions, parseOptions } from './options.js';
import { runFace } from './run-face.js';

/** Claude Code in print mode, as ralph calls it: the prompt on stdin, NDJSON on stdout. */
const claude: Face = {
  backend: 'claude',

  interpret(argv, loggedIn): Call {
    if (argv[0] === '--version' || argv[0] === '-v')
      return { kind: 'print', text: `${IMITATED_VERSIONS.claude} ${STAND_IN_MARK}`, exitCode: 0 };
    if (argv[0] === 'auth' && argv[1] === 'status') return authStatus(loggedIn);
    const options = parseOptions(argv, OPTIONS);
    return refusal(options) ?? readPromptOf(options);
  },

  speak: (write) => new NdjsonVoice(write),
};

const OPTIONS: OptionTable = {
  flags: ['-p', '--print', '--verbose', '--dangerously-skip-permissions'],
  values: [
    '--output-format',
    '--setting-sources',
    '--disallowedTools',
    '--allowedTools',
    '--model',
    '--permission-mode',
  ],
};

function authStatus(loggedIn: boolean): Call {
  const status = loggedIn
    ? { loggedIn: true, authMethod: 'api_key', apiKeySource: 'stand-in' }
    : { loggedIn: false, authMethod: 'none' };
  return { kind: 'print', text: JSON.stringify(status), exitCode: loggedIn ? 0 : 1 };
}

function refusal({ unknown, flags, values }: ParsedOptions): Call | null {
  if (unknown !== null) return { kind: 'refuse', message: `error: unknown option '${unknown}'`, exitCode: 1 };
  if (!flags.has('--print') && !flags.has('-p')) {
    return notPlayed('the interactive screen: call it with --print');
  }
  const format = values.get('--output-format');
  if (format !== 'stream-json') return notPlayed(`--output-format ${format ?? 'text'}: expected stream-json`);
  if (!flags.has('--verbose')) {
    const message = 'Error: When using --print, --output-format=stream-json requires --verbose';
    return { kind: 'refuse', message, exitCode: 1 };
  }
  return null;
}

function notPlayed(what: string): Call {
  return {
    kind: 'refuse',
    message: `ralph-e2e: the stand-in for claude does not play ${what}.`,
    exitCode: 70,
  };
}

function readPromptOf({ positionals }: ParsedOptions): Call {
  const [argument] = positionals;
  if (argument !== undefined) return { kind: 'prompt', prompt: argument, source: 'argument' };
  const prompt = readFileSync(0, 'utf8');
  if (prompt.trim() !== '') return { kind: 'prompt', prompt, source: 'stdin' };
  const message =
    'Error: Input must be provided either through stdin or as a prompt argument when using --print';
  return { kind: 'refuse', message, exitCode: 1 };
}

/** One event a line, one assistant event a content block, as the real one prints them. */
class NdjsonVoice implements Voice {
  readonly #write: Write;
  readonly #session = randomUUID();
  #turns = 1;
  #lastText = '';
  #refused = false;
  #characters = 0;

  constructor(write: Write) {
    this.#write = write;
  }

  begin(): void {
    this.#emit({
      type: 'system',
      subtype: 'init',
      cwd: process.cwd(),
      tools: ['Bash', 'Edit', 'Read', 'Write'],
      mcp_servers: [],
      model: MODEL,
      permissionMode: 'bypassPermissions',
      apiKeySource: 'none',
      claude_code_version: IMITATED_VERSIONS.claude.split(' ')[0],
    });
  }

  show(action: Parameters<Voice['show']>[0]): void {
    switch (action.kind) {
      case 'text':
        this.#lastText = action.text;
        return this.#say({ type: 'text', text: action.text });
      case 'tool': {
        const id = `toolu_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
        this.#turns += 1;
        this.#say({ type: 'tool_use', id, ...toClaudeTool(action.tool) });
        const result = {
          tool_use_id: id,
          type: 'tool_result',
          content: action.result,
          is_error: action.isError,
        };
        return this.#emit({
          type: 'user',
          message: { role: 'user', content: [result] },
          parent_tool_use_id: null,
        });
      }
      case 'credentials-refused':
        this.#refused = true;
        this.#lastText = 'Invalid API key · Fix external API key';
        return this.#emit({
          type: 'assistant',
          message: assistantMessage({ type: 'text', text: this.#lastText }, '<synthetic>'),
          parent_tool_use_id: null,
          error: 'authentication_failed',
        });
      case 'hang':
        return;
      default:
        action satisfies never;
    }
  }

  /** The real one reports API errors as `subtype: "success"` with `is_error: true`, and exits 1. */
  end(): number {
    this.#emit({
      type: 'result',
      subtype: 'success',
      is_error: this.#refused,
      api_error_status: this.#refused ? 401 : null,
      duration_ms: 1,
      num_turns: this.#turns,
      result: this.#lastText,
      stop_reason: this.#refused ? 'stop_sequence' : 'end_turn',
      total_cost_usd: 0,
      usage: { input_tokens: 0, output_tokens: Math.ceil(this.#characters / 4) },
      permission_denials: [],
    });
    return this.#refused ? 1 : 0;
  }

  #say(block: Record<string, unknown>): void {
    this.#characters += JSON.stringify(block).length;
    this.#emit({ type: 'assistant', message: assistantMessage(block, MODEL), parent_tool_use_id: null });
  }

  #emit(event: Record<string, unknown>): void {
    this.#write('stdout', `${JSON.stringify({ ...event, session_id: this.#session, uuid: randomUUID() })}\n`);
  }
}

const MODEL = 'ralph-e2e-scripted';

function assistantMessage(block: Record<string, unknown>, model: string): Record<string, unknown> {
  return {
    id: `msg_${randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [block],
    stop_reason: null,
  };
}

function toClaudeTool(tool: ToolUse): { name: string; input: Record<string, unknown> } {
  switch (tool.name) {
    case 'write':
      return { name: 'Write', input: { file_path: tool.path, content: tool.content } };
    case 'run':
      return { name: 'Bash', input: { command: tool.command } };
    default:
      return tool satisfies never;
  }
}

void runFace(claude);
