import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { programsSchema, type RealPrograms } from '../programs.js';

const TOOLS = fileURLToPath(new URL('../../../scripts/tools.mjs', import.meta.url));

declare module 'vitest' {
  interface ProvidedContext {
    realPrograms: RealPrograms;
  }
}

/** Finds the real programs once for all test files: each is started to ask for its version. */
export function setup({ provide }: TestProject): void {
  const printed = execFileSync(process.execPath, [TOOLS, 'real', '--paths'], { encoding: 'utf8' });
  provide('realPrograms', programsSchema.parse(JSON.parse(printed)));
}
