// Parses all templates of a chart tree and executes each: path to text.
// Mirrors: helm.sh/helm/v3/pkg/engine, engine.go, `Engine.render`, v3.17.3.

import type { Host } from '../core/host.ts';
import { asLimit, limitIn, meter } from '../core/limits.ts';
import { BoundFunctions } from '../functions/table.ts';
import { type GoMap, type GoValue, NamedMap } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { isPartial } from '../manifest/sort.ts';
import { TemplateExecError, TemplateParseError } from '../template/failures.ts';
import type { Observers } from '../template/observer.ts';
import { TemplateSet } from '../template/template.ts';
import type { Trace } from '../template/trace.ts';
import type { Capabilities } from '../values/capabilities.ts';
import type { Composition } from '../values/compose.ts';
import { helmFuncs, lintFuncs, setFuncs, withoutNoValue } from './late.ts';
import { capabilitiesObject, type ReleaseInfo, releaseObject, valuesObject } from './objects.ts';
import { listTemplates, type ScopedTemplate } from './scopes.ts';
import { parseFile } from './trees.ts';
import { execFailure, limitFailure, parseFailure } from './wording.ts';

/** Options of rendering a chart. */
export interface EngineOptions {
  readonly release: ReleaseInfo;
  readonly capabilities: Capabilities;
  /** Default Helm 3. */
  readonly helm?: Helm;
  readonly host: Host;
  /** Whether `getHostByName` answers. Default false. */
  readonly enableDns?: boolean;
  /** If set, `required` and `fail` log a line instead of failing, as in `helm lint`. */
  readonly lintLog?: ((line: string) => void) | undefined;
  /** The only template to execute, by name. Changes that other templates make to shared values are missing then. Default: all. */
  readonly only?: string | undefined;
  /** Counts which parts of the templates are executed. Default: no counting. */
  readonly runs?: Observers | undefined;
  /** Records the origins of the texts. Default: no tracing. */
  readonly trace?: Trace | undefined;
}

/**
 * Renders every template of a composed chart tree except partials. Returns texts by path, notes included. Templates can write to the
 * composed values. Throws TEMPLATE_PARSE and TEMPLATE_EXEC with Helm's message.
 */
export function renderTemplates(composition: Composition, options: EngineOptions): Map<string, string> {
  const helm = options.helm ?? helmOf();
  const templates = listTemplates(composition.chart, {
    helm,
    values: composition.values,
    release: releaseObject(options.release),
    capabilities: capabilitiesObject(options.capabilities, helm),
  });
  const { trace } = options;
  trace?.name(composition.values, 'Values');
  for (const { scope, basePath } of templates) {
    trace?.name(scope instanceof NamedMap ? scope.target : scope, 'Objects', basePath.slice(0, -'/templates'.length));
  }
  const set = createSet(options, helm);
  for (const template of templates) addFile(set, template, helm);
  const rendered = new Map<string, string>();
  for (const template of templates) {
    if (isPartial(template.path)) continue;
    if (options.only !== undefined && options.only !== template.path) continue;
    template.scope.set('Template', templateObject(template, helm));
    options.host.beginTemplate?.(options.release.name, template.path);
    rendered.set(template.path, execute(set, template, helm));
    trace?.keep(template.path);
  }
  return rendered;
}

function createSet({ host, enableDns = false, lintLog, runs, trace }: EngineOptions, helm: Helm): TemplateSet {
  const funcs = new BoundFunctions(host, helm);
  const set = new TemplateSet({ funcs, missingKey: 'zero', rules: helm.go, observers: trace ?? runs });
  set.setFuncs(
    new Map([
      ...helmFuncs(host, enableDns),
      ...(lintLog ? lintFuncs(helm, lintLog) : []),
      ...setFuncs(set, { includes: new Map(), helm }),
    ]),
  );
  return set;
}

function addFile(set: TemplateSet, { path, file }: ScopedTemplate, helm: Helm): void {
  try {
    set.add(parseFile(path, file, helm));
  } catch (error) {
    throw error instanceof TemplateParseError ? parseFailure(error) : limitIn(path, error);
  }
}

function execute(set: TemplateSet, { path, scope }: ScopedTemplate, helm: Helm): string {
  try {
    const text = withoutNoValue(set.execute(path, scope));
    meter.budget?.write(text.length);
    return text;
  } catch (error) {
    const limit = asLimit(error);
    if (limit !== undefined) throw limitFailure(path, limit);
    throw error instanceof TemplateExecError ? execFailure(error, helm.wording) : error;
  }
}

function templateObject({ path, basePath }: ScopedTemplate, helm: Helm): GoMap {
  return valuesObject(
    new Map<string, GoValue>([
      ['Name', path],
      ['BasePath', basePath],
    ]),
    helm,
  );
}
