// Runs the smoke suite in the scripted lane on several versions of each agent CLI, and prints the table for
// docs/backends.md. Versions come from the npm registry, so a new one needs no code.
//
//   npm run real:matrix                   all CLIs
//   npm run real:matrix -- claude pi      only these
//   npm run real:matrix -- --write        also writes the table into docs/backends.md
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseVersions, describeRow, replaceTable } from './matrix-table.mjs';
import { pathOf, setUp, tools, versionOf, works } from './tools.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const chosen = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const ralph = pathOf('ralph', tools.ralph);
if (!works(ralph, tools.ralph)) {
  console.error('ralph is not installed: run `npm run real:setup` first.');
  process.exit(2);
}

const rows = [];
for (const [name, tool] of Object.entries(tools)) {
  if (tool.from !== 'npm' || tool.executable === undefined) continue;
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const [packaged] = Object.keys(tool.packages);
  for (const { version, why } of chooseVersions(listVersions(packaged), versionOf(tool))) {
    const row = tryVersion(name, { ...tool, packages: { [packaged]: version } });
    rows.push({ name, version, why, ...row });
    console.error(describeRow(rows.at(-1)));
  }
}
const table = [
  '| CLI | version | chosen as | smoke suite |',
  '|---|---|---|---|',
  ...rows.map(describeRow),
  '| kiro | - | - | not published in a package registry |',
].join('\n');
console.log(table);
if (process.argv.includes('--write')) {
  const page = join(root, 'docs', 'backends.md');
  writeFileSync(page, replaceTable(readFileSync(page, 'utf8'), table));
}
if (rows.some(({ failed }) => failed > 0)) process.exitCode = 1;

function listVersions(name) {
  const { status, stdout } = spawnSync('npm', ['view', name, 'versions', '--json'], { encoding: 'utf8' });
  return status === 0 ? JSON.parse(stdout) : [];
}

/** Installs a version and runs the smoke suite on it. */
function tryVersion(name, tool) {
  const { text, failed } = setUp(name, tool);
  if (failed) return { trouble: `not installable here: ${text.replace(/^failed: /, '')}` };
  const folder = mkdtempSync(join(tmpdir(), 'ralph-e2e-matrix-'));
  try {
    return runSmoke(name, pathOf(name, tool), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runSmoke(name, executable, cwd) {
  const args = [
    name,
    '--lane',
    'scripted',
    '--suite',
    'smoke',
    '--ralph',
    ralph,
    '--skip-analysis',
    '--json',
  ];
  const env = { ...process.env, PATH: [dirname(executable), process.env.PATH].join(delimiter) };
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'dist', 'cli.js'), ...args], {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  try {
    const { summary, results } = JSON.parse(stdout);
    const ran = results.filter(({ outcome }) => outcome !== 'skipped');
    if (ran.length === 0) return { trouble: `not run: ${results[0]?.skip_reason ?? 'nothing was selected'}` };
    const broken = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'error');
    return {
      passed: summary.passed + summary.known_issues,
      total: ran.length,
      failed: broken.length,
      names: broken.map(({ scenario_id, scenario }) => scenario_id ?? scenario),
    };
  } catch {
    return { trouble: `did not run: ${stderr.trim().split('\n').at(-1)}` };
  }
}
