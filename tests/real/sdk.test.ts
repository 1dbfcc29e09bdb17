import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { createModelServer } from '../../src/harness/model-server.js';
import { requireProgram } from './programs.js';
import { makeFolder } from './support/environment.js';

/** The official clients of the services, which nobody here wrote, against our model server. */
const PROGRAMS = [
  { kind: 'python', file: 'anthropic_calls.py' },
  { kind: 'python', file: 'openai_calls.py' },
  { kind: 'python', file: 'google_calls.py' },
  { kind: 'npm', file: 'anthropic-calls.mjs' },
  { kind: 'npm', file: 'openai-calls.mjs' },
  { kind: 'npm', file: 'google-calls.mjs' },
  { kind: 'npm', file: 'vercel-calls.mjs' },
] as const;

const CALLS = fileURLToPath(new URL('sdk', import.meta.url));
const lineSchema = z.object({ name: z.string(), ok: z.boolean(), detail: z.string().optional() });

let calls = 0;

describe('SDKs', () => {
  test.each(PROGRAMS)('$file: every call ends as with the real service', async ({ kind, file }) => {
    const model = await createModelServer(join(CALLS, 'script.yaml'));
    onTestFinished(model.close);
    const { stdout, stderr, exitCode } = await run(kind, file, model.url);
    const lines = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => lineSchema.parse(JSON.parse(line)));
    calls += lines.length;
    expect(lines.filter(({ ok }) => !ok)).toEqual([]);
    expect(exitCode, stderr).toBe(0);
    expect(lines.length).toBeGreaterThan(10);
  });

  afterAll(() => console.log(`${calls} calls`));

  test('make at least 120 calls', () => {
    expect(calls).toBeGreaterThanOrEqual(120);
  });
});

/** Runs a program in a folder of its own in which it finds its SDK. */
function run(kind: 'python' | 'npm', file: string, url: string) {
  const sdks = requireProgram(`sdks-${kind}`);
  const folder = makeFolder();
  cpSync(CALLS, folder, { recursive: true });
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    PYTHONDONTWRITEBYTECODE: '1',
    NO_PROXY: '127.0.0.1',
  };
  const options = { cwd: folder, extendEnv: false, reject: false, timeout: 600_000 } as const;
  if (kind === 'python')
    return execa('python3', [file, url], { ...options, env: { ...env, PYTHONPATH: sdks } });
  symlinkSync(join(sdks, 'node_modules'), join(folder, 'node_modules'));
  return execa(process.execPath, [file, url], { ...options, env });
}
