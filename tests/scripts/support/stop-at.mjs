// Loaded before a build: stops it just before the change to the disk that $STOP_AT matches (`renameSync <from> <to>`).
// Ends it there with SIGKILL, or runs $RUN_THEN with Node and goes on.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

let waiting = true;
for (const name of ['writeFileSync', 'renameSync', 'rmSync']) {
  const change = fs[name];
  fs[name] = (...args) => {
    const words = [
      name,
      ...args.filter((arg) => typeof arg === 'string').slice(0, name === 'renameSync' ? 2 : 1),
    ];
    if (waiting && new RegExp(process.env.STOP_AT).test(words.join(' '))) {
      waiting = false;
      stop();
    }
    return change(...args);
  };
}
syncBuiltinESMExports();

function stop() {
  const { RUN_THEN } = process.env;
  if (RUN_THEN === undefined) process.kill(process.pid, 'SIGKILL');
  else execFileSync(process.execPath, JSON.parse(RUN_THEN), { stdio: 'inherit' });
}
