import {
  completed,
  fileEquals,
  hatSequence,
  hats,
  onEvent,
  onHat,
  onObjective,
  pendingEvents,
  promptContained,
  publishedByRalph,
  type Scenario,
  scenario,
} from '../../src/authoring.js';
import { emitting, withoutEmitting } from '../support/agent-changes.js';
import { MECHANICS } from '../support/commands.js';
import { ignoresCompletion } from '../support/saboteurs.js';
import { buildEvidence } from '../support/texts.js';

/* Which events Ralph accepts from a hat. */

/** The other half of issue 193: an enforced scope lets through what it should. */
const declared = scenario({
  ...MECHANICS,
  id: 'hat-scope-declared',
  description:
    'With an enforced scope, declared events pass, others are dropped one by one, and Ralph may publish anything',
  covers: ['FR17'],
  expectedIterations: 4,

  arrange: ({ nonce }) => ({
    config: hats(
      {
        builder: {
          triggers: ['build.request'],
          publishes: ['build.*'],
          instructions: 'Publish build.part and deploy.request.',
        },
        checker: {
          triggers: ['build.part'],
          publishes: ['check.finished'],
          instructions: 'Publish check.finished and the completion.',
        },
        deployer: { triggers: ['deploy.request'], publishes: [], instructions: 'Deploy.' },
      },
      { maxIterations: 6, enforceHatScope: true },
    ).startingWith('build.request'),
    prompt: `Have ${nonce} built.`,
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    hats: hatSequence('builder', 'checker', 'ralph', 'ralph'),
    passed: pendingEvents(['build.part', 'builder.scope_violation'], { iteration: 2 }),
    report: promptContained(
      `Event: builder.scope_violation - Attempted to publish 'deploy.request': ${nonce}`,
      {
        iteration: 2,
      },
    ),
    completion: pendingEvents(['checker.scope_violation', 'check.finished'], { iteration: 3 }),
    free: pendingEvents(['any.thing'], { iteration: 4 }),
  }),

  agent: [
    onHat('Builder')
      .reads(/^> Have (\w+) built\.$/m)
      .emits('build.part', 'wall')
      .emits('deploy.request', '{{1}}'),
    onHat('Checker').emits('check.finished', 'good').emits('LOOP_COMPLETE', 'done'),
    onHat('Deployer').completes(),
    onEvent('any.thing').emits('LOOP_COMPLETE', 'done'),
    onEvent('check.finished').emits('any.thing', 'more'),
    onObjective(/Have \w+ built/).says('I have nothing to do.'),
  ],

  saboteurs: {
    'the scope is not enforced': {
      target: 'ignore-hat-scope',
      kills: ['hats', 'passed', 'report', 'completion'],
    },
    'Ralph publishes nothing': {
      agent: withoutEmitting('any.thing'),
      kills: ['free'],
      failure: 'EventMissing',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});

/** The prompt of such a hat says: "File modifications are audited after each iteration." */
const audit = scenario({
  ...MECHANICS,
  id: 'hat-tool-audit',
  description: 'A hat that may not edit and leaves changed files behind is reported with what it changed',
  covers: ['FR17'],
  expectedIterations: 2,

  knownIssue: {
    upTo: '2.10.1',
    reason:
      'Ralph audits the changes of the coordinator, who has no restrictions, instead of those of the active hat',
    link: 'docs/ralph-behavior.md',
    breaks: { audited: /^pending: read\.finished; /, changes: /^found in 0 of 1 prompt/ },
  },

  arrange: ({ nonce }) => ({
    files: { 'plan.txt': 'walls\n' },
    config: hats({
      reader: {
        triggers: ['read.request'],
        publishes: ['read.finished'],
        disallowedTools: ['Edit', 'Write'],
        instructions: `Write ${nonce} to plan.txt.`,
      },
    }).startingWith('read.request'),
    prompt: 'Have the plan read.',
  }),

  expect: ({ nonce }) => ({
    ends: completed(),
    hats: hatSequence('reader', 'ralph'),
    file: fileEquals('plan.txt', nonce),
    audited: publishedByRalph('reader.scope_violation', { iteration: 2 }),
    changes: promptContained(/^Event: reader\.scope_violation - [\s\S]*plan\.txt/m, { iteration: 2 }),
  }),

  agent: [
    onHat('Reader')
      .reads(/^Write (\w+) to plan\.txt\.$/m)
      .runs('echo {{1}} > plan.txt; ralph emit read.finished "done"'),
    onEvent('read.finished').completes(),
    onObjective(/Have the plan read/).completes(),
  ],

  notApplicable: {
    'forged-output': 'the known issue breaks the checks that would notice',
    'by-hand': 'this tests what Ralph does after the iteration, and not the commands of Ralph',
  },

  saboteurs: {
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});

const EVIDENCE = buildEvidence(10);

/** The gates hold between hats, too: what is refused goes to the hat that waits for the refusal. */
const gated = scenario({
  ...MECHANICS,
  id: 'hat-gates',
  description:
    'A build without evidence activates the hat that fixes it, and one with evidence the hat that reviews it',
  covers: ['FR11', 'FR17'],
  expectedIterations: 4,

  arrange: () => ({
    config: hats(
      {
        builder: {
          triggers: ['build.request'],
          publishes: ['build.done'],
          instructions: 'Publish build.done without evidence.',
        },
        fixer: {
          triggers: ['build.blocked'],
          publishes: ['build.done'],
          instructions: 'Publish build.done with evidence.',
        },
        reviewer: {
          triggers: ['build.done'],
          publishes: ['verdict.given'],
          instructions: 'Publish verdict.given.',
        },
      },
      { maxIterations: 6 },
    ).startingWith('build.request'),
    prompt: 'Have something built.',
  }),

  expect: () => ({
    ends: completed(),
    hats: hatSequence('builder', 'fixer', 'reviewer', 'ralph'),
    refused: publishedByRalph('build.blocked', { iteration: 2 }),
    accepted: promptContained(`\nEvent: build.done - ${EVIDENCE}\n`, { iteration: 3 }),
  }),

  agent: [
    onHat('Builder').emits('build.done', 'trust me'),
    onHat('Fixer').emits('build.done', EVIDENCE),
    onHat('Reviewer').emits('verdict.given', 'good'),
    onEvent('verdict.given').completes(),
    onObjective(/Have something built/).says('I have nothing to do.'),
  ],

  exempt: { 'longer-payload': 'the payload is the evidence, and more words make it another one' },

  saboteurs: {
    'ralph believes any claim': { target: 'accept-any-build-done', kills: ['hats', 'refused'] },
    'the evidence is not good enough': {
      agent: emitting('build.done', { payload: EVIDENCE.replace('complexity: 10', 'complexity: 10.5') }),
      kills: ['accepted', 'hats', 'ends'],
      failure: 'EventMissing',
    },
    'completion does not end the loop': ignoresCompletion('ends', 'hats'),
  },
});

export const scopes: readonly Scenario[] = [declared, audit, gated];
