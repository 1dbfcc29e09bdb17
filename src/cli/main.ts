#!/usr/bin/env node
import { KnownError } from '../domain/common/known-error.js';
import { harnessVersion } from '../exec/files/package-root.js';
import { closeInherited, refuseDebugger } from '../exec/own-process.js';

const argv = process.argv.slice(2);
refuseDebugger();
closeInherited(argv);

// The reader of our output may stop early (`| head`): that is no error. A run then ends in order, see interrupt.ts.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    throw new KnownError(
      `Cannot write to ${stream === process.stdout ? 'stdout' : 'stderr'}: ${error.message}.`,
      {
        hint: 'What was printed is not complete.',
      },
    );
  });
}

// `--version` needs nothing else, so it is answered before the rest is loaded.
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${harnessVersion()}\n`);
} else {
  const { runProgram } = await import('./program.js');
  await runProgram(argv, (url) => import(url));
}
