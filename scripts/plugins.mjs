// Compares what ralph-e2e says about plugins with what the real Claude Code says and does: the verdict, commands, skills,
// agents, hooks and MCP servers, the hooks that run in a turn, and the text of a command. The scripted lane must be equal; the sim lane equal, or refused by name.
//
//   npm run plugins -- <folder>                     every plugin below a folder
//   npm run plugins -- --generate 60 --seed 7       plugins with every form of declaration, drawn by the seed
//
// Other options: --claude <path>, --lane scripted|sim (both by default), --jobs <n>, --only <text>, --keep, --json.
// Plugins run programs as you: use `unshare -n` or a container for plugins that you do not trust.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseOptions } from './parse-options.mjs';
import { compare, compareReasons } from './plugins/compare.mjs';
import { findPlugins } from './plugins/find.mjs';
import { generatePlugins } from './plugins/generate.mjs';
import { askClaude } from './plugins/oracle.mjs';
import { openServer } from './plugins/ours.mjs';
import { findTool } from './tools.mjs';

const { values, positionals } = parseOptions(import.meta.url, {
  allowPositionals: true,
  options: {
    ...{ generate: { type: 'string' }, seed: { type: 'string', default: '1' }, claude: { type: 'string' } },
    ...{ lane: { type: 'string', multiple: true }, jobs: { type: 'string', default: '2' } },
    ...{ only: { type: 'string' }, keep: { type: 'boolean' }, json: { type: 'boolean' } },
  },
});
const scratch = mkdtempSync(join(tmpdir(), 'compare-plugins-'));
const root = resolve(positionals[0] ?? join(scratch, 'plugins'));
if (values.generate !== undefined) {
  mkdirSync(root, { recursive: true });
  generatePlugins(root, Number(values.generate), values.seed);
} else if (positionals[0] === undefined || !existsSync(root)) {
  console.error('Expected a folder with plugins, or --generate <n>. See --help.');
  rmSync(scratch, { recursive: true, force: true });
  process.exit(2);
}
process.exitCode = await run();
if (!values.keep) rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
else console.log(`Kept: ${root}`);

async function run() {
  const claude = values.claude ?? findTool('claude');
  if (claude === null) {
    console.error('Expected the real Claude Code. Run `npm run real:setup`, or pass --claude <path>.');
    return 2;
  }
  const lanes = values.lane ?? ['scripted', 'sim'];
  const plugins = findPlugins(root).filter(({ folder, name }) =>
    `${folder} ${name}`.includes(values.only ?? ''),
  );
  if (plugins.length === 0) {
    console.error(`Found no plugin below ${root}.`);
    return 2;
  }
  const rows = await inParallel(plugins, Number(values.jobs), claude, lanes);
  if (values.json) console.log(JSON.stringify(rows, null, 1));
  return summarize(rows, lanes);
}

/** Each worker has servers of its own, because a conversation gets every plugin that is installed in its server. */
async function inParallel(plugins, jobs, executable, lanes) {
  const script = join(scratch, 'agent.yaml');
  writeFileSync(script, 'rules:\n  - on: any\n    steps:\n      - run: "true"\n      - say: ready\n');
  const rows = [];
  const queue = plugins.entries();
  const work = async (worker) => {
    const open = (lane) => {
      const output = join(scratch, `output-${worker}-${lane}`);
      return openServer({ lane, root, executable, script, output });
    };
    const servers = await Promise.all(lanes.map(open));
    for (const [index, plugin] of queue) {
      const real = await askClaude(executable, plugin);
      const found = [];
      for (const server of servers) found.push(await server.read(plugin, real.sent?.command ?? null));
      rows[index] = { plugin, real, ...judge(real, found, lanes) };
      if (!values.json) printRow(rows[index], lanes);
    }
    await Promise.all(servers.map((server) => server.close()));
  };
  await Promise.all(Array.from({ length: Math.min(jobs, plugins.length) }, (_, worker) => work(worker)));
  return rows;
}

function judge(real, found, lanes) {
  const results = Object.fromEntries(
    lanes.map((lane, at) => {
      const result = compare(real, found[at]);
      const reasons = lane === 'scripted' ? compareReasons(real, found[at]) : [];
      const differs = [...result.differs, ...reasons];
      const outcome = result.outcome === 'equal' && differs.length > 0 ? 'wrong' : result.outcome;
      return [lane, { ...result, outcome, differs }];
    }),
  );
  return { results };
}

function printRow({ plugin, real, results }, lanes) {
  const counts = ['commands', 'skills', 'agents', 'servers'].map((part) => `${real[part].length} ${part}`);
  const what = `${real.verdict.padEnd(6)} ${[...counts, `${real.hooks.count} hooks`].join(', ')}`;
  const verdicts = lanes.map((lane) => `${lane} ${results[lane].outcome.padEnd(7)}`).join('  ');
  const place = relative(root, plugin.folder) || plugin.name;
  const from = plugin.marketplace === undefined ? '' : ` (entry ${plugin.name})`;
  console.log(`${verdicts}  ${`${place}${from}`.padEnd(36)} ${what}`);
  for (const lane of lanes) {
    const { why, differs } = results[lane];
    if (why !== '') console.log(`    ${lane}: ${why}`);
    for (const { aspect, expected, found } of differs)
      console.log(
        `    ${lane}: ${aspect}: Claude Code ${JSON.stringify(expected)}, ralph-e2e ${JSON.stringify(found)}`,
      );
  }
}

function summarize(rows, lanes) {
  let wrong = 0;
  for (const lane of lanes) {
    const count = (outcome) => rows.filter(({ results }) => results[lane].outcome === outcome).length;
    const share = (number) => `${number} (${((100 * number) / rows.length).toFixed(1)} %)`;
    console.log(
      `${lane}: ${rows.length} plugins, ${share(count('equal'))} equal, ${share(count('refused'))} refused, ${share(count('wrong'))} wrong`,
    );
    wrong += count('wrong');
  }
  return wrong === 0 ? 0 : 1;
}
