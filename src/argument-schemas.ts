import { types } from 'node:util';
import * as z from 'zod';
import { VERBS } from './agent/sabotage.js';
import type * as authoring from './authoring.js';
import { agentFailureSchema, conditionSchema } from './domain/agent-script.js';
import { mapping, refuseWord, word } from './domain/common/strict.js';
import { backendIdSchema } from './domain/vocabulary.js';
import { DEFECT_NAMES } from './kinds/conversation/projects/create-test-project.js';
import { BROKEN_PLUGINS, FIXTURE_PLUGINS } from './kinds/conversation/projects/fixture-plugins.js';
import { PROJECT_LANGUAGES, PROJECT_TYPES } from './kinds/conversation/projects/templates.js';

const text = z.string('expected a text');
const texts = z.array(text, 'expected a list of texts');
const pattern = z.custom<RegExp>(types.isRegExp, 'expected a pattern');
const wanted = z.union([z.string(), pattern], 'expected a text or a pattern');
const flag = z.boolean('expected true or false');
const number = z.number('expected a number');
const count = z.int('expected a whole number').nonnegative('expected a whole number from 0');
const from1 = z.int('expected a whole number from 1').positive('expected a whole number from 1');
const call = z.custom((value) => typeof value === 'function', 'expected a function');
const check = z.looseObject({ kind: z.string(), judge: call }, 'expected a check, such as completed()');
const checks = z.array(check).min(1, 'expected at least one check');
const builder = z.looseObject({ rule: z.looseObject({}) }, 'expected a rule, such as onPrompt(/go/)');
const json: z.ZodType = z.lazy(() =>
  z.union(
    [z.string(), z.number(), z.boolean(), z.null(), pattern, z.array(json), z.record(z.string(), json)],
    'expected a JSON value',
  ),
);
const values = z.record(z.string(), z.unknown(), 'expected an object');

const inIteration = { iteration: count.optional(), nth: from1.optional() };
const where = mapping(inIteration).optional();
const times = mapping({ times: count.optional() }).optional();
const memory = mapping({
  content: text,
  type: word(['pattern', 'decision', 'fix', 'context']).optional(),
  tags: texts.optional(),
});
const oddity = word(['unknown-file', 'repeated-call', 'repeated-error', 'invalid-transition']);
const outcome = word([
  ...(['blocked', 'unknown-command', 'ambiguous-command', 'api-error', 'cancelled'] as const),
  ...(['limit', 'timed-out', 'crashed'] as const),
]);
const defect = word(DEFECT_NAMES);

const loopSettings = mapping({
  maxIterations: count,
  promise: text.optional(),
  maxConsecutiveFailures: count.optional(),
  maxRuntimeSeconds: number.optional(),
  inactivitySeconds: number.optional(),
  command: text.optional(),
  requiredEvents: texts.optional(),
  cancellationPromise: text.optional(),
  enforceHatScope: flag.optional(),
  persistent: flag.optional(),
  memories: mapping({
    inject: word(['auto', 'manual', 'none']).optional(),
    budget: number.optional(),
  }).optional(),
  tasks: flag.optional(),
  skills: flag.optional(),
  more: values.optional(),
});
const hat = mapping({
  triggers: texts,
  publishes: texts,
  instructions: text,
  extraInstructions: texts.optional(),
  name: text.optional(),
  description: text.optional(),
  backend: z.union([text, values], 'expected a text or an object').optional(),
  backendArgs: texts.optional(),
  defaultPublishes: text.optional(),
  maxActivations: count.optional(),
  disallowedTools: texts.optional(),
  scratchpad: z.union([text, values], 'expected a text or an object').optional(),
});

/** The parameters of a function in order, each with its schema. `...name` takes all that are left. */
export type ParameterSchemas = Readonly<Record<string, z.ZodType>>;

/** Names the functions with parameters. */
type Functions<Module> = {
  [Name in keyof Module as Module[Name] extends (...args: infer Given extends readonly never[]) => unknown
    ? Given extends []
      ? never
      : Name
    : never]: ParameterSchemas;
};

/** What the functions that scenarios are written with accept. In JavaScript nothing else tells an author of a mistake. */
export const PARAMETERS: Functions<typeof authoring> = {
  // Scenarios and what they arrange.
  scenario: { definition: values },
  conversation: { definition: values },
  loop: { settings: loopSettings },
  hats: { collection: z.record(z.string(), hat, 'expected an object'), settings: loopSettings.optional() },
  renderProject: {
    options: mapping({
      type: word(PROJECT_TYPES),
      language: word(PROJECT_LANGUAGES),
      name: text.optional(),
      defect: z.union([defect, z.array(defect)]).optional(),
    }),
  },
  fixturePluginFolder: { name: word([...FIXTURE_PLUGINS, ...BROKEN_PLUGINS]) },
  commandOf: { id: backendIdSchema },
  rowWithTopic: { topic: text },
  atMost: { name: text, count: call, limits: mapping({ optimal: number, acceptable: number, unit: text }) },
  // Agents and how they are sabotaged.
  onEvent: { topic: text },
  onHat: { name: text },
  onObjective: { pattern: wanted },
  onPrompt: { pattern: wanted },
  without: {
    '...verbs': z.array(
      z.enum(Object.keys(VERBS), { error: ({ input }) => refuseWord(input, Object.keys(VERBS)) }),
    ),
  },
  changingSteps: { change: call },
  changingResponses: { change: call },
  onlyIn: { name: text, change: call },
  // Checks of every kind.
  allOf: { name: text, '...checks': checks },
  anyOf: { name: text, '...checks': checks },
  guard: { check, reason: text },
  endedByItself: { who: text.optional() },
  errandAnswered: {
    args: text,
    wanted: mapping({
      exitCode: count.optional(),
      stdout: wanted.optional(),
      stderr: wanted.optional(),
      json: json.optional(),
      eitherJson: z.array(json).optional(),
    }),
  },
  fileContains: { path: text, wanted },
  fileEquals: { path: text, content: text },
  fileHasJson: { path: text, wanted: json, options: times },
  fileLacks: { path: text, unwanted: wanted },
  fileUntouched: { path: text },
  harnessWouldSkip: { reason: pattern },
  memoriesListed: { args: text, contents: texts },
  scratchpadContains: { wanted },
  scriptAnswered: { who: text.optional() },
  // Checks of loops.
  agentSaid: { wanted, where },
  backendReported: { wanted },
  countsOnFrom: { number: count },
  cutOffBefore: { wanted, options: mapping({ after: wanted }) },
  earlierSessionEnded: { exitCode: count },
  endReported: { wanted: mapping({ label: text, status: text, exitCode: count, resumable: flag }) },
  endedAtOnce: { sign: wanted.optional() },
  eventEmitted: { topic: text, payload: wanted.optional() },
  eventsInOrder: { '...topics': texts },
  failedToRun: { exitCode: count, message: pattern },
  hatActive: { hat: text, where },
  hatCalledWith: { hat: text, '...wanted': texts },
  hatCalledWithout: { hat: text, unwanted: text },
  hatNeverActive: { hat: text },
  hatRanOn: { hat: text, backend: text },
  hatSequence: { '...hats': texts },
  iterationCount: { count },
  iterationEndedWithin: { number: count, seconds: number },
  iterationLasted: {
    which: z.union([count, z.literal('last')], 'expected a whole number from 0 or "last"'),
    seconds: number,
  },
  iterationsAtLeast: { count },
  iterationsAtMost: { count },
  keptOutOfPrompt: { text, where },
  memoryAbsent: { content: text },
  memoryBudgetKept: { tokens: count, where },
  memoryInjected: { wanted: memory, where },
  memoryStored: { wanted: memory },
  noMemoriesInjected: { where },
  pausedBefore: {
    iteration: count,
    wanted: z.union(
      [mapping({ atLeast: number }), mapping({ below: number })],
      'expected { atLeast } or { below } in seconds',
    ),
  },
  pendingAfter: { marker: text, wanted: mapping({ topic: text, payload: wanted }) },
  pendingEvents: { topics: texts, where },
  printedAtLeast: { bytes: count },
  printedJson: { wanted: json, options: times },
  promptContained: { wanted, where },
  promptExceeds: { bytes: count },
  promptLacked: { wanted, where },
  publishedByRalph: { topic: text, where: mapping({ iteration: count }) },
  saidInOrder: { '...texts': texts },
  taskIs: { title: text, status: word(['open', 'in_progress', 'closed', 'failed']) },
  terminatedBecause: { reason: text, exitCode: count },
  toldFrom: { iteration: count, wanted },
  toldOnlyTo: { hat: text, wanted },
  toldTimes: { times: count, wanted },
  toldToNobody: { wanted },
  toolUsed: {
    tool: text,
    wanted: mapping({ ...inIteration, input: wanted.optional(), result: wanted.optional() }).optional(),
  },
  usageReported: { atLeast: mapping({ turns: count }) },
  // Checks of conversations.
  callDenied: { turn: from1, tool: text },
  commandsOffered: { '...names': texts },
  commandsWere: { '...commands': texts.min(1, 'expected at least one command') },
  commitIs: {
    place: from1,
    wanted: mapping({
      message: wanted.optional(),
      touches: text.optional(),
      only: text.optional(),
      turn: from1.optional(),
    }),
  },
  commitsMade: { count },
  componentsOffered: { wanted: mapping({ agents: texts.optional(), skills: texts.optional() }) },
  fileAfterTurn: {
    turn: from1,
    path: text,
    wanted: z.union([z.string(), pattern, z.null()], 'expected a text, a pattern or null'),
  },
  fileSeen: { turn: from1, path: text, how: word(['mentioned', 'read', 'modified']) },
  hookBlocked: { turn: from1, event: text, reason: wanted },
  hookLogged: {
    event: text,
    options: mapping({ atLeast: count.optional(), holds: wanted.optional() }).optional(),
  },
  hookRan: { turn: from1, event: text, options: mapping({ says: wanted.optional() }).optional() },
  mcpServerIs: { server: text, status: text, options: mapping({ because: wanted.optional() }).optional() },
  modelReceived: { turn: from1, wanted, options: mapping({ request: from1.optional() }).optional() },
  nothingOdd: { '...kinds': z.array(oddity) },
  oddityFound: { kind: oddity, turn: from1 },
  pluginFailed: { reason: wanted },
  pluginLoaded: { plugin: text },
  stageNotReached: { stage: text },
  stageReached: {
    stage: text,
    options: mapping({
      turn: from1.optional(),
      trigger: wanted.optional(),
      proof: word(['commanded', 'declared', 'observed']).optional(),
    }).optional(),
  },
  stagesWere: { '...expected': texts },
  toolAnswered: { turn: from1, tool: text, wanted, options: mapping({ failed: flag.optional() }).optional() },
  turnAvoids: { turn: from1, '...tools': texts },
  turnChanges: { turn: from1, '...globs': texts.min(1, 'expected at least one path') },
  turnChangesOnly: { turn: from1, '...globs': texts },
  turnEnded: { turn: from1, kind: outcome, wanted: wanted.optional() },
  turnHandlesError: { turn: from1, errorType: text },
  turnIsSpecific: { turn: from1, atLeast: count },
  turnMentions: { turn: from1, keywords: texts, options: mapping({ all: flag.optional() }).optional() },
  turnSays: { turn: from1, wanted },
  turnSuggests: { turn: from1, command: text },
  turnUses: { turn: from1, '...tools': texts },
  turnsCompleted: { options: mapping({ but: z.array(from1).optional() }).optional() },
};

/** What the methods of a rule accept. */
export const RULE_PARAMETERS: Functions<authoring.RuleBuilder> = {
  appends: { path: text, text },
  calls: { name: text, input: values, result: text.optional() },
  edits: { path: text, old: text, text },
  emits: { topic: text, payload: text.optional(), by: word(['command', 'tag']).optional() },
  fails: { failure: agentFailureSchema, times: from1.optional() },
  followedBy: { '...turns': z.array(builder) },
  notes: { text },
  reads: { pattern: wanted },
  readsFile: { path: text },
  runs: { command: text },
  says: { text },
  thinks: { text },
  together: { tools: call },
  waits: { milliseconds: number.nonnegative('expected a number from 0') },
  when: { condition: conditionSchema },
  writes: { path: text, text },
};

/** What the methods of hats accept. */
export const HATS_PARAMETERS: Functions<authoring.Hats> = { startingWith: { event: text } };
