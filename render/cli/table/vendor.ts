// The commands that bring and pin charts: `vendor`, `pin`, `bundle`, as data.

import type { CommandSpec } from './command.ts';
import { boolFlag, fileFlag, globalFlags, jsonFlag, orderFlags, textFlag } from './shared.ts';

/** The command `vendor`. */
export const vendorSpec: CommandSpec = {
  name: 'vendor',
  operands: 'ORDER|CHART ...',
  summary: 'download the charts that Orders name and the dependencies of charts, and pin them',
  about: [
    'Downloads the charts that Orders name into a folder and pins them in drydock.lock next to it. All other commands use',
    'both without further flags, check every digest, and open no connection. Dependencies that a chart folder declares and',
    'does not contain go into its charts/, in the versions of its Chart.lock or else the newest that match. JSON Schemas that',
    'a values.schema.json refers to by URL are pinned in drydock.lock, too. Repositories (http, https), OCI registries (oci)',
    "and names known to Helm are supported; credentials come from Helm's and Docker's files and credential helpers.",
  ],
  flags: [
    textFlag('dir', 'DIR', 'folder of the archives; drydock.lock is written next to it', {
      short: 'd',
      offers: 'folders',
      default: 'charts',
    }),
    boolFlag('frozen', 'fail if drydock.lock would change; the default if the variable CI is set'),
    textFlag(
      'update',
      'NAMES',
      'update charts to the newest version that an Order or Chart.yaml allows, and download schemas again: all, or --update=NAME,NAME; for a chart folder, Chart.lock is updated',
      { type: 'strings', short: 'u', bare: '*' },
    ),
    boolFlag('prune', 'remove charts that these Orders do not name'),
    boolFlag(
      'check',
      'only check: Orders against drydock.lock and its folder; chart folders against Chart.yaml, Chart.lock and charts/; schemas against drydock.lock',
    ),
    boolFlag('dry-run', 'only list what would be downloaded'),
    textFlag('repo', 'NAME=URL', 'address of a repository that Orders refer to by name', {
      type: 'stringArray',
      form: 'setting',
    }),
    boolFlag('verify', 'require a provenance file signed by a key of --keyring for each chart'),
    fileFlag('keyring', 'public keys for --verify (default: ~/.gnupg/pubring.gpg)'),
    fileFlag('ca-file', 'certificate authorities to trust, in PEM'),
    fileFlag('cert-file', 'client certificate, in PEM'),
    fileFlag('key-file', 'key of --cert-file, in PEM'),
    boolFlag('insecure-skip-tls-verify', 'accept any certificate'),
    boolFlag('plain-http', 'use OCI registries without TLS'),
    textFlag(
      'token-host',
      'HOST',
      "send credentials to this host if a registry names it as its token service (default: the registry's own host)",
      { type: 'strings' },
    ),
    boolFlag('pass-credentials', 'send the credentials of a repository to every host that its index names'),
    textFlag('timeout', 'DURATION', 'how long to wait for a server', { type: 'duration', default: '1m0s' }),
    jsonFlag,
    ...globalFlags,
  ],
  offers: 'files',
  examples: [
    'drydock vendor order.yaml && drydock render order.yaml',
    "drydock vendor 'orders/*.yaml' --update --prune",
    'drydock vendor order.yaml --frozen',
    'drydock vendor order.yaml charts/shop --check',
    'drydock vendor charts/shop && drydock template charts/shop',
  ],
  notes: [
    'Proxies are taken from HTTPS_PROXY, HTTP_PROXY and NO_PROXY.',
    'Exit codes: 0 success, 1 a chart could not be downloaded (folder and lock are unchanged), 2 wrong usage.',
  ],
};

/** The command `pin`. */
export const pinSpec: CommandSpec = {
  name: 'pin',
  aliases: ['seal'],
  operands: 'ORDER',
  summary: 'print an Order with every chart pinned to a version and a digest',
  about: [
    'Prints the Order with the exact version of every chart, and the digests of the chart, its archive, its manifest in a',
    'registry, and the values. Rendering rejects a pinned Order whose charts or values differ.',
  ],
  flags: [...orderFlags, ...globalFlags],
  offers: 'files',
  examples: ['drydock vendor order.yaml && drydock pin order.yaml > pinned.yaml', 'drydock render pinned.yaml'],
  notes: ['Exit codes: 0 success, 1 the Order, a chart or its values are invalid, 2 wrong usage.'],
};

/** The command `bundle`. */
export const bundleSpec: CommandSpec = {
  name: 'bundle',
  operands: 'ORDER',
  summary: 'pack an Order, its lock and its charts into one archive',
  about: [
    'Packs an Order and everything that rendering it needs into one archive, with the same bytes every time. Every command that takes',
    'an Order also takes the archive, without any other file; so does the library, also in pages.',
  ],
  flags: [fileFlag('output', 'file to write', { short: 'o' }), ...orderFlags, ...globalFlags],
  offers: 'files',
  examples: ['drydock bundle order.yaml --output order.tgz', 'drydock render order.tgz'],
  notes: ['Exit codes: 0 success, 1 the Order, a chart or its values are invalid, 2 wrong usage.'],
};
