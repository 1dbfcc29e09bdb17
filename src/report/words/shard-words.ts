import type { Report } from '../../domain/report/report.js';
import { countOf, formatDuration } from './words.js';

/** Says which part of a run this is: `shard 2 of 4: 31 of 120 tests`. */
export function describeShard(shard: NonNullable<Report['shard']>): string {
  return `shard ${shard.index} of ${shard.total}: ${shard.tests} of ${countOf(shard.all_tests, 'test')}`;
}

/** Says what a merged run consists of: `4 shards of 30 to 31 tests, the longest took 45s`. */
export function describeShards(shards: NonNullable<Report['shards']>): string {
  const tests = shards.map((shard) => shard.tests);
  const [least, most] = [Math.min(...tests), Math.max(...tests)];
  const each = least === most ? countOf(most, 'test') : `${least} to ${countOf(most, 'test')}`;
  const longest = Math.max(...shards.map(({ duration_seconds }) => duration_seconds));
  const cut = shards.filter(({ interrupted }) => interrupted).map(({ index }) => index);
  const ended = cut.length === 0 ? '' : `; shard ${cut.join(', ')} was interrupted`;
  return `${countOf(shards.length, 'shard')} of ${each}, the longest took ${formatDuration(longest)}${ended}`;
}
