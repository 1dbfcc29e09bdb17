import type { PermissionContext } from '../../../../../src/backends/claude/stand-in/permissions/verdicts.js';

/** The rules and the mode of a call. */
export type Rules = Partial<Pick<PermissionContext, 'mode' | 'allow' | 'deny' | 'ask'>>;

/** What decisions know about a call in /w whose shell has run before. */
export function contextOf(rules: Rules = {}): PermissionContext {
  return {
    mode: 'default',
    allow: [],
    deny: [],
    ask: [],
    folders: { cwd: '/w', all: ['/w'] },
    root: '/w',
    home: '/home/me',
    shellHasRun: true,
    approved: false,
    ...rules,
  };
}
