// The members that identify the items of a list, by the name of the list in built-in kinds, except for `ports`.
// Mirrors: kubernetes, api/openapi-spec/swagger.json, `x-kubernetes-list-map-keys`, v1.32.

export const mergeKeys: Readonly<Record<string, readonly string[]>> = {
  containers: ['name'],
  env: ['name'],
  ephemeralContainers: ['name'],
  hostAliases: ['ip'],
  imagePullSecrets: ['name'],
  initContainers: ['name'],
  matchConditions: ['name'],
  resourceClaims: ['name'],
  schedulingGates: ['name'],
  secrets: ['name'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
  volumeDevices: ['devicePath'],
  volumeMounts: ['mountPath'],
  volumes: ['name'],
  webhooks: ['name'],
};
