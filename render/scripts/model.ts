// The data model of script templates. A template of your own gets the same model.
// The comments below are its documentation.

/** Everything a script template can print of an Order. */
export interface ScriptModel {
  readonly order: OrderModel;
  /** The one kubeconfig context the script works with; empty for the current one. */
  readonly context: string;
  /** The Kubernetes version everything was rendered for, such as `v1.31.0`. */
  readonly kubeVersion: string;
  /** The Helm version whose rules rendered the Order, such as `3`. */
  readonly helm: string;
  /** The number of packages. */
  readonly total: number;
  /** The packages in install order. */
  readonly packages: readonly PackageModel[];
  /** The packages, last first, for uninstalling. */
  readonly reversed: readonly PackageModel[];
  /** CRDs that must exist before the script starts: a package requires them, and no earlier one brings them. */
  readonly required: readonly string[];
  /** Names under which Helm must know chart repositories (`helm repo add`). */
  readonly repositoryNames: readonly string[];
  /** Whether the script reads charts, values or documents from paths relative to it. */
  readonly readsFolder: boolean;
  /** Whether a chart comes from a repository, so that no folder of the same name must stand in for it. */
  readonly hasRemoteCharts: boolean;
  /** Whether the digest of a chart archive is verified. */
  readonly hasArchives: boolean;
  /** Whether a Helm script calls kubectl. */
  readonly needsKubectl: boolean;
  /** Whether the script asks if objects exist already: it keeps random ones, or has hooks that depend on it. */
  readonly asksExistence: boolean;
  /** Whether a package has hooks. */
  readonly hasHooks: boolean;
  /** Whether the script reads documents from files beside it. */
  readonly hasFiles: boolean;
  /** Whether the script contains Secrets. */
  readonly hasSecrets: boolean;
  /** Secrets that the script reads from variables of the environment. */
  readonly secrets: readonly SecretModel[];
  /** Objects with random values. */
  readonly random: readonly RandomModel[];
  /** Whether random values were drawn from a fixed seed, so that the script must not be used on a cluster. */
  readonly isSeeded: boolean;
}

/** What identifies an Order. */
export interface OrderModel {
  readonly name: string;
  /** The SHA-256 of its spec, such as `sha256:9f86…`, independent of formatting and the order of keys. */
  readonly digest: string;
  /** The label that every object of the Order carries, as `key=value`. */
  readonly label: string;
}

/** A package of an Order. */
export interface PackageModel {
  /** Its place in install order, from 1. */
  readonly number: number;
  readonly release: string;
  readonly namespace: string;
  /** `namespace/release`. */
  readonly fullName: string;
  /** The label that every object of the package carries, as `key=value`. */
  readonly label: string;
  /** The name under which kubectl owns the fields it applies. */
  readonly manager: string;
  /** Whether the namespace may have to be created; false for those every cluster has. */
  readonly createNamespace: boolean;
  readonly chart: ChartModel;
  readonly values: ValuesModel;
  /** CRDs that the package registers while it runs. */
  readonly crds: readonly string[];
  /** CRDs in the `crds/` folders of the chart. */
  readonly ownCrds: readonly string[];
  readonly waits: readonly WaitModel[];
  /** What the chart says after an installation; empty for nothing. */
  readonly notes: string;
  /** The documents of `crds/`. For kubectl scripts, as everything below; empty in Helm scripts. */
  readonly crdDocuments: readonly DocumentModel[];
  /** The resources in install order. */
  readonly documents: readonly DocumentModel[];
  /** The resources, last first. */
  readonly deletions: readonly DocumentModel[];
  /** What must be ready before the package counts as installed, as with `helm --wait`. */
  readonly awaited: readonly AwaitedModel[];
  readonly hooksBefore: readonly HookModel[];
  readonly hooksAfter: readonly HookModel[];
  readonly hooksBeforeDelete: readonly HookModel[];
  readonly hooksAfterDelete: readonly HookModel[];
  /** Whether hooks run before or after a deletion. */
  readonly hasDeleteHooks: boolean;
  /** Every hook above. */
  readonly hooks: readonly HookModel[];
  /**
   * A ConfigMap that records a finished installation, where some hooks run on installs only or on upgrades only; its text is
   * empty elsewhere.
   */
  readonly record: DocumentModel;
}

/** The values of a package: one JSON document. */
interface ValuesModel {
  readonly text: string;
  /** Its file beside the script; empty for none. */
  readonly file: string;
  /** The secrets whose marks it holds. */
  readonly secrets: readonly SecretModel[];
}

/** How Helm finds a chart. */
export interface ChartModel {
  readonly name: string;
  readonly version: string;
  /** `name version`. */
  readonly label: string;
  /** The SHA-256 of the chart's content, or of the archive or manifest that a pinned Order names. */
  readonly digest: string;
  /** Whether the script installs nothing but the chart with this digest. */
  readonly isVerified: boolean;
  /** Whether the chart ships with drydock, so that it must be copied to `reference` beside the script. */
  readonly isEmbedded: boolean;
  /** The chart argument of Helm: a name, a path, or an OCI address. */
  readonly reference: string;
  /** Whether `reference` is a path relative to the script. */
  readonly isRelative: boolean;
  /** The URL of its repository; empty for none. */
  readonly repository: string;
  /** The version to ask for; empty for a path. */
  readonly pinnedVersion: string;
  /** The SHA-256 of the archive in hexadecimal, where a pinned Order names it; empty for none. */
  readonly archive: string;
}

/** A YAML text that is applied in one go. */
export interface DocumentModel {
  /** Its place among the documents of its kind in the package, from 1. */
  readonly number: number;
  readonly text: string;
  /** Its file beside the script; empty for none. */
  readonly file: string;
  /** Whether the server names the objects, so that they can be created but not applied. */
  readonly isCreate: boolean;
  /** Whether it holds random values: then it is created once and kept. */
  readonly isKept: boolean;
  /** The secrets whose marks it holds. */
  readonly secrets: readonly SecretModel[];
}

/** An object of a hook. */
export interface HookModel extends DocumentModel {
  /** `kind.version.group/name`, as kubectl names it. */
  readonly target: string;
  /** Its namespace; empty for cluster-scoped kinds. */
  readonly space: string;
  /** Whether it runs when a package is installed. */
  readonly onInstall: boolean;
  /** Whether it runs when a package is upgraded. */
  readonly onUpgrade: boolean;
  /** Whether it is a Job or a Pod, which must succeed before anything else happens. */
  readonly isAwaited: boolean;
  /**
   * The `ttlSecondsAfterFinished` of a Job, which its document leaves out: the cluster would delete the Job before its end is seen.
   * Empty for none.
   */
  readonly ttl: string;
  /** When it is deleted, in the words of `helm.sh/hook-delete-policy`, such as `before-hook-creation,hook-failed`. */
  readonly policies: string;
  /** Whether it is deleted once all hooks of its event have succeeded. */
  readonly deleteAfter: boolean;
}

/** An object that must become ready. */
export interface AwaitedModel {
  /** The words of a kubectl command, such as `rollout`, `status`, `deployment.v1.apps/web`. */
  readonly words: readonly string[];
}

/** A `kubectl wait`. */
export interface WaitModel {
  /** The words after `wait`. */
  readonly words: readonly string[];
  /** Whether the words contain a time limit. */
  readonly limited: boolean;
}

/** A secret that the script reads when it runs. */
export interface SecretModel {
  /** The variable of the environment, such as `SECRET_SHOP_DB_PASSWORD`. */
  readonly variable: string;
  /** What documents contain in its place. */
  readonly mark: string;
  /** What it is: `data.password of Secret shop/db`. */
  readonly title: string;
  /** Whether documents hold it in base64; else inside a JSON string. */
  readonly isBase64: boolean;
}

/** An object that differs from rendering to rendering. */
export interface RandomModel {
  /** `Secret shop/db`. */
  readonly title: string;
  /** The template that makes it. */
  readonly path: string;
  /** What differs, such as `data.password`; empty where the object has another name each time. */
  readonly members: string;
  /** Whether the first value stays: the kubectl script keeps the object, or the chart looks it up. */
  readonly isKept: boolean;
}
