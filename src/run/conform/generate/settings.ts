import type { SeededRandom } from './random.js';
import type { ClaudeSurface, SettingShape } from './surface.js';
import { drawRule } from './vocabulary.js';
import { DIRECTORIES, MODES, OBJECTS, SWITCHES } from './words/settings.js';

/** Draws the content of a settings file. */
export function drawSettings(
  random: SeededRandom,
  surface: ClaudeSurface,
  near: readonly string[],
): Record<string, unknown> {
  const list = (probability: number) => {
    if (!random.chance(probability)) return undefined;
    return Array.from({ length: random.pick([1, 2]) }, () => drawRule(random, near));
  };
  const permissions = {
    allow: list(0.6),
    deny: list(0.3),
    ask: list(0.2),
    defaultMode: random.chance(0.15) ? random.pick(MODES) : undefined,
    additionalDirectories: random.chance(0.1) ? [random.pick(DIRECTORIES)] : undefined,
    ...(random.chance(0.06) ? random.pick(SWITCHES) : {}),
  };
  return {
    permissions,
    ...(random.chance(0.25) ? { hooks: drawHooks(random) } : {}),
    ...(random.chance(0.3) ? drawOther(random, surface.settings) : {}),
    ...(random.chance(0.1) ? drawObject(random) : {}),
  };
}

function drawObject(random: SeededRandom): Record<string, unknown> {
  const [key, values] = random.pick(Object.entries(OBJECTS));
  return { [key]: random.pick(values) };
}

/** Draws one key of the schema with a value of its type. */
function drawOther(random: SeededRandom, settings: ClaudeSurface['settings']): Record<string, unknown> {
  const known = Object.entries(settings).filter(([key]) => key !== '$schema');
  const simple = known.filter(
    ([, { type, enum: choices }]) => choices !== undefined || type === 'boolean' || type === 'integer',
  );
  if (simple.length === 0) return {};
  const [key, shape] = random.pick(simple);
  return { [key]: drawValue(random, shape) };
}

function drawValue(random: SeededRandom, { type, enum: choices }: SettingShape): unknown {
  if (choices !== undefined && choices.length > 0) return random.pick(choices);
  return type === 'boolean' ? random.chance(0.5) : random.pick([1, 30, 1000]);
}

function drawHooks(random: SeededRandom): Record<string, unknown> {
  const event = random.pick([
    'PreToolUse',
    'PreToolUse',
    'PreToolUse',
    'PostToolUse',
    'UserPromptSubmit',
    'Stop',
    'SessionStart',
  ]);
  const matcher = random.pick(['Bash', 'Write|Edit', 'Read', '*', '', 'Ba.*']);
  const command = random.pick(event === 'PreToolUse' ? [...HOOKS, ...DECISIONS] : HOOKS);
  return {
    [event]: [
      { matcher, hooks: [{ type: 'command', command: `echo x >> hooked-${event}.txt; ${command}` }] },
    ],
  };
}

// A hook that blocks the end of a turn every time would never let it end.
const HOOKS = [
  'exit 0',
  'echo text',
  'exit 1',
  'test -e once.txt && exit 0; touch once.txt; echo no >&2; exit 2',
];
const DECISIONS = ['allow', 'deny', 'ask'].map(
  (decision) =>
    `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"${decision}","permissionDecisionReason":"because"}}'`,
);
