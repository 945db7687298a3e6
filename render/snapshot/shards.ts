// Sharding: distributes the cases of a run so that each is rendered once and all shards take about as long.

import { UsageError } from '../core/usage-error.ts';

/** A shard of a run, from 1. */
export interface Shard {
  readonly index: number;
  readonly total: number;
}

/** The shard in a report. */
export interface ShardMark extends Shard {
  /** The same for all shards of a run: a digest of all cases. */
  readonly plan: string;
  /** The snapshots and cases of all shards, in the order of an unsharded run. */
  readonly order: readonly (readonly [snapshot: string, name: string])[];
}

/** An item to render. */
export interface Unit {
  readonly input: string;
  readonly name: string;
  /** Its duration, in any unit. */
  readonly weight: number;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Parses --shard: `2/4`; `auto`, for a Kubernetes Indexed Job (`JOB_COMPLETION_INDEX`, with the count in `DRYDOCK_SHARDS`), a GitLab job
 * with `parallel`, or a job of a GitHub matrix (`DRYDOCK_SHARD`, `DRYDOCK_SHARDS`). Undefined for an unsharded run. Throws UsageError.
 */
export function shardOf(word: string | undefined, env: Env): Shard | undefined {
  if (word === undefined || word === '') return undefined;
  if (word === 'auto') return shardOfEnv(env);
  const [, index = '', total = ''] = /^(\d+)\/(\d+)$/.exec(word) ?? [];
  return checked({ index: Number(index), total: Number(total) }, `--shard ${word}`);
}

function shardOfEnv(env: Env): Shard {
  const { JOB_COMPLETION_INDEX, CI_NODE_INDEX, CI_NODE_TOTAL, DRYDOCK_SHARD, DRYDOCK_SHARDS } = env;
  if (DRYDOCK_SHARD && DRYDOCK_SHARDS) {
    return checked({ index: Number(DRYDOCK_SHARD), total: Number(DRYDOCK_SHARDS) }, 'DRYDOCK_SHARD and DRYDOCK_SHARDS');
  }
  if (JOB_COMPLETION_INDEX && DRYDOCK_SHARDS) {
    const index = Number(JOB_COMPLETION_INDEX) + 1;
    return checked({ index, total: Number(DRYDOCK_SHARDS) }, 'JOB_COMPLETION_INDEX and DRYDOCK_SHARDS');
  }
  if (CI_NODE_INDEX && CI_NODE_TOTAL) {
    return checked({ index: Number(CI_NODE_INDEX), total: Number(CI_NODE_TOTAL) }, 'CI_NODE_INDEX and CI_NODE_TOTAL');
  }
  throw new UsageError(
    '--shard auto finds no shard: a Kubernetes Indexed Job sets JOB_COMPLETION_INDEX and needs DRYDOCK_SHARDS, GitLab sets CI_NODE_INDEX with parallel, a matrix of GitHub needs DRYDOCK_SHARD and DRYDOCK_SHARDS',
  );
}

function checked(shard: Shard, what: string): Shard {
  const { index, total } = shard;
  if (Number.isInteger(index) && Number.isInteger(total) && index >= 1 && index <= total && total <= 10_000)
    return shard;
  throw new UsageError(`${what}: a shard is I/N, from 1/N to N/N, such as --shard 2/4`);
}

/** Distributes units to shards: the largest first, each to the smallest shard. Deterministic. */
export function partsOf(units: readonly Unit[], total: number): readonly (readonly Unit[])[] {
  const parts = Array.from({ length: total }, () => ({ weight: 0, units: [] as Unit[] }));
  const keyOf = ({ input, name }: Unit): string => `${input}\n${name}`;
  const sorted = [...units].sort((a, b) => b.weight - a.weight || (keyOf(a) < keyOf(b) ? -1 : 1));
  for (const unit of sorted) {
    const least = parts.reduce((best, part) => (part.weight < best.weight ? part : best));
    least.weight += unit.weight;
    least.units.push(unit);
  }
  return parts.map((part) => part.units);
}
