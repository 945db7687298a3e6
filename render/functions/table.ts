// The one list of the functions that templates may call, but for Go's own and those that Helm binds late.
// Mirrors: Masterminds/sprig, functions.go, v3.3.0, less what helm.sh/helm/v3/pkg/engine, funcs.go, `funcMap` takes out.

import type { FuncMap } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import type { Host } from '../host.ts';
import { caseFuncs } from './cases.ts';
import { createCertificateFuncs } from './certificates/certificates.ts';
import { createDateFuncs } from './dates.ts';
import { defaultFuncs } from './defaults.ts';
import { dictFuncs } from './dicts.ts';
import { createEncodingFuncs } from './encoding.ts';
import { createHashFuncs } from './hashes.ts';
import { listFuncs } from './lists.ts';
import { mathFuncs } from './math.ts';
import { pathFuncs } from './paths.ts';
import { createRandomFuncs } from './random.ts';
import { regexFuncs } from './regexes.ts';
import { createSemverFuncs } from './semvers.ts';
import { stringFuncs } from './strings.ts';
import { typeFuncs } from './types.ts';
import { wrappingFuncs } from './wrapping.ts';

/** Gives every function of a Helm by its name. What depends on time or chance asks the host. */
export function createFuncMap(host: Host, helm: Helm = helmOf()): FuncMap {
  const families: readonly FuncMap[] = [
    stringFuncs,
    caseFuncs,
    wrappingFuncs,
    listFuncs,
    dictFuncs,
    mathFuncs,
    typeFuncs,
    defaultFuncs,
    createEncodingFuncs(helm),
    regexFuncs,
    createSemverFuncs(helm),
    pathFuncs,
    createDateFuncs(host),
    createRandomFuncs(host),
    createHashFuncs(host),
    createCertificateFuncs(host),
  ];
  return new Map(families.flatMap((family) => [...family]));
}
