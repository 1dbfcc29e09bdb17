import { expect, it, vi } from 'vitest';
import { openScreen } from '../../src/cli/screen.js';
import type { Pieces } from '../../src/report/text/pieces.js';

function* cut(text: string, length: number): Pieces {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

it('breaks commands of CI systems also where the pieces of a long text meet', () => {
  const line = `${'x'.repeat(60)} ##vso[task.prependpath]/evil\n::add-mask::y a::b\n`;
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    openScreen({ json: false }).printAll(cut(line.repeat(5_000), 7));
    const chunks = write.mock.calls.map(([chunk]) => String(chunk));
    const broken = line.replace('##vso', '# #vso').replace('::add-mask', ': :add-mask');
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.join('')).toBe(broken.repeat(5_000));
  } finally {
    write.mockRestore();
  }
});
