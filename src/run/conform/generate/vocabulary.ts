import type { SeededRandom } from './random.js';

/** The files of every generated workspace. */
export const FILES: Readonly<Record<string, string>> = {
  'a.txt': 'A line\nanother\n',
  'src/b.txt': 'B line\n',
  'src/deep/c.ts': 'C\n',
  '.env': 'SECRET=1\n',
};

const PATHS = [
  ...[
    'a.txt',
    './a.txt',
    'src/b.txt',
    'src/deep/c.ts',
    'new.txt',
    'made/new.txt',
    '.env',
    'CLAUDE.md',
    'nosuch.txt',
  ],
  ...[
    '../x.txt',
    '.git/config',
    '.git/hooks/pre-commit',
    '.claude/settings.json',
    '.claude/commands/c.md',
    '.bashrc',
  ],
  ...[
    '.mcp.json',
    '.vscode/settings.json',
    '.github/w.yml',
    '.gitignore',
    '.npmrc',
    'src/../a.txt',
    'src',
    '.husky/x',
  ],
  ...['.zlogin', '.yarnrc.yml', '.config/git/config', '.bash_aliases', '.claude/hooks/x.sh', '.config/x'],
];

/** Commands that are safe to run in a throwaway folder. */
const COMMANDS = [
  ...[
    'ls',
    'ls -la',
    'pwd',
    'true',
    'false',
    'echo hi',
    'echo "a b"',
    'printf hi',
    'date +%Y',
    'whoami',
    'id -u',
  ],
  ...[
    'cat PATH',
    'head -n 1 PATH',
    'tail -n 1 PATH',
    'wc -l PATH',
    'grep line PATH',
    'grep -n line PATH',
    'sort PATH',
  ],
  ...[
    'sort -r PATH',
    'sort -o out.txt PATH',
    'cut -c1 PATH',
    'uniq PATH',
    'diff a.txt PATH',
    'stat -c %s PATH',
  ],
  ...[
    'find . -name "*.txt"',
    'find . -delete',
    'find src -type f',
    'basename PATH',
    'test -f PATH',
    '[ -f PATH ]',
  ],
  ...[
    'touch PATH',
    'mkdir -p made',
    'mkdir PATH',
    'rm PATH',
    'rm -f PATH',
    'rm -rf src',
    'cp a.txt PATH',
    'mv PATH moved.txt',
  ],
  ...[
    'cp -r src copied',
    'sed -i s/line/word/ PATH',
    'sed -n 1p PATH',
    'sed s/line/word/ PATH',
    'tee PATH',
    'ln -s a.txt l',
  ],
  ...[
    'chmod +x a.txt',
    'python3 -c 1',
    'sh -c "touch s.txt"',
    'bash -c ls',
    'eval ls',
    'env',
    'export A=1',
    'exit 3',
    ':',
  ],
  ...[
    'git status',
    'git log --oneline',
    'git init -q .',
    'git branch x',
    'awk 1 PATH',
    'xargs echo',
    'cd src',
    'cd ..',
  ],
  ...[
    'timeout 5 ls',
    'time ls',
    'nice ls',
    'command -v ls',
    'X=1',
    'FOO=1 ls',
    'NODE_ENV=x python3 -c 1',
    'nosuchcommand',
  ],
  ...[
    'echo $HOME',
    'echo $FOO',
    'echo ${HOME}',
    'cat "$PWD/a.txt"',
    'echo *',
    'echo {a,b}',
    'ls ~',
    'cat /etc/hostname',
  ],
  ...[
    'grep -f PATH a.txt',
    'grep -eline PATH',
    'sort -k2 PATH',
    'jq . PATH',
    'jq -n env',
    'jq -f PATH a.txt',
    'awk \'BEGIN{system("touch s.txt")}\'',
    "awk '{print $1}' PATH",
    'sed -f PATH a.txt',
    'cat A.TXT',
    'test 1 -eq 1',
  ],
  ...[
    'git log -1 --format=%H',
    'git diff --name-only',
    'git diff PATH',
    'git log --output=out.txt',
    'git branch --list',
    'git config --get user.name',
    'git config user.name x',
    'git grep line',
    'git grep -Otouch line',
  ],
  ...[
    'nice -n 5 python3 -c 1',
    'command python3 -c 1',
    '"python3" -c 1',
    'python3  -c 1',
    'CI=1 python3 -c 1',
    'LANG=C python3 -c 1',
    'cat "$(pwd)/a.txt"',
    'touch "$(pwd)/s.txt"',
    'timeout 5 touch PATH',
    '"touch" PATH',
    'touch -c PATH',
    'mkdir -m 777 made',
    'sed -i -E s/line/word/ PATH',
    '> PATH',
    "cat <<'EOF' > PATH\nhi\nEOF",
    "cat > PATH <<'EOF'\nhi\nEOF",
    "git commit -m \"$(cat <<'EOF'\nit's\nEOF\n)\"",
  ],
];

/** Ways to put commands together. */
const SHAPES = [
  ...[
    'A; B',
    'A && B',
    'A || B',
    'A | B',
    'A | cat',
    'A\nB',
    'A > out.txt',
    'A >> a.txt',
    'A 2>&1',
    'A > /dev/null',
    'A &',
  ],
  ...[
    'A > PATH',
    'A < a.txt',
    'echo $(A)',
    'echo `A`',
    'echo "$(A)"',
    '(A)',
    '{ A; }',
    '! A',
    'A # why',
    'X=$(A)',
  ],
  ...[
    'if A; then B; fi',
    'for i in 1 2; do A; done',
    'while false; do A; done',
    'case x in x) A;; esac',
    'f() { A; }; f',
  ],
  ...[
    'cat <<EOF\nhi\nEOF',
    "cat <<'EOF'\n$(A)\nEOF",
    'cat <(A)',
    'A && B && A',
    'A; B; A | cat',
    'cd src && A',
    'A "',
  ],
  ...['echo "a $(A)"', 'while false; do A; done < a.txt', 'cd src && cat ../PATH', 'A > "$(pwd)/out.txt"'],
];

/** Draws a shell command. */
export function drawCommand(random: SeededRandom): string {
  const simple = () => random.pick(COMMANDS).replace('PATH', () => drawPath(random));
  if (random.chance(0.45)) return simple();
  return random
    .pick(SHAPES)
    .replace(/\b[AB]\b/g, simple)
    .replace('PATH', () => drawPath(random));
}

export function drawPath(random: SeededRandom): string {
  return random.chance(0.4) ? 'a.txt' : random.pick(PATHS);
}

/** Draws a permission rule; half of them are about a command or a path of this case. */
export function drawRule(random: SeededRandom, near: readonly string[]): string {
  if (random.chance(0.6)) return drawCommandRule(random, near);
  const tool = random.pick(['Read', 'Edit', 'Write']);
  if (random.chance(0.3)) return tool;
  return `${tool}(${random.pick([drawPath(random), 'a.txt', '/a.txt', 'src/**', 'src', '*.txt', '**', '*', '~/x', '//etc/**', './src/*', './A.TXT', '?.txt', '[ab].txt'])})`;
}

function drawCommandRule(random: SeededRandom, near: readonly string[]): string {
  if (random.chance(0.15)) return random.pick(['Bash', 'Bash(*)', 'Bash()']);
  const command = random.chance(0.7) && near.length > 0 ? random.pick(near) : drawCommand(random);
  const words = command.split(/[\s;|&(){}`]+/).filter((word) => /^[\w.-]+$/.test(word));
  const [first = 'ls', second = ''] = words;
  return random.pick([
    `Bash(${command})`,
    `Bash(${first}:*)`,
    `Bash(${first} *)`,
    `Bash(${first})`,
    `Bash(${first} ${second}:*)`,
    `Bash(* ${words.at(-1) ?? 'x'})`,
    `Bash(${first}*)`,
  ]);
}
