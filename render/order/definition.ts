// The definition of an Order: every member with its rule, its description for editors and docs, and its hints.
// Mirrors: kubepack, apis/releases/v1alpha1, `Order`, with the additions of this project (`values`, both list names).

import { textRules, type WordRule } from './names.ts';
import { ORDER_API_VERSION, type PatchOperation, type SourceKind } from './order.ts';
import { isObject, memberOf, type ObjectShape, type Rule, type Shape, type TextShape } from './shape.ts';

const text = (rule: WordRule, description: string, more: Partial<TextShape> = {}): TextShape => ({
  type: 'text',
  rule,
  description,
  ...more,
});

const required = { isRequired: true } as const;

const sourceKinds: readonly SourceKind[] = ['HelmRepository', 'Legacy', 'Local', 'Embed', 'OCIRepository'];
const patchOperations: readonly PatchOperation['op'][] = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

// Two names for the same member: exactly one of them is required.
function either(
  first: string,
  second: string,
  words: { readonly both: string; readonly none: string; readonly hint: string },
): Rule {
  const isGiven = (value: unknown): boolean => value !== undefined && value !== '';
  const given = (name: string) => ({ required: [name], properties: { [name]: { not: { enum: [null, ''] } } } });
  return {
    check: (members, report) => {
      const [one, two] = [isGiven(memberOf(members, first)), isGiven(memberOf(members, second))];
      if (one && two) report(second, words.both, 'Keep one of them.');
      if (!one && !two) report(first, words.none, words.hint);
    },
    schema: { oneOf: [given(first), given(second)] },
  };
}

const source: ObjectShape = {
  type: 'object',
  title: 'ChartSource',
  description: 'Where the chart comes from',
  examples: [{ kind: 'Local', name: 'charts/web' }],
  members: {
    apiGroup: text(textRules.apiGroup, 'The API group of a repository object'),
    kind: {
      type: 'choice',
      choices: sourceKinds,
      what: 'a kind of chart source',
      description:
        'HelmRepository (the default): a repository URL, or the name of a repository object; Legacy: a URL or path; Local: a path; Embed: the available charts; OCIRepository: an OCI registry',
    },
    namespace: text(textRules.namespaceName, 'The namespace of a repository object'),
    name: {
      type: 'when',
      description:
        'A repository URL (http, https, oci), the name of a repository object, or a path, as the kind has it',
      examples: ['https://charts.example.com', 'oci://registry.example.com/charts', 'charts/web'],
      member: 'kind',
      among: ['OCIRepository'],
      chosen: text(textRules.repositoryUrl, 'The address of the registry', required),
      other: {
        type: 'when',
        member: 'kind',
        among: ['', 'HelmRepository'],
        chosen: text(textRules.objectName, 'A URL, or the name of a repository object', {
          ...required,
          url: textRules.repositoryUrl,
        }),
        other: text(textRules.localPath, 'A URL, or a path', { ...required, url: textRules.repositoryUrl }),
      },
    },
  },
};

const pointer = (description: string): TextShape =>
  text(textRules.jsonPointer, description, { ...required, mayBeEmpty: true, examples: ['/service/port'] });

const patchOperation: ObjectShape = {
  type: 'object',
  title: 'PatchOperation',
  description: 'An RFC 6902 operation on the values',
  members: {
    op: { type: 'choice', choices: patchOperations, what: 'an operation', ...required, description: 'What to do' },
    path: pointer('A JSON pointer into the values; empty for the whole'),
    value: {
      type: 'when',
      description: 'What add, replace and test speak of',
      member: 'op',
      among: ['add', 'replace', 'test'],
      chosen: { type: 'any', ...required, travels: true },
      other: { type: 'any', travels: true },
    },
    from: {
      type: 'when',
      description: 'A JSON pointer: where move and copy take from',
      member: 'op',
      among: ['move', 'copy'],
      chosen: pointer('Where it is taken from'),
    },
  },
};

const resourceId: ObjectShape = {
  type: 'object',
  title: 'ResourceId',
  description: 'A custom resource type; its CRD is called <resource>.<group>',
  examples: [{ group: 'cert-manager.io', version: 'v1', resource: 'certificates' }],
  members: {
    group: text(textRules.apiGroup, 'The API group', { ...required, examples: ['cert-manager.io'] }),
    version: text(textRules.apiVersion, 'The version', { examples: ['v1'] }),
    resource: text(textRules.resourceName, 'The plural', { ...required, examples: ['certificates'] }),
  },
};

const requirement: ObjectShape = {
  type: 'object',
  title: 'LabelRequirement',
  description: 'A set-based part of a selector',
  members: {
    key: text(textRules.labelKey, 'The key of a label', required),
    operator: {
      type: 'choice',
      choices: ['In', 'NotIn', 'Exists', 'DoesNotExist'],
      what: 'an operator',
      ...required,
      description: 'How to compare',
    },
    values: {
      type: 'when',
      description: 'What In and NotIn compare with',
      member: 'operator',
      among: ['In', 'NotIn'],
      chosen: {
        type: 'list',
        item: text(textRules.labelValue, 'The value of a label', { mayBeEmpty: true }),
        size: { is: 'some', message: 'must not be empty for In and NotIn', hint: 'Give at least one value.' },
      },
      other: {
        type: 'list',
        item: text(textRules.labelValue, 'The value of a label', { mayBeEmpty: true }),
        size: { is: 'none', message: 'must be empty for Exists and DoesNotExist', hint: 'Leave the values out.' },
      },
    },
  },
};

const selector: ObjectShape = {
  type: 'object',
  title: 'LabelSelector',
  description: 'Selects the objects to wait for by their labels',
  members: {
    matchLabels: {
      type: 'map',
      key: textRules.labelKey,
      value: text(textRules.labelValue, 'The value of the label', { mayBeEmpty: true }),
      description: 'Labels that an object must have',
    },
    matchExpressions: { type: 'list', item: requirement, description: 'What else must be true of its labels' },
  },
};

// kubectl accepts exactly one way of selecting objects.
const targets: Rule = {
  check: (members, report) => {
    const type = memberOf(members, 'resource');
    if (!isObject(type)) return;
    const isNamed = (memberOf(type, 'resource') ?? '') !== '';
    const selections = [isNamed, selects(memberOf(members, 'labels')), memberOf(members, 'all') === true].filter(
      Boolean,
    ).length;
    const hint = 'Give one of "resource.resource" (a name), "labels" or "all".';
    if (selections === 0) report('', 'does not say which objects to wait for', hint);
    if (selections > 1 && isNamed) report('', 'names an object and selects others as well', hint);
  },
  schema: schemaOfTargets(),
};

function selects(labels: unknown): boolean {
  if (!isObject(labels)) return false;
  const [equal, sets] = [memberOf(labels, 'matchLabels'), memberOf(labels, 'matchExpressions')];
  return (isObject(equal) && Object.keys(equal).length > 0) || (Array.isArray(sets) && sets.length > 0);
}

function schemaOfTargets(): Rule['schema'] {
  const name = { required: ['resource'], properties: { resource: { type: 'string', minLength: 1 } } };
  const isNamed = { required: ['resource'], properties: { resource: name } };
  const isAll = { required: ['all'], properties: { all: { const: true } } };
  const equal = {
    required: ['matchLabels'],
    properties: { matchLabels: { type: 'object', minProperties: 1, additionalProperties: true } },
  };
  const sets = { required: ['matchExpressions'], properties: { matchExpressions: { type: 'array', minItems: 1 } } };
  const isSelected = { required: ['labels'], properties: { labels: { type: 'object', anyOf: [equal, sets] } } };
  return { anyOf: [isNamed, isSelected, isAll], not: { allOf: [isNamed, { anyOf: [isSelected, isAll] }] } };
}

const wait: ObjectShape = {
  type: 'object',
  title: 'WaitFlags',
  description: 'What to wait for: the arguments of one kubectl wait',
  examples: [{ resource: { group: 'deployments.apps', resource: 'web' }, for: 'condition=Available', timeout: '5m' }],
  rules: [targets],
  members: {
    resource: {
      type: 'object',
      title: 'WaitResource',
      description: 'The type, and perhaps the name of one object',
      required: 'Name a type, such as {"group": "deployments.apps"}.',
      members: {
        group: text(textRules.resourceType, 'The type as kubectl takes it', {
          ...required,
          examples: ['pods', 'deployments.apps'],
        }),
        resource: text(textRules.waitName, 'The name of one object'),
      },
    },
    labels: selector,
    all: { type: 'flag', description: 'Every object of the type' },
    timeout: text(textRules.duration, "A Go duration; the script's own limit without it", { examples: ['5m0s'] }),
    for: text(textRules.waitCondition, 'The condition', {
      ...required,
      examples: ['condition=Ready', 'delete', 'create', 'jsonpath={.status.phase}=Running'],
    }),
  },
};

const seal: ObjectShape = {
  type: 'object',
  title: 'ChartSeal',
  description: 'What chart and values must be, as `drydock pin` writes it',
  members: {
    content: text(textRules.digest, 'Of all that the chart holds, the same for a folder and its archive'),
    values: text(textRules.digest, 'Of the values that the package is rendered with'),
    archive: text(textRules.digest, 'Of the archive'),
    manifest: text(textRules.digest, 'Of the manifest in an OCI registry'),
  },
};

const chart: ObjectShape = {
  type: 'object',
  title: 'ChartSelection',
  description: 'A chart to install: under which name, with which values, and what must be true before and after',
  required: '',
  rules: [
    either('sourceRef', 'url', {
      both: 'is the old form of "sourceRef", and both are given',
      none: 'is required',
      hint: 'Say where the chart comes from, such as {"kind": "Local", "name": "charts/web"}.',
    }),
  ],
  members: {
    name: text(textRules.chartName, 'The name in the Chart.yaml', { ...required, examples: ['web'] }),
    sourceRef: source,
    url: text(textRules.localPath, 'The old form of sourceRef: a repository URL or a path', {
      url: textRules.repositoryUrl,
    }),
    version: text(textRules.chartVersion, 'An exact version, or a constraint; the newest release without it', {
      examples: ['1.2.3', '>=1.2.0 <2.0.0'],
    }),
    releaseName: text(textRules.releaseName, 'The name of the release, unique in its namespace', required),
    namespace: text(textRules.namespaceName, 'The namespace to install into', {
      absent: { message: 'is not given: "default" is used', hint: 'Name the namespace to install into.' },
    }),
    valuesFile: text(textRules.chartFile, 'A file inside the chart that overrides its values.yaml', {
      examples: ['values-production.yaml'],
    }),
    values: {
      type: 'any',
      isObject: true,
      travels: true,
      description: 'Values that override the values file; a null removes a key',
      examples: [{ replicaCount: 2 }],
    },
    valuesPatch: {
      type: 'list',
      item: patchOperation,
      description: 'RFC 6902 operations on the values, the last of all layers',
      examples: [[{ op: 'replace', path: '/service/port', value: 8080 }]],
    },
    resources: {
      type: 'object',
      title: 'ResourceClaims',
      description: 'The custom resource types that the chart provides, and those that it requires',
      members: {
        owned: { type: 'list', item: resourceId, description: 'The types that the chart provides' },
        required: { type: 'list', item: resourceId, description: 'The types that must be there before it' },
      },
    },
    seal,
    waitFors: { type: 'list', item: wait, description: 'What to wait for once the package is installed, in order' },
    bundle: {
      type: 'object',
      title: 'BundleSource',
      description: 'The bundle that the selection came from; it is kept, and has no effect',
      members: { name: { type: 'text' }, version: { type: 'text' }, sourceRef: { type: 'any' } },
    },
  },
};

const packages = (description: string): Shape => ({
  type: 'list',
  description,
  item: {
    type: 'object',
    title: 'PackageSelection',
    description: 'A package',
    members: { chart },
  },
  size: { is: 'some', message: 'must list at least one package', hint: 'Add an entry with a "chart".' },
  mayBeAbsent: true,
});

export const orderShape: ObjectShape = {
  type: 'object',
  title: 'Order',
  description: 'Which charts to install, in which order, and what to wait for',
  required: 'Begin with "spec:", and below it "packages:", a list of charts to install.',
  examples: [
    {
      apiVersion: ORDER_API_VERSION,
      kind: 'Order',
      metadata: { name: 'shop' },
      spec: {
        packages: [
          {
            chart: {
              name: 'web',
              sourceRef: { kind: 'Local', name: 'charts/web' },
              releaseName: 'shop',
              namespace: 'shop',
              values: { replicaCount: 2 },
            },
          },
        ],
      },
    },
  ],
  members: {
    apiVersion: {
      type: 'choice',
      choices: [ORDER_API_VERSION],
      what: "an Order's version",
      hint: `Use "${ORDER_API_VERSION}".`,
      old: {
        choice: 'kubepack.com/v1alpha1',
        message: 'kubepack.com/v1alpha1 is the old name of this group',
        hint: `Use "${ORDER_API_VERSION}".`,
      },
      description: 'The version of the format',
    },
    kind: {
      type: 'choice',
      choices: ['Order'],
      what: 'an Order',
      hint: 'Use "Order".',
      description: 'The kind of document',
    },
    metadata: {
      type: 'object',
      title: 'OrderMetadata',
      description: 'The name of the Order',
      isOpen: true,
      members: {
        name: text(textRules.objectName, 'The name; that of the first release without it'),
        uid: text(textRules.objectName, 'What a server gave'),
      },
    },
    spec: {
      type: 'object',
      title: 'OrderSpec',
      description: 'What the Order asks for',
      required: 'Name the charts to install: "packages:", a list, below "spec:".',
      rules: [
        either('packages', 'items', {
          both: 'is another name of "packages", and both are given',
          none: 'must list at least one package',
          hint: 'Add an entry with a "chart".',
        }),
      ],
      members: {
        packages: packages('What to install, in install order'),
        items: packages('The old name of packages'),
        kubeVersion: text(
          textRules.kubeVersion,
          'The Kubernetes version to render for, or a constraint that it must meet',
          {
            examples: ['v1.31.0'],
          },
        ),
      },
    },
    status: { type: 'any', description: 'What a server reports; it is kept, and has no effect' },
  },
};
