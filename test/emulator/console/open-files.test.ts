// The message about opened files.

import './page.ts';
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';

const charts = ['a', 'b', 'c', 'd'].map((name) => ({ name, version: '1.0.0', sourceRef: { name } }));
const taken = { charts, orders: [], values: [], refused: [{ name: 'e.tgz', message: 'is not a chart' }] };

class FileReader {
  result = 'data:,';
  onload: () => void = () => undefined;
  readAsDataURL(): void {
    this.onload();
  }
}

Object.assign(globalThis, {
  FileReader,
  [Symbol.for('drydock.console.fetch')]: async (url: string) =>
    Response.json(url.endsWith('/files') ? taken : url.endsWith('/charts') ? charts : { message: 'none' }),
});
mock.timers.enable({ apis: ['setTimeout'] });
const { openFiles } = await import('../../../emulator/console/view/orders/actions.ts');
const { message } = await import('../../../emulator/console/session.ts');

test('an error is in the message, however many charts were added', async () => {
  await openFiles([{ path: 'e.tgz', file: new File([], 'e.tgz') }]);
  assert.match(message.value?.text ?? '', /^e\.tgz: is not a chart\. Added a 1\.0\.0\./);
});
