// The operations of the OpenAPI document.

import { request } from './api.ts';

export interface OperationParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  /** Security schemes by name. */
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly OperationParameter[];
  readonly requestBody?: {
    readonly description?: string;
    readonly content?: Readonly<Record<string, { readonly example?: unknown }>>;
  };
}

export interface Operation extends DocumentedOperation {
  readonly method: string;
  readonly path: string;
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head'];

export async function loadOperations(): Promise<readonly Operation[]> {
  const { paths } = await request<{
    readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  }>('GET', 'api/v1/swagger.v1.json');
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}
