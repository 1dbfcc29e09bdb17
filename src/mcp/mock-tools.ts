import { writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { StubAnswer } from '../domain/stub/script.js';
import { makeFolder, putFile } from '../exec/files/make-folder.js';
import { packageRoot } from '../exec/files/package-root.js';
import { removeTree } from '../exec/files/remove-tree.js';

/** The name of the MCP server that conversations see: its tools are `mcp__mocks__<tool>`. */
const SERVER_NAME = 'mocks';

/** Tools with fixed answers: a scripted MCP server that conversations start, and that reads its answers at each call. */
export class MockTools {
  readonly #folder: string;
  readonly #answers = new Map<string, StubAnswer>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Sets the answer of a tool, also for running conversations that already have the tool. */
  async register(tool: string, answer: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.#answers.size === 0) {
      await makeFolder(this.#folder);
      // A copy, because a sandbox does not show the package.
      await cp(join(packageRoot(), 'dist', 'mcp-stub.cjs'), this.#path('play.cjs'));
      putFile(this.#path('server.json'), JSON.stringify({ name: SERVER_NAME, tools: {} }));
    }
    this.#answers.set(tool, { json: { ...answer } });
    // In place: a sandbox goes on showing the file that it found, not another one that takes its name. At once: calls
    // at the same time must not write into each other.
    writeFileSync(this.#path('answers.json'), JSON.stringify(Object.fromEntries(this.#answers)));
  }

  /** What a conversation needs to have the mocked tools: arguments, tools to allow, and folders to read. */
  forSession(): { readonly args: string[]; readonly allowed: string[]; readonly readable: string[] } {
    if (this.#answers.size === 0) return { args: [], allowed: [], readable: [] };
    const server = {
      command: 'node',
      args: [this.#path('play.cjs'), this.#path('server.json')],
      env: { RALPH_E2E_MCP_MOCKS: this.#path('answers.json') },
    };
    return {
      args: ['--mcp-config', JSON.stringify({ mcpServers: { [SERVER_NAME]: server } })],
      allowed: [`mcp__${SERVER_NAME}`],
      readable: [this.#folder],
    };
  }

  async clear(): Promise<void> {
    this.#answers.clear();
    await removeTree(this.#folder);
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }
}
