import { stringify } from 'yaml';
import { BACKENDS, type Environment, probeBackend } from '../../backends/index.js';
import type { Target } from '../../domain/attempt.js';
import { RALPH_FILES } from '../../domain/evidence/ralph-words.js';
import type { Readiness } from '../../domain/evidence/readiness.js';
import type { ArrangedFile, Arrangement } from '../../domain/scenario/arrangement.js';
import { FAULT_VARIABLE } from '../../domain/scenario/stand-in-faults.js';
import type { BackendId } from '../../domain/vocabulary.js';
import { redactText } from '../../exec/redact.js';
import { unreadyEnvironment } from '../../lane/environment.js';
import type { Attempt } from '../../lane/job.js';
import { type Executed, runOnWorkbench } from '../../lane/workbench.js';
import { withBackend } from './config.js';
import { collectEvidence } from './evidence/collect.js';
import { arrangedPromise, askPromise } from './promise.js';
import { RALPH_VARIABLES, ralphCommand, runRalph } from './run-ralph.js';

/** Runs Ralph in the workspace that a scenario arranges, and collects the evidence. */
export function executeRalph(attempt: Attempt, arrangement: Arrangement): Promise<Executed> {
  const { job, places, settings } = attempt;
  const { backend } = job;
  const { binary } = settings;
  const { before, after, credentials, path, prompt, terminal, args: extraArgs = [] } = arrangement;
  const configYaml = renderConfig(backend, arrangement, settings.model);
  const files = { ...arrangement.files, 'ralph.yml': configYaml, 'prompt.md': `${prompt}\n` };
  return runOnWorkbench(
    attempt,
    {
      files,
      env: { ...RALPH_VARIABLES, ...faultVariable(settings.target) },
      path,
      credentials,
      before,
      after,
    },
    {
      run: async (workbench) => ({
        readiness: await probeUnready(backend, arrangement, workbench.env, places.home),
        promise: arrangedPromise(arrangement) ?? (await askPromise(extraArgs, { ...workbench, binary })),
        result: await runRalph({ ...workbench, binary, artifacts: places.artifacts, extraArgs, terminal }),
      }),
      collect: (ran, facts) =>
        collectEvidence({
          ...facts,
          ...ran,
          command: ralphCommand(binary, extraArgs, terminal),
          version: settings.target.version,
          configYaml: redactText(configYaml, facts.secrets),
          promptText: redactText(prompt, facts.secrets),
          scratchpadBefore: textOf(arrangement.files?.[RALPH_FILES.scratchpad]),
        }),
    },
  );
}

/** Returns the variable that breaks a stand-in. No other program gets it. */
function faultVariable({ faults }: Target): Environment {
  return faults === undefined ? {} : { [FAULT_VARIABLE]: faults.join() };
}

function textOf(file: ArrangedFile | undefined): string | null {
  if (file === undefined) return null;
  return typeof file === 'string' ? file : file.content;
}

/** Writes ralph.yml as the attempt has it. */
export function renderConfig(backend: BackendId, { config }: Arrangement, model: string | null): string {
  const { ralphBackend, modelArgs } = BACKENDS[backend];
  return stringify(withBackend(config, ralphBackend, model === null ? [] : modelArgs(model)));
}

async function probeUnready(
  backend: BackendId,
  { probe }: Arrangement,
  env: Environment,
  home: string,
): Promise<Readiness | null> {
  if (probe === undefined) return null;
  return probeBackend(BACKENDS[backend], { env: unreadyEnvironment(BACKENDS[backend], env, home, probe) });
}
