#!/usr/bin/env node
import { harnessVersion } from '../harness-version.js';

// Whoever reads our output may stop early (`| head`): the run goes on and the reports are written all the same.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** The entry point: answers what needs nothing at once, loads the rest only when it is needed. */
const argv = process.argv.slice(2);
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${harnessVersion()}\n`);
} else {
  const { runProgram } = await import('./program.js');
  await runProgram(argv, (url) => import(url));
}
