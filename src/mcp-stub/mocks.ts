import { type StubAnswer, stubAnswerSchema } from '../domain/stub/script.js';
import { writeFileAtomic } from '../exec/files/atomic-write.js';
import { readStubMocks } from './script.js';

/**
 * Overrides the answer of a tool of a running server; null removes the override. The server reads the file at every
 * call, so it takes effect at the next one.
 */
export async function mockToolAnswer(path: string, tool: string, answer: StubAnswer | null): Promise<void> {
  const { [tool]: _, ...others } = readStubMocks(path);
  const mocks = answer === null ? others : { ...others, [tool]: stubAnswerSchema.parse(answer) };
  await writeFileAtomic(path, `${JSON.stringify(mocks, null, 2)}\n`);
}
