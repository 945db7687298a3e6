// The members of a lock entry, defined once for reading, writing and the JSON Schema.

/** A lock entry of a chart. */
export interface LockedChart {
  /** The source in the Order: a URL without user and query, a repository's name, or a path. */
  readonly source: string;
  readonly name: string;
  /** The version or constraint in the Order; empty for the newest. */
  readonly asked: string;
  readonly version: string;
  /** The URL of a source that is a name. */
  readonly repository?: string;
  /** The URL of the archive. */
  readonly url?: string;
  /** The archive's path below the folder of charts. */
  readonly archive: string;
  /** The SHA-256 of the archive, with the prefix `sha256:`. */
  readonly digest: string;
  /** The digest of the manifest, for a chart of an OCI registry. */
  readonly manifest?: string;
}

/** A lock entry of a schema that a values.schema.json refers to by URL. */
export interface LockedSchema {
  readonly url: string;
  /** Its path below the folder of charts. */
  readonly file: string;
  /** The SHA-256 of the file, with the prefix `sha256:`. */
  readonly digest: string;
}

/** A member of a lock entry. */
export interface LockField<Entry = LockedChart> {
  readonly name: keyof Entry & string;
  /** The pattern of valid values. */
  readonly pattern: string;
  /** The same in words, after `must be`. */
  readonly must: string;
  readonly isRequired: boolean;
  readonly description: string;
}

const digest = '^sha256:[0-9a-f]{64}$';

/** The members, in the order in which they are written. */
export const lockFields: readonly LockField[] = [
  {
    name: 'source',
    pattern: '^[^\\p{Cc}]*$',
    must: 'a text',
    isRequired: true,
    description:
      'Where the Order has the chart from: a URL without user and query, the name of a repository, or a path',
  },
  {
    name: 'name',
    pattern: '^[A-Za-z0-9][\\w.-]*$',
    must: "a chart's name",
    isRequired: true,
    description: 'The name of the chart',
  },
  {
    name: 'asked',
    pattern: '^[^\\p{Cc}]*$',
    must: 'a version or a constraint',
    isRequired: true,
    description: 'The version or constraint that the Order asks for; empty for the newest',
  },
  {
    name: 'version',
    pattern: '^v?[0-9][0-9A-Za-z.+-]*$',
    must: 'a version',
    isRequired: true,
    description: 'The version that answers it',
  },
  {
    name: 'repository',
    pattern: '^(?:https?|oci)://[^\\s?#]+$',
    must: 'a URL without a query',
    isRequired: false,
    description: 'The address behind a source that is a name',
  },
  {
    name: 'url',
    pattern: '^(?:https?|oci)://[^\\s?#]+$',
    must: 'a URL without a query',
    isRequired: false,
    description: 'The address that the archive came from',
  },
  {
    name: 'archive',
    pattern: '^(?!/)(?!(?:.*/)?\\.\\.?(?:/|$))[^\\\\\\p{Cc}]+\\.tgz$',
    must: 'the path of a .tgz archive below the folder',
    isRequired: true,
    description: 'The path of the archive below the folder',
  },
  {
    name: 'digest',
    pattern: digest,
    must: 'a digest such as sha256:9f86…',
    isRequired: true,
    description: 'The SHA-256 of the archive',
  },
  {
    name: 'manifest',
    pattern: digest,
    must: 'a digest such as sha256:9f86…',
    isRequired: false,
    description: 'The digest of the OCI manifest',
  },
];

/** The members of a schema, in the order in which they are written. */
export const schemaFields: readonly LockField<LockedSchema>[] = [
  {
    name: 'url',
    pattern: '^https?://[^\\s#]+$',
    must: 'a URL without a fragment',
    isRequired: true,
    description: 'The URL that a values.schema.json refers to',
  },
  {
    name: 'file',
    pattern: '^(?!/)(?!(?:.*/)?\\.\\.?(?:/|$))[^\\\\\\p{Cc}]+\\.json$',
    must: 'the path of a .json file below the folder',
    isRequired: true,
    description: 'The path of the schema below the folder',
  },
  {
    name: 'digest',
    pattern: digest,
    must: 'a digest such as sha256:9f86…',
    isRequired: true,
    description: 'The SHA-256 of the file',
  },
];

function entrySchema<Entry>(title: string, fields: readonly LockField<Entry>[]): Readonly<Record<string, unknown>> {
  const properties = fields.map(({ name, pattern, description }) => [name, { type: 'string', pattern, description }]);
  return {
    type: 'object',
    title,
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
    properties: Object.fromEntries(properties),
  };
}

/** Returns the JSON Schema of drydock.lock. */
export function lockSchema(): Readonly<Record<string, unknown>> {
  return {
    title: 'drydock.lock',
    description: 'The archive of each chart that Orders name; written by `drydock vendor`',
    type: 'object',
    required: ['lockVersion', 'folder', 'charts'],
    properties: {
      lockVersion: { const: 1, description: 'The form of this file' },
      folder: {
        type: 'string',
        pattern: '^[^/\\\\]+$',
        description: 'The folder beside the lock that holds the archives',
      },
      charts: {
        type: 'array',
        description: 'The charts, sorted',
        items: entrySchema('LockedChart', lockFields),
      },
      schemas: {
        type: 'array',
        description: 'Schemas that values.schema.json files refer to by URL, sorted',
        items: entrySchema('LockedSchema', schemaFields),
      },
    },
  };
}
