// The VitePress configuration. `build-site.ts` copies this file next to the pages and writes `sidebar.json`.

import { readFileSync } from 'node:fs';
import { withMermaid } from 'vitepress-plugin-mermaid';

const { sidebar, repository } = JSON.parse(readFileSync(new URL('./sidebar.json', import.meta.url), 'utf8'));

export default withMermaid({
  title: 'drydock',
  description: 'Renders deploy Orders and Helm charts offline, and emulates the platform’s user API',
  lang: 'en',
  cleanUrls: false,
  lastUpdated: false,
  srcDir: 'pages',
  outDir: 'out',
  cacheDir: 'cache',
  base: process.env.DOCS_BASE ?? '/',
  // Pages show Helm templates: Vue must not evaluate the text between double braces.
  markdown: {
    config: ({ renderer, utils }) => {
      const plain = (text) => utils.escapeHtml(text).replaceAll('{{', '&#123;&#123;');
      renderer.rules.text = (tokens, at) => plain(tokens[at].content);
      renderer.rules.code_inline = (tokens, at) => `<code>${plain(tokens[at].content)}</code>`;
    },
  },
  // Large diagrams scroll instead of shrinking.
  mermaid: { flowchart: { useMaxWidth: false } },
  head: [['style', {}, '.mermaid { overflow-x: auto }']],
  themeConfig: {
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Charts', link: '/render/docs/charts' },
      { text: 'Snapshots', link: '/render/docs/snapshots' },
      { text: 'Emulator', link: '/emulator/docs/' },
      { text: 'Library', link: '/render/docs/library' },
    ],
    ...(repository && { socialLinks: [{ icon: 'github', link: repository }] }),
  },
});
