import { forged, MINE } from '../parts.mjs';

const BWRAP = `${MINE} --isolation bwrap`;

/** Opens the debugger of the program that reports from the sandbox, and lets it change what it writes. */
const FORGE = `
const { connect } = require('net');
const { execFileSync } = require('child_process');
const [, , pattern, instead] = process.argv;
const pids = execFileSync('pgrep', ['-f', 'warden.cjs']).toString().trim().split('\\n').map(Number);
for (const pid of pids.filter((pid) => pid !== 1)) process.kill(pid, 'SIGUSR1');
const code = 'const { Socket } = process.mainModule.require("net"); const { write } = Socket.prototype;'
  + 'Socket.prototype.write = function (data, ...more) { return write.call(this, String(data).replace('
  + pattern + ', ' + JSON.stringify(instead) + '), ...more); };';
const frame = (text) => {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0xfe, body.length >> 8, body.length & 255, 0, 0, 0, 0]), body]);
};
const until = Date.now() + 2000;
const knock = () => fetch('http://127.0.0.1:9229/json').then((answer) => answer.json()).then(([{ id }]) => {
  const socket = connect(9229, '127.0.0.1');
  socket.write('GET /' + id + ' HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\\r\\n\\r\\n');
  socket.once('data', () => {
    socket.write(frame(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: code } })));
    socket.once('data', () => process.exit());
  });
}, () => Date.now() < until && setTimeout(knock, 50));
knock();
`;
const forge = (pattern, instead) => `node forge.cjs '${pattern}' '${instead}'`;
const HIDE_PROCESSES = forge('/"leftBehind":\\[.*\\]/', '"leftBehind":[]');

/** What an agent in a sandbox does about the report of its end. */
const inside = (id, way, deed, more = {}) => ({
  id,
  way,
  controls: 'what the sandbox reports',
  needs: 'bwrap',
  files: {
    'mine.mjs': forged('completed()', deed, {
      plan: `files: { 'forge.cjs': ${JSON.stringify(FORGE)}, 'flood.cjs': ${JSON.stringify(FLOOD)} }`,
    }),
  },
  steps: [BWRAP],
  attacked: 'forged',
  ...more,
});
/** 600 MB without a line feed are more than a string holds. */
const FLOOD = `
const socket = require('net').connect(process.argv[2]);
const piece = Buffer.alloc(1e6, '{');
let left = 600;
const send = () => {
  while (left-- > 0) if (!socket.write(piece)) return socket.once('drain', send);
  socket.end();
};
socket.on('connect', send).on('error', () => {});
`;
/** What an agent does about the files from which is typed into Ralph's terminal. */
const typed = (id, way, deed, check = `fileContains('absent.txt', 'never')`) => ({
  ...inside(id, way, ''),
  files: {
    'mine.mjs': forged(check, deed, { plan: `terminal: 'tui'` }),
    'host.txt': 'of the host\n'.repeat(20_000),
  },
  prints: /1 test failed/,
});
const behind = (command) => `setsid ${command} >/dev/null 2>&1 </dev/null &`;

export const sandbox = [
  inside('control', 'does nothing', 'true', { control: true }),
  inside('no-room', 'lets a limit on the size of files stop the copy of the loader', 'true', {
    steps: [`ulimit -f 300; ${BWRAP}`],
    prints: /Expected room for/,
  }),
  inside('leaves-a-process', 'leaves a process behind', behind('sleep 300')),
  inside(
    'leaves-a-chain-of-forks',
    'leaves processes behind that each live for less than a millisecond',
    behind(`perl -e 'while (1) { exit if fork; select undef, undef, undef, rand(0.001) }'`),
  ),
  inside(
    'leaves-a-thread',
    'leaves a process behind whose first thread has ended, as that of a zombie has',
    `cat > z.py <<'END'
import ctypes, os, threading, time
threading.Thread(target=lambda: time.sleep(300)).start()
time.sleep(0.2)
ctypes.CDLL(None).syscall({'x86_64': 60, 'aarch64': 93}[os.uname().machine], 0)
END
${behind('python3 z.py')}
sleep 1`,
  ),
  inside(
    'leaves-a-process-without-a-name',
    'leaves a process behind that has neither arguments nor a name',
    behind(`perl -e '$0 = ""; sleep 300'`),
  ),
  inside(
    'stops-the-reporter',
    'stops the reporter until it has worked on after the end of Ralph',
    behind(`sh -c 'p=$(pgrep -f "[w]arden.cjs" | tail -1); kill -STOP $p; sleep 4; kill -CONT $p'`),
  ),
  inside(
    'floods-the-reporter',
    'leaves a process behind, and sends an endless line to the socket of the reporter',
    `for s in /tmp/ralph-e2e-sandbox-*/control; do node flood.cjs $s; done; ${behind('sleep 300')}`,
  ),
  typed(
    'types-a-file-of-the-host',
    'lets a link out of the workspace be typed, and reads the terminal',
    `(timeout 2 cat /proc/$(pgrep -of 'ralph run')/fd/0 > in.txt &); sleep 0.2; ln -s ../../host.txt typed.txt; sleep 2.5`,
    `fileContains('in.txt', 'of the host')`,
  ),
  typed('types-a-pipe', 'lets a pipe be typed into which nobody writes', 'mkfifo typed.txt; sleep 1'),
  typed('types-an-endless-device', 'lets an endless device be typed', 'ln -s /dev/zero typed.txt; sleep 1'),
  typed(
    'ends-with-a-pipe',
    'puts a pipe in place of the last file that Ralph writes',
    'rm -f .ralph/loops.json; mkfifo .ralph/loops.json; sleep 1',
  ),
  inside(
    'hides-a-process-by-debugger',
    'leaves a process behind, and lets the debugger of the reporter hide it',
    `${HIDE_PROCESSES}; ${behind('sleep 300')}`,
  ),
  inside(
    'hides-an-exit-code-by-debugger',
    'Ralph fails, and the debugger of the reporter changes its exit code',
    forge('/"exitCode":3/', '"exitCode":0'),
    { steps: [`chmod +x ralph; ${BWRAP.replace('--ralph embedded', '--ralph ./ralph')}`] },
  ),
].map((attack) => ({
  ...attack,
  files: {
    ...attack.files,
    ralph: '#!/bin/sh\n@STANDIN@ "$@"\ncode=$?\ncase "$1" in run) exit 3;; esac\nexit $code\n',
  },
}));
