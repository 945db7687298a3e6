// Edits public charts, one line at a time. `snapshot` and `diff` must report exactly the objects that another YAML parser finds changed.
// Whether the values are valid under an edited schema is compared with real Helm.
// Usage: npm run test:e2e -- chart-mutations DIR... [--charts N] [--edits N] [--seed N]

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { unpackArchive } from '../../../render/chart/archive.ts';
import { readChartFiles } from '../../../render/chart/directory.node.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { defaultHelm } from '../../../render/core/helm-version.ts';
import { diffObjects } from '../../../render/diff/difference.ts';
import { decodeUtf8, encodeUtf8 } from '../../../render/go/utf8.ts';
import { meaningOf } from '../../../render/snapshot/meaning.ts';
import { helmEnvironment, helmProgram } from '../../../scripts/dev/tools/helm-binary.ts';
import { findCharts } from '../../conformance/charts.ts';
import { Dice } from '../../support/dice.ts';
import { changedKeys, type Files, type Rendered, renderFiles, reportedKeys } from './versions/second-opinion.ts';

/** The kinds of files that are edited. */
const kinds: Readonly<Record<string, (path: string) => boolean>> = {
  template: (path) => /^templates\/.*\.ya?ml$/.test(path),
  helper: (path) => /^templates\/.*\.tpl$/.test(path),
  values: (path) => path === 'values.yaml',
  crd: (path) => /^crds\/.*\.ya?ml$/.test(path),
  dependency: (path) => /^charts\/[^/]+\/.*\.(?:ya?ml|tpl)$/.test(path),
  chart: (path) => /^(?:Chart|requirements)\.yaml$/.test(path),
  schema: (path) => path === 'values.schema.json',
  file: (path) =>
    !/^(?:templates|charts|crds|ci)\/|\.(?:md|tgz|lock|schema\.json)$|^(?:Chart|values|requirements)\.yaml$|^\./.test(
      path,
    ),
};

/** Changes one line: a scalar, a literal in an action, a key, or the whole line. Returns undefined if nothing can be changed. */
function edited(text: string, dice: Dice): string | undefined {
  const lines = text.split('\n');
  const usable = lines.flatMap((line, at) => (/^\s*(?:#|$)|^\s*[{}\]]+,?$/.test(line) ? [] : [at]));
  const at = usable[dice.below(usable.length)];
  if (at === undefined) return undefined;
  const line = lines[at]!;
  const forms: ((line: string) => string)[] = [
    (one) => one.replace(/\btrue\b|\bfalse\b/, (word) => (word === 'true' ? 'false' : 'true')),
    (one) => one.replace(/\d+(?!.*\d)/, (word) => String(Number(word) + 1)),
    (one) => one.replace(/(:\s+["']?)([A-Za-z][\w./-]*)(["']?\s*)$/, '$1$2-edited$3'),
    (one) => one.replace(/"(\w[\w./-]*)"/, '"$1-edited"'),
    (one) => one.replace(/^(\s*-?\s*)([A-Za-z][\w-]*)(:)/, '$1$2Edited$3'),
    () => '',
  ];
  const first = dice.below(forms.length);
  for (let turn = 0; turn < forms.length; turn++) {
    const next = forms[(first + turn) % forms.length]!(line);
    if (next !== line) return [...lines.slice(0, at), next, ...lines.slice(at + 1)].join('\n');
  }
  return undefined;
}

// Packed dependencies are edited like unpacked ones.
function unpacked(files: Files): Files {
  return new Map(
    [...files].flatMap(([path, data]) =>
      /^charts\/[^/]+\.tgz$/.test(path)
        ? unpackArchive(data).map((file) => [`${path.slice(0, -'.tgz'.length)}/${file.name}`, file.data] as const)
        : [[path, data] as const],
    ),
  );
}

function isRejectedByHelm(helm: string, files: Files): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'drydock-mutations-'));
  try {
    for (const [path, data] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), data);
    }
    const { status } = spawnSync(helm, ['template', 'release-name', folder], {
      env: { ...process.env, ...helmEnvironment },
      stdio: 'ignore',
    });
    return status !== 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Figures {
  charts: number;
  edits: number;
  refused: number;
  same: number;
  different: number;
  unparsable: number;
  missed: number;
  invented: number;
  /** Edited schemas that Helm checked too, and those with different results. */
  schemas: number;
  schemaDifferences: number;
}

/** Compares one edit. Returns the errors, one per line. */
function check(before: Rendered, files: Files, figures: Figures): string[] {
  let after: Rendered;
  try {
    after = renderFiles(files);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    figures.refused++;
    return [];
  }
  const expected = changedKeys(before, after);
  if (expected === undefined) {
    figures.unparsable++;
    return [];
  }
  if (expected.size === 0) figures.same++;
  else figures.different++;
  const options = { all: true };
  const side = ({ documents }: Rendered) => ({ documents });
  const change = { path: 'default.yaml', status: 'different', before: before.text, after: after.text } as const;
  const reports = {
    diff: diffObjects(side(before), side(after), options),
    snapshot: meaningOf(before.text === after.text ? [] : [change], { ...options, namespace: 'default' }),
  };
  return Object.entries(reports).flatMap(([name, difference]) => {
    const reported = reportedKeys(difference);
    const missed = [...expected].filter((key) => !reported.has(key));
    const invented = [...reported].filter((key) => !expected.has(key));
    figures.missed += missed.length;
    figures.invented += invented.length;
    return [
      ...missed.map((key) => `${name} does not report ${key}`),
      ...invented.map((key) => `${name} wrongly reports ${key}`),
    ];
  });
}

/** Renders a chart with its defaults. Returns undefined if it fails. */
function tryRender(files: Files): Rendered | undefined {
  try {
    return renderFiles(files);
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}

const { values, positionals } = parseArgs({
  options: {
    charts: { type: 'string', default: '300' },
    edits: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
  },
  allowPositionals: true,
});
const start = performance.now();
const figures: Figures = {
  charts: 0,
  edits: 0,
  refused: 0,
  same: 0,
  different: 0,
  unparsable: 0,
  missed: 0,
  invented: 0,
  schemas: 0,
  schemaDifferences: 0,
};
const dice = new Dice(Number(values.seed));
const helm = await helmProgram(defaultHelm);
const found = (await Promise.all(positionals.map(findCharts))).flat().sort();
const byKind: Record<string, number> = {};
while (found.length > 0 && figures.charts < Number(values.charts)) {
  const [folder = ''] = found.splice(dice.below(found.length), 1);
  let files: Files;
  try {
    files = unpacked(readChartFiles(folder));
  } catch {
    continue;
  }
  const before = tryRender(files);
  if (before === undefined || before.documents.length === 0) continue;
  figures.charts++;
  const usable = Object.keys(kinds).filter((kind) => [...files.keys()].some(kinds[kind]!));
  // Helm rejects a chart with a missing dependency whatever its schema is.
  const isChecked = usable.includes('schema') && !isRejectedByHelm(helm, files);
  for (let turn = 0; turn < Number(values.edits); turn++) {
    const kind = usable[turn % usable.length]!;
    const paths = [...files.keys()].filter(kinds[kind]!);
    const path = paths[dice.below(paths.length)]!;
    const text = edited(decodeUtf8(files.get(path)!), dice);
    if (text === undefined) continue;
    figures.edits++;
    byKind[kind] = (byKind[kind] ?? 0) + 1;
    const changed = new Map(files).set(path, encodeUtf8(text));
    const refused = figures.refused;
    const lines = check(before, changed, figures);
    if (isChecked && kind === 'schema') {
      figures.schemas++;
      const isRefused = figures.refused > refused;
      if (isRejectedByHelm(helm, changed) !== isRefused) {
        figures.schemaDifferences++;
        lines.push(isRefused ? 'Helm accepts the values' : 'Helm rejects the values');
      }
    }
    for (const line of lines) console.log(`${folder} ${path}: ${line} (chart ${figures.charts}, edit ${turn})`);
  }
}
const seconds = Math.round((performance.now() - start) / 1000);
console.log(JSON.stringify({ ...figures, byKind, seconds }));
process.exit(figures.missed + figures.invented + figures.schemaDifferences > 0 || figures.different === 0 ? 1 : 0);
