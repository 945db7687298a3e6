// `npm run reference`: prints the path of a real program, or starts a cluster of them.

import { once } from 'node:events';
import { startCluster, withCluster } from './cluster.ts';
import { type PinnedProgram, reference, usage } from './programs.ts';

const [name = '', ...rest] = process.argv.slice(2);
if (name === '' || name === '--help') console.log(usage());
else if (name !== 'cluster') await printPath();
else if (rest.length > 0) process.exitCode = await withCluster(rest);
else await runCluster();

async function printPath(): Promise<void> {
  try {
    console.log(await (name === 'helm' ? reference(name, rest[0] ?? '') : reference(name as PinnedProgram)));
  } catch (error) {
    console.error(`Error: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

async function runCluster(): Promise<void> {
  const cluster = await startCluster();
  console.log(`export KUBECONFIG=${cluster.kubeconfig}`);
  const alive = setInterval(() => {}, 60_000);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  clearInterval(alive);
  await cluster.stop();
}
