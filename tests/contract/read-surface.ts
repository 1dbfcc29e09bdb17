import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as z from 'zod';

/*
 * Everything that a user of Ralph can name, read from Ralph itself: commands and flags from its help, configuration
 * keys, hook phases, topics and termination reasons from its sources.
 */

/** Reads the surface of one version of Ralph, sorted. */
export function readSurface(ralph: string, version: string): readonly string[] {
  const crates = fetchCrates(version);
  const read = (crate: string, path: string) =>
    readFileSync(join(crates.get(crate) ?? '', 'src', path), 'utf8');
  return [
    ...readCommands(ralph),
    ...readConfigKeys(read('ralph-core', 'config.rs')),
    ...readHookPhases(read('ralph-core', 'config.rs')),
    ...readTopics(TOPIC_MODULES.map(([crate, path]) => read(crate, path))),
    ...readReasons(read('ralph-core', 'event_loop/mod.rs')),
  ].sort();
}

/** The modules that publish topics, or act on them. */
const TOPIC_MODULES = [
  ['ralph-core', 'event_loop/mod.rs'],
  ['ralph-core', 'event_loop/loop_state.rs'],
  ['ralph-core', 'hatless_ralph.rs'],
  ['ralph-core', 'instructions.rs'],
  ['ralph-cli', 'loop_runner.rs'],
] as const;

/** Lists `command loops stop` and `flag run --exclusive`. A flag that a parent command has too is listed only there. */
function readCommands(
  ralph: string,
  words: readonly string[] = [],
  inherited: readonly string[] = [],
): readonly string[] {
  const help = execFileSync(ralph, [...words, '--help'], { encoding: 'utf8' });
  const flags = [...help.matchAll(/^ {2,6}(?:-\w, )?(--[a-z][a-z-]*)/gm)].flatMap(([, flag]) => flag ?? []);
  const own = flags.filter((flag) => !inherited.includes(flag));
  const commands = /^Commands:\n((?: {2}.*\n)+)/m.exec(help)?.[1] ?? '';
  const names = [...commands.matchAll(/^ {2}([a-z][a-z-]*)/gm)].flatMap(([, name]) => name ?? []);
  return [
    ...own.map((flag) => ['flag', ...words, flag].join(' ')),
    ...names
      .filter((name) => name !== 'help')
      .flatMap((name) => [
        ['command', ...words, name].join(' '),
        ...readCommands(ralph, [...words, name], [...inherited, ...own]),
      ]),
  ];
}

/** Lists `config hats.*.triggers`: the fields of the configuration and of what it contains. */
function readConfigKeys(source: string): readonly string[] {
  const structs = new Map(
    [...source.matchAll(/pub struct (\w+) \{\n([\s\S]*?)\n\}/g)].map(([, name = '', body = '']) => [
      name,
      body,
    ]),
  );
  const walk = (name: string, path: string): string[] =>
    readFields(structs.get(name) ?? '').flatMap(({ key, type }) => {
      const inner = [...structs.keys()].find((struct) => new RegExp(`\\b${struct}\\b`).test(type));
      const own = `${path}${key}`;
      if (inner === undefined) return [`config ${own}`];
      return walk(inner, `${own}.${/Map</.test(type) ? '*.' : ''}`);
    });
  return walk('RalphConfig', '');
}

function readFields(body: string): readonly { readonly key: string; readonly type: string }[] {
  return [...body.matchAll(/((?: {4}#\[.*\]\n)*) {4}pub (?:r#)?(\w+): (.+),/g)].flatMap(
    ([, attributes = '', field = '', type = '']) =>
      /serde\(.*\b(?:flatten|skip)\b/.test(attributes)
        ? []
        : [{ key: /rename = "([^"]+)"/.exec(attributes)?.[1] ?? field, type }],
  );
}

function readHookPhases(source: string): readonly string[] {
  const phases = [...source.matchAll(/serde\(rename = "((?:pre|post)\.[a-z.]+)"\)/g)];
  return phases.map(([, phase]) => `hook ${phase}`);
}

/** Lists `topic human.guidance`: every dotted name in the code that is not a file, a setting or a hook phase. */
function readTopics(sources: readonly string[]): readonly string[] {
  const names = sources.flatMap((source) =>
    withoutTests(source)
      .split('\n')
      .filter((line) => !line.trim().startsWith('//'))
      .flatMap((line) => [...line.matchAll(/"([a-z_]+(?:\.[a-z_]+)+)"/g)].flatMap(([, name]) => name ?? [])),
  );
  const other =
    /\.(?:yml|yaml|md|json|jsonl|toml|sh|lock|log|txt)$|^(?:pre|post|event_loop|core|hooks|cli)\./;
  return [...new Set(names)].filter((name) => !other.test(name)).map((name) => `topic ${name}`);
}

/** Lists `reason max_iterations`, as the record of a loop's end has it. */
function readReasons(source: string): readonly string[] {
  const body = /pub fn as_str\(&self\)[^{]*\{([\s\S]*?)\n {4}\}/.exec(source)?.[1] ?? '';
  return [...body.matchAll(/TerminationReason::\w+ => "(\w+)"/g)].map(([, reason]) => `reason ${reason}`);
}

function withoutTests(source: string): string {
  const tests = /#\[cfg\(test\)\]\s*(?:pub )?mod \w+ \{/.exec(source);
  return tests === null ? source : source.slice(0, tests.index);
}

const metadataSchema = z.object({
  packages: z.array(z.object({ name: z.string(), manifest_path: z.string() })),
});

/** Lets cargo fetch Ralph's crates, and returns the folder of each. */
export function fetchCrates(version: string): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'ralph-sources-'));
  try {
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src/lib.rs'), '');
    writeFileSync(
      join(folder, 'Cargo.toml'),
      `[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\nralph-cli = "=${version}"\nralph-core = "=${version}"\n`,
    );
    const { packages } = metadataSchema.parse(
      JSON.parse(
        execFileSync('cargo', ['metadata', '--format-version', '1'], {
          cwd: folder,
          encoding: 'utf8',
          maxBuffer: 1 << 28,
          stdio: ['ignore', 'pipe', 'ignore'],
        }),
      ),
    );
    return new Map(packages.map(({ name, manifest_path }) => [name, dirname(manifest_path)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
