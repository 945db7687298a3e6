// What a running template has for itself.
// Mirrors: Go, text/template, exec.go `state`, 1.23.

import type { GoValue } from '../go/value.ts';
import type { Value } from './call.ts';
import type { Template } from './nodes.ts';

/** One running template: a `{{template}}` action puts another on top of it. */
export interface Frame {
  readonly template: Template;
  dot: Value;
  /** The list or map that dot is an element of, or null: Go knows an element only as an interface. */
  holder: GoValue;
  readonly variables: Value[];
  /** The same for each variable. */
  readonly holders: GoValue[];
  readonly depth: number;
}

/** How many templates may call each other. Go allows 100,000, Helm 1,000 for `include`. */
export const maxCalls = 1000;

/** Returns the frame of a template that starts. */
export function createFrame(template: Template, dot: Value, depth: number): Frame {
  return { template, dot, holder: null, variables: [dot], holders: [null], depth };
}
