import type { ContainerScope, Isolation } from '../domain/evidence/isolation.js';
import type { Lane } from '../domain/vocabulary.js';

/** The choices of a run that another call has to make again, whoever made them. */
interface RepeatedChoices {
  readonly lane: Lane;
  /** Modules with scenarios, as they were named. */
  readonly scenarios?: readonly string[] | undefined;
  readonly ralph: string | undefined;
  readonly model?: string | null | undefined;
  readonly passEnv?: readonly string[] | undefined;
  readonly isolation?: Isolation | undefined;
  readonly container?: ContainerScope | undefined;
  readonly strictKnownIssues?: boolean | undefined;
  /** The folder for workspaces, runs and reports, as the next call should name it. */
  readonly output: string;
}

/** Where a run keeps everything unless told otherwise. */
const DEFAULT_OUTPUT = '.e2e-tests';

/** The options with which the commands that reports print make the same choices. */
export function repeatFlags(choices: RepeatedChoices): string[] {
  const { lane, scenarios = [], ralph, model = null, passEnv = [], isolation = 'host', container } = choices;
  const { output, strictKnownIssues = false } = choices;
  return [
    ...(lane === 'live' ? [] : ['--lane', lane]),
    ...scenarios.flatMap((file) => ['--scenarios', file]),
    ...(ralph === undefined ? [] : ['--ralph', ralph]),
    ...(model === null ? [] : ['--model', model]),
    ...passEnv.flatMap((name) => ['--env', name]),
    ...(isolation === 'host' ? [] : ['--isolation', isolation]),
    ...(container === undefined ? [] : ['--container', container]),
    ...(strictKnownIssues ? ['--strict-known-issues'] : []),
    ...(output === DEFAULT_OUTPUT ? [] : ['--output', output]),
  ];
}
