/** Compares what ralph-e2e says about a plugin with what Claude Code says. Returns the aspects that differ. */
export function compare(real, ours) {
  if (ours.refused !== undefined) {
    // Both failed to install it.
    const alike =
      ours.refused.startsWith('InstallationError') && real.why.some((why) => why.startsWith('install: '));
    const refused = ours.refused.startsWith('UnsupportedError');
    return { outcome: alike ? 'equal' : refused ? 'refused' : 'wrong', differs: [], why: ours.refused };
  }
  const differs = [];
  const check = (aspect, expected, found) => {
    if (JSON.stringify(expected) !== JSON.stringify(found)) differs.push({ aspect, expected, found });
  };
  check('verdict', real.verdict, ours.verdict);
  for (const aspect of ['commands', 'skills', 'aliases', 'agents', 'servers'])
    check(aspect, real[aspect], ours[aspect]);
  check('hooks', real.hooks.count, ours.hooks.count);
  check('hooks listed', real.hooks.count, ours.hooks.listed);
  const unknown = real.hooks.ran.filter((event) => !ours.hooks.events.includes(event));
  if (unknown.length > 0)
    differs.push({ aspect: 'hooks that ran', expected: unknown, found: ours.hooks.events });
  return { outcome: differs.length === 0 ? 'equal' : 'wrong', differs, why: '' };
}

/** In the lane with the real Claude Code, the reasons are its own words too. */
export function compareReasons(real, ours) {
  if (ours.refused !== undefined) return [];
  const squeeze = (text) => text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
  const said = squeeze(ours.error);
  return real.why
    .filter(
      (reason) =>
        !/^(?:not loaded|plugin:|hook )/.test(reason) && !said.includes(squeeze(reason).slice(0, 60)),
    )
    .map((reason) => ({ aspect: 'reason', expected: reason, found: ours.error }));
}
