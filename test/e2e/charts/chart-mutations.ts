// Edits public charts, one line at a time. `snapshot` and `diff` must report exactly the objects that another YAML parser finds changed.
// Usage: npm run test:e2e -- chart-mutations DIR... [--charts N] [--edits N] [--seed N]

import { unpackArchive } from '../../../render/chart/archive.ts';
import { readChartFiles } from '../../../render/chart/directory.node.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { decodeUtf8, encodeUtf8 } from '../../../render/go/utf8.ts';
import { findCharts } from '../../conformance/charts.ts';
import { orRenderError } from '../../support/chart-values.ts';
import { Dice } from '../../support/dice.ts';
import { chartArguments } from './every-chart.ts';
import { type Files, renderFiles, wrongReports } from './second-opinion.ts';

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

const { folders, flags } = chartArguments({ edits: 40 });
const start = performance.now();
const dice = new Dice(flags.seed);
const figures = { charts: 0, edits: 0, refused: 0, same: 0, different: 0, unparsable: 0, missed: 0, invented: 0 };
const found = (await Promise.all(folders.map(findCharts))).flat().sort();
while (found.length > 0 && figures.charts < flags.charts) {
  const [folder = ''] = found.splice(dice.below(found.length), 1);
  const loaded = orRenderError(() => {
    const files = unpacked(readChartFiles(folder));
    return { files, before: renderFiles(files) };
  });
  if (loaded instanceof RenderError || loaded.before.documents.length === 0) continue;
  figures.charts++;
  const { files, before } = loaded;
  const usable = Object.values(kinds).filter((isKind) => [...files.keys()].some(isKind));
  for (let turn = 0; turn < flags.edits; turn++) {
    const path = dice.pick([...files.keys()].filter(usable[turn % usable.length]!));
    const text = edited(decodeUtf8(files.get(path)!), dice);
    if (text === undefined) continue;
    figures.edits++;
    const after = orRenderError(() => renderFiles(new Map(files).set(path, encodeUtf8(text))));
    if (after instanceof RenderError) figures.refused++;
    else
      for (const line of wrongReports(before, after, figures))
        console.log(`${folder} ${path}: ${line} (chart ${figures.charts}, edit ${turn})`);
  }
}
console.log(JSON.stringify({ ...figures, seconds: Math.round((performance.now() - start) / 1000) }));
process.exit(figures.missed + figures.invented > 0 || figures.different === 0 ? 1 : 0);
