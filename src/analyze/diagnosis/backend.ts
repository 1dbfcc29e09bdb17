import type { CheckResult } from '../../domain/check.js';
import { MISSING_EXECUTABLE, quoteEnd, quoteLines, unansweredPrompts } from '../../domain/diagnosis/clues.js';
import { type DiagnosisRule, fix } from '../../domain/diagnosis/rule.js';

/** What the real CLIs print if their service rejects the credentials. Narrow on purpose: agents mention 401 too. */
const CREDENTIALS =
  /API Error: 40[13]|"api_error_status":\s*40[13]|Invalid API key|Please run \/login|authentication_(?:error|failed)|[Nn]ot logged in|OAuth token has expired|invalid x-api-key|Unauthorized|credentials? (?:were |was )?(?:refused|invalid|rejected)/;

const credentialsRefused: DiagnosisRule = {
  name: 'credentials-refused',
  type: 'AuthenticationError',
  blames: 'authentication',
  find: ({ evidence, provoked, execution }) => {
    if (!evidence || provoked) return null;
    const reported = evidence.backendErrors.filter((line) => CREDENTIALS.test(line));
    const lines =
      reported.length > 0
        ? reported.map((line) => `backend error: ${line}`)
        : [...quoteLines(evidence.stdout, CREDENTIALS), ...quoteLines(evidence.stderr, CREDENTIALS)];
    return lines.length === 0
      ? null
      : {
          hypothesis: `The service of ${execution.backend} rejected the credentials.`,
          evidence: lines.slice(0, 5),
          investigations: [
            `Run ralph-e2e doctor, and start ${execution.backend} yourself with the same environment.`,
          ],
          fixes: [fix(`Log in to ${execution.backend}, or renew its key`, 0.8)],
        };
  },
};

/** What services answer when a limit is used up. */
const QUOTA =
  /API Error: 429|"api_error_status":\s*429|rate_limit_error|[Rr]ate limit(?:ed| reached| exceeded)|usage limit reached|[Qq]uota (?:exceeded|exhausted)|insufficient_quota|[Cc]redit balance is too low/;

const quotaUsedUp: DiagnosisRule = {
  name: 'quota-used-up',
  type: 'BackendError',
  blames: 'quota',
  investigations: ['Check the usage of the account, and run the test again when the limit has reset.'],
  fixes: [fix('Wait, run fewer tests at once (-j 1), or use another account', 0.7)],
  find: ({ evidence, provoked, execution }) => {
    if (!evidence || provoked) return null;
    const reported = evidence.backendErrors.filter((line) => QUOTA.test(line));
    if (reported.length === 0) return null;
    return {
      hypothesis: `The service of ${execution.backend} refused to answer: a rate limit or a quota is used up. That says nothing about the target.`,
      evidence: reported.slice(0, 4).map((line) => `backend error: ${line}`),
    };
  },
};

const backendMissing: DiagnosisRule = {
  name: 'backend-not-found',
  type: 'BackendError',
  blames: 'infrastructure',
  investigations: ['Check PATH, and cli.command in the configuration.'],
  find: ({ evidence, provoked, execution }) => {
    if (!evidence || provoked || (evidence.exit.kind === 'exited' && evidence.exit.code === 0)) return null;
    const lines = [
      ...quoteLines(evidence.stderr, MISSING_EXECUTABLE),
      ...quoteLines(evidence.stdout, /\(os error 2\)/, 1),
    ];
    return lines.length === 0
      ? null
      : {
          hypothesis: `The target could not start ${execution.backend}: its executable was not found.`,
          evidence: lines,
          fixes: [fix(`Install ${execution.backend}, or put it on PATH`, 0.7)],
        };
  },
};

/** Whether the scenario expects the loop to give up on a failing backend. */
function wantsFailures(checks: readonly CheckResult[]): boolean {
  return checks.some(({ about }) => about?.reason === 'consecutive_failures');
}

const backendFailed: DiagnosisRule = {
  name: 'backend-failed',
  type: 'BackendError',
  blames: 'infrastructure',
  investigations: [
    'Start the backend yourself with the prompt of the first iteration.',
    'Look for rate limits, an unknown model, or a permission prompt.',
  ],
  find: ({ evidence, provoked, execution, attempt }) => {
    // A scripted agent without an answer exits with an error; then another rule looks at the prompt.
    if (!evidence || provoked || unansweredPrompts(evidence).length > 0) return null;
    const wanted = wantsFailures(attempt.checks);
    const gaveUp = evidence.termination?.reason === 'consecutive_failures' && !wanted;
    if (evidence.backendErrors.length === 0 && !gaveUp) return null;
    return {
      hypothesis: gaveUp
        ? `The backend ${execution.backend} failed repeatedly until the target gave up.`
        : `The backend ${execution.backend} reported errors.`,
      evidence: [
        ...evidence.backendErrors.slice(0, 4).map((line) => `backend error: ${line}`),
        ...(evidence.backendErrors.length === 0 ? quoteEnd(evidence.stdout, 4) : []),
      ],
    };
  },
};

/** Rules about a backend that could not do its work. */
export const backendRules: readonly DiagnosisRule[] = [
  credentialsRefused,
  quotaUsedUp,
  backendMissing,
  backendFailed,
];
