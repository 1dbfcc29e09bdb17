import { homedir, tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { catalogue } from '../../../scenarios/index.js';
import { completed, conversation, hats, loop, onAnyPrompt, scenario } from '../../../src/authoring.js';
import { sampleContext } from '../../../src/domain/scenario/sample-context.js';
import type { Scenario } from '../../../src/domain/scenario/scenario.js';
import { packageRoot } from '../../../src/exec/files/package-root.js';
import { renderAsks } from '../../../src/report/scenarios/asks.js';
import { renderScenarioDocs } from '../../../src/report/scenarios/docs.js';
import { findSharedFiles, renderSharedFiles } from '../../../src/report/scenarios/files.js';

const ROOT = packageRoot();
const about = {
  tier: 4,
  priority: 'should',
  phase: 'green',
  description: 'An example',
  covers: [],
  agent: [onAnyPrompt().completes()],
  expect: () => [completed()],
} as const;

describe('docs/scenarios.md prints what a scenario asks', () => {
  const page = renderScenarioDocs(catalogue, ROOT);

  it.each(catalogue.map((one) => ({ id: one.id, one })))('$id', ({ id, one }) => {
    const printed = listBlocks(page, id);
    const missing = listContexts(one).flatMap((context) =>
      listAsked(one, context).filter((asked) => !printed.includes(JSON.stringify(hidden(asked)))),
    );
    expect(missing).toEqual([]);
  });

  it('and nothing of the machine that made it', () => {
    for (const place of [ROOT, homedir(), tmpdir()]) expect(page).not.toContain(`${place}/`);
  });
});

describe('a page shows it when one word is another', () => {
  // In one lane: a word that no other lane hears is a word of the scenario too.
  it.each(catalogue.map((one) => ({ id: one.id, one })))('$id', ({ one: everywhere }) => {
    const one = {
      ...everywhere,
      backends: everywhere.backends.slice(-1),
      lanes: everywhere.lanes.slice(-1),
    };
    const [place] = listContexts(one);
    if (place === undefined) return expect.unreachable();
    const before = renderArranged(one);
    const unseen = listTexts(one.arrange(place)).filter((path) => {
      const changed = changing(one, (plan) => changeAt(plan, path));
      return renderArranged(changed) === before;
    });
    expect(unseen).toEqual([]);
  });
});

describe('the part of a scenario', () => {
  it('has a prompt with fences and signs that nobody sees as it is', () => {
    const prompt = 'Write this:\n````md\n```sh\nls\n```\n````\nNow\u200b stop.\u001b[2J';
    const page = renderScenarioDocs(
      [scenario({ ...about, id: 'fences', arrange: () => ({ config: loop({ maxIterations: 2 }), prompt }) })],
      ROOT,
    );
    const shown = prompt.replace('\u200b', '\\u{200b}').replace('\u001b', '\\u{1b}');
    expect(page).toContain(`Prompt:\n\n\`\`\`\`\`text\n${shown}\n\`\`\`\`\`\n`);
  });

  it('has the instructions of hats line by line, under the name of the file', () => {
    const instructions = 'First say "hello".\nThen: # stop';
    const builder = { triggers: ['go'], publishes: ['done'], instructions };
    const page = renderScenarioDocs(
      [
        scenario({
          ...about,
          id: 'hat',
          arrange: () => ({ config: hats({ builder }).startingWith('go'), prompt: 'x' }),
        }),
      ],
      ROOT,
    );
    expect(page).toMatch(
      /`ralph\.yml`:\n\n```yaml\n[\s\S]*\n {4}instructions: \|-\n {6}First say "hello"\.\n/,
    );
    expect(page).toContain('\n      Then: # stop\n');
  });

  it('says where it asks something else', () => {
    const config = loop({ maxIterations: 2 });
    const page = renderScenarioDocs(
      [
        scenario({
          ...about,
          id: 'differs',
          arrange: ({ lane, backend }) => ({
            config,
            prompt: `${lane === 'live' ? 'Really' : 'Only'} ${backend === 'kiro' && lane === 'sim' ? 'x' : 'y'}`,
          }),
        }),
      ],
      ROOT,
    );
    expect(
      [...page.matchAll(/^Prompt(.*):\n\n```text\n(.*)$/gm)].map(([, where, text]) => [where, text]),
    ).toEqual([
      [' (live lane)', 'Really y'],
      [
        ' (Claude in the scripted and sim lane, Kiro in the scripted lane, OpenCode in the scripted and sim lane)',
        'Only y',
      ],
      [' (Kiro in the sim lane)', 'Only x'],
    ]);
    expect(page.match(/`ralph\.yml`/g)).toHaveLength(2);
  });

  it('has turns, plugins, errands and files, but the place of none', () => {
    const page = renderScenarioDocs(
      [
        conversation({
          ...about,
          id: 'talk',
          arrange: ({ nonce }) => ({
            turns: ['/plan it', { prompt: `Say ${nonce}.\nThen stop.`, seconds: 5 }],
            plugins: [
              `${ROOT}/dist/plugins/epti`,
              { name: 'own', files: { 'commands/plan.md': 'Plan *it*.' } },
            ],
            before: [{ git: ['init', ROOT] }],
            files: { 'run.sh': { mode: 0o755, content: '#!/bin/sh\nls\n' } },
          }),
        }),
      ],
      ROOT,
    );
    expect(page).toContain('- /plan it\n- prompt: |-\n    Say nonce1234.\n    Then stop.\n  seconds: 5\n');
    expect(page).toContain('plugins:\n  - <ralph-e2e>/dist/plugins/epti\n  - name: own\n');
    expect(page).toContain('commands/plan.md: Plan *it*.');
    expect(page).toContain('- git: [ init, <ralph-e2e> ]');
    expect(page).toContain('run.sh:\n  mode: "0755"\n  content: |\n    #!/bin/sh\n    ls\n');
    expect(page).not.toContain(ROOT);
  });

  it('prints a long file once if several have it, and shows who is reached by a change of it', () => {
    const pageOf = (text: string) =>
      renderScenarioDocs(
        ['one', 'two'].map((id) =>
          scenario({
            ...about,
            id,
            arrange: () => ({ config: loop({ maxIterations: 2 }), prompt: id, files: { 'a.txt': text } }),
          }),
        ),
        ROOT,
      );
    const text = 'All of this is in a file.\n'.repeat(20);
    const references = (page: string) => page.match(/^a\.txt: "shared: a\.txt \(\w{8}\)"$/gm) ?? [];
    expect(pageOf(text).split(text)).toHaveLength(2);
    expect(new Set(references(pageOf(text))).size).toBe(1);
    expect(references(pageOf(text))).toHaveLength(2);
    expect(references(pageOf(text.replace('file', 'FILE')))[0]).not.toBe(references(pageOf(text))[0]);
  });

  it('has both ends of a very long file, and a digest that no change in the middle escapes', () => {
    const pageOf = (middle: string) =>
      renderScenarioDocs(
        [
          scenario({
            ...about,
            id: 'long',
            arrange: () => ({
              config: loop({ maxIterations: 2 }),
              prompt: 'x',
              files: { 'a.txt': `BEGIN ${'x'.repeat(9000)}${middle}${'x'.repeat(9000)} END` },
            }),
          }),
        ],
        ROOT,
      );
    expect(pageOf('a')).toMatch(/begins: BEGIN x+\n\s+ends: x+ END\n/);
    expect(pageOf('a').length).toBeLessThan(6000);
    expect(pageOf('a')).not.toBe(pageOf('b'));
  });
});

/** The parts of the page that what a scenario arranges can change. */
function renderArranged(one: Scenario): string {
  const hide = (text: string) => text.replaceAll(ROOT, '<ralph-e2e>');
  const shared = findSharedFiles([one], hide);
  return `${renderAsks(one, { shared, hide })}${renderSharedFiles(shared)}`;
}

type Context = ReturnType<typeof sampleContext>;
type Path = readonly (string | number)[];

function listContexts({ backends, lanes }: Scenario): Context[] {
  return backends.flatMap((backend) => lanes.map((lane) => sampleContext(backend, lane)));
}

/** What must be on the page, each as one block. */
function listAsked(one: Scenario, context: Context): unknown[] {
  if (one.kind === 'conversation') return [one.arrange(context).turns];
  const { prompt, config } = one.arrange(context);
  return [prompt.trimEnd(), config];
}

/** The blocks of a scenario on the page, read back. */
function listBlocks(page: string, id: string): string[] {
  const part = page.split(`\n### ${id}\n`)[1]?.split(/\n###? /)[0] ?? '';
  return [...part.matchAll(/^(`{3,})(text|yaml)\n([\s\S]*?)\n\1$/gm)].map(([, , language, text = '']) =>
    JSON.stringify(language === 'yaml' ? parse(text) : text),
  );
}

function hidden(data: unknown): unknown {
  return JSON.parse(JSON.stringify(data).replaceAll(ROOT, '<ralph-e2e>'));
}

/** Where texts are in what is arranged. A workflow is not sent: the page has its name. */
function listTexts(data: unknown, path: Path = []): Path[] {
  if (typeof data === 'string') return /\w/.test(data) ? [path] : [];
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data)
    .filter(([key]) => path.length > 0 || key !== 'workflow')
    .flatMap(([key, value]) => listTexts(value, [...path, key]));
}

/** A copy in which one letter of one word of one text is another. */
function changeAt<Data>(data: Data, path: Path): Data {
  const copy = structuredClone(data);
  const last = path.at(-1) ?? '';
  const holder = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>((at, key) => Object(at[key]), Object(copy));
  const text = String(holder[last]);
  const middle = text.slice(text.length / 2).search(/\w/) === -1 ? 0 : Math.floor(text.length / 2);
  holder[last] =
    text.slice(0, middle) + text.slice(middle).replace(/\w/, (letter) => (letter === 'q' ? 'z' : 'q'));
  return copy;
}

function changing(one: Scenario, change: <Plan>(plan: Plan) => Plan): Scenario {
  return one.kind === 'ralph'
    ? { ...one, arrange: (context) => change(one.arrange(context)) }
    : { ...one, arrange: (context) => change(one.arrange(context)) };
}
