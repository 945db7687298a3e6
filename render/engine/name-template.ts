// `--name-template`: a release name made by a template of its own.
// Mirrors: helm.sh/helm/v3/pkg/action, install.go, `TemplateName`, v3.17.3.

import { RenderError } from '../core/errors.ts';
import type { Host } from '../core/host.ts';
import { createFuncMap } from '../functions/table.ts';
import { expandEnv } from '../go/env.ts';
import { type FuncMap, func, GoError, type GoFunc } from '../go/value.ts';
import { TemplateExecError, TemplateParseError } from '../template/failures.ts';
import { TemplateSet } from '../template/template.ts';

const name = 'name-template';

/** Returns the release name that a template makes; it may read the environment. Throws VALUES_INVALID with Go's text. */
export function renderNameTemplate(
  text: string,
  host: Host,
  env: Readonly<Record<string, string | undefined>> = {},
): string {
  const set = new TemplateSet({ funcs: nameFuncs(host, env), missingKey: 'invalid' });
  try {
    set.parse(name, text);
    return set.execute(name, null);
  } catch (error) {
    if (!(error instanceof TemplateParseError || error instanceof TemplateExecError)) throw error;
    throw new RenderError('VALUES_INVALID', error.message, { place: { file: '--name-template' }, cause: error });
  }
}

function nameFuncs(host: Host, env: Readonly<Record<string, string | undefined>>): FuncMap {
  const variable = (key: string): string => (Object.hasOwn(env, key) ? (env[key] ?? '') : '');
  return new Map<string, GoFunc>([
    ...createFuncMap(host),
    ['env', func(['string'], variable)],
    ['expandenv', func(['string'], (text) => expandEnv(text, variable))],
    ['fail', func(['string'], refuse)],
  ]);
}

function refuse(message: string): never {
  throw new GoError(message);
}
