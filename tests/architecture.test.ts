import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What each folder may import of ours. Imports point one way, so a folder can be understood without those above it. */
const ALLOWED: Record<string, readonly string[]> = {
  'src/domain': [],
  'src/exec': ['src/domain'],
  'src/isolation': ['src/domain', 'src/exec'],
  'src/workspace': ['src/domain', 'src/exec'],
  'src/agent': ['src/domain', 'src/exec', 'src/workspace'],
  'src/standin': ['src/domain'],
  'src/backends': ['src/domain', 'src/exec', 'src/workspace'],
  'src/ralph': ['src/domain', 'src/exec', 'src/isolation', 'src/workspace'],
  'src/conversation': ['src/domain', 'src/exec', 'src/isolation', 'src/workspace'],
  'src/projects': ['src/domain', 'src/exec'],
  'src/mcp-stub': ['src/domain', 'src/exec'],
  'src/plugins': ['src/domain', 'src/exec'],
  'src/analyze': ['src/domain'],
  'src/report': ['src/domain'],
  'src/run': [
    'src/domain',
    'src/exec',
    'src/isolation',
    'src/workspace',
    'src/agent',
    'src/backends',
    'src/ralph',
    'src/conversation',
    'src/analyze',
  ],
  // What plugin authors make in tests of their own, and give back.
  'src/factories': [
    'src/domain',
    'src/exec',
    'src/workspace',
    'src/backends',
    'src/conversation',
    'src/plugins',
    'src/projects',
    'src/run',
  ],
  'src/conform': ['src/domain', 'src/exec', 'src/agent', 'src/run'],
  // The files directly in src/: the public import and what the command line shares with it.
  src: [
    'src',
    'src/domain',
    'src/exec',
    'src/workspace',
    'src/agent',
    'src/ralph',
    'src/conversation',
    'src/projects',
    'src/factories',
    'src/run',
    'src/analyze',
    'src/report',
  ],
  'src/mcp': [
    'src',
    'src/domain',
    'src/exec',
    'src/workspace',
    'src/agent',
    'src/backends',
    'src/conversation',
    'src/plugins',
    'src/projects',
    'src/run',
    'src/report',
  ],
  'src/cli': [
    'src',
    'src/mcp',
    'src/domain',
    'src/exec',
    'src/agent',
    'src/backends',
    'src/isolation',
    'src/workspace',
    'src/run',
    'src/conform',
    'src/mcp-stub',
    'src/report',
    'scenarios',
  ],
  scenarios: ['src/authoring.ts'],
};

const SOURCES = ['src', 'scenarios'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
);

describe('imports', () => {
  test.each(Object.keys(ALLOWED))('%s imports only what lies below it', (folder) => {
    const offences = SOURCES.filter((file) => homeOf(file) === folder).flatMap((file) =>
      importsOf(file)
        .filter((target) => homeOf(target) !== folder && !allows(folder, target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(offences).toEqual([]);
  });

  test('every source belongs to a folder with a rule', () => {
    expect(SOURCES.filter((file) => ALLOWED[homeOf(file)] === undefined)).toEqual([]);
  });
});

/** Programs of their own besides the command line, and texts of programs that are no code of ours. */
const PROGRAMS = [
  'src/isolation/inside/',
  'src/standin/',
  'src/backends/',
  'src/mcp-stub/main.ts',
  'src/kinds/conversation/projects/templates/',
];

describe('privileges', () => {
  const using = (pattern: RegExp, ...except: string[]) =>
    SOURCES.filter((file) => !except.some((prefix) => file.startsWith(prefix)) && pattern.test(read(file)));

  test('only exec/ spawns, besides the stand-ins and the warden, which are programs of their own', () => {
    const standIns = ['src/standin/', 'src/agent/engine/play.ts', 'src/backends/', 'src/isolation/inside/'];
    expect(using(/node:child_process|'execa'/, 'src/exec/', ...standIns)).toEqual([]);
  });

  test('only exec/ makes folders with their parents: Node never returns from that under /proc', () => {
    expect(
      using(/mkdir(Sync)?\([^;]*recursive: true|\bensureDir(Sync)?\b/, 'src/kinds/conversation/projects/templates/'),
    ).toEqual([]);
  });

  test('only cli/ sets exit codes, besides the stand-ins (scenario-code.ts refuses that scenarios do)', () => {
    expect(
      using(/process\.exit\b|process\.exitCode/, 'src/cli/', 'src/run/attempt/scenario-code.ts', ...PROGRAMS),
    ).toEqual([]);
  });

  test('only cli/ opens the screen, besides the stand-ins', () => {
    expect(using(/process\.(stdout|stderr)|console\./, 'src/cli/', ...PROGRAMS)).toEqual([]);
  });
});

function homeOf(file: string): string {
  const [top = '', folder = '', ...rest] = file.split('/');
  if (top === 'scenarios') return 'scenarios';
  return rest.length === 0 ? 'src' : `${top}/${folder}`;
}

function allows(folder: string, target: string): boolean {
  const allowed = ALLOWED[folder] ?? [];
  return allowed.includes(homeOf(target)) || allowed.includes(target);
}

function importsOf(file: string): string[] {
  return [...read(file).matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map((match) =>
    relative(ROOT, join(ROOT, dirname(file), (match[1] ?? '').replace(/\.js$/, '.ts'))),
  );
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}
