import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../scenarios/index.js';
import { completed, fileEquals, guard, loop, onAnyPrompt, scenario } from '../../../src/authoring.js';
import { packageRoot } from '../../../src/exec/files/package-root.js';
import { renderScenarioDocs } from '../../../src/report/scenarios/docs.js';

const ROOT = packageRoot();
const DOCS_FILE = join(ROOT, 'docs', 'scenarios.md');

it('docs/scenarios.md is up to date (UPDATE_DOCS=1 writes it)', () => {
  if (process.env.UPDATE_DOCS === '1') writeFileSync(DOCS_FILE, renderScenarioDocs(catalogue, ROOT));
  const wanted = renderScenarioDocs(catalogue, ROOT);
  const found = readFileSync(DOCS_FILE, 'utf8');
  // The first lines that differ say more than a comparison of ten thousand.
  expect(findDifference(found, wanted)).toBeNull();
  expect(found === wanted).toBe(true);
});

describe('the page of a scenario', () => {
  const page = renderScenarioDocs(
    [
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
    ],
    ROOT,
  );

  it.each([
    [
      'what it is about, safely',
      'The agent writes \\| a file. (should · pressure · on Kiro, only in the sim lane · covers FR7)',
    ],
    ['its known issue', 'Known issue up to version 1.2: it is slow'],
    ['its pressure', '**haste**, no time (people are in a hurry)'],
    [
      'a check with the saboteurs that must turn it red',
      '| `file` | nonce1234 has the expected content | `fileEquals` | a |',
    ],
    ['another check with another saboteur', '| `ends` | the loop completes | `completed` | b |'],
    [
      'a guard with its reason',
      '| `other` | other has the expected content | `fileEquals` | guard: no way |',
    ],
    [
      'what a saboteur breaks and why that matters',
      '- a: does not write (breaks the configuration; EventMissing). it matters',
    ],
    ['the fault of a broken ralph', '(breaks Ralph: `ignore-completion`; UnexpectedTermination)'],
    ['built-in saboteurs that make no sense', '- `parrot` is not applicable: there is nothing to say'],
    [
      'which requirement it covers',
      '| FR7: the agent uses tools from end to end | [writes-a-file](#writes-a-file) |',
    ],
    [
      'requirements that nobody covers',
      '| FR8: Ralph reads streamed output (the JSON lines of Claude Code) | none |',
    ],
  ])('has %s', (_what, line) => {
    expect(page).toContain(line);
  });
});

function findDifference(found: string, wanted: string): object | null {
  const [there, here] = [found.split('\n'), wanted.split('\n')];
  const line = here.findIndex((text, index) => text !== there[index]);
  const first = line === -1 && there.length > here.length ? here.length : line;
  return first === -1 ? null : { line: first + 1, found: there[first], wanted: here[first] };
}
