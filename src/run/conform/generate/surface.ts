import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { onAnyPrompt } from '../../../agent/builder.js';
import { KnownError } from '../../../domain/common/known-error.js';
import { runCommand } from '../../../exec/process/run-command.js';
import { serveScript } from '../../../lane/script-server.js';
import { conformEnvironment } from '../run-case.js';

/** What the real program offers: its options, and the keys of its settings. */
export interface ClaudeSurface {
  readonly options: readonly HelpOption[];
  readonly settings: Readonly<Record<string, SettingShape>>;
}

/** An option in the help. */
export interface HelpOption {
  readonly name: string;
  readonly takes: 'nothing' | 'value' | 'optional';
  /** Empty if every value is accepted. */
  readonly choices: readonly string[];
}

const Shape = z.looseObject({ type: z.string().optional(), enum: z.array(z.unknown()).optional() });
export type SettingShape = z.infer<typeof Shape>;

/** Asks the real program what it offers. */
export async function readSurface(executable: string): Promise<ClaudeSurface> {
  const base = mkdtempSync(join(tmpdir(), 'ralph-e2e-surface-'));
  const recordTo = join(base, 'requests.jsonl');
  const script = { version: 1 as const, rules: [onAnyPrompt().says('Thank you.').rule] };
  const server = await serveScript({ script, cwd: base, recordTo });
  const options = { cwd: base, env: conformEnvironment(base, server.url), timeoutMs: 120_000 };
  try {
    const help = await runCommand(executable, ['--help'], options);
    // The skill that changes settings gives its model the schema of the settings.
    await runCommand(
      executable,
      ['--print', '--no-session-persistence', '/update-config show the model'],
      options,
    );
    return { options: parseHelp(help.stdout), settings: findSchema(readFileSync(recordTo, 'utf8')) };
  } finally {
    await server.close();
    rmSync(base, { recursive: true, force: true });
  }
}

/** Reads the options in a help text of commander. */
export function parseHelp(help: string): HelpOption[] {
  const [, section = ''] = /\nOptions:\n([\s\S]*?)(?:\n\n|$)/.exec(help) ?? [];
  return section.split(/\n(?= {2}-)/).flatMap((entry) => {
    const head = /^ {2}(?:-\w, )?(--[\w-]+)(?:, --[\w-]+)?(?: (<[^>]*>|\[[^\]]*\]))?/.exec(entry);
    if (head === null) return [];
    const [, name = '', value] = head;
    const [, choices = ''] = /\(choices: ([^()]*)\)/.exec(entry.replace(/\s+/g, ' ')) ?? [];
    return [
      {
        name,
        takes: value === undefined ? 'nothing' : value.startsWith('<') ? 'value' : 'optional',
        choices: [...choices.replace(/(?:default|preset):.*/, '').matchAll(/"([^"]*)"/g)].map(
          ([, choice = '']) => choice,
        ),
      },
    ];
  });
}

/** Finds the JSON schema of the settings in recorded requests. */
export function findSchema(requests: string): Record<string, SettingShape> {
  for (const line of requests.split('\n')) {
    // The schema is text inside the JSON of a request.
    const start = line.indexOf('{\\n  \\"$schema\\"');
    if (start < 0) continue;
    const end = line.indexOf('\\n```', start);
    const schema: unknown = JSON.parse(JSON.parse(`"${line.slice(start, end)}"`));
    return z.looseObject({ properties: z.record(z.string(), Shape) }).parse(schema).properties;
  }
  throw new KnownError('Expected the schema of the settings in the request of /update-config, found none.', {
    hint: 'This version of Claude Code shows its settings in another way: see src/run/conform/generate/surface.ts.',
  });
}
