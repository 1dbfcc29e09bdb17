import { describe, expect, test } from 'vitest';
import type { Rules } from './context-of.js';
import { isAllowed, sort } from './sort-commands.js';

test('without rules, commands run that only read in the workspace', () => {
  const allowed = [
    ...[
      'ls',
      'ls -la; pwd',
      'cat a.txt | grep A | wc -l',
      'echo "a > b"',
      'ls > /dev/null 2>&1',
      'ls < /dev/null',
      'cat < a.txt',
    ],
    ...[
      'if ls; then pwd; fi',
      'for f in a b; do ls; done',
      "cat <<'EOF'\nhi\nEOF",
      'echo $HOME',
      'cat "$PWD/a.txt"',
    ],
    ...[
      'X=1',
      'cd sub && ls',
      'git status',
      'git log --oneline',
      'sed -n 1,3p a.txt',
      '[ -f a.txt ]',
      '# nothing',
      '',
    ],
  ];
  expect(sort(allowed)).toEqual({ allowed, refused: [] });
});

test('without rules, everything else is refused', () => {
  const refused = [
    ...[
      'python3 x',
      'touch b',
      'echo hi > f',
      'ls & pwd',
      '(ls)',
      '{ ls; }',
      'ls $(pwd)',
      'ls `pwd`',
      'echo "$(date)"',
    ],
    ...[
      'echo ${HOME}',
      'echo $FOO',
      'cat $PWD/a.txt',
      'echo {a,b}',
      "echo $'a'",
      'cat <<EOF\nhi\nEOF',
      'echo <(ls)',
    ],
    ...[
      'cat /etc/hostname',
      'cat ../x',
      'ls ~',
      'cd /',
      'cd sub < a.txt',
      'cat < /etc/hostname',
      'cat sub/../a.txt',
      'f() { ls; }; f',
    ],
    ...[
      'case a in a) ls;; esac',
      'X=1 ls',
      'PATH=x',
      'echo a > b c',
      'find . -delete',
      'find . -exec ls {} ;',
    ],
    ...[
      'sort -o x a.txt',
      'git branch x',
      'git push',
      'echo "a',
      '&& ls',
      'cd sub && git status',
      'cd sub && cd ..',
    ],
    ...[
      'echo a\\ b',
      'echo a\u00a0b',
      'eval ls',
      'shopt -s x',
      'printf -v X a',
      'uniq a.txt',
      'hostname x',
      'ls )',
    ],
  ];
  expect(sort(refused)).toEqual({ allowed: [], refused });
});

test('a rule allows its command in a list, but nothing beside it', () => {
  const allow = ['Bash(npm:*)'];
  const allowed = [
    ...[
      'npm test',
      'npm',
      'npm test; ls',
      'npm a && npm b',
      'npm test 2>&1',
      'npm test > /dev/null',
      'time npm test',
    ],
    ...[
      'timeout 5 npm test',
      'NODE_ENV=x npm test',
      'if npm test; then ls; fi',
      'xargs npm test',
      'npm \\\n test',
    ],
  ];
  const refused = [
    ...[
      'npm test && touch b',
      'npm test; rm -f e',
      'npm test $(x)',
      'npm test > out',
      'X=1 npm test',
      'env npm test',
    ],
    ...[
      'sudo npm test',
      '/usr/bin/npm test',
      '(npm test)',
      'npm test &',
      'npm test $FOO',
      'npm test | tee log',
      'npmx',
    ],
    ...['npm test < /etc/hostname', 'npm test "$(x)"', 'npm test\ntouch q'],
  ];
  expect(sort([...allowed, ...refused], { allow })).toEqual({ allowed, refused });
});

test('a rule for one command line does not allow it with more spaces', () => {
  const rules = { allow: ['Bash(npm test)', 'Bash(echo $(date))'] };
  expect(sort(['npm test', 'npm  test', 'xargs npm test', 'echo $(date)', 'echo $(pwd)'], rules)).toEqual({
    allowed: ['npm test', 'echo $(date)'],
    refused: ['npm  test', 'xargs npm test', 'echo $(pwd)'],
  });
});

describe.each([
  ['deny', { allow: ['Bash'], deny: ['Bash(npm test:*)'] }],
  ['ask', { allow: ['Bash'], ask: ['Bash(npm test:*)'] }],
  ['deny, permissions skipped', { mode: 'bypassPermissions', deny: ['Bash(npm test:*)'] }],
  ['ask, permissions skipped', { mode: 'bypassPermissions', ask: ['Bash(npm test:*)'] }],
] satisfies [string, Rules][])('%s', (_, rules) => {
  test('holds wherever the command hides', () => {
    const refused = [
      ...[
        'npm test',
        'npm  test',
        'X=1 npm test',
        'sudo npm test',
        'env npm test',
        '/usr/bin/npm test',
        '(npm test)',
      ],
      ...[
        '{ npm test; }',
        'ls; npm test',
        'ls && npm test',
        'npm test | cat',
        'for i in 1; do npm test; done',
      ],
      ...[
        'npm test $FOO',
        'npm test `x`',
        '! npm test',
        'npm test > out',
        'nohup npm test',
        'xargs npm test',
      ],
    ];
    const allowed = ['npm run build', 'npm testx', 'echo npm; ls'];
    expect(sort([...refused, ...allowed], rules)).toEqual({ allowed, refused });
  });
});

test('a denied file cannot be read or changed by a shell', () => {
  const rules = { allow: ['Bash'], deny: ['Read(./secret.txt)', 'Edit(./a.txt)'] };
  const refused = [
    ...[
      'cat secret.txt',
      'cat < secret.txt',
      'cat "secret.txt"',
      'cat ./secret.txt',
      'head -1 secret.txt | cat',
    ],
    ...[
      'grep S secret.txt',
      'cp secret.txt x',
      'git diff secret.txt',
      '(cat secret.txt)',
      'cat secret.txt &',
    ],
    ...['touch a.txt', 'echo x > a.txt', 'sed -i s/a/b/ a.txt', 'cp b.txt a.txt', 'rm a.txt', 'tee a.txt'],
  ];
  const allowed = ['cat a.txt', 'cat b.txt', 'echo x > secret.txt'];
  expect(sort([...refused, ...allowed], rules)).toEqual({ allowed, refused });
});

test('accepted edits stay inside the workspace and away from protected files', () => {
  const allowed = [
    ...[
      'touch q',
      'mkdir -p x/y',
      'cp a b',
      'mv a b',
      'rm q',
      'sed -i s/a/b/ a.txt',
      'echo hi > f',
      'ls && touch b',
    ],
    ...['touch .env', 'touch .gitignore', 'touch .github/x', 'touch .claude/worktrees/x'],
  ];
  const refused = [
    ...[
      'touch /tmp/q',
      'touch ../q',
      'touch ~/q',
      'echo hi > /tmp/q',
      'touch .git/hooks/x',
      'echo x > .git/config',
    ],
    ...[
      'touch .claude/settings.json',
      'mkdir .claude',
      'touch .bashrc',
      'echo x > .mcp.json',
      'touch .vscode/x',
    ],
    ...[
      'touch .GIT/x',
      'touch sub/.git/x',
      'rm *',
      'rm -rf .',
      'rm a*',
      'touch "$PWD/x"',
      'touch sub/../q',
      'tee x',
    ],
    ...['cp -r a b', 'echo x > *', 'cd sub && touch x', 'chmod +x a', 'python3 x'],
  ];
  expect(sort([...allowed, ...refused], { mode: 'acceptEdits' })).toEqual({ allowed, refused });
});

test('accepted edits are commands with options that only say how', () => {
  const allowed = [
    ...['mkdir -m 777 m', 'mkdir --parents m', 'rm --recursive m', 'rm -- b.txt', "cat > x <<'E'\nx\nE"],
    ...['sed -i -E s/a/b/ a.txt', 'sed --in-place s/a/b/g a.txt'],
  ];
  const refused = [
    ': > x',
    ...[
      'timeout 5 touch x',
      '\\touch x',
      '"touch" x',
      '> x',
      "cat <<'E' > x\nx\nE",
      'touch -t 202001010000 x',
    ],
    ...['sed -i -e s/a/b/ a.txt', 'sed -i 1d a.txt', 'sed -i s/a/b/e a.txt', 'cp --force a b'],
  ];
  expect(sort([...allowed, ...refused], { mode: 'acceptEdits' })).toEqual({ allowed, refused });
});

test('options decide whether a command only reads', () => {
  const allowed = [
    ...['grep --include=*.txt -rn line .', 'grep -m1 line a.txt', 'sort -k 2 a.txt', 'rg -n line', 'ps aux'],
    ...['base64 -d a.txt', 'stat --format=%s a.txt', 'hostname -f', 'uniq -d', 'test 1 -eq 1', '[ -v x ]'],
  ];
  const refused = [
    ...[
      'sort -k2 a.txt',
      'grep -eline a.txt',
      'rg --pre=cat line',
      'rg -j1 line',
      'base64 -w0 a.txt',
      'hostname x',
      'ps auxe',
    ],
    ...['sort --compress-program=x a.txt', 'uniq a.txt', 'tree -o x', 'xargs -n1 echo', 'date -s now'],
  ];
  expect(sort([...allowed, ...refused])).toEqual({ allowed, refused });
});

test('even a rule for every command leaves three things to a person', () => {
  const refused = [
    'rm -rf /',
    'rm -rf .',
    'rm -rf ..',
    'rm *',
    'rm -rf ~',
    'echo x > .git/config',
    'touch .claude/x',
    'ls &',
  ];
  const allowed = [
    'python3 x',
    'echo $(date)',
    'cat /etc/hostname',
    'echo x > /tmp/q',
    'npm test &',
    'eval x',
    '(ls)',
  ];
  expect(sort([...refused, ...allowed], { allow: ['Bash'] })).toEqual({ allowed, refused });
});

test('skipped permissions leave only the removal of the workspace to a person', () => {
  const refused = ['rm -rf .', 'rm *', 'rm -rf ..'];
  const allowed = ['rm -rf sub', 'echo x > .git/config', 'ls &', 'cat /etc/hostname', 'touch /tmp/q'];
  expect(sort([...refused, ...allowed], { mode: 'bypassPermissions' })).toEqual({ allowed, refused });
});

test.each(['auto', 'plan'] satisfies Rules['mode'][])(
  'in %s, rules that allow any code do not count',
  (mode) => {
    const allow = ['Bash', 'Bash(npm test:*)', 'Bash(sh:*)', 'Bash(python3 -c*)', 'Bash(python3 x.py)'];
    const allowed = ['ls', 'npm test', 'python3 x.py', 'ls; npm test'];
    const refused = ['sh -c x', 'python3 -c 1', 'make', 'ls; make'];
    expect(sort([...allowed, ...refused], { mode, allow })).toEqual({ allowed, refused });
  },
);

test('a prefix is found behind quotes, spaces, wrappers and harmless variables', () => {
  const allow = ['Bash(npm test:*)'];
  const allowed = [
    ...['npm  test', 'npm\ttest', '"npm" test', '\\npm test', 'command npm test', 'CI=1 npm test'],
    ...['nice -n 5 npm test', 'stdbuf -o0 npm test', 'timeout -k 1 5 npm test', 'nice timeout 5 npm test'],
  ];
  const refused = [
    ...['LANG=a.b npm test', 'LC_CTYPE=1 npm test', 'NODE_OPTIONS=1 npm test', 'CI=1 FOO=1 npm test'],
    ...['xargs -n1 npm test', 'nice -x npm test', 'command -p npm test', 'NPM test'],
  ];
  expect(sort([...allowed, ...refused], { allow })).toEqual({ allowed, refused });
});

test('git reads with options that are known to be harmless, and with no others', () => {
  const allowed = [
    ...['git log -1 --format=%H', 'git log --oneline -n 3', 'git log a.txt', 'git diff --name-only HEAD~1'],
    ...['git diff -- a.txt', 'git status --porcelain', 'git branch -vv', 'git tag -l', 'git shortlog -sn'],
    ...['git config --get user.name', 'git stash list', 'git show HEAD:a.txt', 'git grep -n line'],
  ];
  const refused = [
    ...[
      'git log --output=x',
      'git log -n3',
      'git diff --ext-diff',
      'git diff --textconv',
      'git log --unknown',
    ],
    ...[
      'git branch x',
      'git branch -D x',
      'git tag v1',
      'git config user.name x',
      'git stash',
      'git stash pop',
    ],
    ...['git grep -Ox line', 'git remote get-url x', 'git -C src status', 'git ls-remote --upload-pack=x'],
  ];
  expect(sort([...allowed, ...refused])).toEqual({ allowed, refused });
});

test('sort and jq need a rule for what they could do besides', () => {
  const refused = ['sort -k2 a.txt', "jq -n 'env'", "jq '$ENV.X' d.json", 'jq -f x d.json'];
  expect(sort(['sort -r a.txt', 'jq .a d.json', ...refused])).toEqual({
    allowed: ['sort -r a.txt', 'jq .a d.json'],
    refused,
  });
});

test('a rule for a prefix does not allow code that hides in its arguments', () => {
  const allow = ['awk', 'jq', 'find', 'test'].map((name) => `Bash(${name}:*)`);
  const allowed = ["awk '{print $1}' a.txt", 'awk -F: 1 a.txt', 'jq -r .a d.json', 'test -v x'];
  const refused = [
    ...[
      'awk \'BEGIN{system("true")}\'',
      'awk \'{print | "cat"}\' a.txt',
      'awk \'{"date" | getline x}\' a.txt',
    ],
    ...['awk -f a.txt b', 'jq -f a.txt d.json', 'jq --slurpfile x a.txt . d.json', 'find . -fprint x'],
    "test -v 'a[$(touch x)]'",
  ];
  expect(sort([...allowed, ...refused], { allow })).toEqual({ allowed, refused });
});

test('the output of a command that only reads may be a part of a text or a path', () => {
  const allow = ['Bash(npm test:*)'];
  const allowed = [
    ...['cat "$(pwd)/a.txt"', 'cat "$(ls)/a.txt"', 'echo "a $(date)"', 'echo "a `pwd`"', 'X="a $(ls)"'],
    ...['cat "src/$(basename b.txt)"', 'echo "a $(echo \'x\')"', 'npm test "$(pwd)/x"'],
    "npm test \"$(cat <<'EOF'\nit's (x)\nEOF\n)\"",
  ];
  const refused = [
    ...[
      'echo "$((1+2))"',
      'echo "$(pwd)"',
      'X="$(pwd)"',
      'ls "x$(pwd)"',
      'cat $(pwd)/a.txt',
      'cat "/$(ls)/a.txt"',
    ],
    ...['echo "a $(python3 -c 1)"', 'echo "a $(cat ../x)"', 'echo "a $(ls | wc -l)"', 'echo "a $(ls; ls)"'],
    ...['test "$(pwd)/x" = y', 'touch "$(pwd)/x"', 'npm test "$(make)/x"', 'echo "a $(echo $(ls))"'],
    ...['npm test "$(cat <<EOF\nx\nEOF\n)"', "npm test $(cat <<'EOF'\nx\nEOF\n)"],
  ];
  expect(sort([...allowed, ...refused], { allow })).toEqual({ allowed, refused });
  const made = ['touch "$(pwd)/x"', 'echo "a $(touch x)"'];
  expect(sort(made, { mode: 'acceptEdits' })).toEqual({ allowed: [], refused: made });
});

test('a rule that asks about files does not ask about a shell that reads or changes them', () => {
  const rules: Rules = { mode: 'acceptEdits', ask: ['Read(**)', 'Edit(a.txt)'] };
  const allowed = [
    'cat a.txt',
    'find . -type f',
    'grep -r line .',
    'wc -l < a.txt',
    'touch a.txt',
    'ls > a.txt',
  ];
  expect(sort(allowed, rules)).toEqual({ allowed, refused: [] });
});

test('a loop with its own input or output cannot be checked', () => {
  const refused = ['while read l; do echo x; done < a.txt', 'for i in 1 2; do ls; done > /dev/null'];
  expect(sort(refused)).toEqual({ allowed: [], refused });
});

test('after a change of folder, files must be inside from both folders', () => {
  const refused = ['cd src && cat ../a.txt', 'cd src && ls ..'];
  expect(sort(['cd src && cat b.txt', ...refused])).toEqual({ allowed: ['cd src && cat b.txt'], refused });
});

describe('what Claude Code 2.1.325 decides about odd spellings of forbidden commands', () => {
  const allow = ['Bash'];

  test.each(['deny', 'ask'])('%s: a command is found wherever it is', (list) => {
    const rules = { allow, [list]: ['Bash(touch:*)'] };
    const refused = [
      ...['! touch a', 'env touch a', '"touch" a', 'exec touch a', 'A=1 touch a', 'X=touch; $X a', 'touch "'],
      ...['echo $(touch a)', 'echo "$(touch a)"', 'cat <(touch a)', 'echo `touch a`', '{ touch a; }'],
      ...['f() { touch a; }; f', 'case x in x) touch a;; esac', 'if touch a; then ls; fi', '(touch a)'],
    ];
    const allowed = ['$(echo touch) a', "echo 'a; touch b'", 'eval touch a', "sh -c 'touch a'"];
    expect(sort([...refused, ...allowed], rules)).toEqual({ allowed, refused });
  });

  test('a pattern is compared with words, not with quotes, variables, here-documents or keywords', () => {
    const exact = { allow, deny: ['Bash(echo hi)'] };
    const same = ["echo 'hi'", 'echo h\\i', 'echo $FOO hi', 'echo hi > f', 'A=hi; echo $A', 'echo hi $(pwd)'];
    const others = ['echo "$FOO" hi', 'echo $(pwd) hi', 'echo hi$(pwd)', "cat <<'EOF'\necho hi\nEOF"];
    expect(sort([...same, ...others], exact)).toEqual({ refused: same, allowed: others });
    const keywords = { allow, deny: ['Bash(if:*)', 'Bash(for*)', 'Bash(!:*)', 'Bash(* x)'] };
    const structured = ['if ls; then pwd; fi', 'for i in 1 2; do pwd; done', '! pwd'];
    expect(sort([...structured, "echo 'a x'"], keywords)).toEqual({
      allowed: structured,
      refused: ["echo 'a x'"],
    });
  });

  test('a rule for exactly the line allows what no prefix can, but no files elsewhere', () => {
    const allowed = ['eval ls', 'ls; eval ls', 'for i in 1 2; do eval ls; done', 'setsid ls', 'PATH=/x'];
    const refused = ['cat /etc/hostname', 'cd src && git status', 'cat src/../a.txt', 'echo {a,b} &'];
    const exact = [...allowed, ...refused].map((command) => `Bash(${command})`);
    expect(sort([...allowed, ...refused, 'pwd; eval ls'], { allow: exact })).toEqual({
      allowed,
      refused: [...refused, 'pwd; eval ls'],
    });
  });

  test('a denied file is found behind a wrapper, and not where nobody can see it', () => {
    const rules = { allow, deny: ['Read(a.txt)'] };
    const refused = [
      ...['nice cat a.txt', 'nice -n 5 cat a.txt', 'env A=1 cat a.txt', 'timeout 5 nice cat a.txt'],
      ...['sed -n 1p a.txt', 'git diff a.txt', '(cat a.txt)', 'cat a.txt "', 'X=$(cat a.txt)'],
      ...['cat "$(pwd)/a.txt"', 'cat "`pwd`/a.txt"', 'cat A.TXT', 'grep -f a.txt b', 'grep -fa.txt b'],
      ...['grep -eline a.txt', 'grep --file=a.txt b', 'grep --regexp=x a.txt', 'sed -f a.txt b'],
    ];
    const allowed = ['echo $(cat a.txt)', '{ cat a.txt; }', 'cat $FOO a.txt', 'git log a.txt'];
    expect(sort([...refused, ...allowed], rules)).toEqual({ allowed, refused });
  });
});

describe('what Claude Code 2.1.325 refuses because it may mean something else than it seems to', () => {
  const refused = [
    ...["sed -n '1p ;w s.txt' a.txt", "sed -n '1p \nw s.txt' a.txt", 'sed -n 1p *', 'sort *', 'git diff *'],
    ...['echo "$(cat <<\'EOF\'\nEOF\ntouch s.txt\nEOF\n)"', "cat <<-'EOF'\n\tEOF\ntouch s.txt\nEOF"],
    ...['echo hi 2>&1#; touch s.txt', 'ls &&# x\npwd', 'cat <<"$HOME"\n$HOME\ntouch s.txt\n/home/me'],
    ...['find . "-\\\ndelete"', 'echo "a $(ls #)"', 'sort "$(echo -o)./s.txt" a.txt', 'find . $'],
    ...[
      'git branch -- evil',
      'git diff --no-index /etc/hostname a.txt',
      'git grep x /etc',
      'cd /w && git log',
    ],
    ...['find -L /etc', 'find . -newer /etc/x', 'grep -f /etc/x a.txt', 'pr /etc/x', 'find . -files0-from x'],
    ...['jq \'system("id")\' a.txt', 'jq . -r a.txt', 'jq -n \'include "x"; .\'', "grep 'a$' a.txt"],
    ...['echo hi\r', "echo 'a\\ b'", 'echo =ls', 'echo {a"b"}', 'echo "a\n#b"', 'echo ~root', 'ls {fd}>x'],
    ...['ls <> /dev/null', 'ls 10>&1', 'for PATH in .; do ls; done', 'cd -P src', 'ls &<a.txt', 'cat < *'],
    ...["cat <<'EOF'; ls\nhi\nEOF", 'cat <<"EOF" | cat\nhi\nEOF', "cat <<'EOF' && ls\nhi\nEOF"],
    `echo ${'a'.repeat(10_001)}`,
  ];
  test.each(refused)('%j', (command) => {
    expect(isAllowed(command)).toBe(false);
  });

  test.each([
    ...['time eval ls', 'nice find . -delete', 'nice -n 5 cat /etc/x', 'env rm -rf .', 'nice touch .git/x'],
    ...['timeout -s KILL 5 touch ../x', 'stdbuf -oL rm -rf .', 'builtin cd /etc', '/bin/cat /etc/x'],
  ])('a wrapper hides nothing: %j', (command) => {
    const allow = ['time', 'nice', 'env', 'timeout', 'stdbuf', 'builtin', '/bin/cat'].map(
      (n) => `Bash(${n}:*)`,
    );
    expect(isAllowed(command, { allow })).toBe(false);
  });

  test.each([
    ...['X="a b" touch s', 'timeout -s KILL 5 touch s', 'env -u FOO touch s', 'exec -a z touch s'],
    ...['{fd}>/dev/null touch s', 'X[0]=1 touch s', 'function f { touch s; }; f', 'echo ${x:-$(touch s)}'],
    ...[
      "echo $(echo ')'; touch s) 'b'",
      'cat <<EOF\n$(touch s)\nEOF',
      'flock a.txt touch s',
      'setsid touch s',
    ],
  ])('a denied command is found where permissions are skipped: %j', (command) => {
    expect(isAllowed(command, { mode: 'bypassPermissions', deny: ['Bash(touch:*)'] })).toBe(false);
  });

  test.each([
    ...['nice rmdir .', 'timeout 5s rmdir .', '(rmdir .)', '{ rmdir .; }', 'echo $(rmdir .)', '/bin/rmdir .'],
    ...["bash -c 'rmdir .'", 'X=.; rmdir $X', 'cat <<EOF\n$(rmdir .)\nEOF'],
  ])('no mode removes the workspace: %j', (command) => {
    expect(isAllowed(command, { mode: 'bypassPermissions' })).toBe(false);
  });

  test.each([
    ...["sed -i '1e touch s' a.txt s/a/b/", 'touch ~nobody/x', 'mkdir ~+/made', "touch 'a?'", 'touch x.'],
    ...[
      'mkdir objects && git status',
      'touch a~1.txt',
      'touch .claude/worktrees/w/.git/config',
      'touch "a$"',
    ],
  ])('an edit that is not accepted: %j', (command) => {
    expect(isAllowed(command, { mode: 'acceptEdits' })).toBe(false);
  });

  test('a long word is judged like any other', () => {
    expect(isAllowed(`awk -v n=3 '${'{ x = 1 } '.repeat(60)}' a.txt`, { mode: 'bypassPermissions' })).toBe(
      true,
    );
  });

  test('the parts of a pipeline are allowed one by one', () => {
    const allowed = ['make; ls', 'make && ls', 'ls | cat'];
    const refused = ['make | cat', 'ls | make', 'ls; make |& cat', 'nice ls | cat'];
    const allow = [...allowed, ...refused].map((command) => `Bash(${command})`);
    expect(sort([...allowed, ...refused], { allow })).toEqual({ allowed, refused });
    expect(isAllowed('make | cat', { allow: ['Bash(make)'] })).toBe(true);
  });

  test('stricter than the real program: options of wrappers are not told from what they start', () => {
    expect(isAllowed('time -p cat a.txt', { allow: ['Bash'], deny: ['Read(a.txt)'] })).toBe(false);
  });
});

test('a quote that nothing closes hides no file from the checks', () => {
  const allowed = ['touch x "', 'cat .bashrc "', '{ touch .bashrc; }'];
  const refused = ['touch .bashrc "', "sed -i s/a/b/ .git/x '", 'touch ".git/x', 'rm -f x "'];
  expect(sort([...allowed, ...refused], { allow: ['Bash'] })).toEqual({ allowed, refused });
});
