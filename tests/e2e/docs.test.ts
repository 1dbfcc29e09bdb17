import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { callCli, runCli, tempFolder } from '../support/cli.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const PAGES = ['.', 'docs', 'examples'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);

/** Pages that people write. */
const WRITTEN = PAGES.filter((page) => page !== 'docs/coverage.md');

function read(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

function withoutBlocks(text: string): string {
  return text.replace(/^(`{3,})[\s\S]*?^\1$/gm, '');
}

function codeSpans(text: string): string[] {
  return [...withoutBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
}

describe('links', () => {
  test.each(PAGES)('those of %s lead to a file and a heading', (page) => {
    const targets = [...withoutBlocks(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to = '']) => to);
    const broken = targets.filter((target) => !/^https?:/.test(target) && !resolves(page, target));
    expect(broken).toEqual([]);
  });

  test('README.md leads to every page', () => {
    const missing = PAGES.filter(
      (page) => page.startsWith('docs/') && !read('README.md').includes(`(${page}`),
    );
    expect(missing).toEqual([]);
  });
});

function resolves(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, file))) return false;
  return anchor === undefined || anchorsOf(read(file)).has(anchor);
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  return new Set(
    [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => {
      const slug = heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-');
      const times = seen.get(slug) ?? 0;
      seen.set(slug, times + 1);
      return times === 0 ? slug : `${slug}-${times}`;
    }),
  );
}

const FOLDERS = ['src', 'tests', 'scripts', 'scenarios', 'docs'];
const FILES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
);

test.each(WRITTEN)('%s names only files and scripts that exist', (page) => {
  const paths = codeSpans(read(page)).filter(
    (code) => /^[a-z]+\/[^\s,]+$/.test(code) && FOLDERS.includes(code.split('/')[0] ?? ''),
  );
  const missing = paths.filter((path) => {
    const fits = picomatch(path.replace(/<[^>]+>/g, '*').replace(/\/$/, ''));
    return !FILES.some((file) => fits(file));
  });
  const scripts = [...read(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  const { scripts: known } = JSON.parse(read('package.json'));
  expect([...missing, ...scripts.filter((name) => known[name] === undefined)]).toEqual([]);
});

test('messages name only pages that exist', () => {
  // The stand-in repeats what Ralph prints, and that names pages of Ralph.
  const sources = FILES.filter((file) => /^src\/(?!standin\/).*\.ts$/.test(file));
  const named = sources.flatMap((file) => read(file).match(/\bdocs\/[\w./-]+\.\w+(?:#[\w-]+)?/g) ?? []);
  expect(named).toContain('docs/agent-script.md');
  expect(named.filter((target) => !resolves('README.md', target))).toEqual([]);
});

describe('the command line', () => {
  test('every option of a run is in the tables of docs/cli.md, and none besides', async () => {
    const table = /^## Options of a run\n([\s\S]*?)^## /m.exec(read('docs/cli.md'))?.[1] ?? '';
    const documented = [...table.matchAll(/^\| (`-.*?) \|/gm)].flatMap(([, cell = '']) => optionsIn(cell));
    const offered = [...(await optionsOf([]))].filter(
      (option) => !/^(?:-V|--version|-h|--help)$/.test(option),
    );
    expect(documented.toSorted()).toEqual(offered.toSorted());
  });

  test('every command of the program is in the table of docs/cli.md', async () => {
    const { stdout } = await callCli(['--help'], { cwd: tempFolder() });
    const commands = /^Commands:\n([\s\S]*?)\n\n/m.exec(stdout)?.[1] ?? '';
    const offered = [...commands.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
    expect(offered).toContain('doctor');
    const table = /^## Commands\n([\s\S]*?)^## /m.exec(read('docs/cli.md'))?.[1] ?? '';
    const documented = [...table.matchAll(/^\| `([a-z][\w-]*)/gm)].map(([, name]) => name);
    expect(documented.toSorted()).toEqual([...offered, 'ralph-e2e'].toSorted());
  });

  test('every call in the pages has only options that exist', async () => {
    const calls = WRITTEN.flatMap((page) => callsIn(read(page)).map((words) => ({ page, words })));
    expect(calls.length).toBeGreaterThan(50);
    const wrong: string[] = [];
    for (const { page, words } of calls) {
      const known = await optionsOf(commandOf(words));
      const unknown = words.flatMap(optionsIn).filter((option) => !known.has(option));
      if (unknown.length > 0) wrong.push(`${page}: ${words.join(' ')}: ${unknown.join(' ')}`);
    }
    expect(wrong).toEqual([]);
  });
});

const COMMANDS = 'doctor init new prove compare clean show serve sim mcp help'.split(' ');

/** The words after the program in every call, up to what the shell or another program gets. */
function callsIn(text: string): string[][] {
  const lines = [...text.matchAll(/^```(?:sh|yaml)\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block.split('\n'),
  );
  return [...lines, ...codeSpans(text)].flatMap((line) =>
    [...line.matchAll(/(?:^|\s)(?:ralph-e2e|dist\/cli\.js)\s+([^#>]*)/g)].map(([, words = '']) =>
      (words.split(' -- ')[0] ?? '').split(' ').filter((word) => word !== ''),
    ),
  );
}

function commandOf([first = '', second = '']: readonly string[]): string[] {
  if (!COMMANDS.includes(first)) return [];
  return first === 'sim' && ['convert', 'check', 'explain'].includes(second) ? [first, second] : [first];
}

function optionsIn(word: string): string[] {
  return [...word.matchAll(/(?<![\w-])--?[a-zA-Z][\w-]*/g)].map(([option]) => option);
}

const asked = new Map<string, Promise<ReadonlySet<string>>>();

/** The options that the help of a command lists. */
function optionsOf(command: readonly string[]): Promise<ReadonlySet<string>> {
  const key = command.join(' ');
  const known = asked.get(key) ?? readOptions(command);
  asked.set(key, known);
  return known;
}

async function readOptions(command: readonly string[]): Promise<ReadonlySet<string>> {
  const { stdout } = await callCli([...command, '--help', '--all'], { cwd: tempFolder() });
  return new Set(
    [...stdout.matchAll(/^ {2}(-.*?)(?: {2,}|$)/gm)].flatMap(([, names = '']) => optionsIn(names)),
  );
}

test('docs/stand-ins.md names every fault of the stand-in', async () => {
  const { STAND_IN_FAULTS } = await import('../../src/domain/scenario/stand-in-faults.js');
  const section = /^### Faults\n([\s\S]*?)^## /m.exec(read('docs/stand-ins.md'))?.[1] ?? '';
  const named = [...section.matchAll(/^\| .*$/gm)].flatMap(([row]) => codeSpans(row));
  expect(named.toSorted()).toEqual(Object.keys(STAND_IN_FAULTS).toSorted());
});

test('the scenario of CONTRIBUTING.md passes, and each of its checks is proved', async () => {
  const page = read('CONTRIBUTING.md');
  const imports = /^import \{[^}]*\} from '\.\.\/\.\.\/src\/authoring\.js';$/m.exec(page)?.[0] ?? '';
  const example = /^(const shout = [\s\S]*?)^```$/m.exec(page)?.[1] ?? '';
  const cwd = tempFolder();
  const text = `${imports.replace('../../src/authoring.js', 'ralph-e2e')}\nexport ${example}`;
  writeFileSync(join(cwd, 'shout.mjs'), text);
  const { code, stdout } = await runCli(['prove', '--scenarios', 'shout.mjs', '--json'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({ passed: true, totals: { checks: 3, proved: 3 } });
  expect(code).toBe(0);
});
