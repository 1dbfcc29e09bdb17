import type { Target } from '../../domain/attempt.js';
import type { Fault, Trouble } from '../../domain/fault.js';
import type { Counts, ReportResult } from '../../domain/report/report.js';

/** Words for whose fault it is that a test failed. Every report takes them from here. */

type Blamed = Pick<Fault, 'whose'> & { readonly trouble?: Trouble | null | undefined };

/** What the run tested. */
interface Tested {
  readonly isConversation: boolean;
  readonly isStandIn?: boolean;
}

const TROUBLES = {
  'rate-limit': 'rate limit',
  overload: 'overload',
  login: 'lost login',
  network: 'network',
} as const satisfies Record<Trouble, string>;

/** The mark of an inconclusive result, where a failure has a cross. */
export const INCONCLUSIVE_MARK = '❔';

/** Names the party: `the agent did otherwise`. */
function describeParty({ whose, trouble }: Blamed, { isConversation, isStandIn = false }: Tested): string {
  switch (whose) {
    case 'target':
      if (isConversation) return 'the plugin or the agent CLI broke a promise';
      return isStandIn ? 'the stand-in broke a promise of Ralph' : 'Ralph broke a promise';
    case 'agent':
      return 'the agent did otherwise';
    case 'infrastructure':
      return trouble ? `infrastructure (${TROUBLES[trouble]})` : 'infrastructure';
    case 'recording':
      return 'Ralph did not send what the recorded agent answered';
    default:
      return whose satisfies never;
  }
}

/** Says whose a fault is: `Ralph broke a promise`, `inconclusive: the agent did otherwise`. */
export function describeFault(fault: Blamed, tested: Tested): string {
  const party = describeParty(fault, tested);
  if (fault.whose === 'recording') return `diverged: ${party}`;
  return fault.whose === 'target' ? party : `inconclusive: ${party}`;
}

/** Says whose fault a failed test is; null if it did not fail. Without a recorded fault it is the target's. */
export function describeResultFault(
  { outcome, fault, context, repeats }: ReportResult,
  target?: Pick<Target, 'kind'>,
): string | null {
  if (outcome !== 'failed') return null;
  const tested = {
    isConversation: context?.conversation !== undefined,
    isStandIn: target?.kind === 'stand-in',
  };
  // The rate is below the threshold: that is a failure, whoever caused it.
  if (fault !== null && repeats?.below_threshold) return describeParty(fault, tested);
  return describeFault(fault ?? { whose: 'target' }, tested);
}

/** Says why an earlier attempt of a test that passed does not count as its failure, or whose failure it was. */
export function describeAttemptFault({ outcome, fault }: ReportResult['attempts'][number]): string {
  return outcome === 'failed' && fault && fault.whose !== 'target'
    ? describeFault(fault, { isConversation: false })
    : '';
}

/** Counts the failures that are the target's. */
export function countBroken({ failed, inconclusive }: Pick<Counts, 'failed' | 'inconclusive'>): number {
  return failed - inconclusive;
}

/** Says in a few words why results are inconclusive: `the agent did otherwise (2), infrastructure (1)`. */
export function describeInconclusive(results: readonly ReportResult[]): string {
  const faults = results.flatMap(({ inconclusive, fault }) => (inconclusive && fault ? [fault] : []));
  const parties = faults.map(({ whose }) =>
    whose === 'recording'
      ? describeFault({ whose }, { isConversation: false })
      : describeParty({ whose }, { isConversation: false }),
  );
  return [...new Set(parties)]
    .map((party) => `${party} (${parties.filter((one) => one === party).length})`)
    .join(', ');
}

/** What to do about inconclusive results. */
export const INCONCLUSIVE_ADVICE =
  'These results say nothing about the target: the agent did something else than it was asked, or its service did not answer. Run them again.';
