// What drydock.config.ts may say; generated from the tables of flags: `npm run generate`.

import type { Settings } from '../../app/settings.ts';

/** Settings of some charts alone, for every command that renders them; each overrides what the same member says for all charts. */
export interface ChartSettings {
  /** Leave out the files of a chart's crds/. */
  readonly skipCrds?: boolean;
  /** Values file of a chart, a case of its own; a.yaml,b.yaml are one case, the later over the earlier (default: the chart's ci/*values.yaml). */
  readonly values?: readonly string[];
  /** Values for every case of a chart: key1=val1,key2=val2. */
  readonly set?: readonly string[];
  /** Namespace of a chart's release (default default). */
  readonly namespace?: string;
  /** Name of a chart's release (default release-name). */
  readonly release?: string;
  /** Check objects against the schemas of their Kubernetes version and the CRDs beside them; an unknown field is an error (strict, as kubectl has it) or a warning (--validate=warn): strict (default), warn, ignore. */
  readonly validate?: 'strict' | 'warn' | 'ignore';
  /** Kubernetes versions: the snapshot records the first and how the others differ from it, and warns of removed APIs (for an Order that names none). */
  readonly kubeVersion?: readonly string[];
  /** Further API versions. */
  readonly apiVersions?: readonly string[];
  /** Do not check values against values.schema.json. */
  readonly skipSchemaValidation?: boolean;
  /** Once more with these API versions, such as monitoring.coreos.com/v1: the snapshot holds how that differs; several times for several. */
  readonly withApiVersions?: readonly string[];
  /** Once more with this values file over those of each case of a chart (a.yaml,b.yaml: both): the snapshot holds how that differs. */
  readonly withValues?: readonly string[];
}

/** What one repeats on command lines. A command line has the last word; paths start from the folder of the file. */
export interface DrydockConfig {
  /** Helm version whose output is reproduced, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 mean the newest of it (default 3.22.0). */
  readonly helm?: string;
  /** Look for charts in this folder too: mirrored repositories (HOST/PATH), charts, archives. */
  readonly charts?: readonly string[];
  /** Kubernetes version for an Order that names none. */
  readonly kubeVersion?: string;
  /** Further API versions. */
  readonly apiVersions?: readonly string[];
  /** Do not check values against values.schema.json. */
  readonly skipSchemaValidation?: boolean;
  /** Draw random values and the time from this text: same seed, same bytes. */
  readonly seed?: string;
  /** Print without colours; so does the variable NO_COLOR. */
  readonly noColor?: boolean;
  /** Print results and errors only. */
  readonly quiet?: boolean;
  /** Settings of some charts alone, by the path of a chart or a pattern such as charts/legacy-*; a later entry overrides an earlier one. */
  readonly chartSettings?: Readonly<Record<string, ChartSettings>>;
  /** For `drydock render`: render an Order: manifest, resources or install scripts. */
  readonly render?: {
    /** What to print; pkgmgr3 is a script for Helm, yaml one for kubectl; the last four are for other engines: manifest (default), resources, pkgmgr3, yaml, notes, argocd, flux, helmfile, kustomize. */
    readonly output?:
      | 'manifest'
      | 'resources'
      | 'pkgmgr3'
      | 'yaml'
      | 'notes'
      | 'argocd'
      | 'flux'
      | 'helmfile'
      | 'kustomize';
    /** Form of --output resources, and of exports with their notes: yaml (default), json. */
    readonly format?: 'yaml' | 'json';
    /** Leave out the CRDs of the charts' crds/ folders (manifest, resources). */
    readonly skipCrds?: boolean;
    /** Write files into this folder instead of printing. */
    readonly out?: string;
    /** System that a script runs on: linux (default), darwin, windows. */
    readonly os?: 'linux' | 'darwin' | 'windows';
    /** Kubeconfig context that a script works with; default: the current one when it runs. */
    readonly context?: string;
    /** Git repository that holds the charts of paths (--output argocd, flux). */
    readonly repoUrl?: string;
    /** Branch, tag or commit of --repo-url. */
    readonly revision?: string;
    /** One script, or scripts with data and checksums in --out; default: files for more than 1 MB: inline (default), files. */
    readonly layout?: 'inline' | 'files';
    /** Keep secrets in the script, or read them from variables of the environment when it runs: keep (default), env. */
    readonly secrets?: 'keep' | 'env';
    /** Handlebars file to use in place of the built-in script template. */
    readonly scriptTemplate?: string;
    /** Tell why a rendering fails: lines, values, what is missing, how to mend it. */
    readonly explain?: boolean;
    /** Helm version whose output is reproduced, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 mean the newest of it (default 3.22.0). */
    readonly helm?: string;
    /** Look for charts in this folder too: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes version for an Order that names none. */
    readonly kubeVersion?: string;
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Draw random values and the time from this text: same seed, same bytes. */
    readonly seed?: string;
    /** Print without colours; so does the variable NO_COLOR. */
    readonly noColor?: boolean;
    /** Print results and errors only. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock check`: tell every fault of Orders. */
  readonly check?: {
    /** Form of the report: for people, for programs, or for what a CI service reads: text (default), json, github, sarif, junit. */
    readonly format?: 'text' | 'json' | 'github' | 'sarif' | 'junit';
    /** Check objects against the schemas of their Kubernetes version and the CRDs beside them; an unknown field is an error (strict, as kubectl has it) or a warning (--validate=warn): strict (default), warn, ignore. */
    readonly validate?: 'strict' | 'warn' | 'ignore';
    /** Report as text, json, junit, github, gitlab, markdown, html or sarif, to standard output or to a file as in junit=report.xml; several at once. */
    readonly report?: readonly string[];
    /** Print one JSON document on standard output. */
    readonly json?: boolean;
    /** Tell why a rendering fails: lines, values, what is missing, how to mend it. */
    readonly explain?: boolean;
    /** Helm version whose output is reproduced, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 mean the newest of it (default 3.22.0). */
    readonly helm?: string;
    /** Look for charts in this folder too: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes versions, each in turn; one that a chart's kubeVersion refuses is skipped with a note (for an Order that names none). */
    readonly kubeVersion?: readonly string[];
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Draw random values and the time from this text: same seed, same bytes. */
    readonly seed?: string;
    /** Print without colours; so does the variable NO_COLOR. */
    readonly noColor?: boolean;
    /** Print results and errors only. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock snapshot`: compare what is rendered with what is recorded. */
  readonly snapshot?: {
    /** Record what is rendered; without it nothing is ever recorded. */
    readonly update?: boolean;
    /** Folder that holds the NAME.snap folders (default snapshots). */
    readonly snapshots?: string;
    /** Only cases whose NAME/CASE or input holds this, or fits it where it has a *. */
    readonly filter?: readonly string[];
    /** Only what git says can be other than at this revision (default HEAD): --changed, --changed=main. */
    readonly changed?: string;
    /** Report what changes since this git revision, such as origin/main, recorded or not; none compares with the snapshots alone (default the target branch in a pull request's job). */
    readonly against?: string;
    /** Threads that render; default one for each core, and none for few inputs or where coverage is counted. */
    readonly jobs?: number;
    /** Go on, and compare after each save what it can have changed. */
    readonly watch?: boolean;
    /** Stop at the first input that is not as recorded. */
    readonly bail?: boolean;
    /** One of N parts, for several machines; auto takes it from GitLab, a Kubernetes Indexed Job or DRYDOCK_SHARD. */
    readonly shard?: string;
    /** Folder that keeps renderings: what has not changed is not rendered again; a CI may restore it (default .drydock/cache). */
    readonly cache?: string;
    /** Render everything, and keep nothing. */
    readonly noCache?: boolean;
    /** List everything: inputs without changes, each object and value, all warnings. */
    readonly verbose?: boolean;
    /** Show the lines that differ, too. */
    readonly lines?: boolean;
    /** Let every other byte count; without it what means the same is the same. */
    readonly exact?: boolean;
    /** Tell labels of versions and checksums of what is shown, too. */
    readonly all?: boolean;
    /** What does not count: "kind=KIND name=NAME namespace=NAME path=PATH pattern=REGEXP because REASON", each but the reason left out at will. */
    readonly ignore?: readonly string[];
    /** Show the data of Secrets; without it fingerprints stand for them. */
    readonly showSecrets?: boolean;
    /** Leave out the files of a chart's crds/. */
    readonly skipCrds?: boolean;
    /** YAML keys whose values do not count, such as helm.sh/chart. */
    readonly mask?: readonly string[];
    /** Outputs of an Order (default all). */
    readonly output?: readonly string[];
    /** Values file of a chart, a case of its own; a.yaml,b.yaml are one case, the later over the earlier (default: the chart's ci/*values.yaml). */
    readonly values?: readonly string[];
    /** Values for every case of a chart: key1=val1,key2=val2. */
    readonly set?: readonly string[];
    /** Namespace of a chart's release (default default). */
    readonly namespace?: string;
    /** Name of a chart's release (default release-name). */
    readonly release?: string;
    /** Tell which parts of the charts' templates ran for their cases, too. */
    readonly coverage?: boolean;
    /** Write the coverage to this file; its ending names the form: .html, .lcov, .xml (Cobertura), .json, .txt. */
    readonly coverageReport?: readonly string[];
    /** Exit with 1 where fewer of the actions ran. */
    readonly min?: string;
    /** Exit with 1 where branches went fewer ways. */
    readonly minBranches?: string;
    /** Report as text, json, junit, github, gitlab, markdown, html or sarif, to standard output or to a file as in junit=report.xml; several at once. */
    readonly report?: readonly string[];
    /** Print one JSON document on standard output. */
    readonly json?: boolean;
    /** Tell why a rendering fails: lines, values, what is missing, how to mend it. */
    readonly explain?: boolean;
    /** Check objects against the schemas of their Kubernetes version and the CRDs beside them; an unknown field is an error (strict, as kubectl has it) or a warning (--validate=warn): strict (default), warn, ignore. */
    readonly validate?: 'strict' | 'warn' | 'ignore';
    /** Helm version whose output is reproduced, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 mean the newest of it; of several, such as 3.17,4, the first is printed, and what means something else to the others is listed (default 3.22.0). */
    readonly helm?: readonly string[];
    /** Look for charts in this folder too: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes versions: the snapshot records the first and how the others differ from it, and warns of removed APIs (for an Order that names none). */
    readonly kubeVersion?: readonly string[];
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Draw random values and the time from this text: same seed, same bytes. */
    readonly seed?: string;
    /** Once more with these API versions, such as monitoring.coreos.com/v1: the snapshot holds how that differs; several times for several. */
    readonly withApiVersions?: readonly string[];
    /** Once more with this values file over those of each case of a chart (a.yaml,b.yaml: both): the snapshot holds how that differs. */
    readonly withValues?: readonly string[];
    /** Print without colours; so does the variable NO_COLOR. */
    readonly noColor?: boolean;
    /** Print results and errors only. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock unittest`: run the suites of helm-unittest that charts have. */
  readonly unittest?: {
    /** Suites to run, from the chart on; ** stands for any folders (default: tests/*_test.yaml). */
    readonly file?: readonly string[];
    /** Values file for every suite, a path or a pattern. */
    readonly values?: readonly string[];
    /** Write the snapshots anew; review what changes. */
    readonly updateSnapshot?: boolean;
    /** Run the suites of sub-charts in charts/, too (default true). */
    readonly withSubchart?: boolean;
    /** Write the results to this file, too. */
    readonly outputFile?: string;
    /** Form of that file: XUnit, JUnit, NUnit or Sonar (default XUnit). */
    readonly outputType?: string;
    /** Chart whose templates render suites, from the chart on. */
    readonly chartTestsPath?: string;
    /** Stop at the first failure. */
    readonly failfast?: boolean;
    /** Refuse fields of a suite that are unknown. */
    readonly strict?: boolean;
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Print colours wherever the output goes; --color=false for none. */
    readonly color?: boolean;
    /** Write what is rendered to .debug/. */
    readonly debugPlugin?: boolean;
    /** Print without colours; so does the variable NO_COLOR. */
    readonly noColor?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock diff`: tell what changes in meaning between two Orders, charts or manifests. */
  readonly diff?: {
    /** Tell labels of versions and checksums of what is shown, too. */
    readonly all?: boolean;
    /** What does not count: "kind=KIND name=NAME namespace=NAME path=PATH pattern=REGEXP because REASON", each but the reason left out at will. */
    readonly ignore?: readonly string[];
    /** Show the data of Secrets; without it fingerprints stand for them. */
    readonly showSecrets?: boolean;
    /** Leave out the files of a chart's crds/. */
    readonly skipCrds?: boolean;
    /** Report as text, json, junit, github, gitlab, markdown, html or sarif, to standard output or to a file as in junit=report.xml; several at once. */
    readonly report?: readonly string[];
    /** Print one JSON document on standard output. */
    readonly json?: boolean;
    /** Set values: key1=val1,key2=val2. */
    readonly set?: readonly string[];
    /** Set values from files: key1=path1,key2=path2. */
    readonly setFile?: readonly string[];
    /** Set JSON values: key1=jsonval1,key2=jsonval2. */
    readonly setJson?: readonly string[];
    /** Set one text, taken as it stands. */
    readonly setLiteral?: readonly string[];
    /** Set text values: key1=val1,key2=val2. */
    readonly setString?: readonly string[];
    /** Values files in YAML, - for standard input. */
    readonly values?: readonly string[];
    /** Namespace of a chart's release. */
    readonly namespace?: string;
    /** Name of a chart's release. */
    readonly release?: string;
    /** Helm version whose output is reproduced, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 mean the newest of it (default 3.22.0). */
    readonly helm?: string;
    /** Look for charts in this folder too: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes versions, each in turn; one that a chart's kubeVersion refuses is skipped with a note (for an Order that names none). */
    readonly kubeVersion?: readonly string[];
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Draw random values and the time from this text: same seed, same bytes. */
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
    /** Print without colours; so does the variable NO_COLOR. */
    readonly noColor?: boolean;
    /** Print results and errors only. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock explain`: tell why a line of what is rendered is what it is. */
  readonly explain?: {
    /** A line of what `drydock template` prints, in place of an object. */
    readonly line?: number;
    /** Write all objects, with why each line is what it is, as one page of HTML. */
    readonly html?: string;
    /** Set .Release.IsUpgrade instead of .Release.IsInstall. */
    readonly isUpgrade?: boolean;
    /** Set values: key1=val1,key2=val2. */
    readonly set?: readonly string[];
    /** Set values from files: key1=path1,key2=path2. */
    readonly setFile?: readonly string[];
    /** Set JSON values: key1=jsonval1,key2=jsonval2. */
    readonly setJson?: readonly string[];
    /** Set one text, taken as it stands. */
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
    /** Helm version whose output is reproduced, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 mean the newest of it (default 3.22.0). */
    readonly helm?: string;
    /** Look for charts in this folder too: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes version for an Order that names none. */
    readonly kubeVersion?: string;
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Draw random values and the time from this text: same seed, same bytes. */
    readonly seed?: string;
    /** Print without colours; so does the variable NO_COLOR. */
    readonly noColor?: boolean;
    /** Print results and errors only. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock impact`: tell which objects and fields a value reaches. */
  readonly impact?: {
    /** Set .Release.IsUpgrade instead of .Release.IsInstall. */
    readonly isUpgrade?: boolean;
    /** Set values: key1=val1,key2=val2. */
    readonly set?: readonly string[];
    /** Set values from files: key1=path1,key2=path2. */
    readonly setFile?: readonly string[];
    /** Set JSON values: key1=jsonval1,key2=jsonval2. */
    readonly setJson?: readonly string[];
    /** Set one text, taken as it stands. */
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
    /** Helm version whose output is reproduced, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 mean the newest of it (default 3.22.0). */
    readonly helm?: string;
    /** Look for charts in this folder too: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes version for an Order that names none. */
    readonly kubeVersion?: string;
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Draw random values and the time from this text: same seed, same bytes. */
    readonly seed?: string;
    /** Print without colours; so does the variable NO_COLOR. */
    readonly noColor?: boolean;
    /** Print results and errors only. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock coverage`: tell which parts of a chart's templates run. */
  readonly coverage?: {
    /** Values file, a case of its own; a.yaml,b.yaml are one case, the later over the earlier (default: the chart's ci/*values.yaml). */
    readonly values?: readonly string[];
    /** Values for every case of a chart: key1=val1,key2=val2. */
    readonly set?: readonly string[];
    /** Helm version whose output is reproduced, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 mean the newest of it (default 3.22.0). */
    readonly helm?: string;
    /** Kubernetes versions, each in turn; one that a chart's kubeVersion refuses is skipped with a note (for an Order that names none). */
    readonly kubeVersion?: readonly string[];
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Render every case as an upgrade, too. */
    readonly upgrade?: boolean;
    /** Count the templates and defaults of sub-charts, too. */
    readonly subcharts?: boolean;
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Exit with 1 where fewer of the actions ran. */
    readonly min?: string;
    /** Exit with 1 where branches went fewer ways. */
    readonly minBranches?: string;
    /** Form of the report: for people, or for what shows coverage: text (default), lcov, cobertura, json, html. */
    readonly format?: 'text' | 'lcov' | 'cobertura' | 'json' | 'html';
    /** Print one JSON document on standard output. */
    readonly json?: boolean;
    /** List what never ran of each chart, and not one table of all. */
    readonly verbose?: boolean;
    /** Print without colours; so does the variable NO_COLOR. */
    readonly noColor?: boolean;
    /** Print results and errors only. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock vendor`: download the charts that Orders name and the dependencies of charts, and pin them. */
  readonly vendor?: {
    /** Folder of the archives; drydock.lock lies beside it (default charts). */
    readonly dir?: string;
    /** Fail where drydock.lock would change; so it is where the variable CI is set. */
    readonly frozen?: boolean;
    /** Move charts to the newest version that an Order or Chart.yaml allows, and download schemas again: all, or --update=NAME,NAME; of a chart folder, Chart.lock is written again. */
    readonly update?: readonly string[];
    /** Drop charts that these Orders do not name. */
    readonly prune?: boolean;
    /** Only compare: Orders with drydock.lock and its folder; chart folders with Chart.yaml, Chart.lock and charts/; schemas with drydock.lock. */
    readonly check?: boolean;
    /** Only list what would be downloaded. */
    readonly dryRun?: boolean;
    /** Address of a repository that an Order knows by name. */
    readonly repo?: readonly string[];
    /** Take signed charts alone: each must have a provenance file of --keyring. */
    readonly verify?: boolean;
    /** Public keys for --verify (default: ~/.gnupg/pubring.gpg). */
    readonly keyring?: string;
    /** Authorities to trust, in PEM. */
    readonly caFile?: string;
    /** Our own certificate, in PEM. */
    readonly certFile?: string;
    /** Key of --cert-file, in PEM. */
    readonly keyFile?: string;
    /** Take any certificate. */
    readonly insecureSkipTlsVerify?: boolean;
    /** Speak to OCI registries without TLS. */
    readonly plainHttp?: boolean;
    /** Send credentials to this host if a registry names it as its token service (default: the registry's own host). */
    readonly tokenHost?: readonly string[];
    /** Send the credentials of a repository to every host that its index names. */
    readonly passCredentials?: boolean;
    /** How long a server may be silent (default 1m0s). */
    readonly timeout?: string;
    /** Print one JSON document on standard output. */
    readonly json?: boolean;
    /** Print without colours; so does the variable NO_COLOR. */
    readonly noColor?: boolean;
    /** Print results and errors only. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock seal`: print an Order with every chart pinned to version and digest. */
  readonly seal?: {
    /** Helm version whose output is reproduced, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 mean the newest of it (default 3.22.0). */
    readonly helm?: string;
    /** Look for charts in this folder too: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes version for an Order that names none. */
    readonly kubeVersion?: string;
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Draw random values and the time from this text: same seed, same bytes. */
    readonly seed?: string;
    /** Print without colours; so does the variable NO_COLOR. */
    readonly noColor?: boolean;
    /** Print results and errors only. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock bundle`: pack an Order, its lock and its charts into one archive. */
  readonly bundle?: {
    /** File to write. */
    readonly output?: string;
    /** Helm version whose output is reproduced, 3.17.3 to 3.22.0 and 4.1.4 to 4.3.1; 3, 4 and 3.22 mean the newest of it (default 3.22.0). */
    readonly helm?: string;
    /** Look for charts in this folder too: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** Kubernetes version for an Order that names none. */
    readonly kubeVersion?: string;
    /** Further API versions. */
    readonly apiVersions?: readonly string[];
    /** Do not check values against values.schema.json. */
    readonly skipSchemaValidation?: boolean;
    /** Draw random values and the time from this text: same seed, same bytes. */
    readonly seed?: string;
    /** Print without colours; so does the variable NO_COLOR. */
    readonly noColor?: boolean;
    /** Print results and errors only. */
    readonly quiet?: boolean;
    /** What the command line names otherwise: paths and patterns, from the folder of this file. */
    readonly inputs?: readonly string[];
  };
  /** For `drydock serve`: serve the emulator of the user API. */
  readonly serve?: {
    /** Port; 0 takes any free one (default 4010). */
    readonly port?: number;
    /** Address to listen on (default 127.0.0.1: this machine only). */
    readonly host?: string;
    /** Let in requests for this host name too, "*" for all. */
    readonly allowHost?: readonly string[];
    /** Print one JSON object when ready: url, console, users (login, token, is_admin). */
    readonly json?: boolean;
    /** What a fresh emulator holds, one JSON file per kind, in place of the built-in seed. */
    readonly fixtures?: string;
    /** With --fixtures: apply what changes in its files. */
    readonly watch?: boolean;
    /** Keep every world and snapshot over restarts. */
    readonly persist?: string;
    /** Write the state of the default world there at the end. */
    readonly export?: string;
    /** Look for charts in this folder too: mirrored repositories (HOST/PATH), charts, archives. */
    readonly charts?: readonly string[];
    /** How long rendering an Order may take, in milliseconds (default 10000). */
    readonly renderTime?: string;
    /** How long what is rendered may be (default 67108864). */
    readonly renderOutput?: string;
    /** How much memory rendering an Order may take (default 512). */
    readonly renderMemory?: string;
    /** Freeze the clock at this time. */
    readonly now?: string;
    /** Ask this server for every address that is not the emulator's. */
    readonly proxy?: string;
    /** With --proxy and --fixtures: keep its answers in recorded.json of the folder. */
    readonly record?: boolean;
    /** Speak HTTPS with key.pem and cert.pem of this folder; made there, with an authority in ca.pem, if there are none. */
    readonly tls?: string;
    /** Leave out the console, the page at /. */
    readonly noConsole?: boolean;
    /** Print a line per request, without secrets. */
    readonly log?: boolean;
    /** Print without colours; so does the variable NO_COLOR. */
    readonly noColor?: boolean;
    /** Print results and errors only. */
    readonly quiet?: boolean;
    /** How the emulated service behaves. */
    readonly settings?: Partial<Settings>;
  };
  /** For `drydock nats-config`: print the configuration of a nats-server that takes the emulator's credentials. */
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
    /** Print a credentials file instead: of a login, of "admin", or of "system", who may ask all of $SYS. */
    readonly credentials?: string;
    /** Print without colours; so does the variable NO_COLOR. */
    readonly noColor?: boolean;
    /** Print results and errors only. */
    readonly quiet?: boolean;
  };
}
