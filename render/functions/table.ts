// The list of all template functions except Go's predefined ones and those that Helm binds late.
// Mirrors: Masterminds/sprig, functions.go, v3.3.0, without those that helm.sh/helm/v3/pkg/engine, funcs.go, `funcMap` removes.

import { type Host, seededHost } from '../core/host.ts';
import type { FuncMap, FuncSource, GoFunc } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { caseFuncs } from './cases.ts';
import { createCertificateFuncs } from './certificates/certificates.ts';
import { createDateFuncs } from './dates.ts';
import { dictFuncs } from './dicts.ts';
import { durationFuncs } from './durations.ts';
import { createEncodingFuncs } from './encoding.ts';
import { createHashFuncs } from './hashes.ts';
import { listFuncs } from './lists.ts';
import { mathFuncs } from './math.ts';
import { pathFuncs } from './paths.ts';
import { createRandomFuncs } from './random.ts';
import { createRegexFuncs } from './regexes.ts';
import { stringFuncs } from './strings.ts';
import { createSemverFuncs, defaultFuncs, typeFuncs } from './types.ts';
import { wrappingFuncs } from './wrapping.ts';

const constantFamilies: readonly FuncMap[] = [
  stringFuncs,
  caseFuncs,
  wrappingFuncs,
  listFuncs,
  dictFuncs,
  mathFuncs,
  typeFuncs,
  defaultFuncs,
  pathFuncs,
];

type MakeFuncs = (host: Host) => FuncMap;

const hostFamilies: readonly MakeFuncs[] = [
  createDateFuncs,
  createRandomFuncs,
  createHashFuncs,
  createCertificateFuncs,
];

const constants = new Map<Helm, FuncMap>();

/** Returns the functions that do not use the host and are the same in every rendering of a Helm version. */
function constantFuncs(helm: Helm): FuncMap {
  const known = constants.get(helm);
  if (known !== undefined) return known;
  const made = [createEncodingFuncs(helm), createRegexFuncs(helm), createSemverFuncs(helm)];
  const families = [...constantFamilies, ...made, ...(helm.functions.durations ? [durationFuncs] : [])];
  const funcs = new Map(families.flatMap((family) => [...family]));
  constants.set(helm, funcs);
  return funcs;
}

function hostFuncs(host: Host): FuncMap {
  return new Map(hostFamilies.flatMap((make) => [...make(host)]));
}

let namesOfHost: ReadonlySet<string> | undefined;

function hostNames(): ReadonlySet<string> {
  namesOfHost ??= new Set(hostFuncs(seededHost()).keys());
  return namesOfHost;
}

/** Returns the names of all functions of a Helm version. */
export function listFuncNames(helm: Helm): readonly string[] {
  return [...constantFuncs(helm).keys(), ...hostNames()];
}

/** Returns all functions of a Helm version by name. Those that depend on time or randomness use the host. */
export function createFuncMap(host: Host, helm: Helm = helmOf()): FuncMap {
  return new Map([...constantFuncs(helm), ...hostFuncs(host)]);
}

/** The same functions for one rendering. Most do not use the host; those that do are created on first use. */
export class BoundFunctions implements FuncSource {
  readonly #constant: FuncMap;
  readonly #host: Host;
  #late: FuncMap | undefined;

  constructor(host: Host, helm: Helm) {
    this.#constant = constantFuncs(helm);
    this.#host = host;
  }

  get(name: string): GoFunc | undefined {
    const constant = this.#constant.get(name);
    if (constant !== undefined || !hostNames().has(name)) return constant;
    this.#late ??= hostFuncs(this.#host);
    return this.#late.get(name);
  }
}
