import { resolve } from 'node:path';
import { describeCoverage } from '../../agent/engine/coverage.js';
import { KnownError } from '../../domain/common/known-error.js';
import type { RequestRecord } from '../../domain/evidence/request-record.js';
import { type ReviewedServer, recordScriptFile, serveScriptSource } from '../../lane/script-server.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { listenForInterrupt, untilInterrupted } from '../interrupt.js';
import { openScreen } from '../screen.js';

/** The flags of `serve` as commander passes them. */
export interface ServeFlags {
  readonly script?: string;
  readonly port: number;
  readonly requests?: string;
  readonly strict?: boolean;
  readonly record?: string;
}

/** Runs `ralph-e2e serve`: plays a script as the model behind real CLIs until it is interrupted. */
export async function serveCommand(flags: ServeFlags): Promise<ExitCode> {
  if (flags.script === undefined) {
    throw new KnownError('serve needs --script <file>, which was not given.', {
      hint: 'Example: `ralph-e2e serve --script agent.yaml`. See docs/agent-script.md.',
    });
  }
  if (flags.record !== undefined) return record(resolve(flags.script), flags.record, flags.port);
  const screen = openScreen({ json: false });
  const served = await serveScriptSource(resolve(flags.script), {
    port: flags.port,
    recordTo: flags.requests === undefined ? undefined : resolve(flags.requests),
    onRequest: (record) => screen.print(describeRequest(record)),
  });
  const interrupt = listenForInterrupt();
  screen.print(describeServer(flags.script, served));
  await untilInterrupted(interrupt);
  interrupt.stop();
  await served.server.close();
  const open = served.review();
  const lines = describeCoverage(open);
  if (lines.length > 0) screen.print(lines.join('\n'));
  const isOpen = open.unanswered.length > 0 || (flags.strict === true && open.unused.length > 0);
  return isOpen ? EXIT.failed : EXIT.passed;
}

/** Runs `serve --record`: forwards every request to a real API and writes a script that replays the answers. */
async function record(path: string, target: string, port: number): Promise<ExitCode> {
  const screen = openScreen({ json: false });
  const recording = await recordScriptFile(path, { target: readTarget(target), port });
  const interrupt = listenForInterrupt();
  screen.print(`Forwarding ${recording.url} to ${target}. Press Ctrl-C to stop and write ${path}.`);
  await untilInterrupted(interrupt);
  interrupt.stop();
  const rules = await recording.finish();
  screen.print(`Wrote ${path}: ${rules} conversation${rules === 1 ? '' : 's'}.`);
  return rules > 0 ? EXIT.passed : EXIT.untested;
}

function readTarget(value: string): string {
  if (URL.canParse(value) && /^https?:/.test(value)) return value;
  throw new KnownError(`--record ${value}: expected the URL of an API, such as https://api.anthropic.com.`);
}

function describeServer(path: string, { server, script, notes }: ReviewedServer): string {
  const { url } = server;
  const rules = script.rules.length;
  return [
    ...notes.map((note) => `note: ${note}`),
    `Playing ${path} (${rules} rule${rules === 1 ? '' : 's'}) on ${url}`,
    `  Anthropic  ANTHROPIC_BASE_URL=${url} ANTHROPIC_API_KEY=any`,
    `  OpenAI     base URL ${url}/v1, any key (chat completions and responses)`,
    `  Gemini     GOOGLE_GEMINI_BASE_URL=${url} GEMINI_API_KEY=any`,
    'Press Ctrl-C to stop.',
  ].join('\n');
}

function describeRequest({ method, path, kind, matched, outcome, status, prompt }: RequestRecord): string {
  const what = kind === 'main' ? (matched ?? outcome) : kind;
  const asked = prompt === '' ? `${method} ${path}` : JSON.stringify(prompt.slice(0, 80));
  return `${status ?? '---'} ${what}: ${asked}`;
}
