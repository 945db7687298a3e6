// The schemas of an Order in requests and responses: the full one for the API document, and a loose one for validation.

import { ORDER_API_VERSION } from '../../render/order/order.ts';
import { orderSchema } from '../../render/order/validate.ts';
import type { AnswerRule, BodyRule } from '../app/route.ts';
import type { Schema } from '../store/compile.ts';
import { anyObject, text, time } from './shapes.ts';

const order: Schema = orderSchema();
const members = order.properties as Readonly<Record<string, Schema>>;
const metadata = members.metadata!;
const [example] = order.examples as readonly [Schema];

const given = { uid: { type: 'string', format: 'uuid' }, creationTimestamp: time } as const;
const required = ['name', 'uid', 'creationTimestamp'];

// The members of an Order that the emulator sets.
const set = {
  apiVersion: { type: 'string', enum: [ORDER_API_VERSION] },
  kind: { type: 'string', enum: ['Order'] },
} as const;

const storedOrder: Schema = {
  ...order,
  description: 'An Order as sent, with the members added by the service',
  required: ['apiVersion', 'kind', 'metadata', 'spec'],
  properties: {
    ...members,
    ...set,
    metadata: {
      ...metadata,
      title: 'StoredOrderMetadata',
      type: 'object',
      required,
      properties: { ...(metadata.properties as Schema), name: text, ...given },
    },
  },
  examples: [
    {
      ...example,
      metadata: {
        ...(example.metadata as Schema),
        uid: '00000000-0000-4000-8000-000000000000',
        creationTimestamp: '2025-01-01T00:00:00Z',
      },
    },
  ],
};

/** The body of an Order. The engine validates it and reports all issues at once. */
export const orderBody = {
  description: 'The Order; unknown keys are kept',
  schema: { ...order, title: 'CreateOrderOption' },
  example: {
    apiVersion: 'releases.x-helm.dev/v1alpha1',
    kind: 'Order',
    metadata: { name: 'my-shop' },
    spec: {
      packages: [
        {
          chart: {
            name: 'web',
            sourceRef: { kind: 'Embed', name: 'web' },
            version: '1.4.2',
            releaseName: 'web',
            namespace: 'shop',
            values: { replicaCount: 2 },
          },
        },
      ],
    },
  },
  unread: true,
} as const satisfies BodyRule;

/** A stored Order. The engine has validated the request; this covers what the emulator adds. */
export const orderAnswer: AnswerRule = {
  description: 'The stored Order',
  schema: storedOrder,
  check: {
    type: 'object',
    required: ['apiVersion', 'kind', 'metadata', 'spec'],
    properties: {
      ...set,
      metadata: { type: 'object', required, properties: { name: text, ...given } },
      spec: anyObject,
    },
  },
  headers: ['Warning'],
};
