// Makes what is outside: a home full of dummy credentials, a project, sockets and ports that note who knocks, a process.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listPlanted } from './corpus.mjs';
import { openDoors } from './doors.mjs';

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const isRoot = process.getuid?.() === 0;
const SHM_KEY = '0x72616c70';
const KEY_WORDS = 'my $t = "user\\0"; my $n = "ralph-e2e-escape\\0";';

/** @typedef {Awaited<ReturnType<typeof layBait>>} Bait */

export async function layBait() {
  const token = randomBytes(6).toString('hex');
  /** The words that must not be seen inside: in files, in the environment, and in what other tests left. */
  const word = `planted-${token}`;
  const environmentWord = `handed-over-${token}`;
  const sharedWord = `shared-${token}`;
  /** @type {(() => unknown)[]} */
  const cleanups = [];
  const places = makePlaces(cleanups);
  const { USER_HOME, PROJECT, PLUGIN } = places;
  for (const path of listPlanted()) plant(join(USER_HOME, path), `${word}\n`);
  const shared = `/dev/shm/ralph-e2e-escape-${token}`;
  const optSecret = join(places.OPT_SECRET_FOLDER, 'a/b/c/d/key');
  const etcSecret = `${places.ETC_SECRET_FOLDER}.key`;
  for (const path of [
    // A name tells something, too.
    ...[join(places.OTHER_HOME, '.ssh/id_rsa'), join(places.OTHER_HOME, '.ssh', word)],
    ...[join(PROJECT, '.env'), join(PROJECT, '.npmrc'), shared],
    ...['VAR_LIB', 'TMP_SOCKETS', 'VAR_TMP_SOCKETS'].map((name) => join(Object(places)[name], 'secret')),
    ...[join(places.ETC_SECRET_FOLDER, 'key'), etcSecret, optSecret],
  ])
    plant(path, word);
  chmodSync(places.ETC_SECRET_FOLDER, 0o700);
  for (const path of [etcSecret, optSecret]) chmodSync(path, 0o600);
  cleanups.push(() => {
    for (const path of [etcSecret, shared]) rmSync(path, { force: true });
  });
  for (const name of ['secret-of-another.txt', 'another/secret-of-another.txt'])
    plant(join(PROJECT, '.e2e-tests', name), sharedWord);
  // The folder of ralph-e2e is used a second time: it has this mark.
  plant(join(PROJECT, '.e2e-tests/.ralph-e2e'), '');
  plant(join(places.PRECIOUS, 'kept.txt'), 'kept');
  plant(join(places.BUILT, 'ralph'), `#!/bin/sh\nexec "${PACKAGE}/dist/standin/bin/ralph" "$@"\n`, 0o755);
  for (const tool of ['bin/tool', '.tool/bin/helper']) plant(join(USER_HOME, tool), '#!/bin/sh\n', 0o755);
  plant(
    join(PLUGIN, '.claude-plugin/plugin.json'),
    JSON.stringify({ name: 'bait', version: '1.0.0', description: 'Bait', author: { name: 'nobody' } }),
  );
  const head = makeRepo(PROJECT, word);
  const doors = await openDoors(places, token);
  cleanups.push(doors.close);
  const bystander = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', 'ralph-e2e-bystander'], {
    env: { SECRET_OF_THE_BYSTANDER: word },
    stdio: 'ignore',
  });
  cleanups.push(() => bystander.kill('SIGKILL'));
  perl(`${KEY_WORDS} syscall(248, $t, $n, $ARGV[0], length $ARGV[0], -4)`, word);
  perl(`shmget(${SHM_KEY}, 64, 01666)`);
  cleanups.push(() => {
    perl(`${KEY_WORDS} my $i = syscall(250, 10, -4, $t, $n, 0); syscall(250, 9, $i, -4)`);
    perl(`my $i = shmget(${SHM_KEY}, 64, 0666); shmctl($i, 0, 0)`);
  });
  const daemonTime = `7${String(Number.parseInt(token.slice(0, 5), 16)).padStart(7, '0')}`;
  return {
    ...{ places, word, environmentWord, sharedWord, bystander, daemonTime, knocked: doors.knocked },
    /** What the scripts of the attempts know. */
    variables: {
      ...places,
      ...doors.addresses,
      ETC_SECRET: etcSecret,
      PROJECT_HEAD: head,
      PACKAGE,
      NODE: process.execPath,
      NODE_FOLDER: dirname(process.execPath),
      HOST_ADDRESSES: Object.values(networkInterfaces())
        .flatMap((list = []) => list.map(({ address }) => address))
        .join(' '),
      BYSTANDER: String(bystander.pid),
      SHM_KEY,
      DAEMON_TIME: daemonTime,
    },
    /** The environment of ralph-e2e: that of a user who keeps credentials in it, and has a dot on the PATH. */
    environment: {
      PATH: `.:${USER_HOME}/bin:${USER_HOME}/.tool/bin:${process.env.PATH}`,
      HOME: USER_HOME,
      // Where ralph-e2e itself keeps which runs are its own: that is no change by the agent.
      XDG_STATE_HOME: places.STATE,
      SSH_AUTH_SOCK: join(places.TMP_SOCKETS, 'ssh-abc/agent.1'),
      DISPLAY: ':99',
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(places.RUN_SOCKETS, 'bus')}`,
      ...Object.fromEntries(
        'AWS_SECRET_ACCESS_KEY GITHUB_TOKEN ANTHROPIC_API_KEY OPENAI_API_KEY NPM_TOKEN VAULT_TOKEN PGPASSWORD'
          .split(' ')
          .map((name) => [name, environmentWord]),
      ),
      HTTP_PROXY: `http://user:${environmentWord}@127.0.0.1:9`,
      https_proxy: `http://user:${environmentWord}@127.0.0.1:9`,
    },
    /** What must be the same afterwards. */
    fingerprints: () => ({ home: fingerprint(USER_HOME), precious: fingerprint(places.PRECIOUS) }),
    close: async () => {
      for (const cleanup of cleanups.toReversed()) await cleanup();
    },
  };
}

/** @param {(() => unknown)[]} cleanups */
function makePlaces(cleanups) {
  /** @param {string} prefix */
  const own = (prefix) => {
    mkdirSync(dirname(prefix), { recursive: true });
    const made = mkdtempSync(prefix);
    chmodSync(made, 0o755);
    // Not rmSync: an attempt leaves folders that are too deep for it.
    cleanups.push(() => spawnSync('rm', ['-rf', made]));
    return made;
  };
  // Not in /tmp, which is empty inside anyway.
  const top = own(join(homedir(), '.cache/ralph-e2e/escapes-'));
  /** @param {string} name */
  const inTop = (name) => {
    mkdirSync(join(top, name), { recursive: true });
    return join(top, name);
  };
  return {
    USER_HOME: inTop('home'),
    STATE: inTop('state'),
    OTHER_HOME: inTop('other-home'),
    PROJECT: inTop('project'),
    PLUGIN: inTop('project/plugin'),
    BUILT: inTop('built'),
    OUTSIDE: inTop('outside'),
    PRECIOUS: inTop('precious'),
    TMP_SOCKETS: own('/tmp/ralph-e2e-escape-'),
    VAR_TMP_SOCKETS: own('/var/tmp/ralph-e2e-escape-'),
    RUN_SOCKETS: isRoot ? own('/run/ralph-e2e-escape-') : inTop('run'),
    VAR_LIB: isRoot ? own('/var/lib/ralph-e2e-escape-') : inTop('var-lib'),
    OPT_SECRET_FOLDER: isRoot ? own('/opt/ralph-e2e-escape-') : inTop('opt'),
    ETC_SECRET_FOLDER: isRoot ? own('/etc/ralph-e2e-escape-') : inTop('etc'),
  };
}

/**
 * @param {string} path
 * @param {string} text
 */
function plant(path, text, mode = 0o644) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}

/**
 * Makes a repo whose only commit says the word.
 * @param {string} folder
 * @param {string} word
 */
function makeRepo(folder, word) {
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
  /** @param {string[]} args */
  const git = (...args) => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim();
  git('init', '-q');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', word);
  git('config', 'remote.origin.url', `https://user:${word}@example.invalid/repo`);
  return git('rev-parse', 'HEAD');
}

/**
 * Makes a system call that has no program. Without perl, the attempts that need it fail inside, too.
 * @param {string} code
 * @param {string[]} args
 */
function perl(code, ...args) {
  spawnSync('perl', ['-e', code, ...args], { stdio: 'ignore' });
}

/** @param {string} folder */
function fingerprint(folder) {
  const hash = createHash('sha256');
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const stat = lstatSync(join(folder, path));
    hash.update(`${path} ${stat.mode} `);
    if (stat.isFile()) hash.update(readFileSync(join(folder, path)));
  }
  return hash.digest('hex');
}
