// Reads the schemas of Kubernetes objects as its releases publish them: the OpenAPI documents in the Go module k8s.io/kubernetes.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';

/** A field of a type. */
export interface SourceField {
  /** As written in the tables. */
  readonly shape: string;
  readonly isRequired: boolean;
}

/** The API of one minor version of Kubernetes. */
export interface SourceVersion {
  /** 32 for Kubernetes 1.32. */
  readonly minor: number;
  /** The fields of each type that has fields, by its full name. */
  readonly types: ReadonlyMap<string, ReadonlyMap<string, SourceField>>;
  /** The type of each kind that can be created, by `apps/v1 Deployment`. */
  readonly kinds: ReadonlyMap<string, string>;
}

// One patch release of every minor version. The checksum database of Go guarantees their contents.
const releases = [
  'v1.27.16',
  'v1.28.15',
  'v1.29.15',
  'v1.30.14',
  'v1.31.14',
  'v1.32.13',
  'v1.33.13',
  'v1.34.10',
  'v1.35.6',
  'v1.36.4',
  'v1.37.2',
];

/** Returns the API of every version, the oldest first. Needs Go and its module proxy. */
export async function readVersions(): Promise<SourceVersion[]> {
  const versions: SourceVersion[] = [];
  for (const release of releases) versions.push(await readVersion(release));
  return versions;
}

/** Returns the folder of a Go module such as `k8s.io/api@v0.37.2`, which is downloaded if necessary. */
export async function moduleFolder(module: string): Promise<string> {
  const { stdout } = await execa('go', ['mod', 'download', '-json', module]);
  return (JSON.parse(stdout) as { readonly Dir: string }).Dir;
}

/** The parts of a schema that are used. */
interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly additionalProperties?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface OpenApi {
  readonly paths?: Readonly<
    Record<
      string,
      {
        readonly post?: {
          readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
          readonly 'x-kubernetes-group-version-kind'?: Kind;
        };
      }
    >
  >;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

async function readVersion(release: string): Promise<SourceVersion> {
  const folder = join(await moduleFolder(`k8s.io/kubernetes@${release}`), 'api/openapi-spec/v3');
  const schemas: Record<string, Schema> = {};
  const kinds = new Map<string, string>();
  for (const name of (await readdir(folder)).sort()) {
    const { paths = {}, components } = JSON.parse(await readFile(join(folder, name), 'utf8')) as OpenApi;
    Object.assign(schemas, components?.schemas);
    for (const [path, { post }] of Object.entries(paths)) {
      const kind = post?.['x-kubernetes-group-version-kind'];
      const type = referenceIn(post?.requestBody?.content['*/*']?.schema);
      // What is posted below an object, such as an eviction, is not an object of its own.
      if (kind === undefined || type === undefined || path.includes('{name}')) continue;
      kinds.set(`${kind.group}${kind.group && '/'}${kind.version} ${kind.kind}`, type);
    }
  }
  const types = new Map<string, ReadonlyMap<string, SourceField>>();
  for (const [name, { properties, required = [] }] of Object.entries(schemas)) {
    if (properties === undefined) continue;
    const fields = Object.entries(properties).map(([field, schema]): [string, SourceField] => [
      field,
      { shape: shapeOf(schema, schemas), isRequired: required.includes(field) },
    ]);
    types.set(name, new Map(fields));
  }
  return { minor: Number(release.split('.')[1]), types, kinds };
}

function referenceIn(schema: Schema | undefined): string | undefined {
  const { $ref = schema?.allOf?.[0]?.$ref } = schema ?? {};
  return $ref?.slice($ref.lastIndexOf('/') + 1);
}

const letters: Readonly<Record<string, string>> = {
  string: 's',
  boolean: 'b',
  number: 'd',
  int32: 'i',
  int64: 'l',
  double: 'd',
  byte: 'y',
  'date-time': 't',
};
const lettersOfTypes: Readonly<Record<string, string>> = { Quantity: 'q', IntOrString: 'x', MicroTime: 'm', Time: 't' };

function shapeOf(schema: Schema, schemas: Readonly<Record<string, Schema>>): string {
  const type = referenceIn(schema);
  if (type !== undefined) {
    const letter = lettersOfTypes[type.slice(type.lastIndexOf('.') + 1)];
    return letter ?? (isAnything(type, schemas[type]) ? 'a' : type);
  }
  if (schema.items !== undefined) return `[${shapeOf(schema.items, schemas)}`;
  if (schema.additionalProperties !== undefined) return `{${shapeOf(schema.additionalProperties, schemas)}`;
  if (schema.type === undefined || schema.type === 'object') return 'a';
  const letter = letters[schema.format ?? schema.type];
  if (letter === undefined) throw new Error(`no letter for ${JSON.stringify(schema)}`);
  return letter;
}

// An API type without fields is an empty struct, which accepts no field; such types of the libraries below accept any value.
function isAnything(name: string, schema: Schema | undefined): boolean {
  if (schema?.properties !== undefined) return false;
  return schema?.type !== 'object' || name.startsWith('io.k8s.apimachinery.');
}
