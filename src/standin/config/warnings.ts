import type { ConfigReader } from './reader.js';

/** Lists the settings that the real Ralph accepts and warns about. */
export function listWarnings(root: ConfigReader): readonly string[] {
  const threshold = root.section('event_loop').decimal('mutation_score_warn_threshold');
  const adapters = root.section('adapters');
  const permissions = ['claude', 'gemini', 'codex', 'amp'].some(
    (name) => adapters.section(name).list('tool_permissions') !== undefined,
  );
  const found: readonly (readonly [boolean, string, string])[] = [
    [root.flag('archive_prompts') === true, 'archive_prompts', 'Feature not yet available in v2'],
    [root.flag('enable_metrics') === true, 'enable_metrics', 'Feature not yet available in v2'],
    [
      root.count('max_tokens') !== undefined,
      'max_tokens',
      'Field ignored - the agent CLI has its own limits',
    ],
    [root.count('retry_delay') !== undefined, 'retry_delay', 'Field ignored - retries work in another way'],
    [
      threshold !== undefined && (threshold < 0 || threshold > 100),
      'event_loop.mutation_score_warn_threshold',
      'Value must be between 0 and 100',
    ],
    [permissions, 'adapters.*.tool_permissions', 'Field ignored - the agent CLI has its own permissions'],
  ];
  return found.flatMap(([holds, field, message]) => (holds ? [`Warning [${field}]: ${message}`] : []));
}
