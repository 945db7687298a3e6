// Storage buckets of a cloud provider: a GET with options in a JSON body.

import { ok } from '../app/message.ts';
import { invalid, missing } from '../app/problem.ts';
import { type Call, type Parameter, type Route, routeBuilder } from '../app/route.ts';
import { fold } from '../store/fields.ts';
import type { BucketRow } from '../store/rows.ts';
import { listSchema, objectSchema, problemAnswer, textSchema } from './shapes.ts';

const fields = {
  credential: 'Cloud credential name; or else secret_namespace and secret_name',
  cloud_project: 'Cloud project',
  cluster_uid: 'UID of the cluster; required',
  secret_namespace: 'Namespace of the secret',
  secret_name: 'Name of the secret',
  provider: 'Provider identifier',
} as const;

type FieldName = keyof typeof fields;
type Options = { readonly [Name in FieldName]?: string | undefined };

function eachField<Made>(make: (description: string, name: FieldName) => Made): { readonly [Name in FieldName]: Made } {
  const made = Object.entries(fields).map(([name, description]) => [name, make(description, name as FieldName)]);
  return Object.fromEntries(made) as { readonly [Name in FieldName]: Made };
}

// Required fields are checked here, because the options can be in the body, in the query, or in both.
const optionsSchema = {
  title: 'BucketListOptions',
  type: 'object',
  properties: eachField((description) => ({ type: 'string', description }) as const),
} as const;

const query = eachField(
  (description): Parameter => ({ description: `${description} (for pages)`, schema: textSchema }),
);

const route = routeBuilder({ section: 'Cloud credentials', access: 'token' });

export const bucketRoutes: readonly Route[] = [
  route('listBuckets', 'GET /user/clouds/{cloud}/buckets', {
    summary: 'List the buckets of a provider',
    emulation:
      'Seeded by provider. Pages cannot send a body with GET: they send the fields as query, or POST with X-HTTP-Method-Override: GET',
    params: { cloud: 'Provider identifier' },
    query,
    body: {
      description: 'BucketListOptions',
      schema: optionsSchema,
      example: { cluster_uid: '1', credential: 'aws-lab' },
      optional: true,
    },
    answers: {
      200: {
        description: 'The buckets',
        schema: objectSchema('BucketListResponse', { names: listSchema(textSchema) }),
      },
      404: problemAnswer('There is no such credential'),
      422: problemAnswer('cluster_uid is missing, or both credential and secret are'),
    },
    run: (call, body) => {
      const options = optionsOf(call, body);
      const credential = options.credential ?? '';
      if (credential !== '' && !call.store.credential.first('name', `${call.caller.id}/${credential}`)) {
        throw missing(`There is no credential ${JSON.stringify(credential)}.`);
      }
      const rows = call.store.bucket.many('provider', fold(call.params.cloud));
      const names = rows.filter((row) => fits(row, options)).flatMap((row) => row.names);
      return ok({ names });
    },
  }),
];

function optionsOf(call: Pick<Call, 'query'>, body: Options = {}): Options {
  const options: Options = eachField((_, name) => body[name] ?? call.query(name));
  if (!options.cluster_uid) throw invalid('cluster_uid: is required');
  if (!options.credential && !(options.secret_namespace && options.secret_name)) {
    throw invalid('credential: is required, or secret_namespace and secret_name');
  }
  return options;
}

function fits(row: BucketRow, { credential, cloud_project }: Options): boolean {
  const sameCredential = row.credential === '' || !credential || row.credential === credential;
  return sameCredential && (row.cloud_project === '' || !cloud_project || row.cloud_project === cloud_project);
}
