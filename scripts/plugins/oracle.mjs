// What the real Claude Code itself says about a plugin, and which hooks it really runs. Uses no code of ralph-e2e.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { inTempFolder } from '../harness.mjs';
import { startModel } from './model.mjs';

const ANSWER_MS = 60_000;
const SERVERS_MS = 15_000;

/** Asks about a plugin in a folder, or about an entry of a marketplace, which is then really installed. */
export function askClaude(claude, plugin) {
  return inTempFolder('plugin-oracle-', (home) => askIn(home, claude, plugin));
}

async function askIn(home, claude, { folder, marketplace, name }) {
  const model = await startModel();
  const cwd = join(home, 'workspace');
  mkdirSync(cwd);
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: join(home, 'config'), LANG: 'C.UTF-8' },
    ...{ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'none', DISABLE_AUTOUPDATER: '1' },
    ...{ DISABLE_TELEMETRY: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', IS_SANDBOX: '1' },
  };
  const cli = { claude, env, cwd, log: join(home, 'debug.log') };
  try {
    const installed = marketplace === undefined ? [] : await install(cli, marketplace, name);
    const causes = [...installed, ...(await validate(cli, folder))];
    const listed = marketplace === undefined ? [] : await listErrors(cli);
    const session = await converse(cli, {
      ...{ args: marketplace === undefined ? ['--plugin-dir', folder] : [], folder },
      received: model.received,
    });
    const log = existsSync(cli.log) ? readFileSync(cli.log, 'utf8') : '';
    return describe(session, { folder, causes: [...causes, ...listed], log });
  } finally {
    model.close();
  }
}

const nameOf = (init, folder) =>
  init?.plugins.find(({ path, source }) => path === folder && !source.endsWith('@builtin'))?.name ?? null;

function describe({ init, commands, servers, hooks, sent }, { folder, causes, log }) {
  const name = nameOf(init, folder);
  const own = (all = []) =>
    [...new Set(all.filter((one) => name !== null && one.startsWith(`${name}:`)))].sort();
  const mine = servers.filter((server) => server.name.startsWith(`plugin:${name}:`));
  // Hooks around tools belong to a turn that uses one: what they did is compared, and is no part of the verdict.
  const failing = hooks.filter(
    ({ exit_code: code, hook_event: event }) => code !== 0 && code !== 2 && !event.includes('ToolUse'),
  );
  const why = [
    ...causes,
    ...(init?.plugin_errors ?? []).map(({ message }) => message),
    ...(name === null ? ['not loaded'] : []),
    ...mine.filter(({ status }) => status !== 'connected').map((server) => `${server.name} ${server.status}`),
    ...failing.map(({ hook_name: hook }) => `hook ${hook}`),
  ];
  const slash = own(init?.slash_commands);
  const skills = own(init?.skills);
  const known = new Set(slash);
  return {
    verdict: why.length === 0 ? 'loaded' : 'error',
    why,
    commands: slash.filter((one) => !skills.includes(one)),
    skills,
    aliases: commands
      .flatMap((command) => {
        const names = [command.name, ...(command.aliases ?? [])];
        return names.some((one) => known.has(one)) ? names.filter((one) => !known.has(one)) : [];
      })
      .sort(),
    agents: own(init?.agents),
    hooks: { count: Number(/Registered (\d+) hooks? from/.exec(log)?.[1] ?? 0), ran: ran(hooks) },
    sent,
    servers: mine.map((server) => server.name.split(':').slice(2).join(':')).sort(),
  };
}

const STATUS = { 0: 'success', 2: 'blocked' };

/** The runs of a turn: the name of each, and what came of it. */
const ran = (hooks) =>
  hooks.map(({ hook_name: hook, exit_code: code }) => `${hook} ${STATUS[code] ?? 'failed'}`).sort();

async function install(cli, marketplace, name) {
  const added = await run(cli, ['plugin', 'marketplace', 'add', marketplace]);
  const market = JSON.parse(
    readFileSync(join(marketplace, '.claude-plugin', 'marketplace.json'), 'utf8'),
  ).name;
  const done = await run(cli, ['plugin', 'install', `${name}@${market}`]);
  return added.code === 0 && done.code === 0 ? [] : [`install: ${added.all} ${done.all}`];
}

async function listErrors(cli) {
  const { text } = await run(cli, ['plugin', 'list', '--json']);
  return parse(text)?.flatMap(({ errors = [] }) => errors) ?? [];
}

async function validate(cli, folder) {
  const { code, text } = await run(cli, ['plugin', 'validate', '--json', folder]);
  const read = parse(text);
  if (read === null) return code === 0 ? [] : [text];
  if (read.success) return [];
  const parts = [read.manifest, ...(read.contents ?? [])].filter((part) => part);
  return parts.flatMap(({ errors }) => errors.map(({ message }) => message));
}

async function run({ claude, env, cwd }, args) {
  const options = { env, extendEnv: false, cwd, timeout: ANSWER_MS, reject: false };
  const { exitCode = 1, stdout, stderr } = await execa(claude, args, options);
  return { code: exitCode, text: stdout.trim() || stderr.trim(), all: `${stdout} ${stderr}` };
}

/** A turn over streaming input, what Claude Code reports in it, and then what it sends for a command. */
async function converse({ claude, env, cwd, log }, { args, folder, received }) {
  const fixed = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
  const more = ['--include-hook-events', '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash'];
  const child = spawn(claude, [...fixed, ...more, '--debug-file', log, ...args], { cwd, env });
  const events = [];
  const waiting = new Set();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event = parse(line);
    if (event === null) return;
    events.push(event);
    for (const look of waiting) look(event);
  });
  child.stderr.resume();
  const exited = new Promise((resolve) => child.on('close', resolve));
  const until = (test) => {
    const seen = new Promise((resolve) => waiting.add((event) => test(event) && resolve(event)));
    const late = new Promise((resolve) => setTimeout(resolve, ANSWER_MS, null).unref());
    return Promise.race([seen, exited.then(() => null), late]);
  };
  const write = (message) => child.stdin.writable && child.stdin.write(`${JSON.stringify(message)}\n`);
  child.stdin.on('error', () => {});
  let asked = 0;
  const ask = async (request) => {
    asked += 1;
    const request_id = `r${asked}`;
    const answer = until((event) => event.response?.request_id === request_id);
    write({ type: 'control_request', request_id, request });
    return (await answer)?.response?.response;
  };
  const start = await ask({ subtype: 'initialize' });
  const turn = async (content) => {
    const over = until(({ type }) => type === 'result');
    write({ type: 'user', message: { role: 'user', content } });
    await over;
  };
  await turn('Are you ready?');
  const init = events.find(({ subtype }) => subtype === 'init') ?? null;
  const hooks = events.filter(({ subtype }) => subtype === 'hook_response');
  const sent = await sendCommand(init, folder, turn, received);
  let servers = [];
  for (const since = Date.now(); ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    servers = (await ask({ subtype: 'mcp_status' }))?.mcpServers ?? [];
    if (servers.every(({ status }) => status !== 'pending') || Date.now() - since > SERVERS_MS) break;
  }
  child.stdin.end();
  const patience = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await exited;
  clearTimeout(patience);
  return { init, commands: start?.commands ?? [], servers, hooks, sent };
}

/** Sends the first command of the plugin, and returns what the model got for it, without names that differ each time. */
async function sendCommand(init, folder, turn, received) {
  const plugin = nameOf(init, folder);
  const command = init?.slash_commands.filter((name) => name.startsWith(`${plugin}:`)).sort()[0];
  if (plugin === null || command === undefined || /\s/.test(command)) return null;
  await turn(`/${command} one two`);
  const texts = received()
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => (typeof content === 'string' ? [content] : content.map(({ text }) => text)));
  const at = texts.findLastIndex((text) => text?.startsWith(`<command-message>${command}<`));
  const text = at < 0 ? undefined : texts[at + 1];
  if (text === undefined) return { command, text: null };
  return {
    command,
    text: text.replaceAll(init.session_id, '{session}').replaceAll(init.cwd, '{project}'),
  };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
