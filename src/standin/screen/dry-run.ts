import type { RalphConfig } from '../config/config.js';
import { ellipsize } from '../text.js';

/** Renders the output of `--dry-run`: the configuration after all layers. */
export function renderDryRun(config: RalphConfig, shown: { verbose: boolean; warnings: number }): string {
  const { verbose, warnings } = shown;
  const { eventLoop, core, cli, hats } = config;
  const preview = ellipsize((eventLoop.prompt ?? '').replaceAll('\n', ' '), 60);
  return [
    'Dry run mode - configuration:',
    `  Hats: ${hats.length === 0 ? 'planner, builder (default)' : hats.map(({ id }) => id).join(', ')}`,
    eventLoop.prompt === undefined
      ? `  Prompt file: ${eventLoop.promptFile}`
      : `  Prompt: inline text (${preview})`,
    `  Completion promise: ${eventLoop.completionPromise}`,
    `  Max iterations: ${eventLoop.maxIterations}`,
    `  Max runtime: ${eventLoop.maxRuntimeSeconds}s`,
    `  Scratchpad: ${core.scratchpad.path} (enabled: ${core.scratchpad.enabled})`,
    `  Specs dir: ${core.specsDir}`,
    `  Backend: ${cli.backend}`,
    `  Verbose: ${verbose}`,
    `  Default mode: ${cli.defaultMode}`,
    ...(cli.defaultMode === 'interactive' ? [`  Idle timeout: ${cli.idleTimeoutSeconds}s`] : []),
    ...(warnings === 0 ? [] : [`  Warnings: ${warnings}`]),
    '',
  ].join('\n');
}
