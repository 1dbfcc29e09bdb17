import type { TerminalStream } from '../report/terminal/terminal.js';
import { inChunks, type Pieces } from '../report/text/pieces.js';

/** Where a command writes: its result, and what it tells people on the side. */
export interface Screen {
  /** People's output: stdout, or stderr when the result itself goes to stdout. */
  readonly people: TerminalStream;
  readonly color: boolean;
  print(text: string): void;
  /** The same for a text that is long, piece after piece; it has its last line feed. */
  printAll(pieces: Pieces): void;
}

/** Decides once where output goes and whether it is coloured: NO_COLOR wins over a terminal. */
export function openScreen({ json }: { readonly json: boolean }): Screen {
  const people = json ? process.stderr : process.stdout;
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = process.env;
  const wanted = FORCE_COLOR !== '' && FORCE_COLOR !== '0';
  return {
    people,
    color: NO_COLOR === '' && (wanted || (people.isTTY === true && TERM !== 'dumb')),
    print: (text) => process.stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    printAll: (pieces) => {
      for (const chunk of inChunks(pieces)) process.stdout.write(chunk);
    },
  };
}
