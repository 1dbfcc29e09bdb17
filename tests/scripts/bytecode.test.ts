import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { BACKEND_FACTS } from '../../src/domain/backends.js';
import { tempFolder } from '../support/cli.js';

const inProject = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const PROGRAMS = [
  'dist/program.cjs',
  'dist/rest.cjs',
  'dist/standin/ralph.cjs',
  ...Object.values(BACKEND_FACTS).map(({ command }) => `dist/agent/${command}.cjs`),
];
const ASK = `
const { script, bytecode } = require(${JSON.stringify(inProject('scripts/bytecode.cjs'))}).start(process.argv[1]);
require('node:fs').writeSync(2, JSON.stringify({ bytecode, refused: script.cachedDataRejected }));
`;

/** The stand-in of ralph, with bytecode as a test wants it. */
function copyOfRalph(change: (bytecode: string, text: string) => void): string {
  const folder = tempFolder();
  cpSync(inProject('dist/standin'), folder, { recursive: true });
  const bytecode = readdirSync(folder).find((name) => name.endsWith('.bytecode')) ?? 'none';
  change(join(folder, bytecode), join(folder, 'ralph.cjs'));
  return execFileSync(join(folder, 'bin', 'ralph'), ['--version'], { encoding: 'utf8' });
}

test('a program that is started in a context of its own belongs to it', () => {
  const { start } = createRequire(import.meta.url)(inProject('scripts/bytecode.cjs'));
  const program = join(tempFolder(), 'program.cjs');
  writeFileSync(program, 'module.exports.error = new Error(__filename)');
  const inContext = createContext({ require: createRequire(program), createRequire, process, program });
  const judge = `(${start})(program).exports.error instanceof Error`;
  expect(runInContext(judge, inContext)).toBe(true);
  expect(start(program).exports.error).toBeInstanceOf(Error);
});

test('the files of a program take from each other, and each is loaded once', () => {
  const { start } = createRequire(import.meta.url)(inProject('scripts/bytecode.cjs'));
  const program = join(tempFolder(), 'program.cjs');
  const shared = 'exports.own = {}; exports.ask = (part) => require(`part:${part}.cjs`);';
  writeFileSync(program, shared);
  writeFileSync(join(dirname(program), 'rest.cjs'), shared);
  const { exports } = start(program);
  const rest = exports.ask('rest');
  expect([rest === exports.ask('rest'), rest.ask('program').own === exports.own]).toEqual([true, true]);
});

describe('the bytecode that the build makes', () => {
  test.each(PROGRAMS)('of %s is what this Node takes', (program) => {
    const asked = ['-e', `${ASK} process.exit()`, inProject(program), '--version'];
    const answer = execFileSync('sh', ['-c', '"$0" "$@" 2>&1 >/dev/null', process.execPath, ...asked]);
    const { bytecode, refused } = JSON.parse(String(answer));
    expect([existsSync(bytecode), refused]).toEqual([true, false]);
  });

  test('is not needed: another Node starts from the text', () => {
    expect(copyOfRalph((bytecode) => rmSync(bytecode))).toMatch(/stand-in/);
  });

  test('is refused when it is not what this Node made', () => {
    expect(copyOfRalph((bytecode) => writeFileSync(bytecode, 'of another make'))).toMatch(/stand-in/);
  });

  test('is not taken for another text, though it has the same length and the bytecode is newer', () => {
    const said = copyOfRalph((bytecode, path) => {
      const text = readFileSync(path, 'latin1').replaceAll('stand-in', 'stand-up');
      writeFileSync(path, text.replace(/^\/\/\w{16}/, '//0123456789abcdef'), 'latin1');
      utimesSync(bytecode, Date.now() / 1000 + 60, Date.now() / 1000 + 60);
    });
    expect(said).toMatch(/stand-up/);
  });
});
