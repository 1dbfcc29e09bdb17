/**
 * Whether `auto` and `plan` ignore an allow rule: it would let any code run before their own safety check.
 * As in Claude Code 2.1.325.
 */
export function allowsAnyCode(rule: string): boolean {
  const content = /^Bash(?:\((.*)\))?$/s.exec(rule.trim());
  if (content === null) return false;
  const limit = content[1] ?? '';
  if (limit === '' || limit === '*') return true;
  return CODE_RUNNERS.some(
    (runner) =>
      ['', ':*', '*', ' *'].some((end) => limit === `${runner}${end}`) ||
      (limit.startsWith(`${runner} -`) && limit.endsWith('*')),
  );
}

/** Programs that run what their arguments or files say. */
const CODE_RUNNERS = [
  ...['python', 'python3', 'python2', 'node', 'deno', 'tsx', 'ruby', 'perl', 'php', 'lua', 'npx', 'bunx'],
  ...['npm run', 'yarn run', 'pnpm run', 'bun run', 'bash', 'sh', 'ssh', 'zsh', 'fish', 'eval', 'exec'],
  ...['env', 'xargs', 'sudo'],
];
