import type { PermissionContext } from '../../../../../src/backends/claude/stand-in/permissions.js';

/** The rules and the mode of a call. */
export type Rules = Partial<Pick<PermissionContext, 'mode' | 'allow' | 'deny' | 'ask'>>;

/** What decisions know about a call in /w. */
export function contextOf(rules: Rules = {}): PermissionContext {
  return {
    mode: 'default',
    allow: [],
    deny: [],
    ask: [],
    folders: { cwd: '/w', all: ['/w'] },
    places: { cwd: '/w', home: '/home/me' },
    approved: false,
    ...rules,
  };
}
