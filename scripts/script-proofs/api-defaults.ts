// What the API server of the proofs says of objects beyond what it was given: defaults that tools take for granted, and that
// everything is ready.

import { type JsonMap, mapOf as map, type Type } from './api-discovery.ts';

/** Gives an object with what Helm takes for granted when it waits; it is told, not stored. */
export function defaulted({ kind }: Type, object: JsonMap): JsonMap {
  const spec = map(object.spec);
  const rolling = (member: string, rollingUpdate: JsonMap): JsonMap => {
    const strategy = { type: 'RollingUpdate', ...map(spec[member]) };
    if (strategy.type !== 'RollingUpdate') return { [member]: strategy };
    return {
      [member]: { ...strategy, rollingUpdate: { ...rollingUpdate, ...map((strategy as JsonMap).rollingUpdate) } },
    };
  };
  const defaults: Readonly<Record<string, JsonMap>> = {
    Deployment: { replicas: 1, ...rolling('strategy', { maxSurge: '25%', maxUnavailable: '25%' }) },
    DaemonSet: rolling('updateStrategy', { maxSurge: 0, maxUnavailable: 1 }),
    StatefulSet: { replicas: 1, ...rolling('updateStrategy', { partition: 0 }) },
    ReplicaSet: { replicas: 1 },
    Service: { clusterIP: '10.96.0.1' },
  };
  if (!(kind in defaults)) return object;
  const {
    strategy = spec.strategy ?? null,
    updateStrategy = spec.updateStrategy ?? null,
    ...others
  } = defaults[kind] as JsonMap;
  const strategies = {
    ...(strategy === null ? {} : { strategy }),
    ...(updateStrategy === null ? {} : { updateStrategy }),
  };
  return { ...object, spec: { ...others, ...spec, ...strategies } };
}

/** Gives an object with the status of one that is ready. */
export function withStatus({ kind }: Type, object: JsonMap): JsonMap {
  const spec = map(object.spec);
  const count = Number(spec.replicas ?? 1);
  const counts = {
    observedGeneration: 1,
    replicas: count,
    updatedReplicas: count,
    readyReplicas: count,
    availableReplicas: count,
    currentReplicas: count,
  };
  const condition = (type: string): JsonMap => ({ type, status: 'True' });
  const statuses: Readonly<Record<string, JsonMap>> = {
    Deployment: { ...counts, conditions: [condition('Available')] },
    StatefulSet: counts,
    ReplicaSet: counts,
    DaemonSet: {
      observedGeneration: 1,
      desiredNumberScheduled: 1,
      updatedNumberScheduled: 1,
      numberAvailable: 1,
      numberReady: 1,
    },
    Job: { succeeded: 1, conditions: [condition('Complete')] },
    Pod: { phase: 'Succeeded', conditions: [condition('Ready')] },
    PersistentVolumeClaim: { phase: 'Bound' },
    Namespace: { phase: 'Active' },
    Service: { loadBalancer: { ingress: [{ ip: '10.0.0.1' }] } },
    CustomResourceDefinition: { conditions: [condition('Established'), condition('NamesAccepted')] },
  };
  return kind in statuses ? { ...object, status: statuses[kind] as JsonMap } : object;
}
