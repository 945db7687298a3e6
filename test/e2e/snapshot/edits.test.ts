// Edits of a chart with the expected entries, risks and causes: the rows of fixtures/diff/causes.yaml.

import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { parse } from 'yaml';
import type { Difference } from '../../../render/diff/difference.ts';
import { differenceText } from '../../../render/diff/text.ts';
import { createProject } from '../../support/project.ts';

type Files = Readonly<Record<string, string>>;
type Edits = readonly (readonly [file: string, from: string, to: string])[];

interface Row {
  readonly name: string;
  /** Replacements in the later chart. */
  readonly edits?: Edits;
  /** Files added to the later chart, and removed ones. */
  readonly with?: Files;
  readonly without?: readonly string[];
  /** Files renamed in the later chart. */
  readonly moved?: Readonly<Record<string, string>>;
  /** Files of both charts in addition to those of chart.yaml. */
  readonly baseWith?: Files;
  readonly baseFlags?: readonly string[];
  readonly flags?: readonly string[];
  /** Whether only random values differ, which `diff` does not ignore. */
  readonly random?: boolean;
  /** The expected lines below the summary. Missing if nothing differs. */
  readonly want?: string;
  /** The expected output of `diff`, if it contains more than that of `snapshot`. */
  readonly wantDiff?: string;
}

const read = <T>(name: string): T => parse(readFileSync(`fixtures/diff/${name}.yaml`, 'utf8')) as T;
const chart = read<Files>('chart');
const rows = read<readonly Row[]>('causes');

const project = createProject();

function edited(files: Files, row: Row): Files {
  const changed = new Map(Object.entries(files));
  for (const [file, from, to] of row.edits ?? []) {
    const text = changed.get(file) ?? '';
    assert.ok(text.includes(from), `${file} has no ${JSON.stringify(from)}`);
    changed.set(
      file,
      text.replace(from, () => to),
    );
  }
  for (const [from, to] of Object.entries(row.moved ?? {})) {
    changed.set(to, changed.get(from) ?? '');
    changed.delete(from);
  }
  for (const file of row.without ?? []) assert.ok(changed.delete(file), `${file} does not exist`);
  return { ...Object.fromEntries(changed), ...row.with };
}

/** Writes files into a folder. */
function writeTo(folder: string, files: Files): void {
  project.write(Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text])));
}

function reported(text: string): string {
  const [, ...blocks] = text.split('\n\n');
  return blocks.join('\n\n');
}

// Only `diff` knows what wrote a removed member.
function withoutWriters(text: string): string {
  return text.replace(/^ +written by .*\n/gm, '');
}

suite('edits of a chart', () => {
  for (const [at, row] of rows.entries()) {
    const cwd = join(project.folder, String(at));
    const before = { ...chart, ...row.baseWith };
    test(`${row.name}: snapshot`, async () => {
      writeTo(`${at}/shop`, before);
      const argv = ['snapshot', 'shop', '--no-cache'];
      const recorded = await project.run([...argv, '--update', ...(row.baseFlags ?? [])], { cwd });
      assert.equal(recorded.exitCode, 0, recorded.stderr);
      cpSync(join(cwd, 'shop'), join(cwd, 'old', 'shop'), { recursive: true });
      project.remove(`${at}/shop`);
      writeTo(`${at}/shop`, edited(before, row));
      const { exitCode, stdout } = await project.run([...argv, '--json', ...(row.flags ?? [])], { cwd });
      const { inputs } = JSON.parse(stdout) as { inputs: readonly { difference: Difference }[] };
      assert.equal(inputs.map(({ difference }) => reported(differenceText(difference))).join(''), row.want ?? '');
      assert.equal(exitCode, row.want === undefined ? 0 : 1);
    });
    if (row.flags !== undefined || row.random === true) continue;
    test(`${row.name}: diff`, async () => {
      const shown = await project.run(['diff', 'old/shop', 'shop'], { cwd });
      assert.equal(withoutWriters(reported(shown.stdout)), withoutWriters(row.wantDiff ?? row.want ?? ''));
      const { exitCode, stdout } = await project.run(['diff', 'old/shop', 'shop', '--json'], { cwd });
      const { objects } = JSON.parse(stdout) as { objects: readonly { kind: string; risks: readonly string[] }[] };
      const entries = [...(row.want ?? '').matchAll(/^[-+~!>] (\w+) /gm)].map(([, kind]) => kind as string);
      assert.deepEqual(objects.map(({ kind }) => kind).sort(), entries.sort());
      assert.equal(exitCode, row.want === undefined ? 0 : 1);
      const risks = objects.flatMap(({ risks }) => risks);
      assert.deepEqual(
        new Set(risks),
        new Set([...(row.want ?? '').matchAll(/\[([a-z]+-[a-z-]+|privileged)\]/g)].map(([, risk]) => risk)),
      );
    });
  }
});
