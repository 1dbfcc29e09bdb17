import { Chalk } from 'chalk';
import { nameIn } from '../../domain/backends.js';
import { describeContainment } from '../../domain/evidence/containment.js';
import type { Readiness } from '../../domain/evidence/readiness.js';
import { type ContainmentChoice, chooseContainment } from '../../exec/process/containment/choose.js';
import { examineIsolations, type IsolationFinding } from '../../isolation/examine.js';
import { laneMeaning } from '../../report/words/words.js';
import { examine, type LaneHealth } from '../../run/doctor.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { RunFlags } from '../input/run-flags.js';
import { readVariableNames } from '../input/values.js';
import { listenForInterrupt } from '../interrupt.js';
import { openScreen } from '../screen.js';

/** The flags of `doctor` as commander passes them. */
export type DoctorFlags = Pick<RunFlags, 'lane' | 'ralph' | 'passEnv' | 'json'>;

/** Runs `ralph-e2e doctor`: shows what this machine can test. Fails if no lane, or not the requested one, is usable. */
export async function doctorCommand(flags: DoctorFlags): Promise<ExitCode> {
  const { json = false } = flags;
  const wanted = flags.lane === undefined ? {} : { lanes: [flags.lane] };
  const screen = openScreen({ json });
  const interrupt = listenForInterrupt();
  const [lanes, isolations, offline, live] = await Promise.all([
    examine({
      ...wanted,
      ralph: flags.ralph?.at(-1),
      passEnv: readVariableNames(flags.passEnv),
      env: process.env,
      signal: interrupt.signal,
    }),
    examineIsolations(process.env),
    chooseContainment({ env: process.env, asUser: false }),
    chooseContainment({ env: process.env, asUser: true }),
  ]).finally(interrupt.stop);
  if (interrupt.signal.aborted) return EXIT.interrupted;
  if (json) screen.print(JSON.stringify({ lanes, isolations, processes: { offline, live } }, null, 2));
  else
    screen.tell(
      [
        renderLaneHealth(lanes, screen.color),
        renderIsolations(isolations, screen.color),
        renderContainments({ offline, live }, screen.color),
      ].join('\n\n'),
    );
  return lanes.some(({ usable }) => usable) ? EXIT.passed : EXIT.untested;
}

/** Renders what each lane has and lacks. What fixes several lanes is said once. */
export function renderLaneHealth(lanes: readonly LaneHealth[], color: boolean): string {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const mark = (ok: boolean) => (ok ? chalk.green('✔') : chalk.red('✘'));
  const said = new Set<string>();
  const fixLines = (fix: string | null): string[] => {
    if (fix === null || said.has(fix)) return [];
    said.add(fix);
    return [`      ${chalk.dim('fix:')} ${fix}`];
  };
  const backendLines = (lane: string, readiness: Readiness): string[] => {
    // Beside the other lanes it would only be in the way.
    const title = nameIn(lanes.length === 1 ? lane : '', readiness.backend);
    const version = readiness.version === null ? '' : ` ${readiness.version}`;
    if (readiness.ready) {
      const how = readiness.authentication;
      return [`  ${mark(true)} ${title}${version}: ready${how ? ` (${how.source}: ${how.detail})` : ''}`];
    }
    return [
      `  ${mark(false)} ${title}${version}: ${readiness.reason ?? 'not ready'}`,
      ...fixLines(readiness.fix),
    ];
  };
  return lanes
    .map(({ lane, requirements, backends, usable }) =>
      [
        `${chalk.bold(lane)} lane (${laneMeaning(lane)}): ${usable ? chalk.green('usable') : chalk.red('not usable')}`,
        ...requirements.flatMap((requirement) => [
          `  ${requirement.ok && requirement.warning ? chalk.yellow('!') : mark(requirement.ok)} ${requirement.name}: ${requirement.detail}`,
          ...fixLines(requirement.ok ? null : requirement.fix),
        ]),
        ...backends.flatMap((readiness) => backendLines(lane, readiness)),
      ].join('\n'),
    )
    .join('\n\n');
}

function renderIsolations(isolations: readonly IsolationFinding[], color: boolean): string {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  return [
    `${chalk.bold('isolation')} (--isolation <kind>):`,
    ...isolations.flatMap(({ kind, health }) => [
      `  ${health.ok ? chalk.green('✔') : chalk.red('✘')} ${kind}: ${health.detail}`,
      ...(health.ok ? [] : [`      ${chalk.dim('fix:')} ${health.fix}`]),
    ]),
  ].join('\n');
}

/** Renders what keeps processes together: one line if it is the same in every lane. */
function renderContainments(
  { offline, live }: Readonly<Record<'offline' | 'live', ContainmentChoice>>,
  color: boolean,
): string {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const same = offline.containment.kind === live.containment.kind;
  const lines = ({ containment: { kind }, gaps }: ContainmentChoice, where: string) => [
    `  ${kind === 'tracking' ? chalk.yellow('!') : chalk.green('✔')} ${kind}${where}: ${describeContainment(kind)}`,
    ...gaps.map((gap) => `      ${chalk.dim(`not ${gap.kind}:`)} ${gap.why}`),
  ];
  return [
    `${chalk.bold('processes')} (--isolation host):`,
    ...lines(offline, same ? '' : ' in the offline lanes'),
    ...(same ? [] : lines(live, ' in the live lane')),
  ].join('\n');
}
