import { expect, it } from 'vitest';
import { renderLaneHealth } from '../../../src/cli/commands/doctor.js';
import { nameIn } from '../../../src/domain/backends.js';
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

it('what is unproven about a real Kiro is said in the live lane alone', () => {
  const kiro = (name: LaneHealth['lane']) => lane(name, { backends: [readiness({ backend: 'kiro' })] });
  expect(renderLaneHealth([kiro('live')], false)).toContain(
    'Kiro (experimental: not tried with a real account)',
  );
  expect(renderLaneHealth([kiro('sim')], false)).not.toContain('experimental');
  expect(renderLaneHealth([kiro('live'), kiro('sim')], false)).not.toContain('experimental');
  expect([nameIn('live', 'kiro'), nameIn('sim', 'kiro'), nameIn('live', 'claude')]).toEqual([
    'Kiro (experimental: not tried with a real account)',
    'Kiro',
    'Claude',
  ]);
});
