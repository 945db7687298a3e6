// Checks reports against the schemas of their formats.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { needsTools } from './shells.ts';

const schemas = fileURLToPath(new URL('../../fixtures/schemas', import.meta.url));

/** Asserts that a report is valid SARIF. */
export function assertSarif(text: string): void {
  // ajv knows this draft by another name; the parts that the schema uses are the same.
  const { $schema, id, ...schema } = JSON.parse(readFileSync(`${schemas}/sarif-2.1.0.json`, 'utf8'));
  assert.match($schema, /draft-0[47]/, id);
  const fits = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  assert.ok(fits(JSON.parse(text)), JSON.stringify(fits.errors));
  assert.equal(fits({ ...JSON.parse(text), version: '3' }), false);
}

/** Asserts that a report is valid JUnit XML, if xmllint is installed. */
export function assertJunit(text: string): void {
  const args = ['--noout', '--schema', `${schemas}/junit.xsd`, '-'];
  const { status, error, stderr } = spawnSync('xmllint', args, { input: text, encoding: 'utf8' });
  if (error === undefined || needsTools) assert.equal(status, 0, stderr);
}
