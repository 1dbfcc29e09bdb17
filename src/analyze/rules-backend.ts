import { brokenOf, isSilent, MISSING_EXECUTABLE, quoteCheck, quoteEnd, quoteLines } from './clues.js';
import { type DiagnosisRule, fix } from './rule.js';

/** What the real CLIs print when they refuse credentials. Narrow on purpose: agents talk about 401 too. */
const CREDENTIALS =
  /API Error: 40[13]|"api_error_status":\s*40[13]|Invalid API key|Please run \/login|authentication_(?:error|failed)|[Nn]ot logged in|OAuth token has expired|invalid x-api-key|Unauthorized|credentials? (?:were |was )?(?:refused|invalid|rejected)/;

const credentialsRefused: DiagnosisRule = {
  name: 'credentials-refused',
  type: 'AuthenticationError',
  apply: ({ evidence, provoked, execution }) => {
    if (!evidence || provoked) return null;
    const reported = evidence.backendErrors.filter((line) => CREDENTIALS.test(line));
    const lines =
      reported.length > 0
        ? reported.map((line) => `backend error: ${line}`)
        : [...quoteLines(evidence.stdout, CREDENTIALS), ...quoteLines(evidence.stderr, CREDENTIALS)];
    return lines.length === 0
      ? null
      : {
          hypothesis: `The backend ${execution.backend} refused the credentials that it was given.`,
          evidence: lines.slice(0, 5),
          investigations: [
            `Run ralph-e2e doctor and call ${execution.backend} by hand with the same environment.`,
          ],
          fixes: [fix(`Log in to ${execution.backend}, or renew its key`, 0.8)],
        };
  },
};

const backendMissing: DiagnosisRule = {
  name: 'backend-not-found',
  type: 'BackendError',
  apply: ({ evidence, provoked, execution }) => {
    if (!evidence || provoked || (evidence.exit.kind === 'exited' && evidence.exit.code === 0)) return null;
    const lines = [
      ...quoteLines(evidence.stderr, MISSING_EXECUTABLE),
      ...quoteLines(evidence.stdout, /\(os error 2\)/, 1),
    ];
    return lines.length === 0
      ? null
      : {
          hypothesis: `The target could not start the backend ${execution.backend}: its executable was not found.`,
          evidence: lines,
          investigations: ['Check PATH and cli.command in the configuration of the context.'],
          fixes: [fix(`Install ${execution.backend}, or put it on PATH`, 0.7)],
        };
  },
};

const backendFailed: DiagnosisRule = {
  name: 'backend-failed',
  type: 'BackendError',
  apply: ({ evidence, provoked, execution, attempt }) => {
    if (!evidence || provoked) return null;
    const wanted = attempt.checks.some(({ expected }) => expected.includes('consecutive_failures'));
    const gaveUp = evidence.termination?.reason === 'consecutive_failures' && !wanted;
    if (evidence.backendErrors.length === 0 && !gaveUp) return null;
    return {
      hypothesis: gaveUp
        ? `The backend ${execution.backend} failed again and again until the target gave up.`
        : `The backend ${execution.backend} reported errors.`,
      evidence: [
        ...evidence.backendErrors.slice(0, 4).map((line) => `backend error: ${line}`),
        ...(evidence.backendErrors.length === 0 ? quoteEnd(evidence.stdout, 4) : []),
      ],
      investigations: [
        'Call the backend by hand with the prompt of the first iteration.',
        'Look for rate limits, an unknown model, or a permission that the backend asks for.',
      ],
      fixes: [],
    };
  },
};

const backendSilent: DiagnosisRule = {
  name: 'backend-silent',
  type: 'BackendError',
  apply: (failure) => {
    const { evidence, provoked, execution } = failure;
    if (!evidence || provoked || !isSilent(evidence)) return null;
    return {
      hypothesis: `The backend ${execution.backend} ended without an answer in each of ${evidence.iterations.length} iterations: neither words nor tool calls.`,
      evidence: [
        ...brokenOf(failure, 'OutputContains', 'FileCreated', 'FileContains', 'TerminationReason')
          .slice(0, 4)
          .map(quoteCheck),
      ],
      investigations: [
        'Call the backend by hand with the prompt of the first iteration: does it print anything?',
        'ralph does not show the stderr of a backend unless it is started with -v.',
      ],
      fixes: [],
    };
  },
};

/** What kept the backend from doing its work. */
export const backendRules: readonly DiagnosisRule[] = [
  credentialsRefused,
  backendMissing,
  backendFailed,
  backendSilent,
];
