// Tests that no keystroke is lost: text is typed into every editor and field of the Order without a pause while renderings arrive.
// `node --import tsx test/e2e/console/typing.ts`. Meanwhile the Helm version is switched back and forth.

import { check, until } from '../../../scripts/dev/tools/tools.ts';
import { type ConsolePage, withWeb } from './page.ts';

// Renders the Order with both Helm versions alternately, while text is typed.
const renderOn = `globalThis.turns = setInterval(() => {
  const choice = [...document.querySelectorAll('.targets select')].at(-1);
  choice.value = choice.value === '3' ? '4' : '3';
  choice.dispatchEvent(new Event('change', { bubbles: true }));
}, 300)`;

/** Types the first half as fast as possible, the second at human speed; returns how often the preview changed meanwhile. */
async function write(page: ConsolePage, text: string): Promise<number> {
  const seen = `(() => {
    const at = document.querySelector('.status');
    globalThis.renderings = 0;
    globalThis.watch = new MutationObserver(() => globalThis.renderings++);
    globalThis.watch.observe(at, { subtree: true, characterData: true, attributes: true, childList: true });
  })()`;
  await page.evaluate(seen);
  const half = text.length / 2;
  for (const [index, letter] of [...text].entries()) {
    await page.keyboard.type(letter);
    if (index > half) await new Promise((resolve) => setTimeout(resolve, 40));
  }
  return page.evaluate<number>('globalThis.watch.disconnect(), globalThis.renderings');
}

async function intoField(page: ConsolePage, selector: string, text: string): Promise<void> {
  await page.waitForSelector(selector);
  await page.locator(selector).focus();
  await page.keyboard.press('Control+a');
  const renderings = await write(page, text);
  const typed = await page.locator(selector).inputValue();
  check(
    `${selector}: ${text.length} letters, ${renderings} changes of the preview meanwhile${typed === text ? '' : `: ${typed}`}`,
    typed === text,
  );
  await page.keyboard.press('Tab');
}

async function intoEditor(page: ConsolePage, selector: string, lines: readonly string[]): Promise<void> {
  await page.waitForSelector(selector);
  await page.locator(selector).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  let renderings = 0;
  for (const [index, line] of lines.entries()) {
    if (index > 0) await page.keyboard.press('Enter');
    // Completion opens, and the indentation for the next line is removed.
    await page.keyboard.press('Escape');
    for (let count = 0; index > 0 && count < 12; count++) await page.keyboard.press('Shift+Home');
    renderings += await write(page, line);
    await page.keyboard.press('Escape');
  }
  const text = (): Promise<string> =>
    page.evaluate(
      `[...document.querySelector('${selector.split(' ')[0]} .code-host').shadowRoot.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')`,
    );
  const typed = await text();
  const isAll = lines.every((line) => typed.includes(line));
  check(
    `${selector}: ${lines.join('').length} letters, ${renderings} changes meanwhile${isAll ? '' : `: ${typed}`}`,
    isAll,
  );
  await new Promise((resolve) => setTimeout(resolve, 600));
  const later = await text();
  check(
    'and they stay',
    lines.every((line) => later.includes(line)),
  );
}

const long = 'abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxyz';

await withWeb(async (page) => {
  await page.evaluate(renderOn);
  await intoField(page, '.targets input', '1.31.0-abcdefghijklmnopqrstuvwxyz-abcdefgh');
  await page.locator('.targets input').fill('');
  await page.keyboard.press('Tab');
  for (const name of ['releaseName', 'namespace']) await intoField(page, `#package-${name}`, long.slice(0, 40));
  await intoField(page, '#value-replicaCount', '1234567');
  await intoField(page, '.form-search', 'image tag and more words that no value has');
  await page.locator('.form-search').fill('');
  await intoField(page, '#value-nameOverride', long);
  await page.getByRole('tab', { name: 'Values', exact: true }).click();
  await intoEditor(page, '.values-own .cm-content', [
    `nameOverride: ${long}`,
    `fullnameOverride: "${long}"`,
    'podAnnotations: {a: b, c: d}',
  ]);
  await page.getByRole('tab', { name: 'Patch' }).click();
  await intoEditor(page, '.values-own .cm-content', ['- {op: replace, path: /replicaCount, value: 12345}']);
  await page.getByRole('tab', { name: 'Order YAML' }).click();
  await page.waitForSelector('.writing .cm-content');
  await page.locator('.writing .cm-content').click();
  await page.keyboard.press('Control+Home');
  await write(page, '# abcdefghijklmnopqrstuvwxyz: {abc: [1, 2]} abcdefghijklmnopqrstuvwxyz');
  await page.keyboard.press('Enter');
  const kept = (): Promise<string> => page.evaluate("localStorage.getItem('drydock.order')");
  await until('the Order kept', async () =>
    (await kept()).startsWith('# abcdefghijklmnopqrstuvwxyz: {abc: [1, 2]} abcdefghijklmnopqrstuvwxyz'),
  );
  check('.writing: every letter is in the Order', true);
  await page.evaluate('clearInterval(globalThis.turns)');
  await page.getByRole('tab', { name: 'Form' }).click();
});
