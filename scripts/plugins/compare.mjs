/**
 * @typedef {{ aspect: string, expected: unknown, found: unknown }} Difference
 *
 * @typedef {object} Real What Claude Code says and does.
 * @property {string} verdict
 * @property {string[]} why
 * @property {string[]} commands
 * @property {string[]} skills
 * @property {string[]} aliases
 * @property {string[]} agents
 * @property {string[]} servers
 * @property {{ count: number, ran: string[] }} hooks
 * @property {{ command: string, text: string } | null} sent
 *
 * @typedef {object} Ours What ralph-e2e says.
 * @property {undefined} [refused]
 * @property {string} verdict
 * @property {string} error
 * @property {string[]} commands
 * @property {string[]} skills
 * @property {string[]} aliases
 * @property {string[]} agents
 * @property {string[]} servers
 * @property {{ slash: string[], agents: string[] }} read
 * @property {number} hooks
 * @property {number} registered
 * @property {number} listed
 * @property {number} counted
 * @property {string[]} ran
 * @property {string | null} expanded
 *
 * @typedef {{ refused: string }} Refused
 */

/** The lists that both have under one name. */
const LISTS = /** @type {const} */ (['commands', 'skills', 'aliases', 'agents', 'servers']);

/**
 * Compares what ralph-e2e says about a plugin with what Claude Code says and does. Returns the aspects that differ.
 *
 * @param {Real} real
 * @param {Ours | Refused} ours
 */
export function compare(real, ours) {
  if (ours.refused !== undefined) {
    const refused = /^UnsupportedError|does not support/.test(ours.refused);
    const outcome = failedAlike(real, ours.refused) ? 'equal' : refused ? 'refused' : 'wrong';
    return { outcome, differs: [], why: ours.refused };
  }
  /** @type {Difference[]} */
  const differs = [];
  /** @type {(aspect: string, expected: unknown, found: unknown) => void} */
  const check = (aspect, expected, found) => {
    if (JSON.stringify(expected) !== JSON.stringify(found)) differs.push({ aspect, expected, found });
  };
  check('verdict', real.verdict, ours.verdict);
  for (const aspect of LISTS) check(aspect, real[aspect], ours[aspect]);
  // The parts that Claude Code has are those that the reader found, no more and no fewer.
  check('commands and skills that were read', [...real.commands, ...real.skills].sort(), ours.read.slash);
  check('agents that were read', real.agents, ours.read.agents);
  check('hooks', real.hooks.count, ours.hooks);
  check('hooks registered', real.hooks.count, ours.registered);
  check('hooks listed', real.hooks.count, ours.listed);
  check('hook runs', real.hooks.ran, ours.ran);
  // A handler that is registered twice is listed twice, and runs once for both.
  if (ours.counted < real.hooks.ran.length)
    differs.push({ aspect: 'hook runs counted', expected: real.hooks.ran.length, found: ours.counted });
  // What it does not know before it is sent, it says so.
  if (real.sent !== null && ours.expanded !== null) check('command text', real.sent.text, ours.expanded);
  return { outcome: differs.length === 0 ? 'equal' : 'wrong', differs, why: '' };
}

/**
 * Whether both failed to install a plugin, for the same reason.
 *
 * @param {Real} real
 * @param {string} refused
 */
function failedAlike(real, refused) {
  const reasons = real.why.filter((why) => why.startsWith('install: '));
  // Both installed from a copy with a name of its own.
  const plain = (/** @type {string} */ text) => squeeze(text.replaceAll(/temp_local_\w+|\/\S+/g, ''));
  const said = plain(refused);
  return (
    refused.startsWith('InstallationError') &&
    reasons.some((reason) => said.includes(plain(reason.replace(/^[^✘]*✘/, '')).slice(0, 120)))
  );
}

/**
 * In the lane with the real Claude Code, the reasons are its own words too.
 *
 * @param {Real} real
 * @param {Ours | Refused} ours
 * @returns {Difference[]}
 */
export function compareReasons(real, ours) {
  if (ours.refused !== undefined) return [];
  const said = squeeze(ours.error);
  return real.why
    .filter(
      (reason) =>
        !/^(?:not loaded|plugin:|hook )/.test(reason) && !said.includes(squeeze(reason).slice(0, 60)),
    )
    .map((reason) => ({ aspect: 'reason', expected: reason, found: ours.error }));
}

/** @param {string} text */
const squeeze = (text) => text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
