// What drydock.config.ts may say; generated from the tables of flags: `npm run generate`.

import type { Settings } from '../index.ts';

/** Settings of some charts only, for every command that renders them; each overrides the same member for all charts. */
export interface ChartSettings {
  /** Omit the files in a chart's crds/. */
  readonly skipCrds?: boolean;
  /** Values file of a chart, each a separate case; a.yaml,b.yaml are one case, later files override earlier ones (default: the chart's ci/*values.yaml). */
  readonly values?: readonly string[];
  /** Values for every case of a chart: key1=val1,key2=val2. */
  readonly set?: readonly string[];
  /** Namespace of a chart's release (default default). */
  readonly namespace?: string;
  /** Name of a chart's release (default release-name). */
  readonly release?: string;
  /** Validate objects against the schemas of their Kubernetes version and of the CRDs; unknown fields are errors (strict, as in kubectl) or warnings (--validate=warn): strict (default), warn, ignore. */
  readonly validate?: 'strict' | 'warn' | 'ignore';
  /** Kubernetes versions: the snapshot records the first and how the others differ, and warns about removed APIs (for Orders that name none). */
  readonly kubeVersion?: readonly string[];
  /** Further API versions. */
  readonly apiVersions?: readonly string[];
  /** Do not check values against values.schema.json. */
  readonly skipSchemaValidation?: boolean;
  /** Also render with these API versions, such as monitoring.coreos.com/v1, and record how that differs; may be repeated. */
  readonly withApiVersions?: readonly string[];
  /** Also render each case of a chart with this values file on top (a.yaml,b.yaml: both), and record how that differs. */
  readonly withValues?: readonly string[];
}

/** Default flags of commands. Flags on the command line take precedence; paths are relative to the folder of the file. */
export interface DrydockConfig {
  /** Helm version to reproduce, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 select the newest of that line (default 3.22.0). */
  readonly helm?: string;
  /** Also look for charts in this folder: mirrored repositories (HOST/PATH), charts, archives. */
  readonly charts?: readonly string[];
  /** Kubernetes version for an Order that names none. */
  readonly kubeVersion?: string;
  /** Further API versions. */
  readonly apiVersions?: readonly string[];
  /** Do not check values against values.schema.json. */
  readonly skipSchemaValidation?: boolean;
  /** Seed for random values and the clock; the same seed renders the same bytes. */
  readonly seed?: string;
  /** Disable colors, as the variable NO_COLOR does. */
  readonly noColor?: boolean;
  /** Print only results and errors. */
  readonly quiet?: boolean;
  /** Settings of some charts alone, by the path of a chart or a pattern such as charts/legacy-*; a later entry overrides an earlier one. */
  readonly chartSettings?: Readonly<Record<string, ChartSettings>>;
  /** For `drydock render`: render an Order: manifest, resources or install scripts. */
  readonly render?: {
    /** Output: manifest, resource lists, a script for Helm (pkgmgr3) or kubectl (yaml), or an export for another tool: manifest (default), resources, pkgmgr3, yaml, notes, argocd, flux, helmfile, kustomize. */
    readonly output?: 'manifest' | 'resources' | 'pkgmgr3' | 'yaml' | 'notes' | 'argocd' | 'flux' | 'helmfile' | 'kustomize';
    /** Format of --output resources, and of exports: yaml (default), json. */
    readonly format?: 'yaml' | 'json';
    /** Omit the CRDs in the charts' crds/ folders (manifest, resources). */
    readonly skipCrds?: boolean;
    /** Write files to this folder instead of printing. */
    readonly out?: string;
    /** Operating system that the script runs on: linux (default), darwin, windows. */
    readonly os?: 'linux' | 'darwin' | 'windows';
    /** Kubeconfig context that the script uses; default: the current one when it runs. */
    readonly context?: string;
    /** Git repository of charts given by path (--output argocd, flux). */
    readonly repoUrl?: string;
    /** Branch, tag or commit of --repo-url. */
    readonly revision?: string;
    /** One script, or scripts with data and checksums in --out; default: files above 1 MB: inline (default), files. */
    readonly layout?: 'inline' | 'files';
    /** Include secrets in the script, or read them from environment variables when it runs: keep (default), env. */
    readonly secrets?: 'keep' | 'env';
    /** Handlebars file to use in place of the built-in script template. */
    readonly scriptTemplate?: string;
    /** Explain why a rendering fails: template lines, values, what is missing, how to fix it. */
    readonly explain?: boolean;
    /** Helm version to reproduce, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 select the newest of that line (default 3.22.0). */
    readonly helm?: string;
    /** Also look for charts in this folder: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes version for an Order that names none. */
    readonly kubeVersion?: string;
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Seed for random values and the clock; the same seed renders the same bytes. */
    readonly seed?: string;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock check`: report every problem in an Order. */
  readonly check?: {
    /** Report format: for people, for programs, or for a CI service: text (default), json, github, sarif, junit. */
    readonly format?: 'text' | 'json' | 'github' | 'sarif' | 'junit';
    /** Validate objects against the schemas of their Kubernetes version and of the CRDs; unknown fields are errors (strict, as in kubectl) or warnings (--validate=warn): strict (default), warn, ignore. */
    readonly validate?: 'strict' | 'warn' | 'ignore';
    /** Report format: text, json, junit, github, gitlab, markdown, html or sarif, to standard output or to a file as in junit=report.xml; may be repeated. */
    readonly report?: readonly string[];
    /** Print one JSON document on standard output. */
    readonly json?: boolean;
    /** Explain why a rendering fails: template lines, values, what is missing, how to fix it. */
    readonly explain?: boolean;
    /** Helm version to reproduce, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 select the newest of that line (default 3.22.0). */
    readonly helm?: string;
    /** Also look for charts in this folder: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes versions, one after another; versions that a chart's kubeVersion excludes are skipped with a note (for Orders that name none). */
    readonly kubeVersion?: readonly string[];
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Seed for random values and the clock; the same seed renders the same bytes. */
    readonly seed?: string;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock snapshot`: compare rendered manifests with recorded snapshots. */
  readonly snapshot?: {
    /** Record snapshots; nothing is recorded without it. */
    readonly update?: boolean;
    /** Folder of the NAME.snap folders (default snapshots). */
    readonly snapshots?: string;
    /** Only cases whose NAME/CASE or input contains this text, or matches it if it has a *. */
    readonly filter?: readonly string[];
    /** Only inputs that can differ from this git revision (default HEAD): --changed, --changed=main. */
    readonly changed?: string;
    /** Also report changes since this git revision, such as origin/main; none compares only with the snapshots (default the target branch in a pull request's job). */
    readonly against?: string;
    /** Number of threads; default: one per core, none for few inputs or with coverage. */
    readonly jobs?: number;
    /** Keep running, and compare again after each save. */
    readonly watch?: boolean;
    /** Stop at the first input that differs. */
    readonly bail?: boolean;
    /** Run one of N shards, for several machines; auto reads it from GitLab, a Kubernetes Indexed Job or DRYDOCK_SHARD. */
    readonly shard?: string;
    /** Cache folder: unchanged inputs are not rendered again; CI may restore it (default .drydock/cache). */
    readonly cache?: string;
    /** Do not use the cache. */
    readonly noCache?: boolean;
    /** List everything: unchanged inputs, each object and value, all warnings. */
    readonly verbose?: boolean;
    /** Compare bytes instead of meaning. */
    readonly exact?: boolean;
    /** Include version labels and checksums. */
    readonly all?: boolean;
    /** Differences to ignore: "kind=KIND name=NAME namespace=NAME path=PATH pattern=REGEXP because REASON"; all but the reason are optional. */
    readonly ignore?: readonly string[];
    /** Show the data of Secrets instead of fingerprints. */
    readonly showSecrets?: boolean;
    /** Omit the files in a chart's crds/. */
    readonly skipCrds?: boolean;
    /** Outputs of an Order (default all). */
    readonly output?: readonly string[];
    /** Values file of a chart, each a separate case; a.yaml,b.yaml are one case, later files override earlier ones (default: the chart's ci/*values.yaml). */
    readonly values?: readonly string[];
    /** Values for every case of a chart: key1=val1,key2=val2. */
    readonly set?: readonly string[];
    /** Namespace of a chart's release (default default). */
    readonly namespace?: string;
    /** Name of a chart's release (default release-name). */
    readonly release?: string;
    /** Also report which parts of the charts' templates ran. */
    readonly coverage?: boolean;
    /** Write the coverage to this file; its extension selects the format: .html, .lcov, .xml (Cobertura), .json, .txt. */
    readonly coverageReport?: readonly string[];
    /** Exit with 1 if a smaller share of actions ran. */
    readonly min?: string;
    /** Exit with 1 if a smaller share of branches ran. */
    readonly minBranches?: string;
    /** Report format: text, json, junit, github, gitlab, markdown, html or sarif, to standard output or to a file as in junit=report.xml; may be repeated. */
    readonly report?: readonly string[];
    /** Print one JSON document on standard output. */
    readonly json?: boolean;
    /** Explain why a rendering fails: template lines, values, what is missing, how to fix it. */
    readonly explain?: boolean;
    /** Validate objects against the schemas of their Kubernetes version and of the CRDs; unknown fields are errors (strict, as in kubectl) or warnings (--validate=warn): strict (default), warn, ignore. */
    readonly validate?: 'strict' | 'warn' | 'ignore';
    /** Helm version to reproduce, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 select the newest of that line; with several, such as 3.17,4, print the first and list what the others render differently (default 3.22.0). */
    readonly helm?: readonly string[];
    /** Also look for charts in this folder: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes versions: the snapshot records the first and how the others differ, and warns about removed APIs (for Orders that name none). */
    readonly kubeVersion?: readonly string[];
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Seed for random values and the clock; the same seed renders the same bytes. */
    readonly seed?: string;
    /** Also render with these API versions, such as monitoring.coreos.com/v1, and record how that differs; may be repeated. */
    readonly withApiVersions?: readonly string[];
    /** Also render each case of a chart with this values file on top (a.yaml,b.yaml: both), and record how that differs. */
    readonly withValues?: readonly string[];
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock unittest`: run helm-unittest suites of charts. */
  readonly unittest?: {
    /** Suites to run, relative to the chart; ** matches any folders (default: tests/*_test.yaml). */
    readonly file?: readonly string[];
    /** Values file for every suite, a path or a pattern. */
    readonly values?: readonly string[];
    /** Update snapshots; review what changes. */
    readonly updateSnapshot?: boolean;
    /** Also run the suites of subcharts in charts/ (default true). */
    readonly withSubchart?: boolean;
    /** Also write the results to this file. */
    readonly outputFile?: string;
    /** Format of that file: XUnit, JUnit, NUnit or Sonar (default XUnit). */
    readonly outputType?: string;
    /** Stop at the first failure. */
    readonly failfast?: boolean;
    /** Reject unknown fields in suites. */
    readonly strict?: boolean;
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Always print colors; --color=false for none. */
    readonly color?: boolean;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock diff`: compare two Orders, charts or manifests by meaning. */
  readonly diff?: {
    /** Include version labels and checksums. */
    readonly all?: boolean;
    /** Differences to ignore: "kind=KIND name=NAME namespace=NAME path=PATH pattern=REGEXP because REASON"; all but the reason are optional. */
    readonly ignore?: readonly string[];
    /** Show the data of Secrets instead of fingerprints. */
    readonly showSecrets?: boolean;
    /** Omit the files in a chart's crds/. */
    readonly skipCrds?: boolean;
    /** Report format: text, json, junit, github, gitlab, markdown, html or sarif, to standard output or to a file as in junit=report.xml; may be repeated. */
    readonly report?: readonly string[];
    /** Print one JSON document on standard output. */
    readonly json?: boolean;
    /** Set values: key1=val1,key2=val2. */
    readonly set?: readonly string[];
    /** Set values from files: key1=path1,key2=path2. */
    readonly setFile?: readonly string[];
    /** Set JSON values: key1=jsonval1,key2=jsonval2. */
    readonly setJson?: readonly string[];
    /** Set a literal string value. */
    readonly setLiteral?: readonly string[];
    /** Set text values: key1=val1,key2=val2. */
    readonly setString?: readonly string[];
    /** Values files in YAML, - for standard input. */
    readonly values?: readonly string[];
    /** Namespace of a chart's release. */
    readonly namespace?: string;
    /** Name of a chart's release. */
    readonly release?: string;
    /** Helm version to reproduce, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 select the newest of that line (default 3.22.0). */
    readonly helm?: string;
    /** Also look for charts in this folder: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes version; of several, the first that both sides accept (for Orders that name none). */
    readonly kubeVersion?: readonly string[];
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Seed for random values and the clock; the same seed renders the same bytes. */
    readonly seed?: string;
    /** As --set, of the later side alone, over those. */
    readonly newSet?: readonly string[];
    /** As --set-file, of the later side alone, over those. */
    readonly newSetFile?: readonly string[];
    /** As --set-json, of the later side alone, over those. */
    readonly newSetJson?: readonly string[];
    /** As --set-literal, of the later side alone, over those. */
    readonly newSetLiteral?: readonly string[];
    /** As --set-string, of the later side alone, over those. */
    readonly newSetString?: readonly string[];
    /** As --values, of the later side alone, over those. */
    readonly newValues?: readonly string[];
    /** As --namespace, of the later side alone. */
    readonly newNamespace?: string;
    /** As --release, of the later side alone. */
    readonly newRelease?: string;
    /** As --helm, of the later side alone. */
    readonly newHelm?: string;
    /** As --kube-version, of the later side alone. */
    readonly newKubeVersion?: readonly string[];
    /** As --api-versions, of the later side alone. */
    readonly newApiVersions?: readonly string[];
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock upgrade-check`: show what an upgrade of a chart does to your values. */
  readonly upgradeCheck?: {
    /** Write your values, or the new Order with them, as the new version reads them to this file. */
    readonly write?: string;
    /** Set .Release.IsUpgrade instead of .Release.IsInstall. */
    readonly isUpgrade?: boolean;
    /** Set values: key1=val1,key2=val2. */
    readonly set?: readonly string[];
    /** Set values from files: key1=path1,key2=path2. */
    readonly setFile?: readonly string[];
    /** Set JSON values: key1=jsonval1,key2=jsonval2. */
    readonly setJson?: readonly string[];
    /** Set a literal string value. */
    readonly setLiteral?: readonly string[];
    /** Set text values: key1=val1,key2=val2. */
    readonly setString?: readonly string[];
    /** Values files in YAML, - for standard input. */
    readonly values?: readonly string[];
    /** Namespace of a chart's release. */
    readonly namespace?: string;
    /** Name of a chart's release. */
    readonly release?: string;
    /** Helm version to reproduce, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 select the newest of that line (default 3.22.0). */
    readonly helm?: string;
    /** Also look for charts in this folder: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes version for an Order that names none. */
    readonly kubeVersion?: string;
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Print one JSON document on standard output. */
    readonly json?: boolean;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock explain`: explain where a rendered line comes from. */
  readonly explain?: {
    /** Line of the output of `drydock template`, instead of an object. */
    readonly line?: number;
    /** Write all objects with the explanation of each line as one HTML page. */
    readonly html?: string;
    /** Set .Release.IsUpgrade instead of .Release.IsInstall. */
    readonly isUpgrade?: boolean;
    /** Set values: key1=val1,key2=val2. */
    readonly set?: readonly string[];
    /** Set values from files: key1=path1,key2=path2. */
    readonly setFile?: readonly string[];
    /** Set JSON values: key1=jsonval1,key2=jsonval2. */
    readonly setJson?: readonly string[];
    /** Set a literal string value. */
    readonly setLiteral?: readonly string[];
    /** Set text values: key1=val1,key2=val2. */
    readonly setString?: readonly string[];
    /** Values files in YAML, - for standard input. */
    readonly values?: readonly string[];
    /** Namespace of a chart's release. */
    readonly namespace?: string;
    /** Name of a chart's release. */
    readonly release?: string;
    /** Print one JSON document on standard output. */
    readonly json?: boolean;
    /** Helm version to reproduce, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 select the newest of that line (default 3.22.0). */
    readonly helm?: string;
    /** Also look for charts in this folder: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes version for an Order that names none. */
    readonly kubeVersion?: string;
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Seed for random values and the clock; the same seed renders the same bytes. */
    readonly seed?: string;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock impact`: show which objects and fields a value reaches. */
  readonly impact?: {
    /** Set .Release.IsUpgrade instead of .Release.IsInstall. */
    readonly isUpgrade?: boolean;
    /** Set values: key1=val1,key2=val2. */
    readonly set?: readonly string[];
    /** Set values from files: key1=path1,key2=path2. */
    readonly setFile?: readonly string[];
    /** Set JSON values: key1=jsonval1,key2=jsonval2. */
    readonly setJson?: readonly string[];
    /** Set a literal string value. */
    readonly setLiteral?: readonly string[];
    /** Set text values: key1=val1,key2=val2. */
    readonly setString?: readonly string[];
    /** Values files in YAML, - for standard input. */
    readonly values?: readonly string[];
    /** Namespace of a chart's release. */
    readonly namespace?: string;
    /** Name of a chart's release. */
    readonly release?: string;
    /** Print one JSON document on standard output. */
    readonly json?: boolean;
    /** Helm version to reproduce, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 select the newest of that line (default 3.22.0). */
    readonly helm?: string;
    /** Also look for charts in this folder: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes version for an Order that names none. */
    readonly kubeVersion?: string;
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Seed for random values and the clock; the same seed renders the same bytes. */
    readonly seed?: string;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock values`: print the merged values of a chart or an Order, with their origins. */
  readonly values?: {
    /** Say in a comment where each value was set. */
    readonly origin?: boolean;
    /** Print only values that differ from the chart's defaults. */
    readonly defaultsChanged?: boolean;
    /** Print only values that were given and that no template read. */
    readonly unused?: boolean;
    /** Set .Release.IsUpgrade instead of .Release.IsInstall. */
    readonly isUpgrade?: boolean;
    /** Set values: key1=val1,key2=val2. */
    readonly set?: readonly string[];
    /** Set values from files: key1=path1,key2=path2. */
    readonly setFile?: readonly string[];
    /** Set JSON values: key1=jsonval1,key2=jsonval2. */
    readonly setJson?: readonly string[];
    /** Set a literal string value. */
    readonly setLiteral?: readonly string[];
    /** Set text values: key1=val1,key2=val2. */
    readonly setString?: readonly string[];
    /** Values files in YAML, - for standard input. */
    readonly values?: readonly string[];
    /** Namespace of a chart's release. */
    readonly namespace?: string;
    /** Name of a chart's release. */
    readonly release?: string;
    /** Print one JSON document on standard output. */
    readonly json?: boolean;
    /** Helm version to reproduce, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 select the newest of that line (default 3.22.0). */
    readonly helm?: string;
    /** Also look for charts in this folder: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes version for an Order that names none. */
    readonly kubeVersion?: string;
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Seed for random values and the clock; the same seed renders the same bytes. */
    readonly seed?: string;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock coverage`: report which parts of a chart's templates run. */
  readonly coverage?: {
    /** Values file of one case; a.yaml,b.yaml are one case, where later files override earlier ones (default: the chart's ci/*values.yaml). */
    readonly values?: readonly string[];
    /** Values for every case of a chart: key1=val1,key2=val2. */
    readonly set?: readonly string[];
    /** Helm version to reproduce, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 select the newest of that line (default 3.22.0). */
    readonly helm?: string;
    /** Kubernetes versions, one after another; versions that a chart's kubeVersion excludes are skipped with a note (for Orders that name none). */
    readonly kubeVersion?: readonly string[];
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Also render every case as an upgrade. */
    readonly upgrade?: boolean;
    /** Include the templates of subcharts. */
    readonly subcharts?: boolean;
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Exit with 1 if a smaller share of actions ran. */
    readonly min?: string;
    /** Exit with 1 if a smaller share of branches ran. */
    readonly minBranches?: string;
    /** Report format: for people, or for coverage tools: text (default), lcov, cobertura, json, html. */
    readonly format?: 'text' | 'lcov' | 'cobertura' | 'json' | 'html';
    /** Print one JSON document on standard output. */
    readonly json?: boolean;
    /** List what never ran in each chart instead of one table. */
    readonly verbose?: boolean;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock cases`: generate values files that reach every branch of a chart. */
  readonly cases?: {
    /** Values file of one existing case; a.yaml,b.yaml are one case (default: the chart's ci/*values.yaml). */
    readonly values?: readonly string[];
    /** Write the values files to this folder of the chart, such as ci; existing files are kept. */
    readonly write?: string;
    /** Exit with 1 if the existing cases miss a branch that values can reach. */
    readonly check?: boolean;
    /** Include the templates of subcharts. */
    readonly subcharts?: boolean;
    /** End the search after this many seconds (default 60). */
    readonly maxTime?: number;
    /** Helm version to reproduce, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 select the newest of that line (default 3.22.0). */
    readonly helm?: string;
    /** Kubernetes version for an Order that names none. */
    readonly kubeVersion?: string;
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Print one JSON document on standard output. */
    readonly json?: boolean;
    /** Also list every branch that no values reach. */
    readonly verbose?: boolean;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock schema`: generate a values.schema.json, or a table of a chart's values. */
  readonly schema?: {
    /** Write it to the chart's values.schema.json. */
    readonly write?: boolean;
    /** Refuse keys that neither values.yaml nor the templates know. */
    readonly strict?: boolean;
    /** Print a Markdown table of the values instead. */
    readonly markdown?: boolean;
    /** Values file of one existing case; a.yaml,b.yaml are one case (default: the chart's ci/*values.yaml). */
    readonly values?: readonly string[];
    /** End the search after this many seconds (default 60). */
    readonly maxTime?: number;
    /** Helm version to reproduce, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 select the newest of that line (default 3.22.0). */
    readonly helm?: string;
    /** Kubernetes version for an Order that names none. */
    readonly kubeVersion?: string;
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock images`: list every image that a chart can use, or that an Order uses. */
  readonly images?: {
    /** Output format; cyclonedx is a software bill of materials (default text): text (default), json, cyclonedx. */
    readonly format?: 'text' | 'json' | 'cyclonedx';
    /** Values file of one existing case; a.yaml,b.yaml are one case (default: the chart's ci/*values.yaml). */
    readonly values?: readonly string[];
    /** End the search after this many seconds (default 60). */
    readonly maxTime?: number;
    /** Print one JSON document on standard output. */
    readonly json?: boolean;
    /** Helm version to reproduce, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 select the newest of that line (default 3.22.0). */
    readonly helm?: string;
    /** Also look for charts in this folder: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes version for an Order that names none. */
    readonly kubeVersion?: string;
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Seed for random values and the clock; the same seed renders the same bytes. */
    readonly seed?: string;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock language-server`: serve editors over the Language Server Protocol. */
  readonly languageServer?: {
    /** Values file of one case; a.yaml,b.yaml are one case, where later files override earlier ones (default: the chart's ci/*values.yaml). */
    readonly values?: readonly string[];
    /** Values for every case of a chart: key1=val1,key2=val2. */
    readonly set?: readonly string[];
    /** Helm version to reproduce, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 select the newest of that line (default 3.22.0). */
    readonly helm?: string;
    /** Also look for charts in this folder: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes version for an Order that names none. */
    readonly kubeVersion?: string;
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
  };
  /** For `drydock vendor`: download the charts that Orders name and the dependencies of charts, and pin them. */
  readonly vendor?: {
    /** Folder of the archives; drydock.lock is written next to it (default charts). */
    readonly dir?: string;
    /** Fail if drydock.lock would change; the default if the variable CI is set. */
    readonly frozen?: boolean;
    /** Update charts to the newest version that an Order or Chart.yaml allows, and download schemas again: all, or --update=NAME,NAME; for a chart folder, Chart.lock is updated. */
    readonly update?: readonly string[];
    /** Remove charts that these Orders do not name. */
    readonly prune?: boolean;
    /** Only check: Orders against drydock.lock and its folder; chart folders against Chart.yaml, Chart.lock and charts/; schemas against drydock.lock. */
    readonly check?: boolean;
    /** Only list what would be downloaded. */
    readonly dryRun?: boolean;
    /** Address of a repository that Orders refer to by name. */
    readonly repo?: readonly string[];
    /** Require a provenance file signed by a key of --keyring for each chart. */
    readonly verify?: boolean;
    /** Public keys for --verify (default: ~/.gnupg/pubring.gpg). */
    readonly keyring?: string;
    /** Certificate authorities to trust, in PEM. */
    readonly caFile?: string;
    /** Client certificate, in PEM. */
    readonly certFile?: string;
    /** Key of --cert-file, in PEM. */
    readonly keyFile?: string;
    /** Accept any certificate. */
    readonly insecureSkipTlsVerify?: boolean;
    /** Use OCI registries without TLS. */
    readonly plainHttp?: boolean;
    /** Send credentials to this host if a registry names it as its token service (default: the registry's own host). */
    readonly tokenHost?: readonly string[];
    /** Send the credentials of a repository to every host that its index names. */
    readonly passCredentials?: boolean;
    /** How long to wait for a server (default 1m0s). */
    readonly timeout?: string;
    /** Print one JSON document on standard output. */
    readonly json?: boolean;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock pin`: print an Order with every chart pinned to a version and a digest. */
  readonly pin?: {
    /** Helm version to reproduce, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 select the newest of that line (default 3.22.0). */
    readonly helm?: string;
    /** Also look for charts in this folder: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes version for an Order that names none. */
    readonly kubeVersion?: string;
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Seed for random values and the clock; the same seed renders the same bytes. */
    readonly seed?: string;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** @deprecated Use `pin`. */
  readonly seal?: DrydockConfig['pin'];
  /** For `drydock bundle`: pack an Order, its lock and its charts into one archive. */
  readonly bundle?: {
    /** File to write. */
    readonly output?: string;
    /** Helm version to reproduce, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 select the newest of that line (default 3.22.0). */
    readonly helm?: string;
    /** Also look for charts in this folder: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes version for an Order that names none. */
    readonly kubeVersion?: string;
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Seed for random values and the clock; the same seed renders the same bytes. */
    readonly seed?: string;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock serve`: serve the emulator of the user API. */
  readonly serve?: {
    /** Port; 0 for any free port (default 4010). */
    readonly port?: number;
    /** Address to listen on (default 127.0.0.1: this machine only). */
    readonly host?: string;
    /** Also accept requests for this host name, "*" for all. */
    readonly allowHost?: readonly string[];
    /** Print one JSON object when ready: url, console, users (login, token, is_admin). */
    readonly json?: boolean;
    /** Seed data, one JSON file per kind, instead of the built-in seed. */
    readonly fixtures?: string;
    /** Seed data for a demo, with times relative to now or --now: saas (default), onboarding. */
    readonly demo?: 'saas' | 'onboarding';
    /** With --demo: multiply the number of people, clusters and entries, up to 50 (default 1). */
    readonly scale?: number;
    /** Also serve the routes that this TypeScript or JavaScript file exports. */
    readonly routes?: readonly string[];
    /** With --fixtures: apply changes to its files. */
    readonly watch?: boolean;
    /** Keep worlds and snapshots across restarts. */
    readonly persist?: string;
    /** Write the state of the default world to this file on exit. */
    readonly export?: string;
    /** Also look for charts in this folder: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Time limit for rendering an Order, in milliseconds (default 10000). */
    readonly renderTime?: number;
    /** Size limit for rendered output (default 67108864). */
    readonly renderOutput?: number;
    /** Memory limit for rendering an Order (default 512). */
    readonly renderMemory?: number;
    /** Freeze the clock at this time. */
    readonly now?: string;
    /** Forward requests for other addresses to this server. */
    readonly proxy?: string;
    /** With --proxy: record responses in this folder; without --fixtures, forward API requests too and record them as fixtures. */
    readonly record?: string;
    /** Serve HTTPS with key.pem and cert.pem in this folder; created, with a certificate authority in ca.pem, if missing. */
    readonly tls?: string;
    /** Print API coverage on exit. */
    readonly coverage?: boolean;
    /** Write an API coverage report to this .json or .md file on exit. */
    readonly coverageReport?: readonly string[];
    /** Do not serve the console at /. */
    readonly noConsole?: boolean;
    /** Log each request, without secrets. */
    readonly log?: boolean;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
    /** How the emulated service behaves. */
    readonly settings?: Partial<Settings>;
  };
  /** For `drydock openapi`: print the OpenAPI document of the user API. */
  readonly openapi?: {
    /** The address of the server in the document, without /api/v1 (default http://127.0.0.1:4010). */
    readonly url?: string;
    /** Include the routes that this TypeScript or JavaScript file exports. */
    readonly routes?: readonly string[];
    /** Include routes of hosted deployments. */
    readonly hosted?: boolean;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
  };
  /** For `drydock verify`: compare a real deployment with the emulator. */
  readonly verify?: {
    /** The deployment, without /api/v1. */
    readonly against?: string;
    /** The access token to call it with (default: $DRYDOCK_TOKEN). */
    readonly token?: string;
    /** Also make changes and revert them: an address, a credential, a follow. */
    readonly write?: boolean;
    /** Report format: text (default), json, junit. */
    readonly format?: 'text' | 'json' | 'junit';
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
  };
  /** For `drydock nats-config`: print the configuration of a nats-server that accepts the emulator's credentials. */
  readonly natsConfig?: {
    /** The seed of the emulator (default drydock). */
    readonly seed?: string;
    /** The fixtures of the emulator (default: the built-in people). */
    readonly fixtures?: string;
    /** Where the server listens (default 127.0.0.1:4222). */
    readonly listen?: string;
    /** Where pages connect (default 127.0.0.1:9222). */
    readonly websocket?: string;
    /** Where JetStream keeps its streams (default nats-store). */
    readonly store?: string;
    /** Print a credentials file instead: for a login, for "admin", or for "system", which may use all of $SYS. */
    readonly credentials?: string;
    /** Disable colors, as the variable NO_COLOR does. */
    readonly noColor?: boolean;
    /** Print only results and errors. */
    readonly quiet?: boolean;
  };
}
