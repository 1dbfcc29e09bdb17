import { before, inOrder, literal, maybe, notAfter, notBefore, oneOf, run } from './parts.js';
import { key, looksRandom, type Shape, shape } from './shape.js';

const ALNUM = 'A-Za-z0-9';
const TOKEN = '\\w\\-';
const HEX = '0-9a-fA-F';
/** Not `\s`: in bytes, that also matches half of some characters. */
const SPACE = ' \\t';
const NOTHING = literal('');

/** Keys with a prefix that their vendor chose so that they can be found. */
const PREFIXED: readonly Shape[] = [
  key('Anthropic', 'sk-ant-', TOKEN, 8),
  key('OpenAI', 'sk-', TOKEN, 20),
  key('GitHub', 'ghp_ gho_ ghu_ ghs_ ghr_', ALNUM, 20),
  key('GitHub, fine-grained', 'github_pat_', '\\w', 20),
  key('GitLab', 'glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent- gloas-', TOKEN, 16),
  key('Bitbucket and Atlassian', 'ATBB ATATT3 ATCTT3 ATOA', `${TOKEN}=`, 20),
  shape('AWS access key', 'AKIA ASIA ABIA ACCA', inOrder(run('A-Z0-9', 16, 16), notBefore(ALNUM))),
  key('Alibaba Cloud', 'LTAI', ALNUM, 16, 24),
  key('Tencent Cloud', 'AKID', ALNUM, 32, 36),
  key('Google API key', 'AIza', TOKEN, 30),
  key('Google access token', 'ya29.', `${TOKEN}.`, 20),
  key('Google client secret', 'GOCSPX-', TOKEN, 20),
  key('Google refresh token', '1//0', TOKEN, 30),
  key(
    'Slack token',
    'xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxp- xoxe.xoxb-',
    `${ALNUM}%-`,
    10,
  ),
  key('Slack app token', 'xapp-', `${ALNUM}-`, 20),
  key('Stripe', 'sk_live_ sk_test_ rk_live_ rk_test_ whsec_', `${ALNUM}+/=`, 16),
  key('Square', 'sq0atp- sq0csp- sq0idp-', TOKEN, 20),
  key('Shopify', 'shpat_ shpca_ shppa_ shpss_', HEX, 32),
  key('Twilio', 'SK', '0-9a-f', 32, 32),
  key('SendGrid', 'SG.', `${TOKEN}.`, 40),
  key('Mailgun', 'key-', '0-9a-f', 32, 32),
  key('Brevo', 'xkeysib- xsmtpsib-', `${TOKEN}`, 30),
  key('npm', 'npm_', ALNUM, 30),
  key('PyPI', 'pypi-', TOKEN, 30),
  key('RubyGems', 'rubygems_', '0-9a-f', 40),
  key('NuGet', 'oy2', 'a-z0-9', 40, 46),
  key('Docker Hub', 'dckr_pat_ dckr_oat_', TOKEN, 20),
  key('Hugging Face', 'hf_ api_org_', ALNUM, 30),
  key('Groq', 'gsk_', ALNUM, 40),
  key('Replicate', 'r8_', ALNUM, 30),
  key('xAI', 'xai-', ALNUM, 40),
  key('Perplexity', 'pplx-', ALNUM, 32),
  key('Fireworks', 'fw_', ALNUM, 22, 32),
  key('DigitalOcean', 'dop_v1_ doo_v1_ dor_v1_', '0-9a-f', 40),
  key('Heroku', 'HRKU-', TOKEN, 30),
  key('Fly.io', 'fo1_ fm1r_ fm1a_ fm2_', `${TOKEN}+/=,`, 30),
  key('Netlify', 'nfp_', ALNUM, 30),
  key('Vercel', 'vcp_ vca_ vci_ vck_', ALNUM, 20),
  key('Supabase', 'sbp_ sb_secret_', TOKEN, 20),
  key('PlanetScale', 'pscale_tkn_ pscale_pw_ pscale_oauth_', `${TOKEN}.`, 30),
  key('Databricks', 'dapi', '0-9a-f', 32),
  key('HashiCorp Vault', 'hvs. hvb. hvr.', TOKEN, 20),
  key('Pulumi', 'pul-', '0-9a-f', 40),
  key('Doppler', 'dp.pt. dp.st. dp.ct. dp.sa.', `${TOKEN}.`, 30),
  key('Tailscale', 'tskey-', `${ALNUM}-`, 20),
  key('Linear', 'lin_api_ lin_oauth_', ALNUM, 30),
  key('Notion', 'secret_ ntn_', ALNUM, 40),
  key('Figma', 'figd_ figo_', TOKEN, 30),
  key('Postman', 'PMAK-', `${HEX}-`, 40),
  key('New Relic', 'NRAK- NRII- NRAA-', ALNUM, 20),
  key('Sentry', 'sntrys_ sntryu_', `${TOKEN}=+/`, 30),
  key('Grafana', 'glc_ glsa_', `${TOKEN}=+/`, 30),
  key('Buildkite', 'bkua_', '0-9a-f', 40),
  key('CircleCI', 'CCIPAT_ CCIPRJ_', TOKEN, 30),
  key('Dropbox', 'sl.', TOKEN, 100),
  key('Flutterwave', 'FLWSECK_TEST- FLWSECK-', ALNUM, 12),
  key('age', 'AGE-SECRET-KEY-1', 'A-Z0-9', 40),
];

const QUOTE = inOrder(run('\\\\', 0, 16), run('"\'`', 0, 1));
/** `: `, ` = `, `":"`, `\":\"`, ` => ` and the `>` of XML. */
const ASSIGNED = inOrder(QUOTE, run(SPACE, 0, 4), run(':=>', 1, 2), run(SPACE, 0, 4), QUOTE);
/** Without what ends a value in code, JSON, YAML and shell. With a bracket it is a call. */
const VALUE = inOrder(run(`^\\s"'\`,;<>(){}\\[\\]\\\\`, 6), maybe(literal('(')));
const CREDENTIALS = `${TOKEN}.~+/=`;
const SCHEMES = ['bearer', 'basic', 'token', 'digest', 'apikey', 'negotiate'];
const KEY_NAMES =
  `api_key apikey api-key access_key access-key accesskey account_key accountkey sharedaccesskey
  secret_key secretkey secret-key private_key privatekey encryption_key subscription-key client_secret client-secret
  clientsecret app_secret signing_secret webhook_secret shared_secret auth_token auth-token authtoken access_token
  access-token accesstoken refresh_token refreshtoken id_token idtoken bot_token api_token api-token session_token
  security-token private-token vault-token key-data _pass _auth`.split(/\s+/);
/** What the names of variables with credentials contain. */
export const CREDENTIAL_WORDS = 'KEY TOKEN SECRET PASSWORD PASSWD CREDENTIAL AUTH COOKIE'.split(' ');
/** The rest of such a name: not of an author, nor of a file. */
const NAME_END = inOrder(notBefore('O'), run('A-Z0-9_', 0, 32), notAfter('_FILE|_PATH|_DIR|_SOCK'));
/** What is between an option and its value, in a shell or a list of words. */
const OPTION_GAP = run(`${SPACE}=,"'\`\\\\`, 1, 8);

/** Credentials that are recognized by what is around them. */
const NAMED: readonly Shape[] = [
  shape('header Authorization', 'authorization', run(CREDENTIALS, 8), {
    keep: inOrder(
      ASSIGNED,
      oneOf(...SCHEMES.map((name) => literal(name, { anyCase: true }))),
      run(SPACE, 1, 4),
    ),
    anyCase: true,
    insideWords: true,
  }),
  shape('header Authorization', 'authorization', run(CREDENTIALS, 16), {
    keep: ASSIGNED,
    anyCase: true,
    insideWords: true,
    accept: looksRandom,
  }),
  shape('bearer token', 'bearer', run(CREDENTIALS, 16), {
    keep: run(SPACE, 1, 4),
    anyCase: true,
    accept: looksRandom,
  }),
  shape(
    'header Cookie',
    'cookie',
    inOrder(run(`${ALNUM}!#$%&*.^|~_+-`, 1, 64), literal('='), run(`^\\r\\n"'\\\\`, 4, 8192)),
    {
      keep: inOrder(QUOTE, run(SPACE, 0, 4), literal(':'), run(SPACE, 0, 4), QUOTE),
      anyCase: true,
      insideWords: true,
    },
  ),
  shape('password by name', 'password passwd passphrase pwd', VALUE, {
    keep: ASSIGNED,
    anyCase: true,
    insideWords: true,
    accept: looksChosen,
  }),
  shape('key by name', KEY_NAMES, VALUE, {
    keep: ASSIGNED,
    anyCase: true,
    insideWords: true,
    accept: looksAssigned,
  }),
  shape('variable by name', CREDENTIAL_WORDS, VALUE, {
    keep: inOrder(NAME_END, maybe(run('\\s\\\\nr"\',', 1, 24), literal('value')), ASSIGNED),
    insideWords: true,
    accept: looksDrawn,
  }),
  shape('word by name', 'token secret auth credential', VALUE, {
    keep: ASSIGNED,
    anyCase: true,
    insideWords: true,
    accept: looksDrawn,
  }),
  shape('login of a command', '-u --user --proxy-user', VALUE, {
    keep: inOrder(maybe(OPTION_GAP), run('\\w.@+-', 1, 32), literal(':'), notBefore('/')),
    accept: looksChosen,
  }),
  shape('option of a command', '--password --passwd --passphrase --token --api-key --secret', VALUE, {
    keep: OPTION_GAP,
    accept: looksChosen,
  }),
  shape('netrc', ['login '], run(`^\\s\\\\"',`, 6, 512), {
    keep: inOrder(run(`^\\s\\\\"',`, 1, 64), run('\\s', 1, 8), literal('password'), run('\\s', 1, 8)),
  }),
  shape('password in a URL', '://', inOrder(run(`^\\s/"'<>\\\\`, 3, 512), before('@')), {
    keep: inOrder(run(`^\\s/@:"'<>\\\\`, 0, 256), literal(':')),
    insideWords: true,
    accept: (hidden) => !isPlaceholder(hidden),
  }),
  shape(
    'token in a URL',
    '://',
    inOrder(
      run(`^\\s/@:"'<>\\\\`, 16, 256),
      maybe(literal(':'), run(`^\\s/@:"'<>\\\\`, 0, 256)),
      before('@'),
    ),
    { keep: NOTHING, insideWords: true, accept: (hidden) => !isPlaceholder(hidden) && looksRandom(hidden) },
  ),
  shape('Azure signature', 'sig=', run(`${ALNUM}%+/=_-`, 40), { keep: NOTHING, accept: looksRandom }),
  shape('Azure client secret', '8Q~', run(`${TOKEN}.~`, 31, 34), {
    insideWords: true,
    behind: '(?<=[\\w.~-]{3})',
  }),
  shape('HashiCorp Terraform', '.atlasv1.', run(TOKEN, 40), { keep: NOTHING, insideWords: true }),
  shape('Slack webhook', 'hooks.slack.com/', run(`${ALNUM}/_-`, 20), {
    keep: inOrder(run('a-z', 1, 16), literal('/')),
  }),
  shape('Discord webhook', 'discord.com/api/webhooks/ discordapp.com/api/webhooks/', run(TOKEN, 40), {
    keep: inOrder(run('0-9', 16, 20), literal('/')),
  }),
  shape('Teams webhook', '.webhook.office.com/', run(`${ALNUM}@/-`, 40), {
    keep: NOTHING,
    insideWords: true,
  }),
  shape('Telegram', ':AA', run(TOKEN, 32, 34), {
    insideWords: true,
    behind: '(?<=(?<!\\d)\\d{8,10})',
  }),
];

const KEY_NAME = inOrder(run('A-Z0-9 ', 0, 24), literal('PRIVATE KEY'));

/** What private keys begin and end with. It stays readable; `findKeyRows` finds what is between. */
export const KEY_BEGIN = 'the begin of a private key';
export const KEY_END = 'the end of a private key';
const KEY_MARKS: readonly Shape[] = [
  shape(KEY_BEGIN, ['-BEGIN ', '- BEGIN '], KEY_NAME, { insideWords: true }),
  shape(KEY_BEGIN, 'Private-Lines:', NOTHING),
  shape(KEY_END, ['-END ', '- END '], KEY_NAME, { insideWords: true }),
  shape(KEY_END, 'Private-MAC:', NOTHING),
];

/** Credentials with a structure of their own. */
const STRUCTURED: readonly Shape[] = [
  shape(
    'JWT',
    'eyJ',
    inOrder(run(TOKEN, 10), maybe(literal('.'), run(TOKEN, 4), literal('.'), run(TOKEN, 4))),
    {
      accept: (hidden) => hidden.includes('.'),
    },
  ),
  shape('Mapbox', 'sk.eyJ', inOrder(run(TOKEN, 20), maybe(literal('.'), run(TOKEN, 16))), {
    accept: (hidden) => hidden.lastIndexOf('.') > 2,
  }),
  shape('Airtable', 'pat', inOrder(run(ALNUM, 14, 14), literal('.'), run('0-9a-f', 64))),
  // The first part is a number in base64, so it starts with one of these.
  shape(
    'Discord',
    'MT Mj Mz ND NT Nj Nz OD OT',
    inOrder(run(TOKEN, 21, 26), literal('.'), run(TOKEN, 6, 7), literal('.'), run(TOKEN, 27)),
  ),
];

/** All families that are recognized without knowing a value. */
export const SHAPES: readonly Shape[] = [...PREFIXED, ...NAMED, ...STRUCTURED, ...KEY_MARKS];

const PLACEHOLDER =
  /^(?:[$<{%*[.#]|(?:your|my|the|an?|some|example|sample|change|place|fake|dummy|test|redacted|process|os|env|config|null|none|undefined|string|secret|pass|password|token|key|user|admin|root|xxx)(?![a-z]*[\d!@#^&]))/i;

/** Whether a text only says where a credential would be. */
function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text) || new Set(text).size < 4;
}

/** Whether a value may be a password that a person chose: it has more than letters. */
function looksChosen(value: string): boolean {
  return (
    !isPlaceholder(value) && !value.endsWith('(') && /[^A-Za-z_.-]/.test(value) && /[^\d.:/-]/.test(value)
  );
}

/** Whether a value may be a key that a program made: letters and digits, and not a path. */
function looksAssigned(value: string): boolean {
  return value.length >= 12 && looksChosen(value) && looksRandom(value) && !/^[./~]|:\/\//.test(value);
}

/** Whether a value can hardly be anything but a key: both cases and digits, or letters and digits that alternate. */
function looksDrawn(value: string): boolean {
  const mixed = /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value);
  const alternates = (value.slice(0, 100).match(/[a-z]\d|\d[a-z]/gi) ?? []).length >= 3;
  return value.length >= 16 && looksAssigned(value) && (mixed || alternates);
}
