// The state of one executing template.
// Mirrors: Go, text/template, exec.go `state`, 1.23.

import type { GoValue } from '../go/value.ts';
import type { Value } from './call.ts';
import type { Template } from './nodes.ts';

/** One executing template. A `{{template}}` action pushes another frame. */
export interface Frame {
  readonly template: Template;
  dot: Value;
  /** The list or map that dot is an element of, or null. Go sees an element as an interface. */
  holder: GoValue;
  readonly variables: Value[];
  /** The holder of each variable's value. */
  readonly holders: GoValue[];
  readonly depth: number;
}

/** Maximum depth of nested template calls. Go allows 100,000, Helm 1,000 for `include`. */
export const maxCalls = 1000;

/** Returns the first frame of a template. */
export function createFrame(template: Template, dot: Value, depth: number): Frame {
  return { template, dot, holder: null, variables: [dot], holders: [null], depth };
}
