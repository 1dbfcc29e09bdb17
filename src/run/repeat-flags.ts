import type { ContainerScope, Isolation } from '../domain/evidence/isolation.js';
import { EMBEDDED_RALPH } from '../domain/stand-ins.js';
import type { Lane } from '../domain/vocabulary.js';
import type { RunStarted } from './resume/whole-journal.js';

/** The choices of a run that a repetition has to make again. */
interface RepeatedChoices {
  readonly lane: Lane;
  /** Modules with scenarios, as the user named them. */
  readonly scenarios?: readonly string[] | undefined;
  /** Modules with scenarios in addition to the others. */
  readonly addScenarios?: readonly string[] | undefined;
  /** A file with known issues. */
  readonly knownIssues?: string | undefined;
  readonly ralph: string | undefined;
  readonly model?: string | null | undefined;
  readonly passEnv?: readonly string[] | undefined;
  readonly isolation?: Isolation | undefined;
  readonly container?: ContainerScope | undefined;
  readonly excludes?: readonly string[] | undefined;
  /** The folder for workspaces, runs and reports, as the user would name it. */
  readonly output: string;
}

/** The default of `--output`. */
const DEFAULT_OUTPUT = '.e2e-tests';

/** Returns the CLI flags that reproduce a run; reports print them. */
export function repeatFlags(choices: RepeatedChoices): string[] {
  const { lane, scenarios = [], ralph, model = null, passEnv = [], isolation = 'host', container } = choices;
  const { output, addScenarios = [], knownIssues, excludes = [] } = choices;
  return [
    ...(lane === 'live' ? [] : ['--lane', lane]),
    ...scenarios.flatMap((file) => ['--scenarios', file]),
    ...addScenarios.flatMap((file) => ['--add-scenarios', file]),
    ...(knownIssues === undefined ? [] : ['--known-issues', knownIssues]),
    ...(ralph === undefined ? [] : ['--ralph', ralph]),
    ...(model === null ? [] : ['--model', model]),
    ...passEnv.flatMap((name) => ['--env', name]),
    ...(isolation === 'host' ? [] : ['--isolation', isolation]),
    ...(container === undefined ? [] : ['--container', container]),
    ...excludes.flatMap((pattern) => ['--exclude', pattern]),
    ...outputFlags(output),
  ];
}

/** Returns the flags for a run of which only a journal is known. They name no path and no variable of it. */
export function safeRepeatFlags({ lane, target, environment }: RunStarted, output: string): string[] {
  const ralph = target.because === 'asked' ? EMBEDDED_RALPH : undefined;
  return repeatFlags({ lane, ralph, isolation: environment.isolation, output });
}

/** Returns the flag that names the folder of runs, unless it is the default one. */
export function outputFlags(output: string): string[] {
  return output === DEFAULT_OUTPUT ? [] : ['--output', output];
}
