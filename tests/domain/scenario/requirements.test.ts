import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../scenarios/index.js';
import {
  type Arrangement,
  completed,
  fileEquals,
  guard,
  loop,
  onAnyPrompt,
  type Saboteur,
  scenario,
} from '../../../src/authoring.js';
import { proofSchema } from '../../../src/domain/proof/proof.js';
import {
  FUNCTIONAL_REQUIREMENTS,
  isPluginRequirement,
  listUnclaimed,
  listUncovered,
} from '../../coverage/functional-requirements.js';

/**
 * The requirements for the harness itself, and the tests that enforce them. If such a test is renamed or removed, this
 * file fails.
 */
const NON_FUNCTIONAL: Record<
  string,
  { what: string; tests: readonly (readonly [file: string, name: string])[] }
> = {
  NFR1: {
    what: 'started by hand: one command, no server, no CI',
    tests: [
      ['e2e/live-lane.test.ts', 'passes a scenario that the CLIs on PATH play'],
      ['e2e/usage.test.ts', '--version and --help'],
    ],
  },
  NFR2: {
    what: 'output on the terminal that people like to read',
    tests: [
      ['report/golden.test.ts', 'on a %s terminal'],
      ['report/terminal/terminal.test.ts', 'has colours only when asked for'],
    ],
  },
  NFR3: {
    what: 'structured reports, markdown and JSON',
    tests: [
      ['report/json.test.ts', 'fits the published schema'],
      ['report/golden.test.ts', 'as $file'],
      [
        'e2e/mock-run.test.ts',
        'writes only the reports that are asked for, and leaves none of an earlier run beside them',
      ],
    ],
  },
  NFR4: {
    what: 'tests are isolated in workspaces under .e2e-tests/',
    tests: [
      [
        'workspace/create-workspace.test.ts',
        'makes a git repo of its own with one commit that holds everything',
      ],
      [
        'workspace/create-workspace.test.ts',
        'takes nothing from the git environment and configuration of the user',
      ],
      [
        'workspace/create-workspace.test.ts',
        'empties a workspace of an earlier run, write-protected folders included',
      ],
    ],
  },
  NFR5: {
    what: 'the login of the CLI first, credential variables where there is none',
    tests: [
      ['backends/probe.test.ts', 'goes before a credential variable'],
      ['e2e/live-lane.test.ts', 'takes a credential variable where there is no login, and names it'],
    ],
  },
  NFR6: {
    what: 'scenarios are code; a run needs no configuration file',
    tests: [['e2e/mock-run.test.ts', 'passes on the stand-ins and says that they are stand-ins']],
  },
  NFR7: {
    what: 'the workspace folder ignores itself',
    tests: [
      [
        'workspace/workspace-root.test.ts',
        'makes the folder, which ignores itself in any repo, and opens it again',
      ],
    ],
  },
  NFR8: {
    what: 'reports that an agent can read and act on',
    tests: [
      ['report/markdown/markdown.test.ts', 'stays under 40 KB, and counts what it leaves out'],
      [
        'report/markdown/markdown.test.ts',
        'lets no text of agent or target out of its place, wherever it stands',
      ],
    ],
  },
  NFR9: {
    what: 'reports with the whole context: prompts, output, configuration',
    tests: [['report/golden.test.ts', 'as %s']],
  },
  NFR10: {
    what: 'reports with suggestions for each failure',
    tests: [
      [
        'report/model/build-report.test.ts',
        'repeat the run for each failed test, quoted so that they can be pasted',
      ],
      ['e2e/run-control.test.ts', 'the command that a report prints can be pasted'],
    ],
  },
};

describe('what the harness must be like', () => {
  test('has an entry for NFR1 to NFR10', () => {
    expect(Object.keys(NON_FUNCTIONAL)).toEqual(Array.from({ length: 10 }, (_, index) => `NFR${index + 1}`));
  });

  const rows = Object.entries(NON_FUNCTIONAL).flatMap(([id, { what, tests }]) =>
    tests.map(([file, name]) => ({ id, what, file, name })),
  );
  test.each(rows)('$id, $what: $file has "$name"', ({ file, name }) => {
    const source = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');
    const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    expect(source).toMatch(new RegExp(`(?:^\\s*(?:test|it)|\\))\\(\\s*'${escaped}'`, 'm'));
  });
});

describe('what Ralph must be shown to do', () => {
  // A proof of the whole catalog is named here. It shows what the saboteurs only claim.
  const path = process.env.RALPH_E2E_PROOF ?? '';

  test(`every requirement has a scenario whose checks all ${path === '' ? 'have a saboteur' : 'are proved'}`, () => {
    expect(listUncovered(catalogue, path === '' ? isClaimed : readProof(path))).toEqual([]);
  });

  test('every requirement that a scenario names exists', () => {
    const named = new Set(catalogue.flatMap(({ covers }) => covers));
    expect([...named].filter((id) => !(id in FUNCTIONAL_REQUIREMENTS || isPluginRequirement(id)))).toEqual(
      [],
    );
  });
});

function isClaimed(id: string): boolean {
  return catalogue.some((scenario) => scenario.id === id && listUnclaimed(scenario).length === 0);
}

function readProof(path: string): (id: string) => boolean {
  const { scenarios, complete } = proofSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  expect(complete).toBe(true);
  return (id) =>
    scenarios.some(
      (one) =>
        one.id === id &&
        one.oracle.outcome === 'passed' &&
        one.checks.every(({ state }) => state === 'proved' || state === 'guard'),
    );
}

describe('the way this is found out', () => {
  const made = (saboteurs: Record<string, Saboteur<Arrangement, 'ends' | 'file'>>, covers = ['FR7']) =>
    scenario({
      id: 'made',
      tier: 1,
      priority: 'must',
      phase: 'green',
      description: 'made',
      covers,
      arrange: () => ({ config: loop({ maxIterations: 2 }), prompt: 'x' }),
      expect: () => ({
        ends: completed(),
        file: fileEquals('a.txt', 'x'),
        guarded: guard(fileEquals('b.txt', 'x'), 'because'),
      }),
      agent: [onAnyPrompt().completes()],
      saboteurs,
    });
  const killing = (kill: 'ends' | 'file') =>
    ({ target: 'crash', kills: [kill], failure: 'BackendError' }) as const;

  test('a check that no saboteur names is found, guards aside', () => {
    expect(listUnclaimed(made({}))).toEqual(['the loop completes', 'a.txt has the expected content']);
    expect(listUnclaimed(made({ x: killing('ends') }))).toEqual(['a.txt has the expected content']);
    expect(listUnclaimed(made({ x: killing('ends'), y: killing('file') }))).toEqual([]);
  });

  test('a requirement counts as covered only by what is proved', () => {
    const all = Object.keys(FUNCTIONAL_REQUIREMENTS);
    expect(listUncovered([made({}, all)], () => true)).toEqual([]);
    expect(listUncovered([made({}, all)], () => false)).toEqual(all);
    expect(listUncovered([made({}, all.slice(1))], () => true)).toEqual(['FR1']);
  });
});
