import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Check,
  completed,
  fileEquals,
  guard,
  loop,
  onAnyPrompt,
  onObjective,
  without,
} from '../../../src/authoring.js';
import type { Proof } from '../../../src/domain/proof/proof.js';
import type { Scenario } from '../../../src/domain/scenario/scenario.js';
import type { BackendId } from '../../../src/domain/vocabulary.js';
import { runScenarios } from '../../../src/harness/run-scenarios.js';
import { tempFolder } from '../../support/cli.js';
import { breaking, onlyBuiltIn, prove, shout } from './support.js';

const verdicts = ({ scenarios }: Proof) =>
  Object.fromEntries(
    scenarios.flatMap(({ saboteurs }) => saboteurs.map(({ name, verdict }) => [name, verdict])),
  );
const states = ({ scenarios }: Proof) => scenarios.flatMap(({ checks }) => checks.map(({ state }) => state));

const SILENT = breaking({ agent: without('says') }, 'agentSaid');
const IDLE = breaking({ agent: without('writes') }, 'fileEquals');
const NEVER_RED: Check = {
  kind: 'neverRed',
  name: 'all is well',
  category: 'Harness',
  judge: () => ({ passed: true, expected: 'anything', actual: 'anything' }),
};
const ENDLESS = breaking({ target: 'ignore-completion' }, 'completed');

describe('prove', () => {
  test('a sound scenario: everything noticed, everything proved, nothing left lying about', async () => {
    const catalogue = [
      shout({
        saboteurs: {
          'says nothing': SILENT,
          'writes nothing': IDLE,
          'never ends': ENDLESS,
          'another word': breaking(
            { config: (arranged) => ({ ...arranged, prompt: 'Shout other twice.' }) },
            'agentSaid',
            'fileEquals',
          ),
          'leaves a process behind': breaking({ target: 'leak-backend' }, 'nothingLeftBehind'),
          'stays after its end': breaking({ target: 'hang-after-completion' }, 'endedByItself'),
          'no rule fits': breaking({ agent: [onObjective(/nothing such/).completes()] }, 'scriptAnswered'),
        },
      }),
    ];
    const { proof, output, events } = await prove(catalogue);

    expect(proof.scenarios[0]?.oracle.outcome).toBe('passed');
    expect(new Set(Object.values(verdicts(proof)))).toEqual(new Set(['noticed']));
    expect(states(proof)).toEqual(['proved', 'proved', 'proved']);
    expect(proof.every_scenario.map(({ kind, state }) => [kind, state])).toEqual([
      ['endedByItself', 'proved'],
      ['nothingLeftBehind', 'proved'],
      ['recordsAgree', 'guard'],
      ['scriptAnswered', 'proved'],
    ]);
    expect([proof.passed, proof.complete, proof.totals.saboteurs]).toEqual([true, true, 15]);
    expect(proof.totals.processes_started).toBeGreaterThan(30);

    expect(JSON.parse(readFileSync(join(output, 'prove.json'), 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(proof)),
    );
    expect(readFileSync(join(output, 'prove.md'), 'utf8')).toMatch(/🟢 PROVED/);
    expect(readdirSync(output).filter((name) => name.startsWith('shout'))).toEqual([]);
    const [run = ''] = readdirSync(join(output, 'runs'));
    expect(readdirSync(join(output, 'runs', run, 'shout-claude'))).toEqual([]);
    expect([events[0], events[1], events.at(-1)]).toEqual(['start 1 on stand-in', '1/16 shout', 'end shout']);
    expect(events).toContainEqual(expect.stringMatching(/^16\/16 /));

    // The proof is told in the reports of this catalogue, and of no other.
    const known = await runScenarios(catalogue, { output });
    expect(known.proof).toMatchObject({ passed: true, checks: 3, proved: 3 });
    expect(readFileSync(join(output, 'report.md'), 'utf8')).toMatch(/3 of 3, by 15 saboteurs/);
    const other = await runScenarios([shout({ agent: [onAnyPrompt().completes()] })], { output });
    expect(other.proof).toBeNull();
  });

  test('checks that only changed evidence turns red alone are proved by it, if a run reaches them', async () => {
    const unbroken = shout({ saboteurs: {} });
    const { proof } = await prove([unbroken]);
    expect(states(proof)).toEqual(['proved', 'proved', 'proved']);
    expect(proof.scenarios[0]?.checks.map(({ killed_by, shown_by }) => [killed_by, shown_by])).toEqual([
      [[], expect.arrayContaining(['the loop ends for another reason'])],
      [[], expect.arrayContaining(['the agent says something else in iteration 1'])],
      [[], expect.arrayContaining(['shout.txt has another content', 'shout.txt does not exist'])],
    ]);
    expect([proof.totals.proved, proof.totals.proved_by_change]).toEqual([3, 3]);
    expect(verdicts(proof)).toMatchObject({ 'silent-ralph': 'noticed' });

    const unreached = shout({ saboteurs: {}, notApplicable: onlyBuiltIn() });
    expect(states((await prove([unreached], { variants: true })).proof)).toEqual(
      states(proof).map(() => 'unkilled'),
    );
  });

  test('a check that throws on changed evidence is not proved by it, and ends nothing', async () => {
    const fragile: Check = {
      ...NEVER_RED,
      judge: ({ files }) => {
        if (files.every(({ preview }) => preview === null || !preview.startsWith('WORD')))
          throw new TypeError('Cannot read this');
        return { passed: true, expected: 'anything', actual: 'anything' };
      },
    };
    const { proof } = await prove([shout({ saboteurs: {}, expect: () => ({ fragile }) })], { sorts: [] });
    expect(proof.scenarios[0]?.checks.map(({ state, shown_by }) => [state, shown_by])).toEqual([
      ['open', []],
    ]);
  });

  test('backends that are named are each proved on; by default each scenario is proved once', async () => {
    const made = shout({ notApplicable: onlyBuiltIn('claims-success') });
    const scenarios: Scenario[] = [{ ...made, backends: ['claude', 'kiro'], tiedToBackend: false }];
    const on = async (named: readonly BackendId[]) =>
      (
        await prove(scenarios, { backends: ['claude', 'kiro'], named, sorts: ['target'] })
      ).proof.scenarios.map(({ id, backend, oracle }) => [id, backend, oracle.outcome]);
    expect(await on([])).toEqual([['shout', 'claude', 'passed']]);
    expect(await on(['claude', 'kiro'])).toEqual([
      ['shout', 'claude', 'passed'],
      ['shout', 'kiro', 'passed'],
    ]);
  });

  test('what is wrong with a scenario is named, and its runs are kept to look at', async () => {
    const { proof, output } = await prove([
      shout({
        notApplicable: onlyBuiltIn('claims-success'),
        expect: ({ nonce }) => [
          completed(),
          fileEquals('shout.txt', nonce.toUpperCase()),
          guard(NEVER_RED, 'nothing turns it red'),
        ],
        saboteurs: {
          'says nothing': SILENT,
          'changes nothing': breaking({ agent: (script) => ({ ...script }) }, 'completed'),
          'arranges the same': breaking({ config: (arranged) => ({ ...arranged }) }, 'completed'),
          'a fault without hats': breaking({ target: 'drop-hat-instructions' }, 'completed'),
          'still writes': breaking({ agent: without('says', 'completes') }, 'completed', 'fileEquals'),
          'harms nobody': breaking({ agent: (script) => ({ ...script, name: 'another name' }) }, 'completed'),
        },
      }),
    ]);
    expect(verdicts(proof)).toMatchObject({
      'claims-success': 'noticed',
      parrot: 'not-applicable',
      'says nothing': 'survived',
      'changes nothing': 'ineffective',
      'arranges the same': 'ineffective',
      'a fault without hats': 'ineffective',
      'still writes': 'missed',
      'harms nobody': 'survived',
    });
    expect(proof.passed).toBe(false);
    expect(proof.survivors.map(({ saboteur }) => saboteur)).toEqual(['says nothing', 'harms nobody']);
    expect(proof.missed_kills.map(({ missed }) => missed)).toEqual([
      ['"shout.txt has the expected content" still passed'],
    ]);
    expect(proof.ineffective.map(({ reason }) => reason.slice(0, 30))).toEqual([
      'it does not change the agent s',
      'it does not change the arrange',
      'the fault drop-hat-instruction',
    ]);
    expect(states(proof)).toEqual(['proved', 'proved', 'guard']);
    expect(proof.guards.map(({ reason }) => reason)).toEqual(['nothing turns it red']);
    expect(proof.not_applicable).toHaveLength(7);
    const kept = proof.scenarios[0]?.saboteurs.find(({ name }) => name === 'harms nobody')?.artifacts ?? '';
    expect(existsSync(join(kept, 'evidence.json'))).toBe(true);
    expect(readdirSync(output).filter((name) => name.startsWith('shout'))).toEqual([]);
  });

  test('a scenario that fails by itself is told, and no saboteur is tried on it', async () => {
    const { proof, events } = await prove([
      shout({ agent: [onAnyPrompt().completes()], saboteurs: { x: ENDLESS } }),
    ]);
    expect(proof.failed_oracles.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/the agent says .* expected/),
    ]);
    expect(new Set(Object.values(verdicts(proof)))).toEqual(new Set(['not-tried']));
    expect(states(proof)).toEqual(['open', 'open', 'open']);
    expect(proof.passed).toBe(false);
    expect(events).toEqual(['start 1 on stand-in', '1/1 shout', 'end shout']);
  });

  test('leftovers of the good run really lie in the workspace', async () => {
    const careless = shout({
      notApplicable: onlyBuiltIn('leftovers'),
      // Does not look who wrote the file, nor when.
      arrange: () => ({ config: loop({ maxIterations: 2 }), prompt: 'Shout hello twice.' }),
      expect: () => [fileEquals('shout.txt', 'HELLO')],
    });
    const { proof } = await prove([careless]);
    const leftovers = proof.scenarios[0]?.saboteurs.find(({ name }) => name === 'leftovers');
    expect(leftovers).toMatchObject({ killed: [], verdict: 'survived' });
  });

  test('a known issue is no failure, hides no saboteur, and its checks count as neither proved nor open', async () => {
    const known = shout({
      notApplicable: onlyBuiltIn('does-nothing'),
      knownIssue: {
        upTo: '2.10.1',
        reason: 'never writes it',
        link: 'docs',
        breaks: { fileEquals: /^no such file/ },
      },
      agent: [
        onObjective(/Shout (\w+) twice/)
          .says('{{upper 1}}')
          .completes(),
      ],
      saboteurs: {
        'says nothing': SILENT,
        'never ends': ENDLESS,
        'writes to another place': breaking(
          { agent: (script) => ({ ...script, name: 'same' }) },
          'fileEquals',
        ),
      },
    });
    const { proof } = await prove([known]);
    expect(proof.scenarios[0]?.oracle).toMatchObject({
      outcome: 'known-issue',
      broken: ['shout.txt has the expected content'],
    });
    expect(states(proof)).toEqual(['proved', 'proved', 'known-issue']);
    expect(verdicts(proof)).toMatchObject({
      'does-nothing': 'noticed',
      'says nothing': 'noticed',
      'writes to another place': 'masked',
    });
    expect(proof.survivors).toEqual([]);
    expect(proof.failed_oracles).toEqual([]);
  });

  test('a known issue that no longer occurs keeps no check from being proved', async () => {
    const gone = shout({
      notApplicable: onlyBuiltIn('does-nothing'),
      knownIssue: {
        upTo: '2.10.1',
        reason: 'never writes it',
        link: 'docs',
        breaks: { fileEquals: /^no such file/ },
      },
      saboteurs: {
        'says nothing': SILENT,
        'never ends': ENDLESS,
        'writes nothing': breaking({ agent: without('writes') }, 'fileEquals'),
      },
    });
    const { proof } = await prove([gone]);
    expect(proof.scenarios[0]?.oracle).toMatchObject({ outcome: 'passed', broken: [] });
    expect(states(proof)).toEqual(['proved', 'proved', 'proved']);
    expect(proof.failed_oracles).toEqual([]);
  });

  test('only the kinds that are asked for are tried; what they leave open is open', async () => {
    const catalogue = [
      shout({
        saboteurs: { 'says nothing': SILENT, 'never ends': ENDLESS },
        notApplicable: { 'silent-ralph': 'not in this test' },
      }),
    ];
    const { proof } = await prove(catalogue, { sorts: ['target'] });
    expect(verdicts(proof)).toMatchObject({
      parrot: 'left-out',
      'says nothing': 'left-out',
      'never ends': 'noticed',
    });
    expect(states(proof)).toEqual(['proved', 'open', 'open']);
    expect(proof.left_out).toHaveLength(8);
  });

  test('each scenario is proved once, on its first backend or the one that is named', async () => {
    const everywhere = {
      ...shout({ notApplicable: onlyBuiltIn('does-nothing') }),
      backends: ['claude', 'kiro'] as const,
    };
    const [first, named] = [await prove([everywhere]), await prove([everywhere], { backends: ['kiro'] })];
    expect([first, named].map(({ proof }) => proof.scenarios.map(({ backend }) => backend))).toEqual([
      ['claude'],
      ['kiro'],
    ]);
  });

  test('an interrupted proof tells what was done so far', async () => {
    const controller = new AbortController();
    const catalogue = [shout({ saboteurs: { 'says nothing': SILENT } })];
    const { proof, output } = await prove(catalogue, {
      jobs: 1,
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === 'run-finished' && event.done === 3) controller.abort();
      },
      output: tempFolder(),
    });
    expect([proof.interrupted, proof.passed]).toEqual([true, false]);
    const told = Object.values(verdicts(proof));
    expect(told.filter((verdict) => verdict === 'noticed').length).toBeGreaterThan(0);
    expect(told).toContain('not-tried');
    expect(proof.scenarios[0]?.oracle.outcome).toBe('passed');
    expect(existsSync(join(output, 'prove.json'))).toBe(true);
    expect((await runScenarios(catalogue, { output })).proof).toBeNull();
  });
});
