import type { Report } from '../../../src/domain/report/report.js';
import { captured, iteration } from '../../report/support/journal.js';
import { sampleReport } from '../../report/support/sample-report.js';

/** Texts that try to run, to load, to leave their place, to reorder or to widen the page. */
const HOSTILE = [
  '<script>window.broken = true</script>',
  '</script><script>window.broken = true</script>',
  '<img src="https://evil.example/x.png" onerror="window.broken = true">',
  '"><svg onload="window.broken = true">',
  "' onmouseover='window.broken = true' autofocus onfocus='window.broken = true",
  '</code></pre></details></li></ul></section><h1>All tests passed</h1>',
  '<!-- <style>body { display: none }</style>',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">',
  'https://evil.example/ [click](javascript:alert(1)) data:text/html,x',
  '\u202egnp.exe\u202c \u001b[31mred\u001b[0m \u200bhidden \u0000',
  `&lt;script&gt; &amp; ${'W'.repeat(3_000)}`,
].join('\n');

/** A run in which everything that can hold a text of somebody else holds all of them. */
export function hostileReport(): Report {
  return sampleReport({
    run: {
      at: HOSTILE,
      runId: HOSTILE,
      target: { kind: 'real', path: HOSTILE, version: HOSTILE },
      environment: {
        os: HOSTILE,
        node: HOSTILE,
        workspace: HOSTILE,
        startedIn: HOSTILE,
        credentialVariables: { [HOSTILE]: true },
        inherited: [HOSTILE],
      },
    },
    tests: [
      {
        scenarioId: HOSTILE,
        description: HOSTILE,
        covers: [HOSTILE],
        pressure: [{ name: HOSTILE, description: HOSTILE, why: HOSTILE }],
        knownIssue: { upTo: HOSTILE, reason: HOSTILE, link: HOSTILE, breaks: [], shows: {} },
        attempts: [
          {
            outcome: 'failed',
            artifacts: HOSTILE,
            workspace: HOSTILE,
            checks: [
              {
                passed: false,
                name: HOSTILE,
                expected: HOSTILE,
                actual: HOSTILE,
                diff: `+${HOSTILE}`,
                suggestion: HOSTILE,
              },
            ],
            evidence: {
              command: [HOSTILE],
              configYaml: HOSTILE,
              promptText: HOSTILE,
              stdout: { ...captured(HOSTILE, 'stdout'), path: HOSTILE },
              iterations: [1, 2].map((number) =>
                iteration({
                  number,
                  hat: HOSTILE,
                  prompt: HOSTILE,
                  said: HOSTILE,
                  toolCalls: [{ id: null, name: HOSTILE, input: HOSTILE, result: null, isError: true }],
                }),
              ),
              events: [
                {
                  topic: HOSTILE,
                  payload: HOSTILE,
                  timestamp: HOSTILE,
                  hat: HOSTILE,
                  iteration: 1,
                  source: 'agent',
                },
              ],
              files: [{ path: HOSTILE, change: 'added', sizeBytes: 1, preview: HOSTILE }],
              scratchpad: { before: HOSTILE, after: HOSTILE },
              termination: { reason: HOSTILE, status: HOSTILE, iterations: 2, exitCode: 0 },
              usage: { model: HOSTILE, turns: 1, inputTokens: 1, outputTokens: 1, costUsd: 1 },
              backendErrors: [HOSTILE],
            },
          },
        ],
      },
      { scenarioId: 'skipped', backend: 'kiro', skipped: HOSTILE },
      { scenarioId: 'lost', attempts: [{ outcome: 'error', error: HOSTILE, evidence: null }] },
    ],
  });
}
