import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { tempFolder } from './cli.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A change of the stand-in's source: a text that is in the file once, and what replaces it. */
interface Repair {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/**
 * The stand-in imitates the faults of Ralph 2.10.1, too. These changes take them out, by the scenario that finds each: a
 * reproduction that cannot pass is no reproduction.
 */
export const REPAIRS: Readonly<Record<string, readonly Repair[]>> = {
  'memory-blank-lines': [
    { file: 'store/memories.ts', from: 'const QUOTE = /^> (.+)$/;', to: 'const QUOTE = /^> ?(.*)$/;' },
  ],
  'memory-hand-written-heading': [
    {
      file: 'store/memories.ts',
      from: 'if (section !== undefined || heading !== undefined) flush();',
      to: 'if (/^#/.test(line)) flush();',
    },
  ],
  'memory-injection-filter': [
    {
      file: 'config/config.ts',
      from: "budget: memories.count('budget') ?? 0,",
      to: "budget: memories.count('budget') ?? 0, types: memories.section('filter').list('types') ?? [],",
    },
    {
      file: 'prompt/prompt.ts',
      from: 'orElse(() => readMemories(files.memories), []);',
      to: 'orElse(() => readMemories(files.memories), []).filter(({ type }) => config.memories.types.length === 0 || config.memories.types.includes(type));',
    },
  ],
  'memory-injection-none-skill': [
    {
      file: 'prompt/skills.ts',
      from: 'injected: (config) => config.memories.enabled,',
      to: "injected: (config) => config.memories.enabled && config.memories.inject !== 'none',",
    },
  ],
  'memory-list-by-tag': [
    {
      file: 'commands/memory.ts',
      from: "options: [TYPE, { long: 'last', value: 'LAST' }, FORMAT, ROOT],",
      to: "options: [TYPE, TAGS, { long: 'last', value: 'LAST' }, FORMAT, ROOT],",
    },
    {
      file: 'commands/memory.ts',
      from: 'const found = ofType(read(args), readType(args));',
      to: "const found = ofType(read(args), readType(args)).filter((memory) => hasAnyTag(memory, splitCommas(readOption(args, 'tags'))));",
    },
  ],
  'summary-counts-events': [
    {
      file: 'screen/summary.ts',
      from: '_No events recorded._',
      to: '- ${readTextFile(resolve(workspace, readTextFile(resolve(workspace, \'.ralph/current-events\')).trim())).split(\'"topic":"note.made"\').length - 1} note.made',
    },
  ],
  'issue-369-completion-in-the-last-iteration': [
    {
      file: 'loop/loop.ts',
      from: 'if (reached !== undefined) return reached;',
      to: "if (reached !== undefined && (reached !== 'max_iterations' || !output.includes(config.eventLoop.completionPromise))) return reached;",
    },
  ],
  'issue-371-lingering-handoff-is-no-failure': [
    {
      file: 'backend/execute.ts',
      from: 'status: timedOut ? undefined :',
      to: 'status: emitGrace !== undefined ? 0 : timedOut ? undefined :',
    },
  ],
  'max-cost': [
    {
      file: 'backend/execute.ts',
      from: 'return { text: backend.extractText(output, context.log), succeeded: status === 0 };',
      to: 'globalThis.cost = [...output.matchAll(/"total_cost_usd":([\\d.]+)/g)].reduce((sum, [, cost]) => sum + Number(cost), globalThis.cost ?? 0); return { text: backend.extractText(output, context.log), succeeded: status === 0 };',
    },
    {
      file: 'loop/state.ts',
      from: 'state.totalCostUsd >= maxCostUsd',
      to: '(globalThis.cost ?? 0) >= maxCostUsd',
    },
  ],
  'loops-resume': [{ file: 'commands/loops.ts', from: 'if (!isKnown(id))', to: 'if (false)' }],
  'hat-tool-audit': [
    {
      file: 'loop/loop.ts',
      from: "if (!wrote || faulty('always-default-publishes'))",
      to: "const changed = String(require('node:child_process').execSync('git diff --name-only')); if (displayHat !== 'ralph' && changed !== '') this.#bus.publish({ topic: `${displayHat}.scope_violation`, payload: changed }); if (!wrote || faulty('always-default-publishes'))",
    },
  ],
  'opencode-long-prompt': [
    { file: 'backend/backend.ts', from: 'LARGE_PROMPT_BYTES = 7000;', to: 'LARGE_PROMPT_BYTES = 1e9;' },
  ],
  'hat-exhausted-backend': [
    {
      file: 'loop/iteration.ts',
      from: 'const displayHat = parts.state.lastActiveHats[0] ?? selected;',
      to: "const displayHat = parts.state.exhaustedHats.has(selected) ? 'ralph' : (parts.state.lastActiveHats[0] ?? selected);",
    },
  ],
  'invalid-utf8': [{ file: 'backend/line-splitter.ts', from: 'fatal: true', to: 'fatal: false' }],
  'skill-for-one-hat': [
    {
      file: 'prompt/prompt.ts',
      from: 'const hasInstructions =',
      to: 'globalThis.activeHats = activeHats.map(({ id }) => id); const hasInstructions =',
    },
    {
      file: 'prompt/skills.ts',
      from: 'function isVisible({ backends }: ProjectSkill, { cli }: RalphConfig): boolean {',
      to: 'function isVisible({ backends, hats }: ProjectSkill, { cli }: RalphConfig): boolean { if (hats.length > 0 && !hats.some((hat) => globalThis.activeHats?.includes(hat))) return false;',
    },
  ],
  ...Object.fromEntries(
    ['interrupted-by-signal', 'interrupted-by-sigint', 'interrupted-by-sighup'].map((id) => [
      id,
      [
        {
          file: 'signals.ts',
          from: "process.kill(process.pid, 'SIGKILL');",
          to: 'globalThis.interrupted = true; globalThis.endBackend();',
        },
        {
          file: 'backend/execute.ts',
          from: 'const terminate = () => {',
          to: "globalThis.endBackend = () => signalGroup(child, 'SIGKILL'); const terminate = () => {",
        },
        {
          file: 'loop/termination.ts',
          from: 'const TERMINATIONS = {',
          to: "const TERMINATIONS = { interrupted: { exitCode: 130, label: 'Interrupted', icon: '?', status: 'Interrupted by signal.', summary: 'Interrupted', resumable: false },",
        },
        {
          file: 'loop/loop.ts',
          from: "if (faulty('crash')) panic('fault: crash');",
          to: "if (globalThis.interrupted) return 'interrupted';",
        },
      ],
    ]),
  ),
};

/** Builds the stand-in for Ralph without the fault that this scenario finds. Returns its path. */
export async function buildRepaired(id: string): Promise<string> {
  const waiting = new Set(REPAIRS[id] ?? []);
  const path = join(tempFolder(), 'ralph');
  await build({
    ...{ entryPoints: [join(ROOT, 'src/standin/main.ts')], outfile: path },
    ...{ bundle: true, platform: 'node', format: 'cjs', logLevel: 'silent' },
    banner: { js: '#!/usr/bin/env node' },
    plugins: [
      {
        name: 'repair',
        setup: ({ onLoad }) =>
          onLoad({ filter: /src\/standin\/.*\.ts$/ }, ({ path: file }) => {
            let contents = readFileSync(file, 'utf8');
            for (const repair of waiting) {
              if (!file.endsWith(`src/standin/${repair.file}`)) continue;
              if (contents.split(repair.from).length !== 2)
                throw new Error(`expected "${repair.from}" once in ${repair.file}`);
              contents = contents.replace(repair.from, () => repair.to);
              waiting.delete(repair);
            }
            return { contents, loader: 'ts' };
          }),
      },
    ],
  });
  if (waiting.size > 0) throw new Error(`expected ${[...waiting].map(({ file }) => file)} in the stand-in`);
  chmodSync(path, 0o755);
  return path;
}
