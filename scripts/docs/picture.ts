// Draws the picture of the README: a real session of the packed command in a terminal. `npm run docs -- picture` writes it, `-- --check`
// fails if the output has changed.

import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { installProject, packProduct } from '../dev/tools/product.ts';
import { temporaryFolder } from '../dev/tools/tools.ts';
import { root } from './pages.ts';

const target = join(root, 'fixtures/session.svg');

/** The commands in order; `before` runs unseen. */
const scenes: readonly { readonly before?: string; readonly typed: string }[] = [
  { typed: "drydock template demo charts/web --set replicaCount=3 | grep -B1 -A2 'replicas:'" },
  {
    before: 'drydock snapshot charts/web --update >/dev/null',
    typed: 'sed -i s/IfNotPresent/Always/ charts/web/values.yaml',
  },
  // One pipe for both outputs, so that their order is kept.
  { typed: 'drydock snapshot charts/web 2>&1 | head -16' },
];

/** One line of the terminal: a command or its output. */
interface Line {
  readonly text: string;
  readonly scene: number;
  readonly isTyped: boolean;
}

async function play(workspace: string): Promise<Line[]> {
  await installProject(workspace, [await packProduct(workspace)]);
  await mkdir(join(workspace, 'charts'));
  await cp(join(root, 'fixtures/charts/web'), join(workspace, 'charts/web'), { recursive: true });
  const env = {
    PATH: `${join(workspace, 'node_modules/.bin')}:${process.env.PATH}`,
    FORCE_COLOR: '1',
    NO_COLOR: undefined,
    TERM: 'xterm-256color',
  };
  const lines: Line[] = [];
  for (const [scene, { before, typed }] of scenes.entries()) {
    if (before !== undefined) await execa('bash', ['--norc', '-c', before], { cwd: workspace, env });
    const { all } = await execa('bash', ['--norc', '-c', typed], { cwd: workspace, env, all: true, reject: false });
    lines.push({ text: typed, scene, isTyped: true });
    for (const text of all.split('\n')) if (all !== '') lines.push({ text, scene, isTyped: false });
  }
  return lines;
}

const [width, lineHeight, left, top] = [880, 21, 22, 62];

/** Draws lines as a terminal; each scene appears after the previous one. */
function draw(lines: readonly Line[]): string {
  const height = top + lines.length * lineHeight + 12;
  const rows = lines.map(({ text, scene, isTyped }, at) => {
    const prompt = isTyped ? '<tspan class="prompt">$ </tspan>' : '';
    const style = `animation-delay:${(scene * 1.6 + (isTyped ? 0 : 0.8)).toFixed(1)}s`;
    const y = top + at * lineHeight;
    return `<text x="${left}" y="${y}" style="${style}" class="${isTyped ? 'typed' : classOf(plain(text))}">${prompt}${escaped(plain(text))}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A terminal session: a chart is rendered, then a changed value appears in the diff of its snapshot">
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#c9d1d9;white-space:pre;animation:show .2s both}
.typed{fill:#f0f6fc;font-weight:600}.prompt{fill:#58a6ff}.added{fill:#56d364}.removed{fill:#ff7b72}.place{fill:#79c0ff}
@keyframes show{from{opacity:0}to{opacity:1}}
@media(prefers-reduced-motion:reduce){text{animation:none}}
</style>
<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>
<circle cx="22" cy="22" r="6" fill="#ff5f57"/><circle cx="42" cy="22" r="6" fill="#febc2e"/><circle cx="62" cy="22" r="6" fill="#28c840"/>
${rows.join('\n')}
</svg>
`;
}

/** Returns the terminal color of a line of a difference. */
function classOf(text: string): string {
  if (/^\+/.test(text)) return 'added';
  if (/^-(?!--$)/.test(text)) return 'removed';
  return text.startsWith('@@') ? 'place' : 'printed';
}

const plain = (text: string): string => text.replace(/\u001b\[[0-9;]*m/g, '');
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const workspace = temporaryFolder('drydock-picture-');
const svg = draw(await play(workspace));
if (!process.argv.includes('--check')) await writeFile(target, svg);
else if ((await readFile(target, 'utf8')) !== svg) {
  console.error('fixtures/session.svg is out of date: run npm run docs -- picture');
  process.exitCode = 1;
}
