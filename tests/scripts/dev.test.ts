import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTinyProject } from './support/tiny-project.js';

test('npm run dev builds at once, again on each change until Ctrl-C, and goes on after a mistake', async () => {
  const project = createTinyProject();
  const child = project.start(['scripts/dev.mjs']);
  const ended = new Promise((resolve) => child.once('exit', (...how) => resolve(how)));
  const lines = readLines(child.stdout);
  const nextLine = async () => (await lines.next()).value;
  expect(await nextLine()).toMatch(/^Built dist in [\d.]+ s\.$/);
  expect(await nextLine()).toMatch(/^Watching /);
  expect(await project.hear()).toBe('one');

  project.say('two');
  expect(await nextLine()).toMatch(/^Built/);
  expect(await project.hear()).toBe('two');

  project.write('src/word.ts', 'export const word = ;\n');
  expect(await nextLine()).toMatch(/^Not built/);
  expect(await project.hear()).toBe('two');

  // A source in a folder that was not there when it began.
  project.write('src/far/away/word.ts', "export const word = 'three';\n");
  expect(await nextLine()).toMatch(/^Not built/);
  project.write('src/word.ts', "export { word } from './far/away/word.js';\n");
  expect(await nextLine()).toMatch(/^Built/);
  expect(await project.hear()).toBe('three');
  project.write('src/far/away/word.ts', "export const word = 'four';\n");
  expect(await nextLine()).toMatch(/^Built/);
  expect(await project.hear()).toBe('four');

  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  expect(project.beside()).toEqual(['old']);
});

test('npm run dev takes up a backend that is added to the registry', async () => {
  const project = createTinyProject();
  const child = project.start(['scripts/dev.mjs']);
  onTestFinished(() => void child.kill());
  const lines = readLines(child.stdout);
  const nextLine = async () => (await lines.next()).value;
  expect([await nextLine(), await nextLine()]).toEqual([expect.stringMatching(/^Built/), expect.any(String)]);
  expect(project.launch('kiro-cli')).toBe('kiro');
  expect(project.read('src/backends/folders.ts')).toMatch(/FOLDERS = \{\n {2}claude,\n {2}kiro,\n\};/);

  const registry = project.read('src/domain/backends.ts');
  project.write('src/domain/backends.ts', registry.replace('};', "  amp: { command: 'amp-cli' },\n};"));
  // Its folder is missing, and so is its stand-in.
  expect(await nextLine()).toMatch(/^Not built/);
  project.write('src/backends/amp/stand-in/stand-in.ts', "export const ampStandIn = 'amp';\n");
  expect(await nextLine()).toMatch(/^Built/);
  expect(project.launch('amp-cli')).toBe('amp');
  expect(project.read('src/backends/folders.ts')).toMatch(/^import \{ amp \} from '.\/amp\/backend.js';$/m);
});

test('npm run dev keeps the bytecode of programs that did not change, and no other', async () => {
  const project = createTinyProject();
  await project.run(['scripts/build.mjs', '--no-types']);
  const listBytecode = () =>
    readdirSync(join(project.folder, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.bytecode'))
      .sort();
  const before = listBytecode();
  expect(before).toHaveLength(7);
  // As long as the last one: V8 by itself would take the bytecode of the other.
  project.say('two');
  await project.run(['scripts/dev.mjs', '--once']);
  expect(await project.hear()).toBe('two');
  expect(listBytecode()).toEqual(before.filter((name) => !name.startsWith('program.cjs')));
});

/** The lines of a stream, one at a time. */
async function* readLines(stream: NodeJS.ReadableStream): AsyncGenerator<string, string> {
  let text = '';
  for await (const piece of stream) {
    text += String(piece);
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      yield text.slice(0, end);
      text = text.slice(end + 1);
    }
  }
  return 'the stream ended';
}
