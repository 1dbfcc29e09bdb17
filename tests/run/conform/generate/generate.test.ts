import { describe, expect, test } from 'vitest';
import { generateCases } from '../../../../src/run/conform/generate/generate.js';
import { type ClaudeSurface, findSchema, parseHelp } from '../../../../src/run/conform/generate/surface.js';

const HELP = `Usage: claude [options]

Options:
  --add-dir <directories...>            Additional directories
  --allowedTools, --allowed-tools <tools...>
      Comma or space-separated list
  --bg, --background                    Start the session in the background
  -d, --debug [filter]                  Enable debug mode
  --permission-mode <mode>              Permission mode to use
                                        (choices: "acceptEdits",
                                        "plan", default: "plan")
  -p, --print                           Print response and exit

Commands:
  doctor [options]                      Check the health
`;

const SURFACE: ClaudeSurface = {
  options: parseHelp(HELP),
  settings: { verbose: { type: 'boolean' }, theme: { enum: ['light', 'dark'] }, env: { type: 'object' } },
};

describe('what the real program offers', () => {
  test('options are read from its help, with their choices', () => {
    expect(parseHelp(HELP)).toEqual([
      { name: '--add-dir', takes: 'value', choices: [] },
      { name: '--allowedTools', takes: 'value', choices: [] },
      { name: '--bg', takes: 'nothing', choices: [] },
      { name: '--debug', takes: 'optional', choices: [] },
      { name: '--permission-mode', takes: 'value', choices: ['acceptEdits', 'plan'] },
      { name: '--print', takes: 'nothing', choices: [] },
    ]);
  });

  test('settings are read from a recorded request', () => {
    const text =
      'before\n```json\n{\n  "$schema": "x",\n  "properties": {\n    "verbose": {\n      "type": "boolean"\n    }\n  }\n}\n```\nafter';
    const line = JSON.stringify({ messages: [{ content: text }] });
    expect(findSchema(`{}\n${line}\n`)).toEqual({ verbose: { type: 'boolean' } });
    expect(() => findSchema('{}\n')).toThrow(/schema of the settings/);
  });
});

describe('generated cases', () => {
  const plain = (seed: number, count: number) =>
    generateCases(seed, count, SURFACE).map(({ rules, ...rest }) => ({
      ...rest,
      rules: rules.map(({ rule }) => rule),
    }));

  test('are the same for the same seed, whatever the number of cases', () => {
    expect(plain(7, 5)).toEqual(plain(7, 20).slice(0, 5));
    expect(plain(7, 5)).not.toEqual(plain(8, 5));
  });

  test('cover tools, modes, rules, settings in every place, hooks and trust', () => {
    const all = JSON.stringify(plain(1, 300));
    const wanted = [
      ...[
        '"name":"Bash"',
        '"name":"Read"',
        '"name":"Write"',
        '"name":"Edit"',
        '--permission-mode',
        '--allowedTools=',
      ],
      ...[
        '--disallowedTools=',
        '.claude/settings.local.json',
        'hasTrustDialogAccepted',
        '--settings',
        'PreToolUse',
      ],
      ...[
        '\\"theme\\"',
        '\\"verbose\\"',
        '--debug',
        '--bg',
        '--system-prompt-file=',
        '&&',
        '$(',
        '> out.txt',
      ],
    ];
    expect(wanted.filter((text) => !all.includes(text))).toEqual([]);
  });

  const many = JSON.stringify(plain(2, 3000));

  test.each([
    ['heredocs', '<<-EOF', '<<EOF\\n$('],
    ['quotes and expansions', "$'", '${x:-', '\\\\\\n', '# why\\n'],
    ['carriage returns and redirections', '\\r', '2>&1x', '>&out.txt'],
    ['sed and find', "w s.txt'", 'find -L', '-newer', '-samefile'],
    ['git', '--no-index', 'git -C', 'git -c', 'git diff -- '],
    ['wrappers', 'nohup ', 'stdbuf ', 'env X=1 ', "X='a b' "],
    ['places', '{{workspace}}/', '{{home}}/', '~/', '~root', '*.txt'],
    ['links and repositories', '"far.lnk":"../home/far/far.txt"', 'refs/heads/main'],
    ['other tools', '"name":"Grep"', '"name":"Glob"', '"name":"mcp__srv__get"', '--disallowedTools=Bash'],
    ['input that a tool does not take', '"timeout":"abc"', '"replace_all":"yes"', '"offset":"x"'],
    ['modes', '\\"defaultMode\\":\\"auto\\"', '\\"manual\\"', 'disableBypassPermissionsMode'],
    ['settings that are objects', '\\"sandbox\\"', '\\"env\\"', '\\"additionalDirectories\\":[\\"..\\"]'],
  ])('cover %s', (_, ...wanted) => {
    expect(wanted.filter((text) => !many.includes(text))).toEqual([]);
  });

  test('write nowhere but in the throwaway folder', () => {
    const inputs = plain(3, 2000).flatMap(({ rules }) => rules.flatMap(({ respond: { steps } }) => steps));
    const far = JSON.stringify(inputs).match(/(?<![\w./}~)*-])\/(?!\/)[\w./]+/g) ?? [];
    const allowed = ['/dev/null', '/etc/hostname', '/line/p', '/'];
    expect([...new Set(far)].filter((path) => !allowed.includes(path))).toEqual([]);
  });
});
