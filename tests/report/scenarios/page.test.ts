import { describe, expect, it } from 'vitest';
import {
  completed,
  conversation,
  fileEquals,
  guard,
  hats,
  loop,
  onAnyPrompt,
  scenario,
} from '../../../src/authoring.js';
import { packageRoot } from '../../../src/exec/files/package-root.js';
import { renderScenarioPage } from '../../../src/report/scenario-page.js';
import { expectGolden } from '../../support/golden.js';

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

describe('the page of a scenario', () => {
  const page = renderScenarioPage(
    scenario({
      id: 'writes-a-file',
      backend: 'kiro',
      tier: 4,
      priority: 'should',
      phase: 'pressure',
      description: 'The agent writes | a file',
      covers: ['FR7'],
      lanes: ['sim'],
      knownIssue: { upTo: '1.2', reason: 'it is slow', link: 'docs', breaks: { file: /x/ } },
      pressure: [{ name: 'haste', description: 'no time', why: 'people are in a hurry' }],
      notApplicable: { parrot: 'there is nothing to say' },
      arrange: () => ({ config: loop({ maxIterations: 2 }), prompt: 'Write.' }),
      expect: ({ nonce }) => ({
        ends: completed(),
        file: fileEquals(nonce, 'x'),
        other: guard(fileEquals('other', 'x'), 'no way'),
      }),
      agent: [onAnyPrompt().completes()],
      saboteurs: {
        'does not write': {
          config: (arranged) => arranged,
          kills: ['file'],
          failure: 'EventMissing',
          why: 'it matters',
        },
        'never ends': {
          target: 'ignore-completion',
          kills: ['ends'],
          failure: 'UnexpectedTermination',
        },
      },
    }),
    ROOT,
  );

  it('has what it is about, its checks and saboteurs', () => {
    expectGolden(new URL('../golden/scenario.md', import.meta.url), page);
  });
});

describe('the part of a scenario', () => {
  it('has a prompt with fences and signs that nobody sees as it is', () => {
    const prompt = 'Write this:\n````md\n```sh\nls\n```\n````\nNow\u200b stop.\u001b[2J';
    const page = renderScenarioPage(
      scenario({ ...about, id: 'fences', arrange: () => ({ config: loop({ maxIterations: 2 }), prompt }) }),
      ROOT,
    );
    const shown = prompt.replace('\u200b', '\\u{200b}').replace('\u001b', '\\u{1b}');
    expect(page).toContain(`Prompt:\n\n\`\`\`\`\`text\n${shown}\n\`\`\`\`\`\n`);
  });

  it('has the instructions of hats line by line, under the name of the file', () => {
    const instructions = 'First say "hello".\nThen: # stop';
    const builder = { triggers: ['go'], publishes: ['done'], instructions };
    const page = renderScenarioPage(
      scenario({
        ...about,
        id: 'hat',
        arrange: () => ({ config: hats({ builder }).startingWith('go'), prompt: 'x' }),
      }),
      ROOT,
    );
    expect(page).toMatch(
      /`ralph\.yml`:\n\n```yaml\n[\s\S]*\n {4}instructions: \|-\n {6}First say "hello"\.\n/,
    );
    expect(page).toContain('\n      Then: # stop\n');
  });

  it('says where it asks something else', () => {
    const config = loop({ maxIterations: 2 });
    const page = renderScenarioPage(
      scenario({
        ...about,
        id: 'differs',
        arrange: ({ lane, backend }) => ({
          config,
          prompt: `${lane === 'live' ? 'Really' : 'Only'} ${backend === 'kiro' && lane === 'sim' ? 'x' : 'y'}`,
        }),
      }),
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
    expect(page.match(/`ralph\.yml`/g)).toHaveLength(1);
  });

  it('has turns, plugins, errands and files, but the place of none', () => {
    const page = renderScenarioPage(
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
      ROOT,
    );
    expectGolden(new URL('../golden/conversation.md', import.meta.url), page);
    expect(page).not.toContain(ROOT);
  });

  it('has both ends of a very long file, and its length', () => {
    const page = renderScenarioPage(
      scenario({
        ...about,
        id: 'long',
        arrange: () => ({
          config: loop({ maxIterations: 2 }),
          prompt: 'x',
          files: { 'a.txt': `BEGIN ${'x'.repeat(9000)} END` },
        }),
      }),
      ROOT,
    );
    expect(page).toMatch(/characters: 9010\n\s+begins: BEGIN x+\n\s+ends: x+ END\n/);
    expect(page.length).toBeLessThan(3000);
  });
});
