// Shared page style: colors for light and dark with a contrast of at least 4.5 to 1, and a few simple components.

/** The styles shared by all pages. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1c2128; --dim: #57606a; --line: #d0d7de; --raised: #f6f8fa; --accent: #0550ae;
  --good: #116329; --good-back: #dafbe1; --bad: #a40e26; --bad-back: #ffebe9; --part: #7d4e00; --part-back: #fff8c5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0d1117; --ink: #e6edf3; --dim: #9ea7b3; --line: #30363d; --raised: #161b22; --accent: #79c0ff;
    --good: #7ee787; --good-back: #12261e; --bad: #ff9b94; --bad-back: #2d1518; --part: #e3b341; --part-back: #272115;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
a { color: var(--accent); }
code, pre, .mono { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.dim { color: var(--dim); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
`;
