// Runs the cases of Helm's own tests of `template` and compares the output with the golden files of the same release:
// `npm run conformance -- helm-testdata [--helm 3.22,4.3]`, by default every supported version. Sources come from the Go module proxy.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { type HelmVersion, helmVersions } from '../../render/core/helm-version.ts';
import { majorOf } from '../../render/helm/versions.ts';
import { versionsOf } from '../../scripts/dev/tools/helm-binary.ts';
import { runInProcess } from '../support/cli.ts';

/** A case of Helm's `TestTemplateCmd`. */
interface TestCase {
  /** The command line, as a shell would read it. */
  readonly command: string;
  /** The golden file, below `testdata`. */
  readonly golden: string;
}

const entry = /cmd:\s+(.+),\n(?:\s+wantError:.+\n)?\s+golden:\s+"(.+)",/g;
const call = /^fmt\.Sprintf\((?:"(.*?)"|`(.*?)`)(?:, (.*))?\)$/;

/** Parses the cases of a `template_test.go`. */
function casesOf(source: string): TestCase[] {
  const body = source.slice(
    source.indexOf('func TestTemplateCmd'),
    source.indexOf('func TestTemplateVersionCompletion'),
  );
  const known = new Map([...source.matchAll(/^\s*(?:var )?(\w+) :?= "(.*)"$/gm)].map(([, name, text]) => [name, text]));
  const textOf = (expression: string): string => known.get(expression) ?? expression.replaceAll('"', '');
  return [...body.matchAll(entry)].map(([, expression = '', golden = '']) => {
    const [, quoted, raw, words = ''] = call.exec(expression) ?? [];
    const values = [...words.matchAll(/filepath\.Join\((.*?)\)|[^,\s]+/g)].map(([word, parts]) =>
      parts === undefined ? textOf(word) : join(...parts.split(', ').map(textOf)),
    );
    const command = (quoted ?? raw ?? textOf(expression)).replace(/%s/g, () => values.shift() ?? '');
    return { command, golden };
  });
}

function wordsOf(command: string): string[] {
  return [...command.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));
}

/** Returns the folder of Helm's commands in the sources of a version. */
async function sourcesOf(version: HelmVersion): Promise<string> {
  const major = majorOf(version);
  const { stdout } = await execa('go', ['mod', 'download', '-json', `helm.sh/helm/v${major}@v${version}`]);
  const { Dir } = JSON.parse(stdout) as { readonly Dir: string };
  return join(Dir, major === 3 ? 'cmd/helm' : 'pkg/cmd');
}

async function compareCase(version: HelmVersion, folder: string, { command, golden }: TestCase): Promise<boolean> {
  // Helm's tests are built without a Kubernetes version, which is then 1.20.
  const kube = command.includes('--kube-version') || command === 'template' ? [] : ['--kube-version', 'v1.20.0'];
  const argv = [...wordsOf(command), ...kube, '--helm', version];
  const { stdout, stderr } = await runInProcess(argv, folder);
  // The tests do not capture the log.
  const error = stderr.slice(Math.max(0, stderr.search(/^Error: /m))).replaceAll('drydock template', 'helm template');
  const got = stdout + (stderr.includes('Error: ') ? error : '');
  const want = await readFile(join(folder, 'testdata', golden), 'utf8');
  if (got.trimEnd() === want.trimEnd()) return true;
  console.log(`Helm ${version}: ${command}: output differs from ${golden}\n--- want\n${want}\n--- got\n${got}`);
  return false;
}

const { values: flags } = parseArgs({ options: { helm: { type: 'string', default: helmVersions.join() } } });
for (const version of versionsOf(flags.helm)) {
  const folder = await sourcesOf(version);
  const cases = casesOf(await readFile(join(folder, 'template_test.go'), 'utf8'));
  let same = 0;
  for (const one of cases) if (await compareCase(version, folder, one)) same++;
  console.log(`Helm ${version}: ${cases.length} cases, ${same} with the same output`);
  if (cases.length === 0 || same < cases.length) process.exitCode = 1;
}
