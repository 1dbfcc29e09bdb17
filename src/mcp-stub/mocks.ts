import { writeFileAtomic } from '../exec/files/atomic-write.js';
import { answerSchema, readStubMocks, type StubAnswer } from './script.js';

/**
 * Gives a tool of a running server another answer; null takes it back. The server reads the file at every call, so the
 * next one is answered by it.
 */
export async function mockToolAnswer(path: string, tool: string, answer: StubAnswer | null): Promise<void> {
  const { [tool]: _, ...others } = readStubMocks(path);
  const mocks = answer === null ? others : { ...others, [tool]: answerSchema.parse(answer) };
  await writeFileAtomic(path, `${JSON.stringify(mocks, null, 2)}\n`);
}
