import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FILES = ['src', 'scenarios'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
);
const SOURCES = FILES.filter((name) => name.endsWith('.ts'));

/** Each room says beside its code what it holds and what it may import of ours. */
const roomSchema = z.strictObject({ holds: z.string(), imports: z.array(z.string()) });
const ROOMS = new Map(
  FILES.filter((name) => name.endsWith('/room.json')).map((name) => [
    dirname(name),
    roomSchema.parse(JSON.parse(read(name))),
  ]),
);

describe('rooms', () => {
  test.each([...ROOMS])('%s imports only what its room.json names', (room, { imports }) => {
    const allowed = imports.map((name) => (ROOMS.has(`src/${name}`) ? `src/${name}` : name));
    const offences = SOURCES.filter((file) => roomOf(file) === room).flatMap((file) =>
      importsOf(file)
        .filter((target) => roomOf(target) !== room)
        .filter((target) => !allowed.includes(roomOf(target)) && !allowed.includes(target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(offences).toEqual([]);
  });

  test.each([...ROOMS])('%s uses every import that it is allowed', (room, { imports }) => {
    const used = SOURCES.filter((file) => roomOf(file) === room).flatMap(importsOf);
    const idle = imports.filter(
      (name) => !used.some((target) => [`src/${name}`, name].includes(roomOf(target)) || target === name),
    );
    expect(idle).toEqual([]);
  });

  test('do not import each other in a circle', () => {
    const above = (name: string) => (ROOMS.has(`src/${name}`) ? `src/${name}` : roomOf(name));
    const graph = new Map([...ROOMS].map(([room, { imports }]) => [room, imports.map(above)]));
    // The catalogue is written with the authoring surface alone, which imports nothing of it.
    expect(findCircles(graph).filter((circle) => !circle.includes('scenarios'))).toEqual([]);
  });

  test('have no circles among their files', () => {
    expect(findCircles(new Map(SOURCES.map((file) => [file, importsOf(file)])))).toEqual([]);
  });

  test('have about fifteen files beside each other at most', () => {
    const count = new Map<string, number>();
    for (const file of SOURCES) count.set(dirname(file), (count.get(dirname(file)) ?? 0) + 1);
    expect([...count].filter(([, files]) => files > 16)).toEqual([]);
  });

  test('stand in docs/architecture.md as they are', () => {
    const path = join(ROOT, 'docs/architecture.md');
    const rows = [...ROOMS].map(
      ([room, { holds, imports }]) => `| \`${room}/\` | ${holds} | ${imports.join(', ') || 'nothing'} |`,
    );
    const table = ['| folder | what it contains | what it imports |', '|---|---|---|', ...rows].join('\n');
    const text = readFileSync(path, 'utf8');
    const wanted = text.replace(
      /(<!-- rooms: generated from room\.json -->\n\n)[\s\S]*?(\n\n<!-- end of rooms -->)/,
      (_, begin, end) => `${begin}${table}${end}`,
    );
    if (process.env.UPDATE_DOCS) writeFileSync(path, wanted);
    expect(text).toContain('<!-- rooms: generated from room.json -->');
    expect(readFileSync(path, 'utf8')).toBe(wanted);
  });
});

describe('names', () => {
  test('no name is exported twice with different meanings', () => {
    const homes = new Map<string, Set<string>>();
    // The stand-in for Ralph is a program of its own.
    for (const file of SOURCES.filter((path) => !path.startsWith('src/standin/')))
      for (const name of exportsOf(file)) homes.set(name, (homes.get(name) ?? new Set()).add(file));
    const twins = [...homes].filter(([, files]) => files.size > 1).map(([name]) => name);
    expect(twins).toEqual([]);
  });
});

/** Programs of their own besides the command line. */
const PROGRAMS = [
  'src/isolation/inside/',
  'src/standin/',
  'src/backends/',
  'src/agent/stand-in/',
  'src/mcp-stub/main.ts',
];

describe('privileges', () => {
  const using = (pattern: RegExp, ...except: string[]) =>
    SOURCES.filter((file) => !except.some((prefix) => file.startsWith(prefix)) && pattern.test(read(file)));

  test('only exec/ spawns, besides the stand-ins and the warden, which are programs of their own', () => {
    const standIns = ['src/standin/', 'src/agent/engine/play.ts', 'src/isolation/inside/'];
    const allowed = SOURCES.filter((file) =>
      /^src\/backends\/\w+\/stand-in\/|^src\/agent\/stand-in\//.test(file),
    );
    expect(using(/node:child_process|'execa'/, 'src/exec/', ...standIns, ...allowed)).toEqual([]);
  });

  test('only exec/ makes folders with their parents: Node never returns from that under /proc', () => {
    expect(using(/mkdir(Sync)?\([^;]*recursive: true|\b(ensure|output|mkdir)\w+[^;]*'fs-extra/)).toEqual([]);
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

/** The innermost folder with a room.json. */
function roomOf(file: string): string {
  const folders = dirname(file).split('/');
  while (folders.length > 0 && !ROOMS.has(folders.join('/'))) folders.pop();
  return folders.join('/');
}

function importsOf(file: string): string[] {
  return [...read(file).matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map((match) =>
    relative(ROOT, join(ROOT, dirname(file), (match[1] ?? '').replace(/\.js$/, '.ts'))),
  );
}

/** What a file declares and exports; a type and a value of one name are one thing, and what it passes on is not its own. */
function exportsOf(file: string): string[] {
  const declared =
    /^export (?:(?:declare|abstract|async) )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
  return [...read(file).matchAll(declared)].map((match) => match[1] ?? '');
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Groups of nodes that reach each other (Tarjan). */
function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): number => {
    order.set(node, order.size);
    low.set(node, order.size - 1);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (next === node) continue;
      if (!order.has(next)) low.set(node, Math.min(low.get(node) ?? 0, visit(next)));
      else if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? 0, order.get(next) ?? 0));
    }
    if (low.get(node) === order.get(node)) {
      const group = stack.splice(stack.indexOf(node));
      if (group.length > 1) circles.push(group.sort());
    }
    return low.get(node) ?? 0;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}
