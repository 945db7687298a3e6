// Cloud credentials: free-form specifications, stored and returned unchanged.

import { empty, ok, type Reply } from '../app/message.ts';
import { invalid, missing } from '../app/problem.ts';
import { type Call, type Route, routeBuilder } from '../app/route.ts';
import type { Schema } from '../store/compile.ts';
import { isObject, type JsonObject } from '../store/json.ts';
import { credentialName, credentialType } from '../store/kinds.ts';
import type { CredentialRow } from '../store/rows.ts';
import { listSchema, problemAnswer, textSchema, timeSchema } from './shapes.ts';

const route = routeBuilder({ section: 'Cloud credentials', access: 'token', secret: true });

const types = [
  ...['Aws', 'Azure', 'AzureStorage', 'CloudflareStorage', 'DigitalOcean', 'GoogleCloud', 'GoogleOAuth', 'Hetzner'],
  ...['HetznerStorage', 'KubeVirt', 'Linode', 'Packet', 'Rancher', 'Scaleway', 'Vultr', 'Swift'],
];

const credentialSchema: Schema = {
  title: 'CloudCredentialApiForm',
  type: 'object',
  required: ['creationTimestamp'],
  properties: { creationTimestamp: timeSchema },
  additionalProperties: true,
};

const body = {
  description: 'The specification: a name (`name` or `metadata.name`), a `type` and the block of its provider',
  schema: {
    title: 'CredentialSpec',
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1 },
      metadata: { type: 'object', properties: { name: { type: 'string', minLength: 1 } } },
      type: { type: 'string', enum: types },
      spec: { type: 'object', properties: { type: { type: 'string', enum: types } } },
    },
    additionalProperties: true,
  },
  exact: true,
  example: { name: 'aws-sandbox', type: 'Aws', aws: { accessKeyID: 'example', secretAccessKey: 'example' } },
} as const;
const params = { credName: 'Name of the credential' };
const absent = problemAnswer('There is no such credential');

export const credentialRoutes: readonly Route[] = [
  route('listCredentials', 'GET /user/credentials', {
    summary: "List the caller's cloud credentials",
    emulation: 'From the store, as sent',
    query: {
      credential_type: {
        description: 'Only these types; repeated or separated by commas',
        schema: { type: 'array', items: textSchema },
      },
      mgmt_endpoint: {
        description: 'Only credentials of the cluster-management product with this endpoint',
        schema: textSchema,
      },
    },
    answers: { 200: { description: 'The credentials', schema: listSchema(credentialSchema) } },
    run: (call) => ok(listCredentials(call).map(formatCredential)),
  }),
  route('getCredential', 'GET /user/credentials/{credName}', {
    summary: 'Read one cloud credential',
    emulation: 'From the store, as sent',
    params,
    answers: { 200: { description: 'The credential', schema: credentialSchema }, 404: absent },
    run: (call) => ok(formatCredential(credentialOf(call, call.params.credName))),
  }),
  route('createCredential', 'POST /user/credentials', {
    summary: 'Add a cloud credential',
    emulation: 'Stored as sent, under its name; the keys are not tried on any cloud',
    body: body,
    run: createCredential,
    answers: {
      201: { description: 'Added, no body' },
      422: problemAnswer('No name, an unknown type or a name in use'),
    },
  }),
  route('updateCredential', 'PUT /user/credentials', {
    summary: 'Replace a cloud credential',
    emulation: "Replaced as a whole; accepts the path with and without the service's trailing slash",
    answers: { 204: { description: 'Replaced' }, 404: absent, 422: problemAnswer('No name or an unknown type') },
    body: { ...body, example: { ...body.example, name: 'aws-lab' } },
    run: (call, spec) => {
      const row = credentialOf(call, nameOf(spec));
      call.store.credential.change(row.id, { spec: [spec], type: credentialType(spec) });
      return empty(204);
    },
  }),
  route('deleteCredential', 'DELETE /user/credentials/{credName}', {
    summary: 'Delete a cloud credential',
    emulation: 'From the store',
    params,
    answers: { 204: { description: 'Deleted' }, 404: absent },
    run: (call) => {
      call.store.credential.remove(credentialOf(call, call.params.credName).id);
      return empty(204);
    },
  }),
];

function listCredentials(call: Call): readonly CredentialRow[] {
  const wanted = call
    .queryAll('credential_type')
    .flatMap((value) => value.split(','))
    .filter((type) => type !== '');
  const endpoint = call.query('mgmt_endpoint') ?? '';
  const rows = call.store.credential.many('owner', call.caller.id);
  return rows.filter((row) => {
    if (wanted.length > 0 && !wanted.includes(row.type)) return false;
    return endpoint === '' || mgmtEndpoint(row) === endpoint;
  });
}

function mgmtEndpoint(row: CredentialRow): string | undefined {
  const [spec] = row.spec;
  const block = spec.rancher ?? (isObject(spec.spec) ? spec.spec.rancher : undefined);
  return row.type === 'Rancher' && isObject(block) && typeof block.endpoint === 'string' ? block.endpoint : undefined;
}

function createCredential(call: Call, spec: JsonObject): Reply {
  const { store, caller, world } = call;
  const name = nameOf(spec);
  if (store.credential.first('name', `${caller.id}/${name}`)) {
    throw invalid(`name: there is a credential ${JSON.stringify(name)} already`);
  }
  const type = credentialType(spec);
  store.credential.add({ owner: caller.id, name, type, creationTimestamp: world.clock.iso(), spec: [spec] });
  return empty(201);
}

function nameOf(spec: JsonObject): string {
  const name = credentialName(spec);
  if (name === undefined) throw invalid('name: is required, at the top or as metadata.name');
  return name;
}

function credentialOf({ store, caller }: Call, name: string): CredentialRow {
  const row = store.credential.first('name', `${caller.id}/${name}`);
  if (!row) throw missing(`There is no credential ${JSON.stringify(name)}.`);
  return row;
}

function formatCredential(row: CredentialRow): JsonObject {
  return { ...row.spec[0], creationTimestamp: row.creationTimestamp };
}
