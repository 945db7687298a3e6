// Control routes for the state of a world: reset, export and import, snapshots, worlds, and an overview.

import { helmVersions } from '../../../render/core/helm-version.ts';
import { writeExact } from '../../app/exact.ts';
import { readDocument } from '../../app/input.ts';
import { empty, jsonType, ok, plain, type Reply } from '../../app/message.ts';
import { documentRoutes } from '../../app/openapi.ts';
import { invalid, missing, Problem } from '../../app/problem.ts';
import { type Call, type Route, routeBuilder } from '../../app/route.ts';
import { StateError } from '../../store/dump.ts';
import { isObject, type Json, type JsonObject } from '../../store/json.ts';
import { tokenHolders } from '../../store/people.ts';
import type { SnapshotDocument } from '../../world/world.ts';
import { isWorldName } from '../../world/worlds.ts';
import { anyObject, listSchema, objectSchema, problemAnswer, textSchema } from '../shapes.ts';

const route = routeBuilder({
  space: 'control',
  section: 'Control: state',
  access: 'public',
  emulation: "The emulator's own; acts on the world that the request names",
});
const documentBody = {
  description: 'A document returned by `GET`',
  schema: anyObject,
  // Too large to be parsed in one go.
  unread: true,
};
const done = { 204: { description: 'Done' } };
const noSnapshot = problemAnswer('There is no such snapshot');
const badDocument = problemAnswer('The document is none of a snapshot');
const tooManySnapshots = problemAnswer('The world has too many snapshots');
const snapshotParams = { name: 'Name of the snapshot' };
const worldParams = { name: 'Name of the world' };

export const stateRoutes: readonly Route[] = [
  route('getStatus', 'GET /status', {
    summary: 'Get the state of the world: users with tokens, clock, snapshots, scenarios',
    answers: { 200: { description: 'The overview', schema: anyObject } },
    run: (call) => ok(status(call)),
  }),
  route('getControlOpenApi', 'GET /openapi.json', {
    summary: 'Get the OpenAPI document of the control routes',
    answers: { 200: { description: 'The document', schema: anyObject } },
    run: ({ routes, apiUrl, settings }) =>
      ok(documentRoutes(routes, { space: 'control', base: apiUrl, version: settings.version })),
  }),
  route('reset', 'POST /reset', {
    summary: 'Reset data to the seed: rows, clock, no faults, an empty log',
    answers: done,
    run: ({ world }) => {
      world.reset();
      return empty(204);
    },
  }),
  route('exportState', 'GET /state', {
    summary: 'Get the current state as one document',
    answers: { 200: { description: 'The document', schema: anyObject } },
    run: ({ world }) => documentReply(world.exportSnapshot()),
  }),
  route('importState', 'PUT /state', {
    summary: 'Replace the current state by a document',
    body: documentBody,
    answers: { ...done, 422: badDocument },
    run: (call) => importDocument(call),
  }),
  route('listSnapshots', 'GET /snapshots', {
    summary: 'List the snapshots',
    answers: {
      200: { description: 'The names', schema: objectSchema('Snapshots', { names: listSchema(textSchema) }) },
    },
    run: ({ world }) => ok({ names: world.snapshotNames() }),
  }),
  route('saveSnapshot', 'POST /snapshots/{name}', {
    summary: 'Save the current rows and clock under a name',
    params: snapshotParams,
    answers: { ...done, 503: tooManySnapshots },
    run: (call) => {
      checkSnapshotLimit(call, call.params.name);
      call.world.saveSnapshot(call.params.name);
      return empty(204);
    },
  }),
  route('restoreSnapshot', 'POST /snapshots/{name}/restore', {
    summary: 'Restore a snapshot',
    params: snapshotParams,
    answers: { ...done, 404: noSnapshot },
    run: ({ world, params }) => found(world.restoreSnapshot(params.name), params.name),
  }),
  route('exportSnapshot', 'GET /snapshots/{name}', {
    summary: 'Get a snapshot as one document',
    params: snapshotParams,
    answers: { 200: { description: 'The document', schema: anyObject }, 404: noSnapshot },
    run: ({ world, params }) => {
      const document = world.exportSnapshot(params.name);
      return document ? documentReply(document) : found(false, params.name);
    },
  }),
  route('importSnapshot', 'PUT /snapshots/{name}', {
    summary: 'Save a document as a snapshot',
    params: snapshotParams,
    body: documentBody,
    answers: { ...done, 422: badDocument, 503: tooManySnapshots },
    run: (call) => {
      checkSnapshotLimit(call, call.params.name);
      return importDocument(call, call.params.name);
    },
  }),
  route('deleteSnapshot', 'DELETE /snapshots/{name}', {
    summary: 'Delete a snapshot',
    params: snapshotParams,
    answers: { ...done, 404: noSnapshot },
    run: ({ world, params }) => found(world.deleteSnapshot(params.name), params.name),
  }),
  route('listWorlds', 'GET /worlds', {
    summary: 'List the existing worlds',
    answers: { 200: { description: 'The names', schema: objectSchema('Worlds', { names: listSchema(textSchema) }) } },
    run: ({ worlds }) => ok({ names: worlds.list().map((world) => world.name) }),
  }),
  route('forkWorld', 'PUT /worlds/{name}', {
    summary: 'Create a world from the current state of the world that the request names',
    emulation: 'Not needed for a copy of the seed: the first request creates such a world',
    params: worldParams,
    answers: {
      ...done,
      422: problemAnswer('The name cannot name a world'),
      503: problemAnswer('There are too many worlds'),
    },
    run: ({ worlds, world, params, settings }) => {
      const { name } = params;
      if (!isWorldName(name)) throw invalid(`name: ${JSON.stringify(name)} cannot name a world`);
      const copy = worlds.open(name);
      if (!copy) throw new Problem(503, `There are ${settings.maxWorlds} worlds already: delete some.`);
      const state = world.exportSnapshot();
      copy.reset();
      copy.importSnapshot(state);
      return empty(204);
    },
  }),
  route('deleteWorld', 'DELETE /worlds/{name}', {
    summary: 'Delete a world; the default one is reset',
    params: worldParams,
    answers: { ...done, 404: problemAnswer('There is no such world') },
    run: ({ worlds, params }) => {
      if (!worlds.remove(params.name)) throw missing(`There is no world ${JSON.stringify(params.name)}.`);
      return empty(204);
    },
  }),
];

function status({ world, worlds, store, services, settings }: Call): JsonObject {
  return {
    helm: { versions: helmVersions, default: settings.helm },
    version: settings.version,
    world: world.name,
    worlds: worlds.list().map(({ name }) => name),
    clock: { now: world.clock.iso(), frozen: world.clock.frozen },
    snapshots: world.snapshotNames(),
    scenarios: [...services.scenarios.keys(), ...world.faults.written.keys()],
    activeScenarios: [...world.faults.activeScenarios()],
    faults: world.faults.list().length,
    users: tokenHolders(store),
  };
}

function documentReply(document: SnapshotDocument | undefined): Reply {
  return plain(jsonType, `${writeExact(document as unknown as Json)}\n`);
}

function importDocument({ world, bytes = new Uint8Array() }: Call, name?: string): Reply {
  const document = readDocument(bytes);
  if (!isObject(document)) throw invalid('body: must be an object');
  try {
    world.importSnapshot(document, name);
  } catch (failure) {
    if (failure instanceof StateError) throw invalid(`body.${failure.message}`);
    throw failure;
  }
  return empty(204);
}

function checkSnapshotLimit({ world, settings: { maxSnapshots } }: Call, name: string): void {
  const names = world.snapshotNames();
  if (names.length < maxSnapshots || names.includes(name)) return;
  throw new Problem(
    503,
    `World ${world.name} has ${names.length} snapshots already: delete some, or raise maxSnapshots.`,
  );
}

function found(was: boolean, name: string | undefined): Reply {
  if (!was) throw missing(`There is no snapshot ${JSON.stringify(name)}.`);
  return empty(204);
}
