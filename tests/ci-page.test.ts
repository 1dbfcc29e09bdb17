import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const inProject = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFileSync(inProject(path), 'utf8');

const BLOCK = /(<!-- file: (\S+) -->\n)[\s\S]*?(<!-- end of file -->)/g;

const { version } = JSON.parse(read('package.json'));
const tools: Record<string, { from: string; packages: Record<string, string> }> = JSON.parse(
  read('scripts/tools.json'),
);

test.each([
  'README.md',
  'docs/ci.md',
  'examples/ci/github/ralph-e2e.yml',
  'examples/ci/github/plugin.yml',
  'examples/ci/kubernetes/job.yaml',
  'examples/ci/kubernetes/merge.yaml',
])('%s names this version of ralph-e2e', (path) => {
  const current = read(path).replaceAll(/\b(ralph-e2e[@:-])\d+\.\d+\.\d+/g, `$1${version}`);
  if (process.env.UPDATE_DOCS) writeFileSync(inProject(path), current);
  expect(read(path)).toBe(current);
  expect(current).toContain(version);
});

test.each(['examples/ci/github/ralph-e2e.yml', 'examples/ci/github/plugin.yml'])(
  '%s installs ralph-e2e from a file, never by its name, which nobody has registered',
  (path) => {
    const installs = read(path).match(/npm install .*/g) ?? [];
    expect(installs.length).toBeGreaterThan(0);
    expect(installs.filter((command) => !command.includes('"$RALPH_E2E"'))).toEqual([]);
    expect(read(path).match(/RALPH_E2E: .*/g)).toEqual([`RALPH_E2E: ./e2e/ralph-e2e-${version}.tgz`]);
  },
);

test.each(['examples/ci/github/ralph-e2e.yml', 'src/draft/repository/first-files.ts'])(
  '%s installs the agent CLIs that ralph-e2e is tested with',
  (path) => {
    const tested = Object.values(tools)
      .filter(({ from }) => from === 'npm')
      .flatMap(({ packages }) => Object.entries(packages))
      // `ai` is not the end of `opencode-ai`.
      .filter(([name]) =>
        read(path)
          .split(/[\s'"`]/)
          .some((word) => word.startsWith(`${name}@`)),
      );
    expect(tested.length).toBeGreaterThan(0);
    for (const [name, version] of tested) expect(read(path)).toContain(`${name}@${version}`);
  },
);

test('docs/ci.md quotes the files that are tested', () => {
  const page = read('docs/ci.md');
  const quoted = page.replace(
    BLOCK,
    (_whole, begin: string, path: string, end: string) =>
      `${begin}\n\`\`\`yaml\n${read(path)}\`\`\`\n\n${end}`,
  );
  if (process.env.UPDATE_DOCS) writeFileSync(inProject('docs/ci.md'), quoted);
  expect(read('docs/ci.md')).toBe(quoted);
  expect([...page.matchAll(BLOCK)].map(([, , path]) => path)).toEqual([
    'examples/ci/github/ralph-e2e.yml',
    'examples/ci/kubernetes/job.yaml',
    'examples/ci/kubernetes/merge.yaml',
  ]);
});
