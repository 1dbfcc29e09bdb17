// Where a mutant of an area is likely to be noticed.

/**
 * Which scenarios are likely to notice a mutant of an area.
 * @type {Record<string, RegExp>}
 */
const LIKELY = {
  adapters: /connect|custom|adapter|argv|args|stream|tool-use|backend|timeout|crash|utf8|flood|linger/,
  completion: /complet|promise|required|persistent|cancel|issue-(?:47|139|195|302|303|369)/,
  config: /config|refus|invalid|preset|collection|preflight/,
  continue: /continue|resume/,
  diagnostics: /diagnos|connect/,
  emit: /emit|event/,
  'exit-codes': /exit|max-|failures|stale|stop|cancel|signal|connect/,
  flags: /flag|option|run-|prompt|connect|fresh/,
  gates: /backpressure|gate|evidence/,
  hats: /^hat-|issue-(?:86|109|193|195)/,
  history: /history|summary|events|iter/,
  hooks: /hook/,
  human: /guidance|human|urgent|steer/,
  landing: /land|git|handoff|commit/,
  limits: /max-|limit|failures|stale|runtime|malformed|cost|activations/,
  loops: /loop|lock|worktree|merge|parallel/,
  memories: /memor/,
  presets: /preset|builtin|collection|init/,
  prompt: /prompt|instructions|topology|scratchpad|guardrail|connect|single-iter/,
  routing: /rout|event|orphan|wildcard|multi|default|scope|stale-events/,
  skills: /skill/,
  tasks: /task/,
  waves: /wave/,
};

/**
 * Whether a scenario is likely to notice a mutant of this area.
 * @param {string} area
 * @param {string} scenario
 */
export function isLikely(area, scenario) {
  return LIKELY[area]?.test(scenario) ?? false;
}

const FIRST = ['claude'];
const ALL = [...FIRST, 'kiro', 'opencode'];
const ON_ALL = new Set(['adapters', 'hats', 'config']);

/**
 * The backends on which a mutant runs, in turn. The others differ from the first only where Ralph calls an agent.
 * @param {{ area: string, file: string }} mutant
 */
export function backendsFor({ area, file }) {
  return ON_ALL.has(area) || file.startsWith('ralph-adapters/') ? ALL : FIRST;
}
