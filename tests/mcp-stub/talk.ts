import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import * as z from 'zod';

const replySchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
});
export type Reply = z.infer<typeof replySchema>;

/** Starts an MCP server and talks with it line by line. */
export function startServer(args: readonly string[], options: { cwd: string; env?: Record<string, string> }) {
  const child = spawn(process.execPath, args, {
    cwd: options.cwd,
    env: { PATH: process.env.PATH ?? '', HOME: options.cwd, ...options.env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stderr })),
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (): Promise<Reply> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the server ended: ${(await ended).stderr}`);
    return replySchema.parse(JSON.parse(value));
  };
  let id = 0;
  const write = (line: string) => void child.stdin.write(`${line}\n`);
  const ask = (method: string, params: Readonly<Record<string, unknown>> = {}) => {
    id += 1;
    write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return read();
  };
  return {
    ...{ ask, read, write, ended },
    call: async (name: string, input: Readonly<Record<string, unknown>> = {}) =>
      (await ask('tools/call', { name, arguments: input })).result,
    close: () => {
      child.stdin.end();
      return ended;
    },
  };
}
