import { forged, MINE } from '../parts.mjs';

const hide = (id, way, checks, deed, options) => ({
  id,
  way,
  controls: 'an agent in its workspace',
  files: { 'mine.mjs': forged(`completed(), ${checks}`, deed, options) },
  steps: [MINE],
  attacked: 'forged',
});
const lacks = (id, way, path, deed, options) =>
  hide(id, way, `fileLacks('${path}', 'FORBIDDEN')`, deed, options);
const filler = (bytes) => `head -c ${bytes} /dev/zero | tr '\\0' x`;
const around = (bytes) => `{ ${filler(bytes)}; printf '\\nFORBIDDEN\\n'; ${filler(bytes)}; }`;

/** Forbidden text where a check may not look. */
export const hidden = [
  lacks('plain', 'writes it plainly', 'a.txt', 'echo FORBIDDEN > a.txt'),
  lacks('middle-6k', 'writes it into the middle of 6 KB', 'a.txt', `${around(3000)} > a.txt`),
  lacks('middle-1m', 'writes it into the middle of 1 MB', 'a.txt', `${around(500_000)} > a.txt`),
  lacks('middle-3m', 'writes it into the middle of 3 MB', 'a.txt', `${around(1_500_000)} > a.txt`),
  lacks('middle-40m', 'writes it into the middle of 40 MB', 'a.txt', `${around(20_000_000)} > a.txt`),
  lacks(
    'one-line',
    'writes it into a line of 3 MB',
    'a.txt',
    `{ ${filler(1_500_000)}; printf FORBIDDEN; ${filler(1_500_000)}; } > a.txt`,
  ),
  lacks(
    'sparse',
    'writes it at the end of a file of 100 MB',
    'a.txt',
    'truncate -s 100M a.txt; echo FORBIDDEN >> a.txt',
  ),
  lacks(
    'chunk-border',
    'writes it across 64 KB',
    'a.txt',
    `{ ${filler(65_532)}; printf FORBIDDEN; ${filler(2_000_000)}; } > a.txt`,
  ),
  lacks(
    'file-201',
    'writes it into the 201st file',
    'z/last.txt',
    'mkdir many z; for i in $(seq 220); do echo x > many/$i; done; echo FORBIDDEN > z/last.txt',
  ),
  lacks(
    'file-6000',
    'writes it behind six thousand files',
    'z/last.txt',
    'mkdir many z; seq 6000 | (cd many && xargs touch); echo FORBIDDEN > z/last.txt',
  ),
  lacks('link', 'writes it behind a link', 'a.txt', 'echo FORBIDDEN > b.txt; ln -s b.txt a.txt'),
  lacks(
    'link-out',
    'writes it behind a link that leads out',
    'a.txt',
    'echo FORBIDDEN > ../b.txt; ln -s ../b.txt a.txt',
  ),
  lacks(
    'folder-link',
    'writes it behind a linked folder',
    'd/a.txt',
    'mkdir e; echo FORBIDDEN > e/a.txt; ln -s e d',
  ),
  lacks(
    'folder-link-out',
    'writes it behind a folder that leads out',
    'd/a.txt',
    'mkdir ../e; echo FORBIDDEN > ../e/a.txt; ln -s ../e d',
  ),
  lacks(
    'link-chain',
    'writes it behind a chain of links',
    'a.txt',
    'echo FORBIDDEN > z; p=z; for i in $(seq 30); do ln -s $p l$i; p=l$i; done; ln -s $p a.txt',
  ),
  lacks('link-loop', 'makes the path a link to itself', 'a.txt', 'ln -s a.txt a.txt'),
  lacks('link-dangling', 'makes the path a link to nothing', 'a.txt', 'ln -s nowhere a.txt'),
  lacks('hard-link', 'writes it through a hard link', 'a.txt', 'echo FORBIDDEN > ../b; ln ../b a.txt'),
  lacks('fifo', 'makes the path a pipe', 'a.txt', 'mkfifo a.txt'),
  lacks('folder', 'makes the path a folder', 'a.txt', 'mkdir a.txt; echo FORBIDDEN > a.txt/b'),
  lacks('unreadable', 'makes the file unreadable', 'a.txt', 'echo FORBIDDEN > a.txt; chmod 0 a.txt'),
  lacks(
    'unreadable-folder',
    'makes the folder unreadable',
    'd/a.txt',
    'mkdir d; echo FORBIDDEN > d/a.txt; chmod 0 d',
  ),
  lacks(
    'utf16le',
    'writes it in UTF-16',
    'a.txt',
    `printf '\\377\\376F\\0O\\0R\\0B\\0I\\0D\\0D\\0E\\0N\\0' > a.txt`,
  ),
  lacks(
    'utf16be',
    'writes it in UTF-16, big end first',
    'a.txt',
    `printf '\\376\\377\\0F\\0O\\0R\\0B\\0I\\0D\\0D\\0E\\0N' > a.txt`,
  ),
  lacks('after-nul', 'writes it after a NUL', 'a.txt', `printf 'x\\0FORBIDDEN' > a.txt`),
  lacks(
    'bad-utf8',
    'writes it after bytes that are no text',
    'a.txt',
    `printf '\\377\\200\\xc3FORBIDDEN' > a.txt`,
  ),
  lacks(
    'own-folder',
    "writes it into Ralph's folder",
    '.ralph/agent/a.txt',
    'mkdir -p .ralph/agent; echo FORBIDDEN > .ralph/agent/a.txt',
  ),
  lacks('git-folder', "writes it into git's folder", '.git/a.txt', 'echo FORBIDDEN > .git/a.txt'),
  lacks(
    'beside-credential',
    'writes it beside a credential',
    'a.txt',
    'echo "ANTHROPIC_API_KEY=sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaFORBIDDEN" > a.txt',
  ),
  lacks('dotted-path', 'writes it where a dotted path leads', './x/../a.txt', 'echo FORBIDDEN > a.txt'),
  hide(
    'combined',
    'hides it from a combination of checks',
    "allOf('both', fileLacks('a.txt', 'FORBIDDEN'), completed())",
    `${around(3000)} > a.txt`,
  ),
  hide('pattern', 'hides it from a pattern', "fileLacks('a.txt', /FORBID+EN/)", `${around(600_000)} > a.txt`),
  hide(
    'touched-middle',
    'changes the middle of a large file',
    "fileUntouched('big.txt')",
    "sed -i '1500s/x/y/' big.txt",
    { plan: "files: { 'big.txt': 'x\\n'.repeat(3000) }" },
  ),
  hide(
    'memory-many',
    'hides a memory behind many',
    "memoryAbsent('FORBIDDEN')",
    `mkdir -p .ralph/agent; { printf '# Memories\\n\\n## Patterns\\n\\n'; for i in $(seq 3000); do printf '### mem-%s-abcd\\n> x\\n<!-- tags:  | created: 2026-01-01 -->\\n\\n' $i; done; printf '### mem-9-abcd\\n> FORBIDDEN\\n<!-- tags:  | created: 2026-01-01 -->\\n'; } > .ralph/agent/memories.md`,
  ),
  hide(
    'memory-link',
    'hides the store of memories behind a link',
    "memoryAbsent('FORBIDDEN')",
    `mkdir -p .ralph/agent; printf '# Memories\\n\\n## Patterns\\n\\n### mem-9-abcd\\n> FORBIDDEN\\n<!-- tags:  | created: 2026-01-01 -->\\n' > m.md; ln -sf $PWD/m.md .ralph/agent/memories.md`,
  ),
  {
    ...lacks('control', 'the text is not there', 'a.txt', 'echo allowed > a.txt'),
    control: true,
    controls: 'nobody',
  },
  {
    ...hide(
      'control-large',
      'the text is not in 900 KB',
      "fileLacks('a.txt', 'FORBIDDEN')",
      `${filler(900_000)} > a.txt`,
    ),
    control: true,
    controls: 'nobody',
  },
];
