import type { ReportContext, ReportResult } from '../../domain/report/report.js';

/**
 * A part of what a test left behind. Every format shows the same parts under the same titles; what a conversation does not
 * have is in none of them.
 */
export type ContextSection =
  | TextSection
  | { readonly kind: 'command'; readonly title: string; readonly command: string }
  | {
      readonly kind: 'turns';
      readonly title: string;
      readonly talk: NonNullable<ReportContext['conversation']>;
    }
  | { readonly kind: 'iterations'; readonly title: string; readonly context: ReportContext }
  | { readonly kind: 'events'; readonly title: string; readonly context: ReportContext }
  | {
      readonly kind: 'files';
      readonly title: string;
      readonly files: ReportContext['workspace_files'];
    };

interface TextSection {
  readonly kind: 'text';
  readonly mark: string;
  readonly title: string;
  readonly text: string;
  readonly language: string;
  /** The file with the whole text; null if only evidence.json has it. */
  readonly path: string | null;
}

/** Lists the parts of a test's context, in the order in which a reader needs them. */
export function contextSections({ context }: Pick<ReportResult, 'context'>): ContextSection[] {
  if (context === null) return [];
  const changed = context.workspace_files.filter(({ change }) => change !== 'unchanged');
  return [
    { kind: 'command', title: 'Command', command: context.command_line },
    ...(context.conversation === undefined
      ? [
          textSection('📄', 'Configuration (ralph.yml)', context.config_yaml, { language: 'yaml' }),
          textSection('📝', 'Prompt given to Ralph', context.prompt_content, { language: 'markdown' }),
        ].flat()
      : [{ kind: 'turns', title: 'Conversation', talk: context.conversation } as const]),
    { kind: 'iterations', title: context.conversation === undefined ? 'Iterations' : 'Turns', context },
    { kind: 'events', title: 'Events', context },
    ...textSection('📣', "Ralph's log", context.ralph_log.join('\n')),
    ...textSection('📤', 'Output (stdout)', context.stdout, { path: context.stdout_path }),
    ...textSection('📤', 'Errors (stderr)', context.stderr, { path: context.stderr_path }),
    ...textSection('🗒️', 'Scratchpad before', context.scratchpad_before, { language: 'markdown' }),
    ...textSection('📋', 'Scratchpad after', context.scratchpad_after, { language: 'markdown' }),
    { kind: 'files', title: 'Files changed', files: changed },
    ...textSection(
      '⚠️',
      'Lines that could not be read',
      context.malformed_lines.map(({ file, line, text }) => `${file}:${line}: ${text}`).join('\n'),
    ),
    ...textSection('🔌', 'Errors of the backend', context.backend_errors.join('\n')),
    ...textSection('👻', 'Processes left behind', context.processes_left_behind.join('\n')),
    ...textSection('🚧', 'Stopped by the isolation', context.stopped_by_isolation.join('\n')),
  ];
}

/** Makes the section of a text, or none if there is no text. */
function textSection(
  mark: string,
  title: string,
  text: string | null,
  { language = '', path = null }: { language?: string; path?: string | null } = {},
): TextSection[] {
  return text === null || text === '' ? [] : [{ kind: 'text', mark, title, text, language, path }];
}
