import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../scenarios/index.js';
import { completed, fileEquals, guard, loop, onAnyPrompt, scenario } from '../../src/authoring.js';
import { renderScenarioDocs } from '../../src/report/scenario-docs.js';

const DOCS_FILE = new URL('../../docs/scenarios.md', import.meta.url);

it('docs/scenarios.md is up to date (UPDATE_DOCS=1 writes it)', () => {
  if (process.env.UPDATE_DOCS === '1') writeFileSync(DOCS_FILE, renderScenarioDocs(catalogue));
  expect(readFileSync(DOCS_FILE, 'utf8')).toBe(renderScenarioDocs(catalogue));
});

describe('the page of a scenario', () => {
  const page = renderScenarioDocs([
    scenario({
      id: 'writes-a-file',
      backend: 'kiro',
      tier: 4,
      priority: 'should',
      phase: 'pressure',
      description: 'The agent writes | a file',
      covers: ['FR7'],
      lanes: ['sim'],
      knownIssue: { upTo: '1.2', reason: 'it is slow', link: 'docs', breaks: [] },
      pressure: [{ name: 'haste', description: 'no time', why: 'people are in a hurry' }],
      notApplicable: { parrot: 'there is nothing to say' },
      arrange: () => ({ config: loop({ maxIterations: 2 }), prompt: 'Write.' }),
      expect: ({ nonce }) => [completed(), fileEquals(nonce, 'x'), guard(fileEquals('other', 'x'), 'no way')],
      agent: [onAnyPrompt().completes()],
      saboteurs: {
        'does not write': {
          config: (arranged) => arranged,
          kills: ['nonce1234 has'],
          failure: 'EventMissing',
          why: 'it matters',
        },
        'never ends': { target: 'ignore-completion', kills: ['completed'], failure: 'UnexpectedTermination' },
      },
    }),
  ]);

  it.each([
    [
      'what it is about, safely',
      'The agent writes \\| a file. (should · pressure · on Kiro, only in the sim lane · covers FR7)',
    ],
    ['its known issue', 'Known issue up to version 1.2: it is slow'],
    ['its pressure', '**haste**, no time (people are in a hurry)'],
    [
      'a check with the saboteurs that must turn it red',
      '| nonce1234 has the expected content | `fileEquals` | a |',
    ],
    ['another check with another saboteur', '| the loop completes | `completed` | b |'],
    ['a guard with its reason', '| other has the expected content | `fileEquals` | guard: no way |'],
    [
      'what a saboteur breaks and why that matters',
      '- a: does not write (breaks what is arranged; EventMissing). it matters',
    ],
    ['the fault of a broken ralph', '(breaks ralph: `ignore-completion`; UnexpectedTermination)'],
    ['built-in saboteurs that make no sense', '- `parrot` is not applicable: there is nothing to say'],
    [
      'which requirement it covers',
      '| FR7: tools are used from end to end | [writes-a-file](#writes-a-file) |',
    ],
    [
      'requirements that nobody covers',
      '| FR8: streamed output is read (the JSON lines of Claude Code) | none |',
    ],
  ])('has %s', (_what, line) => {
    expect(page).toContain(line);
  });
});
