import { expect, it } from 'vitest';
import { renderLaneHealth } from '../../../src/cli/commands/doctor.js';
import type { LaneHealth } from '../../../src/run/doctor.js';
import { readiness } from '../../report/support/journal.js';

const missing = { name: 'ralph', ok: false, detail: 'No ralph was found.', fix: 'Install it.' } as const;

function lane(name: LaneHealth['lane'], fields: Partial<LaneHealth> = {}): LaneHealth {
  return { lane: name, target: null, requirements: [missing], backends: [], usable: false, ...fields };
}

it('what fixes several lanes is said once', () => {
  const text = renderLaneHealth([lane('live'), lane('scripted')], false);
  expect(text.match(/✘ ralph: No ralph was found\./g)).toHaveLength(2);
  expect(text.match(/fix: Install it\./g)).toHaveLength(1);
});

it('an obstacle has a warning before it, not a tick', () => {
  const obstacle = {
    name: 'claude',
    ok: true,
    warning: true,
    detail: 'Claude Code refuses to start',
  } as const;
  const text = renderLaneHealth(
    [lane('live', { requirements: [obstacle], backends: [readiness()], usable: true })],
    false,
  );
  expect(text).toContain('  ! claude: Claude Code refuses to start\n');
  expect(text).toContain('  ✔ Claude');
});
