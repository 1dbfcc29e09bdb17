import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diffWordsWithSpace } from 'diff';
import { build } from 'esbuild';
import * as z from 'zod';
import { contractPage } from '../../scripts/contract.mjs';
import { sampleContext } from '../../src/domain/scenario/sample-context.js';
import type { Scenario } from '../../src/domain/scenario/scenario.js';
import { packageRoot } from '../../src/exec/files/package-root.js';

/** Hashes everything that a scenario arranges, in each variant of backends and lanes. A workflow counts by its name. */
export function hashArranged({ backends, lanes, arrange }: Scenario, root = packageRoot()): string {
  const arranged = backends.flatMap((backend) =>
    lanes.map((lane) => [backend, lane, arrange(sampleContext(backend, lane))]),
  );
  const text = JSON.stringify(arranged, toPlain).replaceAll(root, '<ralph-e2e>');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Renders the lock file: one line for each scenario. */
export function renderLock(catalogue: readonly Scenario[]): string {
  const lines = catalogue.map((scenario) => `${scenario.id} ${hashArranged(scenario)}`);
  return `${lines.sort().join('\n')}\n`;
}

/** Describes what differs between two lock files, with the words that changed since the last commit. */
export async function describeChanges(locked: string, now: string): Promise<string> {
  const [before, after] = [readLock(locked), readLock(now)];
  const ids = [...new Set([...before.keys(), ...after.keys()])].filter(
    (id) => before.get(id) !== after.get(id),
  );
  const both = ids.filter((id) => before.has(id) && after.has(id));
  const pages = async (commit: string) => (both.length === 0 ? null : renderPagesOf(commit, both));
  const [old, own] = [await pages('HEAD'), await pages('here')];
  return ids
    .map((id) => {
      if (!after.has(id)) return `${id}: removed`;
      if (!before.has(id)) return `${id}: new`;
      const [from, to] = [old?.[id], own?.[id]];
      return from === undefined || to === undefined ? `${id}: changed` : `${id}:\n${diffWords(from, to)}`;
    })
    .join('\n');
}

function readLock(text: string): Map<string, string> {
  return new Map(text.split('\n').flatMap((line) => [...line.matchAll(/^(\S+) (\S+)$/g)].map(toEntry)));
}

function toEntry([, id = '', hash = '']: RegExpMatchArray): [string, string] {
  return [id, hash];
}

function toPlain(key: string, value: unknown): unknown {
  if (typeof value === 'function') throw new Error(`expected plain data at ${key}, found a function`);
  if (value instanceof RegExp) return String(value);
  return key === 'workflow' && typeof value === 'object' ? Object(value).name : value;
}

/** What the catalogue is made of. */
const PAGE_SOURCES = ['src', 'scenarios', 'docs/ralph-contract.md', 'package.json'];

/** Renders the pages of scenarios, as the sources are here or in a commit; null where there is no history. */
async function renderPagesOf(commit: string, ids: readonly string[]): Promise<Record<string, string> | null> {
  const root = packageRoot();
  const folder = mkdtempSync(join(tmpdir(), 'ralph-e2e-lock-'));
  try {
    const sources = commit === 'here' ? root : folder;
    if (commit !== 'here') {
      const archive = execFileSync('git', ['archive', commit, ...PAGE_SOURCES], {
        cwd: root,
        maxBuffer: 2 ** 28,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      execFileSync('tar', ['-x', '-C', folder], { input: archive });
      mkdirSync(join(folder, 'dist'));
      symlinkSync('../scenarios/support/projects', join(folder, 'dist/projects'));
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const outfile = join(folder, 'pages.cjs');
    const page = join(root, 'src/report/scenarios/page.ts');
    await build({
      stdin: {
        contents: `import { catalogue } from ${JSON.stringify(join(sources, 'scenarios/index.ts'))};
import { renderScenarioPage } from ${JSON.stringify(page)};
const ids = ${JSON.stringify(ids)};
const wanted = catalogue.filter(({ id }) => ids.includes(id));
const pages = wanted.map((one) => [one.id, renderScenarioPage(one, ${JSON.stringify(sources)})]);
process.stdout.write(JSON.stringify(Object.fromEntries(pages)));`,
        resolveDir: root,
        loader: 'ts',
      },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'silent',
      plugins: [contractPage()],
      define: { 'import.meta.url': 'ownUrl' },
      banner: { js: `const ownUrl = ${JSON.stringify(`file://${sources}/dist/pages.cjs`)};` },
    });
    const printed = execFileSync(process.execPath, [outfile], { encoding: 'utf8', maxBuffer: 2 ** 28 });
    return z.record(z.string(), z.string()).parse(JSON.parse(printed));
  } catch {
    // No git, no history, or sources that no longer build: the ids alone say what changed.
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Shows what was removed and added, each with the words beside it: `Create [-total.txt-]{+sum.txt+} with`. */
function diffWords(before: string, after: string): string {
  const parts = diffWordsWithSpace(before, after);
  return parts
    .map(({ value, added, removed }) => {
      if (added) return `{+${value}+}`;
      if (removed) return `[-${value}-]`;
      return value.length > 160 ? `${value.slice(0, 80)}\n  …\n${value.slice(-80)}` : value;
    })
    .join('');
}
