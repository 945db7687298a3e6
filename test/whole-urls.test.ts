import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withWholeUrls } from '../scripts/build/plugins.ts';

test('the URL of a worker is in one string, and every line keeps its number', () => {
  const code = 'a();new Worker(new URL("./render\\\n-worker.js",import.meta.url));b("x\\\ny");\nc();';
  const whole = withWholeUrls(code);
  assert.match(whole, /new URL\(\n"\.\/render-worker\.js",/);
  assert.equal(whole.split('\n').length, code.split('\n').length);
  assert.ok(whole.endsWith('b("x\\\ny");\nc();'));
});
