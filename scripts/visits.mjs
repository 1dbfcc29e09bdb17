// Counts the source files that a call visits: the functions that V8 saw running in it, mapped to their sources. Prints
// for each call the files, the functions, and the lines of these functions. Fails if a call visits more files than a
// reader can follow.
//   node scripts/visits.mjs [name of a call] [--files]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { outputFileSync } from 'fs-extra/esm';
import { standInPrograms } from './backends.mjs';
import { contractPage } from './contract.mjs';
import { catalogueIndex, makeCatalogueIndex } from './program.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = mkdtempSync(join(tmpdir(), 'ralph-e2e-visits-'));
const [only] = process.argv.slice(2).filter((word) => !word.startsWith('--'));

const script = (...steps) =>
  JSON.stringify({ format: 1, rules: [{ name: 'any', when: {}, respond: { steps }, turns: [] }] });
const say = { do: 'say', text: 'hello' };
const claude = (...steps) => ({
  program: 'claude',
  args: '--print --verbose --output-format stream-json --dangerously-skip-permissions'.split(' '),
  input: 'hello',
  files: { 'script.json': script(...steps) },
});
const HELLO = { plugin_name: 'hello', marketplace_path: '.' };
const CLIENT = { name: 'visits', version: '1' };
const rpc = (id, method, params) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const mcp = (...calls) => ({
  program: 'program',
  args: ['mcp', '--lane', 'sim'],
  input: [
    rpc(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: CLIENT }),
    ...calls,
  ].join(''),
  files: {
    'hello/.claude-plugin/plugin.json': '{ "name": "hello", "version": "1.0.0" }',
    'hello/commands/hello.md': 'Say hello.',
  },
});

/**
 * Each call, the most files that it may visit, and the same program without it: a function counts if it ran more often
 * with the call.
 */
const CALLS = {
  bash: { most: 15, call: claude({ do: 'run', command: 'true' }, say), without: claude(say) },
  install_plugin: {
    most: 35,
    call: mcp(rpc(2, 'tools/call', { name: 'install_plugin', arguments: HELLO })),
    without: mcp(rpc(2, 'ping')),
  },
  // From a failed check in a journal to its line in report.md, without the rules of diagnosis.
  'failed-check': {
    most: 12,
    call: { program: 'report', args: ['1'] },
    without: { program: 'report', args: ['0'] },
  },
  // The index of the catalogue, and no scenario.
  'filter-list': { most: 30, call: { program: 'program', args: ['--filter', 'hat', '--list'] } },
};

/** Prints the report of a test in which so many checks failed. */
const REPORT = `
import { buildReport } from './src/report/model/build-report.ts';
import { renderMarkdown } from './src/report/markdown/markdown.ts';
import { journal } from './tests/report/support/journal.ts';
const checks = Array.from({ length: Number(process.argv[2]) }, (_, place) => ({ name: 'check ' + place, passed: false }));
const events = journal({ tests: [{ attempts: [{ outcome: 'failed', checks }] }] });
process.stdout.write([...renderMarkdown(buildReport(events))].join(''));
`;

const bundled = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20.19',
  sourcemap: true,
  logLevel: 'error',
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'ownUrl' },
  // The programs look for our package above themselves.
  banner: { js: `const ownUrl = ${JSON.stringify(pathToFileURL(join(root, 'dist', 'program.cjs')).href)};` },
};

try {
  await build();
  for (const [name, { most, call, without }] of Object.entries(CALLS)) {
    if (only !== undefined && only !== name) continue;
    const before = without === undefined ? new Map() : countCalls(without);
    const ran = [...countCalls(call)].filter(([key, { count }]) => count > (before.get(key)?.count ?? 0));
    const count = report(
      name,
      ran.map(([, visited]) => visited),
    );
    if (count <= most) continue;
    console.error(`${name}: expected at most ${most} files, found ${count}. --files lists them.`);
    process.exitCode = 1;
  }
} finally {
  rmSync(out, { recursive: true, force: true });
}

function report(name, visited) {
  const files = new Map();
  for (const { file, from, to } of visited) {
    const lines = files.get(file) ?? new Set();
    for (let line = from; line <= to; line += 1) lines.add(line);
    files.set(file, lines);
  }
  const lines = [...files.values()].flatMap((own) => [...own]);
  console.log(`${name}: ${files.size} files, ${visited.length} functions, ${lines.length} lines`);
  if (process.argv.includes('--files'))
    for (const [file, { size }] of [...files].sort()) console.log(`  ${file} ${size}`);
  return files.size;
}

async function build() {
  await esbuild.build({
    stdin: {
      contents: "import { runProgram } from './src/cli/program.ts'; void runProgram(process.argv.slice(2));",
      resolveDir: root,
    },
    ...{ absWorkingDir: root, outfile: join(out, 'program.cjs') },
    plugins: [catalogueIndex((path) => makeCatalogueIndex(esbuild, root, path)), contractPage()],
    ...bundled,
  });
  await esbuild.build({
    stdin: { contents: REPORT, resolveDir: root, loader: 'ts' },
    ...{ absWorkingDir: root, outfile: join(out, 'report.cjs'), plugins: [contractPage()] },
    ...bundled,
  });
  await esbuild.build({
    ...{ absWorkingDir: root, entryPoints: { claude: 'stand-in:claude' }, outdir: out },
    ...{ outExtension: { '.js': '.cjs' }, plugins: [standInPrograms(root)] },
    ...bundled,
  });
}

/** Runs a program and returns its functions of our sources, with how often each ran. */
function countCalls({ program, args, input = '', files = {} }) {
  const cwd = mkdtempSync(join(out, 'run-'));
  for (const [path, text] of Object.entries(files)) outputFileSync(join(cwd, path), text);
  const path = join(out, `${program}.cjs`);
  const coverage = join(cwd, 'coverage');
  const { PATH } = process.env;
  const script = join(cwd, 'script.json');
  const env = {
    PATH,
    HOME: cwd,
    NODE_V8_COVERAGE: coverage,
    IS_SANDBOX: '1',
    RALPH_E2E_AGENT_SCRIPT: script,
  };
  execFileSync(process.execPath, [path, ...args], { cwd, env, input, stdio: ['pipe', 'ignore', 'inherit'] });
  const text = readFileSync(path, 'utf8');
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
  const locate = (offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    return map.findEntry(line, offset - starts[line]);
  };
  const counted = new Map();
  for (const file of readdirSync(coverage)) {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8'));
    for (const { functions } of result.filter(({ url }) => url === pathToFileURL(path).href))
      for (const { functionName, ranges } of functions) {
        const [{ startOffset, endOffset, count }] = ranges;
        const [from, to] = [locate(startOffset), locate(endOffset - 1)];
        const source = relative(root, join(out, from.originalSource ?? ''));
        // The whole program, and what loads a module, are no functions of ours.
        const isOurs = startOffset > 0 && !/\.[jt]s$/.test(functionName);
        if (count === 0 || !isOurs || !/^(?:src|scenarios)\//.test(source)) continue;
        const last = Math.max(to.originalLine, from.originalLine);
        counted.set(`${source}:${startOffset}`, { file: source, from: from.originalLine, to: last, count });
      }
  }
  return counted;
}
