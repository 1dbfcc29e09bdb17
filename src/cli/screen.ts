import { wrapText } from '../report/terminal/layout.js';
import type { TerminalStream } from '../report/terminal/terminal.js';
import { inChunks, type Pieces } from '../report/text/pieces.js';
import { breakCommands, cleanText } from '../report/text/safe-text.js';

/** Where a command writes its result, and its messages for people. */
export interface Screen {
  /** Messages for people: stdout, or stderr if the result itself goes to stdout. */
  readonly people: TerminalStream;
  readonly color: boolean;
  print(text: string): void;
  /** Prints messages for people; lines end where the terminal does. */
  tell(text: string): void;
  /** Prints a long text piece by piece. The text must end with a line feed. */
  printAll(pieces: Pieces): void;
}

/** Prints a message to stderr. It may quote files that somebody else wrote. */
export function say(text: string): void {
  process.stderr.write(breakCommands(wrapText(cleanText(text), process.stderr)));
}

let colorful = true;

/** Switches colors off, for `--no-color`. */
export function forbidColor(): void {
  colorful = false;
}

/** Decides where output goes and whether it is colored. NO_COLOR and --no-color override everything else. */
export function openScreen({ json }: { readonly json: boolean }): Screen {
  const people = json ? process.stderr : process.stdout;
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = process.env;
  const wanted = FORCE_COLOR !== '' && FORCE_COLOR !== '0';
  return {
    people,
    color: colorful && NO_COLOR === '' && (wanted || (people.isTTY === true && TERM !== 'dumb')),
    tell: (text) => people.write(breakCommands(wrapText(`${text}\n`, people))),
    print: (text) => process.stdout.write(breakCommands(text.endsWith('\n') ? text : `${text}\n`)),
    printAll: (pieces) => {
      for (const chunk of inChunks(pieces)) process.stdout.write(breakCommands(chunk));
    },
  };
}

/**
 * Variables that agents set for the programs they start. Variables such as `CODEX_HOME` are not in the list: they are
 * the user's own settings and say nothing about the caller.
 */
const AGENT_VARIABLES = [
  'AI_AGENT',
  'AUGMENT_AGENT',
  'CLAUDECODE',
  'CLINE_ACTIVE',
  'CODEX_CI',
  'CODEX_SANDBOX',
  'CODEX_THREAD_ID',
  'COPILOT_CLI',
  'CURSOR_AGENT',
  'GEMINI_CLI',
  'GOOSE_TERMINAL',
  'OPENCODE',
  'PI_CODING_AGENT',
  'QWEN_CODE',
] as const;

/** Whether an agent, not a person, started this program. An empty value, 0 and false mean no. */
export function isCalledByAgent(env: Readonly<Record<string, string | undefined>>): boolean {
  return AGENT_VARIABLES.some((name) => !['', '0', 'false'].includes((env[name] ?? '').toLowerCase()));
}
