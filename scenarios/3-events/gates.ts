import {
  type Check,
  completed,
  endedAtOnce,
  fileEquals,
  loop,
  onEvent,
  onObjective,
  pendingAfter,
  promptContained,
  promptLacked,
  type Saboteur,
  type Scenario,
  scenario,
  without,
} from '../../src/authoring.js';
import { NEVER_COMPLETES } from '../support/saboteurs.js';
import { GATES, type Gate, RUN } from './gate-evidence.js';

/**
 * Tries one gate item by item: claims in which only that item is not good enough, and claims that must pass. All of them
 * are published at once, each after a marker that names what is tried; the next prompt shows what ralph made of them.
 * (The markers also separate equal refusals: three in a row would end the loop as stale.)
 */
function everyItem(gate: Gate): Scenario {
  const { topic, blocked, because, missing, good, alsoPublished } = gate;
  const [refused, accepted, admitted] = [listRefused(gate), listAccepted(gate), listAdmitted(gate)];
  const claims = {
    ...refused,
    'try.nothing': 'it works',
    'try.nothing-again': 'it works',
    ...accepted,
    ...admitted,
  };
  return scenario<'ends' | 'iterations' | 'alsoPublished' | 'publishedOnce' | 'file' | Marker>({
    id: gate.id,
    backends: gate.backends,
    description: `${topic} passes with good evidence, and becomes ${blocked} if any one item is not good enough`,
    covers: ['FR6', 'FR11'],
    expectedIterations: 2,

    arrange: ({ numbers: [a, b] }) => ({
      config: loop({ maxIterations: 4 }),
      files: { 'claims.sh': writeClaims(gate, claims) },
      prompt: [
        `This tests the gate that ralph has for ${topic}. Do exactly one of these two steps per iteration, then stop.`,
        `1. If no pending event has a name that starts with \`try.\`: work out ${a} + ${b} and run \`sh claims.sh <sum>\`, with`,
        '   the sum as plain digits. It appends made-up claims to the events file. This test needs that, although the guide below forbids it. Publish no event yourself.',
        `2. If such events are pending: do not act on them. Find any pending ${topic}, write only the number at the end of`,
        '   its payload to accepted.txt, and declare the objective complete.',
      ].join('\n'),
    }),

    expect: ({ numbers: [a, b] }) => ({
      ends: completed(),
      iterations: endedAtOnce(),
      ...checkEach(refused, (marker) => pendingAfter(marker, { topic: blocked, payload: because })),
      'try.nothing': pendingAfter('try.nothing', { topic: blocked, payload: missing }),
      alsoPublished: alsoPublished === undefined ? undefined : promptContained(`Event: ${alsoPublished} - `),
      // The third refusal for one reason counts, not the second (for another reason), and not a fourth.
      publishedOnce:
        alsoPublished === undefined
          ? undefined
          : promptLacked(new RegExp(`^Event: ${alsoPublished} - [\\s\\S]*^Event: ${alsoPublished} - `, 'm')),
      ...checkEach(accepted, (marker) => pendingAfter(marker, { topic, payload: `run ${a + b}` })),
      ...checkEach(admitted, (marker) =>
        pendingAfter(marker, { topic: blocked, payload: `${admitted[marker]}, run ${a + b}` }),
      ),
      file: fileEquals('accepted.txt', `${a + b}`),
    }),

    agent: [
      onEvent('try.good-all')
        .reads(new RegExp(`^Event: ${topic.replace('.', '\\.')} - .*run (\\d+)$`, 'm'))
        .writes('accepted.txt', '{{1}}\n')
        .completes(),
      onObjective(/work out (\d+) \+ (\d+)/).runs('sh claims.sh {{add 1 2}}'),
    ],

    saboteurs: {
      'ralph believes any claim': {
        target: gate.fault,
        kills: [
          ...markersOf(refused),
          'try.nothing',
          ...(alsoPublished === undefined ? [] : (['alsoPublished'] as const)),
        ],
        why: 'Without backpressure, the work is done as soon as the agent says so.',
      },
      'every claim has good evidence': {
        config: withClaims(
          gate,
          mapValues(claims, () => joinItems(good)),
        ),
        kills: [...markersOf(refused), 'try.nothing'],
      },
      ...(alsoPublished === undefined
        ? {}
        : {
            'another claim has no evidence': {
              config: withClaims(gate, { ...claims, 'try.nothing-more': 'it works' }),
              kills: ['publishedOnce'] as const,
              failure: 'AssertionMismatch' as const,
              why: 'The third refusal for the other reason also abandons its task.',
            },
          }),
      'no claim has any evidence': {
        config: withClaims(
          gate,
          mapValues(claims, () => 'it works'),
        ),
        kills: [
          ...markersOf(accepted).filter((marker) => marker !== IN_WAVE),
          ...(gate.trustsWaves ? [] : (['file'] as const)),
        ],
        failure: 'EventMissing',
      },
      'no worker claims anything': {
        config: withClaims(
          gate,
          Object.fromEntries(Object.entries(claims).filter(([marker]) => marker !== IN_WAVE)),
        ),
        kills: [IN_WAVE],
      },
      'admits something else': {
        config: withClaims(gate, { ...claims, ...mapValues(admitted, () => 'no idea') }),
        kills: markersOf(admitted),
      },
      'does not write down what was accepted': { agent: without('writes'), kills: ['file'] },
      'never declares completion': { ...NEVER_COMPLETES, kills: ['ends', 'iterations'] },
    },
  });
}

/** The event that names the claim that comes next. */
type Marker = `try.${string}`;
type Claims = Readonly<Record<Marker, string>>;

/** How the markers of failures that the agent reports itself begin. */
const ADMITTED = 'try.failed-';
/** The marker of a claim by a worker of a wave. */
const IN_WAVE = 'try.in-wave';

function markersOf(claims: Claims): Marker[] {
  return Object.keys(claims).filter((key): key is Marker => key.startsWith('try.'));
}

/** Makes a check for each claim, named after its marker. */
function checkEach(claims: Claims, check: (marker: Marker) => Check): Readonly<Record<Marker, Check>> {
  const checks: Record<Marker, Check> = {};
  for (const marker of markersOf(claims)) checks[marker] = check(marker);
  return checks;
}

/** Claims in which one item is not good enough, and claims in which one is missing. */
function listRefused({ good, bad, alsoBad, optional, alone, trustsWaves }: Gate): Claims {
  const required = Object.keys(good).filter((item) => !optional.includes(item));
  return Object.fromEntries([
    ...Object.entries(bad).map(([item, evidence]) => [
      `try.bad-${item}`,
      joinItems({ ...good, [item]: evidence }),
    ]),
    ...Object.entries(alsoBad).map(([name, change]) => [
      `try.bad-${name}`,
      joinItems({ ...good, ...change }),
    ]),
    ...required.map((item) => [`try.no-${item}`, joinItems({ ...good, [item]: '' })]),
    ...(trustsWaves ? [] : [[IN_WAVE, joinItems({ ...good, ...bad })]]),
    ...alone.map((evidence) => [`try.only-${evidence.replace(/[^a-z]+/g, '-')}`, evidence]),
  ]);
}

/** Failures that the agent itself reports, under the topic that ralph uses for a refusal. */
function listAdmitted({ admitted }: Gate): Claims {
  return Object.fromEntries(
    Object.entries(admitted).map(([name, payload]) => [`${ADMITTED}${name}`, payload]),
  );
}

function listAccepted({ good, optional, tolerated, trustsWaves }: Gate): Claims {
  const needed = Object.fromEntries(Object.entries(good).filter(([item]) => !optional.includes(item)));
  return {
    ...Object.fromEntries(
      Object.entries(tolerated).map(([name, change]) => [
        `try.good-${name}`,
        joinItems({ ...good, ...change }),
      ]),
    ),
    ...(trustsWaves ? { [IN_WAVE]: 'looks fine' } : {}),
    'try.good-lines': Object.values(needed).join('\n'),
    'try.good-needed': joinItems(needed),
    'try.good-all': joinItems(good),
  };
}

function joinItems(items: Claims): string {
  return Object.values(items)
    .filter((item) => item !== '')
    .join(', ');
}

/**
 * Writes a script that publishes each claim after its marker; its argument is in every payload. It appends to the loop's
 * events file as `ralph emit` does, which would need a process for each of dozens of events.
 */
function writeClaims({ topic, blocked }: Gate, claims: Claims): string {
  const ts = '2026-01-01T00:00:00+00:00';
  const lines = Object.entries(claims).flatMap(([marker, evidence]) => [
    JSON.stringify({ topic: marker, payload: null, ts }),
    JSON.stringify({
      topic: marker.startsWith(ADMITTED) ? blocked : topic,
      payload: evidence.includes(RUN) ? evidence : `${evidence}, ${RUN}`,
      ts,
      ...(marker === IN_WAVE ? { wave_id: 'w-1234', wave_index: 0, wave_total: 1 } : {}),
    }),
  ]);
  return ['cat >> "$RALPH_EVENTS_FILE" <<END', ...lines, 'END', ''].join('\n');
}

function withClaims(gate: Gate, claims: Claims): Extract<Saboteur, { config: unknown }>['config'] {
  return (arrangement) => ({ ...arrangement, files: { 'claims.sh': writeClaims(gate, claims) } });
}

function mapValues(values: Claims, change: () => string): Claims {
  return Object.fromEntries(Object.keys(values).map((key) => [key, change()]));
}

export const gates = GATES.map(everyItem);
