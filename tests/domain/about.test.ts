import { describe, expect, it } from 'vitest';
import { TURN_DEVIATIONS } from '../../src/analyze/fault/conversation.js';
import { DEVIATIONS } from '../../src/analyze/fault/explain.js';
import { type About, aboutSchema, type Check, judgeAll, nameChecks } from '../../src/domain/check.js';
import * as common from '../../src/domain/checks/index.js';
import { statesKept } from '../../src/kinds/conversation/checks/check-turn.js';
import * as conversation from '../../src/kinds/conversation/checks/index.js';
import * as loop from '../../src/kinds/ralph/checks/index.js';
import { attempt } from '../report/support/journal.js';

const ralph = { ...common, ...loop };
const { evidence } = attempt();
if (evidence === null) throw new Error('an attempt with evidence expected');

/** Each kind of check with its facts, or undefined if it has none. */
const FACTS: readonly (readonly [Check, About | undefined])[] = [
  [ralph.agentSaid('hi'), { text: 'hi' }],
  [ralph.agentSaid(/h/i, { iteration: 2 }), { iteration: 2, pattern: '/h/i' }],
  [ralph.promptContained('go', { iteration: 1 }), { iteration: 1, text: 'go' }],
  [ralph.hatActive('builder', { iteration: 3 }), { iteration: 3, hat: 'builder' }],
  [ralph.backendReported('401'), { text: '401' }],
  [ralph.completed(), { reason: 'completed' }],
  [ralph.terminatedBecause('max_cost', 2), { reason: 'max_cost', exitCode: 2 }],
  [ralph.failedToRun(1, /no/), { pattern: '/no/' }],
  [ralph.iterationCount(4), { limit: 4 }],
  [ralph.iterationLasted(2, 9), { iteration: 2, limit: 9 }],
  [
    ralph.errandAnswered('tools memory list', { stdout: 'a' }),
    { names: ['tools memory list'], exitCode: 0, text: 'a' },
  ],
  [ralph.errandAnswered('x', { stdout: 'a', stderr: 'b' }), { names: ['x'], exitCode: 0, texts: ['a', 'b'] }],
  [ralph.errandAnswered('x', { json: { a: 1 } }), { names: ['x'], exitCode: 0, text: '{a: 1}' }],
  [ralph.fileHasJson('a.json', { b: [/c/, null] }), { path: 'a.json', text: '{b: [/c/, null]}' }],
  [ralph.fileHasJson('a.json', 1, { times: 2 }), { path: 'a.json', text: '1', limit: 2 }],
  [ralph.printedJson({ type: 'x' }, { times: 1 }), { text: '{type: "x"}', limit: 1 }],
  [ralph.printedOnlyJson(), undefined],
  [ralph.memoriesListed('x', ['b', 'a']), { names: ['x'], texts: ['a', 'b'] }],
  [ralph.eventEmitted('a.b'), { topic: 'a.b' }],
  [ralph.eventEmitted('a.b', /1/), { topic: 'a.b', pattern: '/1/' }],
  [ralph.eventsInOrder('a.b', 'c.d'), { topics: ['a.b', 'c.d'] }],
  [ralph.fileContains('a.txt', 'x'), { path: 'a.txt', text: 'x' }],
  [ralph.fileEquals('a.txt', 'x'), { path: 'a.txt', text: 'x' }],
  [ralph.scratchpadContains('x'), { text: 'x' }],
  [ralph.harnessWouldSkip(/out/), { pattern: '/out/' }],
  [ralph.backendNeverCalled(), undefined],
  [ralph.nothingLeftBehind(), undefined],
  [ralph.recordsAgree(), undefined],
  [ralph.endedByItself(), undefined],
  [ralph.scriptAnswered(), undefined],
  [ralph.stayedInside(), undefined],
  [ralph.hatSequence('a', 'b'), { hats: ['a', 'b'] }],
  [ralph.hatNeverActive('a'), { hat: 'a' }],
  [ralph.toldOnlyTo('a', 'x'), { hat: 'a', text: 'x' }],
  [ralph.toldToNobody('x'), { text: 'x' }],
  [ralph.toldTimes(2, 'x'), { limit: 2, text: 'x' }],
  [ralph.toldFrom(2, 'x'), { iteration: 2, text: 'x' }],
  [ralph.publishedByRalph('a.b', { iteration: 2 }), { topic: 'a.b', iteration: 2 }],
  [ralph.hatRanOn('a', 'kiro'), { hat: 'a', names: ['kiro'] }],
  [ralph.hatCalledWithout('a', '--model'), { hat: 'a', texts: ['--model'] }],
  [ralph.hatCalledWith('a', '--model', 'm'), { hat: 'a', texts: ['--model', 'm'] }],
  [ralph.promptLacked('x', { iteration: 2 }), { iteration: 2, text: 'x' }],
  [ralph.promptExceeds(7), { limit: 7 }],
  [ralph.cutOffBefore('x', { after: 'y' }), { texts: ['y', 'x'] }],
  [ralph.iterationEndedWithin(2, 9), { iteration: 2, limit: 9 }],
  [ralph.countsOnFrom(4), { limit: 4 }],
  [ralph.earlierSessionEnded(2), undefined],
  [ralph.printedAtLeast(7), { limit: 7 }],
  [ralph.memoryStored({ content: 'x', type: 'fix' }), { text: 'x' }],
  [ralph.memoryAbsent('x'), { text: 'x' }],
  [ralph.memoryInjected({ content: 'x' }, { iteration: 2 }), { iteration: 2, text: 'x' }],
  [ralph.keptOutOfPrompt('x'), { text: 'x' }],
  [ralph.noMemoriesInjected({ iteration: 2 }), { iteration: 2 }],
  [ralph.memoryBudgetKept(50), { limit: 50 }],
  [ralph.pendingEvents(['a.b'], { iteration: 2 }), { topics: ['a.b'], iteration: 2 }],
  [ralph.pendingAfter('try.x', { topic: 'a.b', payload: 'p' }), { topics: ['try.x', 'a.b'], text: 'p' }],
  [ralph.pendingEvents(['a.b']), { topics: ['a.b'] }],
  [ralph.iterationsAtLeast(3), { limit: 3 }],
  [ralph.endedAtOnce(), {}],
  [ralph.endedAtOnce('x'), { text: 'x' }],
  [ralph.iterationLasted('last', 3), { limit: 3 }],
  [ralph.iterationsAtMost(3), { limit: 3 }],
  [ralph.fileUntouched('a.txt'), { path: 'a.txt' }],
  [ralph.fileLacks('a.txt', /x/), { path: 'a.txt', pattern: '/x/' }],
  [ralph.endReported({ label: 'L', status: 'S', exitCode: 2, resumable: true }), { texts: ['L', 'S'] }],
  [ralph.pausedBefore(2, { atLeast: 3 }), { iteration: 2, limit: 3 }],
  [ralph.taskIs('Sweep', 'closed'), { task: 'Sweep' }],
  [ralph.toolUsed('Bash', { input: 'ls', iteration: 2 }), { tool: 'Bash', iteration: 2, text: 'ls' }],
  [ralph.saidInOrder('a', 'b'), { texts: ['a', 'b'] }],
  [ralph.usageReported({ turns: 2 }), { limit: 2 }],
  [ralph.anyOf('either', ralph.fileEquals('a.txt', 'x'), ralph.agentSaid('x')), { text: 'x' }],
  [ralph.allOf('both', ralph.fileUntouched('a'), ralph.fileUntouched('b')), {}],
  [conversation.commitsMade(2), { limit: 2 }],
  [
    conversation.commitIs(1, { message: 'm', only: 'src/**', turn: 3 }),
    { text: 'm', path: 'src/**', turn: 3 },
  ],
  [conversation.nothingOdd('repeated-call'), { names: ['repeated-call'] }],
  [conversation.oddityFound('repeated-call', 2), { turn: 2, names: ['repeated-call'] }],
  [conversation.fileSeen(2, 'a.txt', 'read'), { turn: 2, path: 'a.txt', names: ['read'] }],
  [statesKept(), undefined],
  [conversation.fileAfterTurn(2, 'a.txt', 'x'), { turn: 2, path: 'a.txt', text: 'x' }],
  [conversation.fileAfterTurn(2, 'a.txt', null), { turn: 2, path: 'a.txt' }],
  [conversation.turnChanges(2, 'a.txt', 'b/**'), { turn: 2, names: ['a.txt', 'b/**'] }],
  [conversation.turnChangesOnly(2), { turn: 2, names: [] }],
  [conversation.commandsWere('/plan', 'p:code'), { names: ['plan', 'p:code'] }],
  [conversation.commandsChained(), undefined],
  [conversation.devServerRan(), undefined],
  [conversation.modelReceived(2, 'x'), { turn: 2, text: 'x' }],
  [conversation.hookRan(1, 'PreToolUse:Bash'), { turn: 1, hook: 'PreToolUse', tool: 'Bash' }],
  [conversation.hookBlocked(1, 'Stop', 'no'), { turn: 1, hook: 'Stop', text: 'no' }],
  [conversation.callDenied(1, 'Bash'), { turn: 1, tool: 'Bash' }],
  [conversation.hookLogged('Stop', { atLeast: 2 }), { hook: 'Stop', limit: 2 }],
  [conversation.pluginLoaded('p'), { names: ['p'] }],
  [conversation.pluginFailed('x'), { text: 'x' }],
  [conversation.commandsOffered('p:a', 'p:b'), { names: ['p:a', 'p:b'] }],
  [conversation.componentsOffered({ agents: ['a'], skills: ['s'] }), { names: ['a', 's'] }],
  [conversation.mcpServerIs('s', 'failed', { because: /x/ }), { names: ['s'], pattern: '/x/' }],
  [conversation.stageReached('test', { turn: 2 }), { names: ['test'], turn: 2 }],
  [conversation.stageReached('test', { trigger: '/go' }), { names: ['test'], text: '/go' }],
  [conversation.stagesWere('a', 'b'), { names: ['a', 'b'] }],
  [conversation.noStageSkipped(), undefined],
  [conversation.stageNotReached('test'), { names: ['test'] }],
  [conversation.turnsCompleted(), { reason: 'completed' }],
  [conversation.turnEnded(2, 'blocked', 'x'), { turn: 2, reason: 'blocked', text: 'x' }],
  [conversation.turnMentions(1, ['a', 'b']), { turn: 1, texts: ['a', 'b'], limit: 1 }],
  [conversation.turnMentions(1, ['a', 'b'], { all: true }), { turn: 1, texts: ['a', 'b'], limit: 2 }],
  [conversation.turnSays(1, 'x'), { turn: 1, text: 'x' }],
  [conversation.turnSuggests(1, '/go'), { turn: 1, names: ['/go'] }],
  [conversation.turnUses(1, 'Read', 'Edit'), { turn: 1, tools: ['Read', 'Edit'] }],
  [conversation.turnAvoids(1, 'Edit'), { turn: 1, tools: ['Edit'] }],
  [conversation.toolAnswered(1, 'Bash', 'x'), { turn: 1, tool: 'Bash', text: 'x' }],
  [conversation.turnHandlesError(1, 'timeout'), { turn: 1, names: ['timeout'] }],
  [conversation.turnIsSpecific(1, 3), { turn: 1, limit: 3 }],
];

describe('the facts of a check', () => {
  it.each(FACTS.map(([check, about]) => [check.name, check, about] as const))('%s', (_name, check, about) => {
    expect(check.about).toEqual(about);
    // A journal keeps all of them.
    const [result] = judgeAll(nameChecks([check]), evidence);
    expect(result?.about).toEqual(about);
    expect(aboutSchema.optional().parse(check.about)).toEqual(about);
  });

  it('say by whose deviation it can fail, if it judges the agent', () => {
    const explained = new Set([...Object.keys(DEVIATIONS), ...Object.keys(TURN_DEVIATIONS)]);
    const kinds = FACTS.filter(([{ judges }]) => judges === 'agent').map(([{ kind }]) => kind);
    expect([...new Set(kinds)].filter((kind) => !explained.has(kind)).sort()).toMatchInlineSnapshot(`
      [
        "commitIs",
        "commitsMade",
        "fileAfterTurn",
        "saidInOrder",
        "turnAvoids",
        "turnChanges",
        "turnChangesOnly",
        "turnHandlesError",
        "turnIsSpecific",
        "turnSuggests",
        "turnUses",
      ]
    `);
  });

  it('say what it judges, unless the target owes it whatever the agent does', () => {
    const owed = FACTS.filter(([{ judges }]) => judges === undefined).map(([{ kind }]) => kind);
    expect([...new Set(owed)].sort()).toMatchInlineSnapshot(`
      [
        "allOf",
        "anyOf",
        "backendNeverCalled",
        "backendReported",
        "callDenied",
        "commandsChained",
        "commandsOffered",
        "commandsWere",
        "componentsOffered",
        "countsOnFrom",
        "cutOffBefore",
        "devServerRan",
        "earlierSessionEnded",
        "endedByItself",
        "errandAnswered",
        "failedToRun",
        "fileHasJson",
        "harnessWouldSkip",
        "hatCalledWith",
        "hatCalledWithout",
        "hatRanOn",
        "hookBlocked",
        "hookLogged",
        "hookRan",
        "iterationEndedWithin",
        "iterationLasted",
        "keptOutOfPrompt",
        "mcpServerIs",
        "memoryBudgetKept",
        "modelReceived",
        "noMemoriesInjected",
        "noStageSkipped",
        "nothingLeftBehind",
        "nothingOdd",
        "oddityFound",
        "pausedBefore",
        "pluginFailed",
        "pluginLoaded",
        "printedAtLeast",
        "printedJson",
        "printedOnlyJson",
        "promptExceeds",
        "promptLacked",
        "publishedByRalph",
        "recordsAgree",
        "scriptAnswered",
        "stageNotReached",
        "stageReached",
        "stagesWere",
        "statesKept",
        "stayedInside",
        "toolAnswered",
        "turnEnded",
        "turnsCompleted",
        "usageReported",
      ]
    `);
  });

  it('are known for every kind', () => {
    const kinds = [...Object.keys(ralph), ...Object.keys(conversation), 'statesKept'];
    expect([...new Set(FACTS.map(([{ kind }]) => kind))].sort()).toEqual(kinds.sort());
  });
});
