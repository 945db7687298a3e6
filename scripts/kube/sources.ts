// Where the shapes of Kubernetes' objects come from: packages that are generated from its OpenAPI documents, one for each version.

import { gunzipSync } from 'fflate';
import { readTar } from '../../render/chart/tar/tar.ts';
import { packedPackage } from '../tools/pinned-package.ts';

/** A field as a package tells it. */
export interface SourceField {
  readonly type: string;
  readonly format: string;
  readonly isRequired: boolean;
}

/** What a package tells of one version of Kubernetes. */
export interface SourceVersion {
  /** The minor version: 32 for 1.32. */
  readonly minor: number;
  /** By type and field. */
  readonly types: ReadonlyMap<string, ReadonlyMap<string, SourceField>>;
  /** The type of each kind, by `apps/v1 Deployment`. */
  readonly kinds: ReadonlyMap<string, string>;
}

// The official client, whose models are generated from `api/openapi-spec/swagger.json` of a release of Kubernetes.
const clients: readonly (readonly [minor: number, version: string, integrity: string])[] = [
  [27, '0.19.0', 'sha512-WTOjGuFQ8yeW3+qD6JrAYhpwpoQbe9R8cA/61WCyFrNawSTUgLstHu7EsZRYEs39er3jDn3wCEaczz+VOFlc2Q=='],
  [28, '0.20.0', 'sha512-xxlv5GLX4FVR/dDKEsmi4SPeuB49aRc35stndyxcC73XnUEEwF39vXbROpHOirmDse8WE9vxOjABnSVS+jb7EA=='],
  [29, '0.21.0', 'sha512-yYRbgMeyQbvZDHt/ZqsW3m4lRefzhbbJEuj8sVXM+bufKrgmzriA2oq7lWPH/k/LQIicAME9ixPUadTrxIF6dQ=='],
  [30, '0.22.3', 'sha512-dG8uah3+HDJLpJEESshLRZlAZ4PgDeV9mZXT0u1g7oy4KMRzdZ7n5g0JEIlL6QhK51/2ztcIqURAnjfjJt6Z+g=='],
  [32, '1.1.2', 'sha512-kkE0D8zB5rIQoR6SUwlHUyQtpLvrW0gXOd2MabQsql7I2oPnMA8pb50A1MWB4yH0eX29t45gxs7lOVlS0UPsiw=='],
  [33, '1.3.0', 'sha512-IE0yrIpOT97YS5fg2QpzmPzm8Wmcdf4ueWMn+FiJSI3jgTTQT1u+LUhoYpdfhdHAVxdrNsaBg2C0UXSnOgMoCQ=='],
  [34, '1.4.0', 'sha512-Zge3YvF7DJi264dU1b3wb/GmzR99JhUpqTvp+VGHfwZT+g7EOOYNScDJNZwXy9cszyIGPIs0VHr+kk8e95qqrA=='],
  [36, '2.0.1', 'sha512-evJgmEtgArEYlj6DNkMGjK41IrFK/hEwb5lWVxx0VRBWybQpnvi+2TtA19mLgVfRHfqX5yjHObX6e9W7LEZBjw=='],
];

// What tells which fields are quantities, and what Kubernetes 1.31 has, of which there is no client.
const constructs = {
  31: ['2.6.43', 'sha512-OtG09kUe3ErIZR1vriuwNYCqQYkB7g0cbqft5c1GItGFRmqcUKW2/rKrdDUjYmFMZDLj5bxccJitP3MUUCg1gw=='],
  33: ['2.5.57', 'sha512-JDncBIl5nott96fPitDteln8kYYSccOxcDxWbp0mGGktWuXcgBysbIcTpMbjCujfjGCBNnjtItP00xDTGj5rVg=='],
} as const;

/** Gives what the clients tell, the oldest version first. */
export async function clientVersions(): Promise<SourceVersion[]> {
  const versions: SourceVersion[] = [];
  for (const [minor, version, integrity] of clients) {
    const files = await textsOf(`@kubernetes/client-node@${version}`, integrity);
    versions.push({ minor, types: typesIn(files), kinds: kindsIn(files) });
  }
  return versions;
}

/** What the constructs tell of a version: its fields as `v1.PodSpec#nodeName`, the quantities among them, and its kinds. */
export interface Constructs {
  readonly fields: ReadonlySet<string>;
  readonly quantities: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

/** Gives what the constructs of a version tell. */
export async function constructsOf(minor: keyof typeof constructs): Promise<Constructs> {
  const [version, integrity] = constructs[minor];
  const files = await textsOf(`cdk8s-plus-${minor}@${version}`, integrity);
  const types = files.get('lib/imports/k8s.d.ts') ?? '';
  const code = files.get('lib/imports/k8s.js') ?? '';
  const fields = new Set<string>();
  const quantities = new Set<string>();
  for (const [, name = '', field = '', type = ''] of types.matchAll(
    /@schema io\.k8s\.\S*?([a-z0-9]+\.\w+)#(\S+)\n\s*\*\/\s*readonly [^:]+:([^;]+;)/g,
  )) {
    fields.add(`${name}#${field}`);
    if (/\bQuantity\b/.test(type)) quantities.add(`${name}#${field}`);
  }
  const kinds = [...code.matchAll(/GVK = \{\s*apiVersion: '([^']+)',\s*kind: '([^']+)'/g)];
  return { fields, quantities, kinds: new Set(kinds.map(([, apiVersion, kind]) => `${apiVersion} ${kind}`)) };
}

async function textsOf(spec: string, integrity: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const tarball = await packedPackage(spec, integrity);
  for (const { name, data } of readTar({ bytes: gunzipSync(tarball), end: 'EOF' })) {
    const isWanted = /\/(?:models?|apis?|imports|types)\/[^/]+\.(?:d\.ts|js)$/.test(name);
    if (isWanted) texts.set(name.replace(/^package\//, ''), new TextDecoder().decode(data()));
  }
  return texts;
}

function typesIn(files: ReadonlyMap<string, string>): Map<string, Map<string, SourceField>> {
  const types = new Map<string, Map<string, SourceField>>();
  // Folders hold files of earlier versions, too.
  const index = [...files].find(([path]) => /\/(?:models\/ObjectSerializer|model\/models)\.js$/.test(path))?.[1] ?? '';
  for (const [path, text] of files) {
    if (!/\/models?\/[^/]+\.d\.ts$/.test(path)) continue;
    const name = /export declare class (\w+)/.exec(text)?.[1];
    if (name === undefined || !index.includes(`    "${name}": `)) continue;
    const required = new Map([...text.matchAll(/^ {4}'(\w+)'(\??):/gm)].map(([, field, mark]) => [field, mark === '']));
    const code = files.get(path.replace(/\.d\.ts$/, '.js')) ?? '';
    const fields = new Map<string, SourceField>();
    for (const [, tsName = '', field = '', type = '', format = ''] of code.matchAll(
      /"name": "([^"]+)",\s*"baseName": "([^"]+)",\s*"type": "([^"]+)"(?:,\s*"format": "([^"]*)")?/g,
    )) {
      fields.set(field, { type, format, isRequired: required.get(tsName) === true });
    }
    types.set(name, fields);
  }
  return types;
}

// A kind is what may be sent to a collection.
function kindsIn(files: ReadonlyMap<string, string>): Map<string, string> {
  const kinds = new Map<string, string>();
  const index = [...files].find(([path]) => /\/(?:types\/PromiseAPI\.d\.ts|api\/apis\.js)$/.test(path))?.[1] ?? '';
  for (const [path, text] of files) {
    const api = /\/apis?(\/[^/]+Api)\.js$/.exec(path)?.[1];
    if (api === undefined || !new RegExp(`${api}(?:\\.js)?["']`).test(index)) continue;
    let apiVersion = '';
    for (const [, url, body] of text.matchAll(/localVarPath = [^'\n]*'\/([^']+)'|(?<!de)serialize\(body, "(\w+)"/g)) {
      if (url !== undefined)
        apiVersion = url.includes('{name}') ? '' : (/^apis?\/(.*?\/)?(v\d\w*)\//.exec(url)?.slice(1).join('') ?? '');
      else if (apiVersion !== '' && body !== undefined && body !== 'V1DeleteOptions') {
        kinds.set(`${apiVersion} ${kindOf(body)}`, body);
      }
    }
  }
  return kinds;
}

function kindOf(type: string): string {
  return type.replace(/^.*?V\d+(?:(?:alpha|beta)\d+)?/, '');
}
