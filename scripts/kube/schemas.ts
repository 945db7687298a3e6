// Writes the shapes of Kubernetes' objects, of all versions that there are packages of, as one compact table:
//
//   npm run kube-schemas

import { writeFile } from 'node:fs/promises';
import { newestHelm } from '../../render/helm-version.ts';
import { readLifecycles } from './lifecycles.ts';
import { type Constructs, clientVersions, constructsOf, type SourceField, type SourceVersion } from './sources.ts';

const newest = 36;
const oldest = 27;
// Of these there is no client: what both neighbours have is theirs. What one of them has is asked of the constructs, where there are some.
const between = [31, 35] as const;

const lettersOfTypes: Readonly<Record<string, string>> = {
  string: 's',
  number: 'l',
  boolean: 'b',
  any: 'a',
  object: 'a',
  IntOrString: 'x',
  V1MicroTime: 'm',
  Date: 't',
};
const lettersOfFormats: Readonly<Record<string, string>> = {
  int32: 'i',
  int64: 'l',
  double: 'd',
  byte: 'y',
  'date-time': 't',
  'date-time-micro': 'm',
  'int-or-string': 'x',
};

// What the client's types do not tell, by the name of the type without its version: bytes in maps, and the quantities of types
// that the constructs lack: those of a status, and those that are newer.
const known: Readonly<Record<string, string>> = {
  'Secret data': 'y',
  'ConfigMap binaryData': 'y',
  ...Object.fromEntries(
    [
      'CapacityRequestPolicy default',
      'CapacityRequestPolicy validValues',
      'CapacityRequestPolicyRange max',
      'CapacityRequestPolicyRange min',
      'CapacityRequestPolicyRange step',
      'CapacityRequirements requests',
      'ContainerStatus allocatedResources',
      'Counter value',
      'DeviceCapacity value',
      'DeviceRequestAllocationResult consumedCapacity',
      'HPAScalingRules tolerance',
      'MetricValueStatus averageValue',
      'MetricValueStatus value',
      'NodeStatus allocatable',
      'NodeStatus capacity',
      'PersistentVolumeClaimStatus allocatedResources',
      'PersistentVolumeClaimStatus capacity',
      'PodStatus allocatedResources',
      'ResourceQuotaStatus hard',
      'ResourceQuotaStatus used',
    ].map((field) => [field, 'q']),
  ),
};

// What whoever writes a construct is not asked for, and every kind has.
const ofServer: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'status']);

class Tables {
  readonly #versions: readonly SourceVersion[];
  readonly #quantities: Constructs;
  readonly #inBetween: Constructs;

  constructor(versions: readonly SourceVersion[], quantities: Constructs, inBetween: Constructs) {
    this.#versions = versions;
    this.#quantities = quantities;
    this.#inBetween = inBetween;
  }

  kinds(): string[] {
    return this.#lines(
      (version) => version.kinds,
      (name) => this.#inBetween.kinds.has(name),
      (_name, type) => type,
    ).map(([name, type, span]) => `${name} ${type}${span}`);
  }

  types(): string[] {
    const names = [...new Set(this.#versions.flatMap(({ types }) => [...types.keys()]))].sort();
    return names.flatMap((name) => {
      const fields = this.#lines<SourceField>(
        (version) => version.types.get(name) ?? new Map(),
        (field) => ofServer.has(field) || this.#inBetween.fields.has(`${this.#constructName(name)}#${field}`),
        (field, told) => this.#code(name, field, told),
      ).map(([field, code, span]) => `${field}:${code}${this.#isRequired(name, field) ? '!' : ''}${span}`);
      return [[name, ...fields].join(' ')];
    });
  }

  // Where a later version asks for it no more, no server ever did: its documents alone did.
  #isRequired(name: string, field: string): boolean {
    const told = this.#versions.flatMap(({ types }) => types.get(name)?.get(field) ?? []);
    return told.every((one) => one.isRequired);
  }

  // `V1PodSpec` and `CoreV1Event` are `v1.PodSpec` and `v1.Event`.
  #constructName(name: string): string {
    const [, version = '', kind = ''] = /^.*?(V\d+(?:(?:alpha|beta)\d+)?)(.*)$/.exec(name) ?? [];
    return `${version.toLowerCase()}.${kind}`;
  }

  #code(name: string, field: string, told: SourceField): string {
    const inner = /^\{ \[key: string\]: (.*); \}$/.exec(told.type) ?? /^Array<(.*)>$/.exec(told.type);
    if (inner === null) return this.#scalar(name, field, told);
    const mark = told.type.startsWith('{') ? '{' : '[';
    const item = { ...told, type: inner[1] as string, format: '' };
    return `${mark}${/[<{]/.test(item.type) ? this.#code(name, field, item) : this.#scalar(name, field, item)}`;
  }

  #scalar(name: string, field: string, told: SourceField): string {
    const plain = this.#constructName(name);
    if (told.type === 'string') {
      const own = known[`${plain.replace(/^\w+\./, '')} ${field}`];
      if (own !== undefined) return own;
      if (this.#quantities.quantities.has(`${plain}#${field}`)) return 'q';
    }
    return lettersOfFormats[this.#formatOf(name, field, told)] ?? lettersOfTypes[told.type] ?? told.type;
  }

  // Older packages tell no formats.
  #formatOf(name: string, field: string, { format, type }: SourceField): string {
    if (format !== '') return format;
    const later = this.#versions.map(({ types }) => types.get(name)?.get(field)).findLast((one) => one?.type === type);
    return later?.format ?? '';
  }

  #lines<T>(
    of: (version: SourceVersion) => ReadonlyMap<string, T>,
    isInBetween: (name: string) => boolean,
    codeOf: (name: string, told: T) => string,
  ): [name: string, code: string, span: string][] {
    const names = [...new Set(this.#versions.flatMap((version) => [...of(version).keys()]))].sort();
    return names.flatMap((name) => {
      const codes = new Map<number, string>();
      for (const version of this.#versions) {
        const told = of(version).get(name);
        if (told !== undefined) codes.set(version.minor, codeOf(name, told));
      }
      for (const minor of between) {
        const [before, after] = [codes.get(minor - 1), codes.get(minor + 1)];
        const isThere = before !== undefined && after !== undefined ? true : minor === 35 || isInBetween(name);
        const code = after ?? before;
        if (code !== undefined && isThere) codes.set(minor, code);
      }
      return spansOf(codes).map(([code, span]): [string, string, string] => [name, code, span]);
    });
  }
}

// `@29-` is from 1.29 on, `@-31` up to 1.31; what all have has none.
function spansOf(codes: ReadonlyMap<number, string>): (readonly [code: string, span: string])[] {
  const spans: { code: string; from: number; to: number }[] = [];
  for (let minor = oldest; minor <= newest; minor++) {
    const code = codes.get(minor);
    const last = spans.at(-1);
    if (code === undefined) continue;
    if (last !== undefined && last.code === code && last.to === minor - 1) last.to = minor;
    else spans.push({ code, from: minor, to: minor });
  }
  return spans.map(({ code, from, to }) => {
    const isAll = from === oldest && to === newest;
    return [code, isAll ? '' : `@${from === oldest ? '' : from}-${to === newest ? '' : to}`];
  });
}

const versions = await clientVersions();
const tables = new Tables(versions, await constructsOf(33), await constructsOf(31));
const kinds = tables.kinds();
const lifecycles = await readLifecycles(new Set(versions.flatMap((version) => [...version.kinds.keys()])));
const title = `// Generated by scripts/kube/schemas.ts (npm run kube-schemas) from the OpenAPI documents of Kubernetes 1.${oldest} to 1.${newest}, as
// @kubernetes/client-node and cdk8s-plus are generated from them (Apache License 2.0)`;
const texts = {
  kinds: `${title}, and from what Helm ${newestHelm(4)} says of APIs that go.

/** The minor versions that the tables are of, first and last. */
export const minors = [${oldest}, ${newest}] as const;

/** The type of each kind. */
export const kinds = \`
${kinds.join('\n')}
\`;

/** What is deprecated since a version and gone since another, with what replaces it. */
export const lifecycles = \`
${lifecycles.join('\n')}
\`;
`,
  tables: `${title}.

/** The fields of each type. */
export const types = \`
${tables.types().join('\n')}
\`;
`,
};
for (const [name, text] of Object.entries(texts)) await writeFile(`render/kube/${name}.generated.ts`, text);
console.log(`render/kube/: ${kinds.length} kinds, ${texts.kinds.length + texts.tables.length} characters`);
