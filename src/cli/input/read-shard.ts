import { KnownError } from '../../domain/common/known-error.js';
import { MOST_SHARDS, type ShardChoice, shardChoiceSchema } from '../../domain/shard.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads `--shard`: `2/4`, or `auto` for what the CI system says. */
export function readShard(value: string, env: Environment): ShardChoice {
  if (value === 'auto') return findShard(env);
  const match = /^(\d{1,6})\/(\d{1,6})$/.exec(value.trim());
  const shard = shardChoiceSchema.safeParse({ index: Number(match?.[1]), total: Number(match?.[2]) });
  if (shard.success) return shard.data;
  throw new KnownError(
    `--shard ${value}: expected a part and how many there are, such as 2/4, up to ${MOST_SHARDS}, or auto.`,
    { hint: 'The first part is 1/4 and the last 4/4.' },
  );
}

/** The variables in which a CI system says which of its parallel jobs this is. */
interface System {
  readonly name: string;
  readonly index: string;
  readonly total: string;
  /** The index of the first job. */
  readonly first: number;
  /** The index that a job has if the total is 1 and the system sets none. */
  readonly alone?: number;
}

const SYSTEMS = [
  { name: 'GitHub Actions and others', index: 'SHARD_INDEX', total: 'SHARD_TOTAL', first: 0 },
  { name: 'GitLab', index: 'CI_NODE_INDEX', total: 'CI_NODE_TOTAL', first: 1, alone: 1 },
  { name: 'CircleCI', index: 'CIRCLE_NODE_INDEX', total: 'CIRCLE_NODE_TOTAL', first: 0 },
  {
    name: 'Buildkite',
    index: 'BUILDKITE_PARALLEL_JOB',
    total: 'BUILDKITE_PARALLEL_JOB_COUNT',
    first: 0,
  },
  { name: 'Kubernetes', index: 'JOB_COMPLETION_INDEX', total: 'JOB_COMPLETIONS', first: 0 },
] as const satisfies readonly System[];

/** Finds out from the environment which part this machine runs. */
function findShard(env: Environment): ShardChoice {
  const all = SYSTEMS.flatMap((system) => {
    const shard = readSystem(system, env);
    return shard === null ? [] : [{ system, shard }];
  });
  // One job of one is what some systems always say, parallel or not.
  const parallel = all.filter(({ shard }) => shard.total > 1);
  const found = parallel.length === 0 ? all : parallel;
  const [first] = found;
  if (first === undefined)
    throw new KnownError(
      `--shard auto: expected the variables of ${SYSTEMS.map(({ name }) => name).join(', ')}; found none of them.`,
      { hint: `Set ${SYSTEMS[0].index} (from 0) and ${SYSTEMS[0].total}, or name the part: --shard 1/4.` },
    );
  const other = found.find(
    ({ shard }) => shard.index !== first.shard.index || shard.total !== first.shard.total,
  );
  if (other === undefined) return first.shard;
  throw new KnownError(
    `--shard auto: expected one answer, found ${[first, other].map(describeFound).join(' and ')}.`,
    { hint: 'Unset the variables that do not count, or name the part: --shard 1/4.' },
  );

  function describeFound({ system, shard }: (typeof all)[number]): string {
    return `${shard.index}/${shard.total} from ${describeVariables(system, env)}`;
  }
}

/** Reads what one system says; null if none of its variables is set. */
function readSystem(system: System, env: Environment): ShardChoice | null {
  const { index, total, first, alone } = system;
  const [indexText, totalText] = [textOf(env, index), textOf(env, total)];
  if (indexText === null && totalText === null) return null;
  const count = readNumber(totalText);
  const place = indexText === null && count === 1 ? (alone ?? Number.NaN) : readNumber(indexText);
  const shard = shardChoiceSchema.safeParse({ index: place - first + 1, total: count });
  if (shard.success) return shard.data;
  throw new KnownError(
    `--shard auto: expected ${index} from ${first} on and as many as ${total}; found ${describeVariables(system, env)}.`,
    { hint: `Set ${index} and ${total} (at most ${MOST_SHARDS}), or name the part: --shard 1/4.` },
  );
}

function describeVariables({ index, total }: System, env: Environment): string {
  const describe = (name: string) => `${name}=${textOf(env, name)?.slice(0, 40) ?? '(not set)'}`;
  return `${describe(index)} ${describe(total)}`;
}

function textOf(env: Environment, name: string): string | null {
  const text = env[name]?.trim() ?? '';
  return text === '' ? null : text;
}

function readNumber(text: string | null): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}
