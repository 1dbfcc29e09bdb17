import { isKickoff } from '../../domain/evidence/ralph-words.js';
import { CommandError } from '../failure.js';
import { faulty } from '../faults.js';
import { findHookProblem } from '../hooks/config.js';
import { DEFAULT_PROMPT_FILE, type HatConfig, type RalphConfig } from './config.js';

/**
 * Rejects what the real Ralph rejects, in its order and with the phrases that people search for. Returns what it only
 * warns about.
 */
export function validateConfig(config: RalphConfig): readonly string[] {
  const problem = findProblem(config);
  if (problem !== undefined && !faulty('accept-bad-config'))
    throw new CommandError('Configuration validation failed', problem);
  return config.suppressWarnings ? [] : config.warnings;
}

/** Finds the first problem of a configuration; `_suppress_warnings` suppresses errors too. */
export function findProblem(config: RalphConfig): string | undefined {
  if (config.suppressWarnings) return undefined;
  const { eventLoop, cli, hats, robot } = config;
  if (
    eventLoop.prompt !== undefined &&
    eventLoop.promptFile !== '' &&
    eventLoop.promptFile !== DEFAULT_PROMPT_FILE
  ) {
    return "Mutually exclusive fields: 'event_loop.prompt' and 'event_loop.prompt_file' cannot both be specified.\nFix: keep one of the two.\nSee: docs/reference/troubleshooting.md#mutually-exclusive-fields";
  }
  if (eventLoop.completionPromise.trim() === '') {
    return 'Invalid completion_promise: must be non-empty and non-whitespace';
  }
  if (cli.backend === 'custom' && (cli.command ?? '') === '') {
    return "Custom backend requires a command.\nFix: name the program in 'cli.command'.\nSee: docs/reference/troubleshooting.md#custom-backend-command";
  }
  if (robot.enabled && robot.timeoutSeconds === undefined) {
    return 'RObot config error: RObot.timeout_seconds - timeout_seconds is required when RObot is enabled\nSee: docs/reference/troubleshooting.md#robot-config';
  }
  return findHookProblem(config.hooks) ?? findHatProblem(hats);
}

function findHatProblem(hats: readonly HatConfig[]): string | undefined {
  const nameless = hats.find((hat) => hat.description.trim() === '');
  if (nameless !== undefined) {
    return `Hat '${nameless.id}' is missing required 'description' field - add a short description of the hat's purpose.\nSee: docs/reference/troubleshooting.md#missing-hat-description`;
  }
  const idle = hats.find((hat) => hat.concurrency === 0);
  if (idle !== undefined) return `Hat '${idle.id}' has invalid concurrency: 0. Must be >= 1.`;
  const torn = hats.find((hat) => hat.aggregates && hat.concurrency > 1);
  if (torn !== undefined)
    return `Hat '${torn.id}' has both 'aggregate' and 'concurrency > 1'. An aggregator hat cannot also be a concurrent worker.`;

  const owners = new Map<string, string>();
  for (const hat of hats) {
    const reserved = hat.triggers.find(isKickoff);
    if (reserved !== undefined) {
      return `Reserved trigger '${reserved}' used by hat '${hat.id}' - task.start and task.resume are reserved for Ralph (the coordinator). Use a delegated event like 'work.start' instead.\nSee: docs/reference/troubleshooting.md#reserved-trigger`;
    }
  }
  for (const hat of hats) {
    for (const trigger of hat.triggers) {
      const owner = owners.get(trigger);
      if (owner !== undefined) {
        return `Ambiguous routing: trigger '${trigger}' is claimed by both '${owner}' and '${hat.id}'.\nFix: leave the trigger to one of them, or give the other an event of its own.\nSee: docs/reference/troubleshooting.md#ambiguous-routing`;
      }
      owners.set(trigger, hat.id);
    }
  }
  return undefined;
}
