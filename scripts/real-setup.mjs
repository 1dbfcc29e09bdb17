// Installs the real programs of real-programs.json into a cache outside the checkout, for `npm run test:real`.
//
//   node scripts/real-setup.mjs           installs what is missing and prints where everything is
//   node scripts/real-setup.mjs --paths   installs nothing; prints the installed programs as JSON
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { executableOf, programs, setUp, works } from './real-install.mjs';

if (process.argv.includes('--paths')) printPaths();
else installAll();

function installAll() {
  for (const [name, program] of Object.entries(programs)) {
    const { text, failed } = setUp(name, program);
    console.log(`${name} ${program.version}: ${text}`);
    if (failed) process.exitCode = 1;
  }
  const clients = fileURLToPath(new URL('./mcp-clients-setup.mjs', import.meta.url));
  if (spawnSync(process.execPath, [clients], { stdio: 'inherit' }).status !== 0) process.exitCode = 1;
}

function printPaths() {
  const entries = Object.entries(programs).map(([name, program]) => {
    const path = executableOf(name, program);
    return [name, { version: program.version, path: works(path, program) ? path : null }];
  });
  console.log(JSON.stringify(Object.fromEntries(entries)));
}
