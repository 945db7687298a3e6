// The sets of flags under which `npm run conformance -- DIR… --flag-sets` renders every chart.

/** The flags of one rendering each; first those of both Helms, then those of only one. */
export const flagSets: readonly (readonly string[])[] = [
  [],
  ['--include-crds', '--skip-tests'],
  ['--no-hooks'],
  ['--is-upgrade', '--namespace', 'other'],
  ['--kube-version', '1.27.3'],
  ['--kube-version', 'v1.29.4-gke.10+build'],
  ['--api-versions', 'example.com/v1', '-a', 'example.com/v1/Thing'],
  ['--set', 'a.b=1,list[0]=x', '--set-string', 'n=2'],
  ['--set-json', 'o={"a":[1,2]}', '--set-literal', 'l=a,b'],
  ['--set', 'global.x=null', '--set', 'name=null'],
  ['--skip-schema-validation'],
  ['--show-only', 'templates/service.yaml'],
  ['--name-template', 'r-{{ "A" | lower }}'],
  ['--render-subchart-notes', '--hide-notes'],
  ['--dry-run=client'],
  ['--wait', '--atomic'],
  ['--force-conflicts'],
  ['--kube-version', 'one'],
];
