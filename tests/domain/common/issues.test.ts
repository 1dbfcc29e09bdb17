import { expect, test } from 'vitest';
import * as z from 'zod';
import { explainIssues } from '../../../src/domain/common/issues.js';

test('a message that a schema has for a wrong word is left as it is', () => {
  const own = z.enum(['open', 'closed'], { error: 'unknown value: did you mean "open"?' });
  const [issue] = explainIssues(own.safeParse('opened').error?.issues ?? [], 'opened');
  expect(issue?.message).toBe('unknown value: did you mean "open"?');
});
