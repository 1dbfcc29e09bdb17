// The kinds of credentials that are planted. Every one is put together here, so that no scanner takes this file for a
// leak. `text` is planted; `secret` must not be in anything that the harness writes.

/** @typedef {{ kind: string, text: string, secret: string }} Planted */

/**
 * Returns random-looking characters that are the same each time.
 * @param {string} alphabet
 * @param {number} length
 */
function draw(alphabet, length, seed = 7) {
  let state = seed;
  return Array.from({ length }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return alphabet[Math.floor(state / 65536) % alphabet.length];
  }).join('');
}

const HEX = '0123456789abcdef';
const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** @type {(length: number, seed: number) => string} */
const alnum = (length, seed) => draw(ALNUM, length, seed);
/** @type {(length: number, seed: number) => string} */
const hex = (length, seed) => draw(HEX, length, seed);
/** @type {(length: number, seed: number) => string} */
const upper = (length, seed) => draw(UPPER, length, seed);
/** @type {(text: string) => string} */
const base64 = (text) => Buffer.from(text).toString('base64');

/** @type {(kind: string, parts: readonly string[]) => Planted} */
const whole = (kind, parts) => ({ kind, text: parts.join(''), secret: parts.join('') });
/** @type {(kind: string, before: string, secret: string, after?: string) => Planted} */
const around = (kind, before, secret, after = '') => ({ kind, text: before + secret + after, secret });

/** @type {(name: string, seed: number) => string[]} */
function pem(name, seed) {
  const rows = Array.from({ length: 6 }, (_, index) => draw(`${ALNUM}+/`, 64, seed * 10 + index));
  return [`-----BEGIN ${name}-----`, ...rows, `${alnum(30, seed)}==`, `-----END ${name}-----`];
}

/** Its fourth row must not be shown. @type {(kind: string, lines: string[], print: (lines: string[]) => string[]) => Planted} */
const printed = (kind, lines, print) => ({
  kind,
  text: print(lines).join('\n'),
  secret:
    (lines[4] ?? '')
      .slice(0, 36)
      .split('/')
      .toSorted((a, b) => b.length - a.length)[0] ?? '',
});

/**
 * Private keys as programs print files. Each is a way to show a list of lines.
 * @type {Readonly<Record<string, (lines: string[]) => string[]>>}
 */
const LAYOUTS = {
  'cat -n': (lines) => lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`),
  'the Read tool': (lines) => lines.map((line, index) => `${String(index + 1).padStart(6)}→${line}`),
  'grep -n': (lines) => lines.map((line, index) => `conf/deploy/id_rsa:${index + 1}:${line}`),
  'git blame': (lines) =>
    lines.map((line, index) => `^1a2b3c4 (Ann Lee 2026-01-02 12:13:14 +0200 ${index + 1}) ${line}`),
  'git diff': (lines) => ['@@ -0,0 +1,9 @@', ...lines.map((line) => `+${line}`)],
  'a box': (lines) => ['┌────┐', ...lines.map((line) => `│ ${line.padEnd(70)} │`), '└────┘'],
  'a narrow box': (lines) =>
    lines.flatMap((line) => line.match(/.{1,36}/g) ?? []).map((part) => `│ ${part} │`),
  'a log': (lines) => lines.map((line) => `2026-01-02T12:13:14.567Z INFO [worker-3] agent: ${line}`),
  colors: (lines) => lines.map((line, index) => `\u001b[33m${index}\u001b[0m \u001b[32m${line}\u001b[0m`),
  'a table of HTML': (lines) => lines.map((line, index) => `<tr><td>${index}</td><td>${line}</td></tr>`),
  'cat -A': (lines) => lines.map((line) => `${line}$`),
  'one line': (lines) => [lines.join('')],
  'objects of JSON': (lines) => lines.map((line, index) => JSON.stringify({ line: index, text: line })),
  'JSON of PHP': (lines) => [JSON.stringify(lines.join('\n')).replaceAll('/', '\\/')],
  'JSON of Python': (lines) => [lines.map((line, index) => `${index}\\u2192${line}`).join('\\n')],
  'no first line': (lines) => lines.slice(1),
  'no first line, numbered': (lines) => lines.slice(1).map((line, index) => `${index + 2}\t${line}`),
  'no last line, numbered': (lines) => lines.slice(0, -1).map((line, index) => `${index + 1}\t${line}`),
};

/**
 * What a screen does not show, and reports leave out: what it separates they would put together.
 * @type {Readonly<Record<string, string>>}
 */
const UNSEEN = {
  'a color': '\u001b[01;31m',
  'a color of one character': '\u009b31m',
  'a title': '\u001b]0;x\u0007',
  'a bell': '\u0007',
  'a character set': '\u001b(B\u001b[m',
  'an escape alone': '\u001b',
  'a backspace': '\b',
  'a soft hyphen': '\u00ad',
  'a zero-width space': '\u200b',
  'a direction': '\u2066',
  'a word joiner': '\u2060',
  'a filler': '\u3164',
  'a selector': '\ufe0f',
  'a byte order mark': '\ufeff',
  'a tag': '\u{e0041}',
};

/**
 * Credentials that are known only by their form.
 * @type {readonly Planted[]}
 */
export const SHAPED = [
  whole('Anthropic', ['sk-', 'ant-api03-', alnum(40, 1)]),
  whole('OpenAI', ['sk-', 'proj-', alnum(48, 2)]),
  whole('OpenRouter', ['sk-', 'or-v1-', hex(64, 3)]),
  ...['ghp', 'gho', 'ghu', 'ghs', 'ghr'].map((name, seed) =>
    whole(`GitHub ${name}`, [name, '_', alnum(36, seed + 4)]),
  ),
  whole('GitHub fine-grained', ['github_', 'pat_', alnum(22, 9), '_', alnum(59, 10)]),
  whole('GitLab', ['glpat', '-', alnum(20, 11)]),
  whole('Atlassian', ['ATATT3', 'xFfGF0', alnum(60, 12)]),
  whole('AWS access key', ['AK', 'IA', upper(16, 13)]),
  around('AWS secret key', 'aws_secret_access_key=', draw(`${ALNUM}/+`, 40, 14)),
  around('AWS session token', 'AWS_SESSION_TOKEN=', alnum(120, 15)),
  whole('Google API key', ['AI', 'za', alnum(35, 16)]),
  whole('Google access token', ['ya', '29.', alnum(60, 17)]),
  whole('Google client secret', ['GOC', 'SPX-', alnum(28, 18)]),
  whole('Google refresh token', ['1/', '/0', alnum(60, 19)]),
  around(
    'Azure account key',
    'DefaultEndpointsProtocol=https;AccountName=x;AccountKey=',
    `${draw(`${ALNUM}+/`, 86, 20)}==`,
    ';EndpointSuffix=core.windows.net',
  ),
  around('Azure signature', 'https://x.blob.core.windows.net/c?sv=2024-01-01&sig=', `${alnum(43, 21)}%3D`),
  whole('Slack bot token', ['xox', 'b-123456789012-', alnum(24, 22)]),
  whole('Slack app token', ['xa', 'pp-1-A0123-123456-', hex(64, 23)]),
  around('Slack webhook', `https://${'hooks.slack'}.com/services/`, `T0AAAAAAA/B0BBBBBBB/${alnum(24, 24)}`),
  around('Discord webhook', `https://${'discord'}.com/api/webhooks/123456789012345678/`, alnum(68, 25)),
  whole('Discord bot token', [
    base64('123456789012345678').slice(0, 24),
    '.',
    alnum(6, 26),
    '.',
    alnum(38, 27),
  ]),
  around('Telegram bot token', '123456789', `:${'AA'}${alnum(33, 28)}`),
  whole('Stripe live key', ['sk_', 'live_', alnum(24, 29)]),
  whole('Stripe restricted key', ['rk_', 'live_', alnum(24, 30)]),
  whole('Stripe webhook secret', ['wh', 'sec_', alnum(32, 31)]),
  whole('Shopify', ['shp', 'at_', hex(32, 32)]),
  whole('Square', ['sq0', 'csp-', alnum(43, 33)]),
  whole('Twilio API key', ['S', 'K', hex(32, 34)]),
  around('Twilio auth token', 'TWILIO_AUTH_TOKEN=', hex(32, 35)),
  whole('SendGrid', ['S', 'G.', alnum(22, 36), '.', alnum(43, 37)]),
  whole('Mailgun', ['key', '-', hex(32, 38)]),
  whole('npm', ['np', 'm_', alnum(36, 39)]),
  around('npmrc', '//registry.example.com/:_authToken=', alnum(36, 40)),
  whole('PyPI', ['py', 'pi-AgEIcHlwaS5vcmc', alnum(60, 41)]),
  whole('RubyGems', ['ruby', 'gems_', hex(48, 42)]),
  whole('Docker Hub', ['dckr_', 'pat_', alnum(27, 43)]),
  whole('Hugging Face', ['h', 'f_', alnum(34, 44)]),
  whole('Groq', ['gs', 'k_', alnum(52, 45)]),
  whole('Replicate', ['r', '8_', alnum(37, 46)]),
  whole('DigitalOcean', ['dop', '_v1_', hex(64, 47)]),
  whole('Databricks', ['da', 'pi', hex(32, 48)]),
  whole('HashiCorp Vault', ['hv', 's.', alnum(90, 49)]),
  around('HashiCorp Terraform', `${alnum(14, 50)}${'.atlas'}v1.`, alnum(67, 51)),
  whole('Doppler', ['dp', '.pt.', alnum(43, 52)]),
  whole('Tailscale', ['ts', 'key-auth-', alnum(12, 53), '-', alnum(32, 54)]),
  whole('Linear', ['lin_', 'api_', alnum(40, 55)]),
  whole('Notion', ['secret', '_', alnum(43, 56)]),
  whole('Notion, new', ['nt', 'n_', alnum(46, 57)]),
  whole('Figma', ['fig', 'd_', alnum(40, 58)]),
  whole('Supabase', ['sb', 'p_', hex(40, 59)]),
  whole('Sentry', ['sn', 'trys_', alnum(60, 60)]),
  whole('Grafana', ['gl', 'sa_', alnum(32, 61), '_', hex(8, 62)]),
  whole('age', ['AGE-', 'SECRET-KEY-1', upper(58, 63)]),
  whole('JWT', [base64('{"alg":"HS256","typ":"JWT"}'), '.', base64('{"sub":"12345"}'), '.', alnum(43, 64)]),
  ...['RSA PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'].map((name, seed) =>
    printed(name, pem(name, seed + 1), (lines) => lines),
  ),
  printed('EC key in JSON', pem('EC PRIVATE KEY', 4), (lines) => [lines.join('\\n')]),
  printed(
    'PuTTY key',
    ['Private-Lines: 7', ...pem('x', 5).slice(1, -1), 'Private-MAC: 1f'],
    (lines) => lines,
  ),
  ...Object.entries(LAYOUTS).map(([layout, print], index) =>
    printed(`private key, ${layout}`, pem('PRIVATE KEY', index + 10), print),
  ),
  around('password in a URL', 'https://alice:', 'hunter2-Zq81', '@example.com/repo.git'),
  around('password in a database URL', 'postgres://app:', 'p4ss%2Fw0rd!x', '@db.internal:5432/app'),
  around('header Authorization', 'Authorization: Bearer ', alnum(40, 65)),
  around('header Authorization, basic', 'authorization: Basic ', base64('alice:hunter2-Zq82')),
  around('header x-api-key', 'x-api-key: ', alnum(32, 66)),
  around('header Cookie', 'Cookie: ', `session=${alnum(40, 67)}; theme=dark`),
  around('header Set-Cookie', 'Set-Cookie: ', `sid=${alnum(32, 68)}; HttpOnly`),
  around('password =', 'password = ', 'Tr0ub4dor&3zz'),
  around('password in JSON', '{"password": "', 'c0rrect-Horse9', '"}'),
  around('password in JSON in JSON', '{\\"db_password\\":\\"', 'b4ttery-Staple', '\\"}'),
  around('client secret', 'client_secret: ', alnum(32, 69)),
  around('option --password', 'mysql --password=', 's3cr3t-Opt10n'),
  around('a variable with a token', 'GITHUB_TOKEN=', alnum(40, 73)),
  around('a variable with a key', 'export STRIPE_KEY="', alnum(32, 74), '"'),
  around('a variable with a secret', 'SESSION_SECRET=', hex(64, 75)),
  around('a variable with a key in base64', 'JWT_SIGNING_KEY=', `${draw(`${ALNUM}+/`, 43, 76)}=`),
  around('a variable in JSON', '{"name":"DEPLOY_KEY","value":"', alnum(32, 77), '"}'),
  around('a variable in YAML', '- name: DEPLOY_KEY\n  value: ', alnum(32, 78)),
  around('a password in XML', '<password>', 'Tr0ub4dor-3zz9', '</password>'),
  around('docker login', '{"auths":{"r.io":{"auth":"', base64('alice:hunter2-Zq83'), '"}}}'),
  around('kubeconfig token', '    token: ', alnum(48, 79)),
  around('kubeconfig key', '    client-key-data: ', base64(alnum(900, 80))),
  around('curl -u', 'curl -u alice:', 'hunter2-Zq85', ' https://example.com'),
  around('curl -u in a list', '["curl","-u","alice:', 'hunter2-Zq86', '"]'),
  around('option --password in a list', '["mysql","--password","', 's3cr3t-L1st', '"]'),
  around('token in a URL', 'https://', alnum(40, 81), '@example.com/repo.git'),
  around('token as user in a URL', 'https://', alnum(40, 82), ':x-oauth-basic@example.com/repo.git'),
  around('a label after a label', 'apikey: x-api-key: ', alnum(32, 83)),
  around('an option after an option', '--token --api-key ', alnum(32, 84)),
  around('the end of a long token', `AWS_SESSION_TOKEN=${alnum(1000, 85)}`, alnum(500, 86)),
  ...Object.entries(UNSEEN).map(([name, unseen]) =>
    around(`GitHub with ${name}`, `ghp${'_'}${alnum(18, 88)}${unseen}`, alnum(18, 89)),
  ),
  around('netrc', 'machine example.com login alice password ', 'n3trc-Passw0rd'),
];

/** Values that only the environment or a login file tells. None of them looks like a credential. */
export const KNOWN = {
  variable: 'plain words "quoted" & <tagged>, it\'s märchen/7+8',
  passed: 'Server=db7;Uid=sa;Catalog=orders#1',
  login: 'quiet-river-stone-meadow-42-lantern',
};

/** @type {(text: string) => string} */
const json = (text) => JSON.stringify(text).slice(1, -1);
/** @type {(text: string) => string} */
const html = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
/** @type {(text: string) => string} */
const wrap = (text) => text.replace(/.{76}/g, '$&\n');

/**
 * The forms in which a program may print a value.
 * @type {Readonly<Record<string, (value: string) => string>>}
 */
export const FORMS = {
  'as it is': (value) => value,
  'in JSON': json,
  'in JSON in JSON': (value) => json(json(value)),
  'in JSON of Python': (value) =>
    json(value).replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'in JSON of Go': (value) =>
    json(value).replace(/[<>&]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'in JSON of PHP': (value) =>
    json(value)
      .replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .replaceAll('/', '\\/'),
  'in a URL': encodeURIComponent,
  'in the path of a URL': encodeURI,
  'in single quotes': (value) => value.replaceAll("'", "'\\''"),
  'in single quotes, in JSON': (value) => json(value.replaceAll("'", `'"'"'`)),
  'in double quotes': (value) => value.replace(/["$\\`]/g, '\\$&'),
  ...Object.fromEntries(
    Object.entries(UNSEEN).flatMap(([name, unseen]) => {
      /** @type {(value: string) => string} */
      const split = (value) => `${value.slice(0, 9)}${unseen}${value.slice(9)}`;
      return [
        [`with ${name}`, split],
        [`with ${name}, in JSON`, (value) => json(split(value))],
      ];
    }),
  ),
  'in lines, in JSON': (value) => json(`${value.slice(0, 14)}\n${value.slice(14)}`),
  'in lines, in JSON in JSON': (value) => json(json(`${value.slice(0, 14)}\n${value.slice(14)}`)),
  'in HTML': html,
  'in base64': base64,
  'in base64 after 1 byte': (value) => base64(`:${value}@`),
  'in base64 after 2 bytes': (value) => base64(`u:${value}@x`),
  'in base64url': (value) => Buffer.from(value).toString('base64url'),
  'in base64, in lines': (value) =>
    wrap(base64(`${'some text before, which fills the first line '.repeat(2)}${value}`)),
  'in hex': (value) => Buffer.from(value).toString('hex'),
  'in uppercase hex': (value) => Buffer.from(value).toString('hex').toUpperCase(),
};

/** Texts that look a little like credentials and must stay as they are. */
export const INNOCENT = [
  `commit ${hex(40, 70)}`,
  'index 3f2a1bc..9d8e7f6 100644',
  '123e4567-e89b-12d3-a456-426614174000',
  `data:image/png;base64,iVBORw0KGgo${draw(`${ALNUM}+/`, 4000, 71)}==`,
  `sha512-${base64(hex(64, 72))}==`,
  'Set OPENAI_API_KEY=sk-your-api-key-goes-here and GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'sk-… sk-ant-… sk-short AKIA… xoxb-your-token',
  'api_key: string; password: string | undefined; const password = process.env.DB_PASSWORD;',
  'password: ${{ secrets.PASSWORD }} password=$PASSWORD password=<your password> PASSWORD="***********"',
  'api_key = os.environ["API_KEY"] access_token = getToken(request, 12345678)',
  'Authorization: Bearer <token>, authorization: none, Authorization: Bearer $TOKEN',
  'https://user:password@example.com http://localhost:3000/a@b https://example.com:8443/x?y=z@w',
  'Cookie: a small cake. Cookie policy: none',
  'the promise LOOP_COMPLETE, task-1763333333-ab12, mem-1763333333-9f3c, loop-20261116-233000',
  '{"input_tokens": 123456789, "token_type": "Bearer", "max_tokens": 64000}',
  'ralph-e2e-scripted-model ralph-e2e-invalid-key-to-be-refused',
  'task-list-with-a-very-long-name-in-it, mask-ant-abcdefgh, AKIAs, eyJ.a.b',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  "grep -r '-----BEGIN PUBLIC KEY-----' . | head",
  'Begin with -----BEGIN RSA PRIVATE KEY-----, write /home/me/projects/ralph/src/exec/redact/shapes and commit.',
  `-----BEGIN PRIVATE KEY-----\nYOUR KEY HERE\n-----END PRIVATE KEY-----\n${'Then go on. '.repeat(50)}${base64(hex(64, 87))}`,
  'the private key is in id_rsa; key: src/exec/redact2/Shapes.ts, "key": "ArrowLeft", KEY_FILE=keys/Server1-a2b3c4.pem',
  'MAX_TOKENS=64000 TOKEN_URL=https://example.com/v1/token2 GIT_AUTHOR_EMAIL=ralph1@example2.com PRIMARY_KEY=id',
  'docker run -u 1000:1000 -u node:node, git push -u origin a:b1c2d3, fetch -u http://localhost:3000/a1b2c3',
  'token: next2(scanner.readToken1), currentToken === node2.questionToken && secret: step-1-of-the-plan',
  'https://someone@example.com ssh://git@example.com:22/a1b2 https://my-service-1a2b3c4d5e6f.example.com:8443/x@y',
];
