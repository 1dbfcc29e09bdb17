import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { createAgent } from '../../src/agent/library.js';

/** A folder with these files, for the time of a test. */
export function folder(files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'ralph-e2e-agent-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

/** The path of a claudeless file. */
export const fixture = (name: string) =>
  fileURLToPath(new URL(`fixtures/claudeless/${name}`, import.meta.url));

/** What each prompt is answered with, or how it fails. */
export async function ask(
  source: Parameters<typeof createAgent>[0],
  ...prompts: string[]
): Promise<string[]> {
  const agent = await createAgent(source);
  const answers: string[] = [];
  for (const prompt of prompts) {
    const { text, failure } = await agent.execute(prompt);
    answers.push(failure === undefined ? text : `! ${failure.type}`);
  }
  return answers;
}
