// The fields that the emulator reads of a credential specification, which is otherwise free-form.

import { isObject, type JsonObject } from './json.ts';

/** Returns the name of a credential specification: the top-level `name` or `metadata.name`, or undefined. */
export function credentialName(spec: JsonObject): string | undefined {
  const { metadata } = spec;
  const nested = isObject(metadata) ? metadata.name : undefined;
  return [spec.name, nested].find((name) => typeof name === 'string' && name !== '') as string | undefined;
}

/** Returns the type of a credential specification: the top-level `type` or `spec.type`, or an empty text. */
export function credentialType(spec: JsonObject): string {
  const nested = isObject(spec.spec) ? spec.spec.type : undefined;
  return ([spec.type, nested].find((type) => typeof type === 'string') as string | undefined) ?? '';
}
