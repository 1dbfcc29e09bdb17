// Installs MCP clients that nobody here wrote into the cache of real-setup.mjs, for tests/real/mcp-clients.test.ts.
//
//   node scripts/mcp-clients-setup.mjs           installs what is missing and prints where everything is
//   node scripts/mcp-clients-setup.mjs --paths   installs nothing; prints the installed clients as JSON
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const CLIENTS = {
  mcp: { from: 'pip', package: 'mcp', version: '2.3.0' },
  fastmcp: { from: 'pip', package: 'fastmcp', version: '4.1.2' },
  inspector: { from: 'npm', package: '@modelcontextprotocol/inspector', version: '0.15.0' },
  conformance: { from: 'npm', package: '@modelcontextprotocol/conformance', version: '0.1.13' },
};

const { RALPH_E2E_REAL_CACHE, XDG_CACHE_HOME } = process.env;
const cache = RALPH_E2E_REAL_CACHE || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'ralph-e2e', 'real');

if (process.argv.includes('--paths')) printPaths();
else installAll();

function installAll() {
  mkdirSync(cache, { recursive: true });
  for (const [name, client] of Object.entries(CLIENTS)) {
    const { text, failed } = setUp(name, client);
    console.log(`${client.package} ${client.version}: ${text}`);
    if (failed) process.exitCode = 1;
  }
}

function setUp(name, client) {
  const folder = folderOf(name, client);
  if (existsSync(folder)) return { text: `already installed: ${folder}` };
  if (client.from === 'pip' && !hasPython())
    return { text: 'skipped, because python3 (3.10 or newer) with pip is not on PATH' };
  const staging = mkdtempSync(join(cache, '.installing-'));
  try {
    install(client, staging);
    // mkdtemp creates folders that only one user can read.
    chmodSync(staging, 0o755);
    renameSync(staging, folder);
    return { text: `installed: ${folder}` };
  } catch (error) {
    return { text: `failed: ${error.message}`, failed: true };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function install(client, folder) {
  const quiet = ['--quiet', '--disable-pip-version-check', '--no-cache-dir'];
  const flags = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--engine-strict=false'];
  const [command, ...args] =
    client.from === 'pip'
      ? [
          'python3',
          '-m',
          'pip',
          'install',
          ...quiet,
          '--target',
          folder,
          `${client.package}==${client.version}`,
        ]
      : ['npm', 'install', `${client.package}@${client.version}`, '--prefix', folder, ...flags];
  const { status, error } = spawnSync(command, args, { cwd: cache, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) throw new Error(`${command} could not start (${error.code})`);
  if (status !== 0) throw new Error(`\`${[command, ...args].join(' ')}\` exited with ${status}`);
}

function hasPython() {
  const isNew = 'import sys; sys.exit(sys.version_info < (3, 10))';
  return (
    spawnSync('python3', ['-c', isNew]).status === 0 &&
    spawnSync('python3', ['-m', 'pip', '--version']).status === 0
  );
}

function printPaths() {
  const found = Object.entries(CLIENTS).map(([name, client]) => {
    const folder = folderOf(name, client);
    return [name, { version: client.version, folder: existsSync(folder) ? folder : null }];
  });
  console.log(JSON.stringify(Object.fromEntries(found)));
}

function folderOf(name, { version }) {
  return join(cache, `client-${name}-${version}-${process.platform}-${process.arch}`);
}
