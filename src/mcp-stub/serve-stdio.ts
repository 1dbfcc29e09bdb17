import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { StubOptions } from './server.js';
import { StubDies, StubServer } from './server.js';

/** Serves MCP over a pair of streams until the input ends (`closed`) or the script ends the server (`died`). */
export async function serveStub(
  options: StubOptions,
  input: Readable,
  output: Writable,
): Promise<'closed' | 'died'> {
  const server = new StubServer(options);
  // One at a time: the script's answers are in the order of the calls.
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue;
    try {
      const answer = await server.answer(line);
      if (answer !== null) output.write(`${answer}\n`);
    } catch (error) {
      if (!(error instanceof StubDies)) throw error;
      // An open input would keep the process alive.
      input.destroy();
      return 'died';
    }
  }
  return 'closed';
}
