// What the API server of the proofs says of itself: its version, its groups, their types, and the schemas that kubectl asks for.

/** What JSON holds. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** An object of JSON. */
export type JsonMap = { [key: string]: Json };

/** Gives an object of JSON; an empty one in place of anything else. */
export function mapOf(value: Json | undefined): JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

/** A type that the server knows. */
export interface Type {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

/** An answer about the server itself. */
interface Discovered {
  readonly contentType: string;
  readonly text: string;
}

const answers = new WeakMap<readonly Type[], Map<string, Discovered>>();
const isWhole = /(?:^|,)application\/json;g=apidiscovery\.k8s\.io;v=v2;as=APIGroupDiscoveryList/;

/** Gives the answer to a question about the server itself; undefined for any other request. */
export function discover(path: string, types: readonly Type[], accept: string): Discovered | undefined {
  const whole = isWhole.test(accept) && (path === '/api' || path === '/apis');
  const known = answers.get(types) ?? new Map<string, Discovered>();
  answers.set(types, known);
  const key = `${whole} ${path}`;
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const value = whole ? everyGroup(path === '/api', types) : answerTo(path, types);
  if (value === undefined) return undefined;
  const contentType = whole
    ? 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
    : 'application/json';
  const answer = { contentType, text: JSON.stringify(value) };
  known.set(key, answer);
  return answer;
}

const verbs = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
const shortNames = (kind: string): string[] =>
  kind === 'CustomResourceDefinition' ? ['crd'] : kind === 'PersistentVolumeClaim' ? ['pvc'] : [];

// Every group with its types in one answer, as Kubernetes gives it since 1.27 to whoever can read that.
function everyGroup(isCore: boolean, types: readonly Type[]): JsonMap {
  const groups = new Map<string, Map<string, Json[]>>();
  for (const { group, version, kind, plural, namespaced } of types) {
    if ((group === '') !== isCore) continue;
    const versions = groups.get(group) ?? new Map<string, Json[]>();
    groups.set(group, versions);
    const resources = versions.get(version) ?? [];
    versions.set(version, resources);
    resources.push({
      resource: plural,
      responseKind: { group, version, kind },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      singularResource: kind.toLowerCase(),
      verbs,
      shortNames: shortNames(kind),
    });
  }
  const items = [...groups].map(([name, versions]) => ({
    metadata: { name },
    versions: [...versions].map(([version, resources]) => ({ version, resources, freshness: 'Current' })),
  }));
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}

function answerTo(path: string, types: readonly Type[]): JsonMap | undefined {
  const served = new Map<string, Set<string>>();
  for (const { group, version } of types)
    if (group !== '') served.set(group, (served.get(group) ?? new Set()).add(version));
  const versions = [...served].flatMap(([group, all]) => [...all].map((version) => [group, version] as const));
  if (path === '/version') return { major: '1', minor: '32', gitVersion: 'v1.32.0' };
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  if (path === '/apis') {
    const groups = [...served].map(([name, all]) => {
      const own = [...all].map((version) => ({ groupVersion: `${name}/${version}`, version }));
      return { name, versions: own, preferredVersion: own[0] as JsonMap };
    });
    return { kind: 'APIGroupList', apiVersion: 'v1', groups };
  }
  if (path === '/openapi/v3') {
    const paths = Object.fromEntries(
      [['api/v1', ''] as const, ...versions.map(([group, version]) => [`apis/${group}/${version}`, ''] as const)].map(
        ([name]) => [name, { serverRelativeURL: `/openapi/v3/${name}?hash=1` }],
      ),
    );
    return { paths };
  }
  const found = /^(\/openapi\/v3)?\/(?:api\/(v1)|apis\/([^/]+)\/([^/]+))$/.exec(path);
  if (found === null) return undefined;
  const [, isSchema, , group = '', version = 'v1'] = found;
  const own = types.filter((type) => type.group === group && type.version === version);
  if (isSchema !== undefined) return schemaOf(own);
  const resources = own.map(({ plural, kind, namespaced }) => ({
    name: plural,
    singularName: kind.toLowerCase(),
    namespaced,
    kind,
    verbs,
    shortNames: shortNames(kind),
  }));
  const groupVersion = group === '' ? version : `${group}/${version}`;
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

function schemaOf(types: readonly Type[]): JsonMap {
  const paths = types.map(({ group, version, kind, plural }): [string, Json] => {
    const parameters = ['fieldValidation', 'dryRun'].map((name) => ({ name, in: 'query' }));
    return [
      `/${plural}`,
      { patch: { parameters, responses: {}, 'x-kubernetes-group-version-kind': { group, version, kind } } },
    ];
  });
  return { openapi: '3.0.0', info: { title: 'proofs', version: '1' }, paths: Object.fromEntries(paths) };
}
