// Edits public charts, one line at a time. `snapshot` and `diff` must report exactly the objects that another YAML parser finds changed.
// Whether the values are valid under an edited schema is compared with real Helm.
// Usage: npm run test:e2e -- chart-mutations DIR... [--charts N] [--edits N] [--seed N]

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unpackArchive } from '../../../render/chart/archive.ts';
import { readChartFiles } from '../../../render/chart/directory.node.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { defaultHelm } from '../../../render/core/helm-version.ts';
import { diffObjects } from '../../../render/diff/difference.ts';
import { decodeUtf8, encodeUtf8 } from '../../../render/go/utf8.ts';
import { meaningOf } from '../../../render/snapshot/meaning.ts';
import { helmEnvironment, helmProgram } from '../../../scripts/dev/tools/helm-binary.ts';
import { findCharts } from '../../conformance/charts.ts';
import { orRenderError } from '../../support/chart-values.ts';
import { Dice } from '../../support/dice.ts';
import { chartArguments } from './every-chart.ts';
import { changedKeys, type Files, type Rendered, renderFiles, wrongReports } from './second-opinion.ts';

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

const figures = { charts: 0, edits: 0, refused: 0, same: 0, different: 0, unparsable: 0, missed: 0, invented: 0 };
/** Edited schemas that Helm checked too, and those with different results. */
const schemas = { checked: 0, different: 0 };

/** Renders a chart with its defaults. Returns undefined if it fails. */
function tryRender(files: Files): Rendered | undefined {
  const found = orRenderError(() => renderFiles(files));
  return found instanceof RenderError ? undefined : found;
}

/** Compares one edit with the chart. Returns the errors, one per line. */
function check(before: Rendered, after: Rendered): string[] {
  const expected = changedKeys(before, after);
  if (expected === undefined) {
    figures.unparsable++;
    return [];
  }
  figures[expected.size === 0 ? 'same' : 'different']++;
  const change = { path: 'default.yaml', status: 'different', before: before.text, after: after.text } as const;
  const reports = {
    diff: diffObjects(before, after, { all: true }),
    snapshot: meaningOf(before.text === after.text ? [] : [change], { all: true, namespace: 'default' }),
  };
  return Object.entries(reports).flatMap(([name, difference]) => wrongReports(name, difference, { expected, figures }));
}

const { folders, flags } = chartArguments({ edits: 40 });
const start = performance.now();
const dice = new Dice(flags.seed);
const helm = await helmProgram(defaultHelm);
const found = (await Promise.all(folders.map(findCharts))).flat().sort();
const byKind: Record<string, number> = {};
while (found.length > 0 && figures.charts < flags.charts) {
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
  for (let turn = 0; turn < flags.edits; turn++) {
    const kind = usable[turn % usable.length]!;
    const paths = [...files.keys()].filter(kinds[kind]!);
    const path = paths[dice.below(paths.length)]!;
    const text = edited(decodeUtf8(files.get(path)!), dice);
    if (text === undefined) continue;
    figures.edits++;
    byKind[kind] = (byKind[kind] ?? 0) + 1;
    const changed = new Map(files).set(path, encodeUtf8(text));
    const after = tryRender(changed);
    if (after === undefined) figures.refused++;
    const lines = after === undefined ? [] : check(before, after);
    if (isChecked && kind === 'schema') {
      schemas.checked++;
      if (isRejectedByHelm(helm, changed) !== (after === undefined)) {
        schemas.different++;
        lines.push(after === undefined ? 'Helm accepts the values' : 'Helm rejects the values');
      }
    }
    for (const line of lines) console.log(`${folder} ${path}: ${line} (chart ${figures.charts}, edit ${turn})`);
  }
}
const seconds = Math.round((performance.now() - start) / 1000);
console.log(JSON.stringify({ ...figures, schemas, byKind, seconds }));
process.exit(figures.missed + figures.invented + schemas.different > 0 || figures.different === 0 ? 1 : 0);
