// The flag `--shard`: a shard of a run, as numbers or from the variables of a CI job.

import type { Shard } from '../../snapshot/report.ts';
import { UsageError } from '../flags.ts';

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
