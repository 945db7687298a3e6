// Makes the second form of walks that call themselves: the same methods in steps, whose stack is on the heap (render/go/steps.ts).
// A walk is written once, as plain methods; `npm run deepen` writes its steps beside it, `-- --check` tells whether they are its.

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Says which methods of a class call each other, and what its second form is called. */
interface Walk {
  /** Its folder in render/. */
  readonly folder: string;
  readonly source: string;
  readonly parent: string;
  readonly name: string;
  readonly methods: readonly string[];
  /** Methods that only count how deep they are, and what they then call. */
  readonly counters?: ReadonlyMap<string, string>;
  /** Members of the made class that are not made from methods. */
  readonly extra?: string;
}

const walks: readonly Walk[] = [
  {
    folder: 'template',
    source: 'exec',
    parent: 'Walk',
    name: 'Execution',
    methods: [
      ...['walkNodes', 'walkBranch', 'walkRange', 'walkElements', 'walkTemplate', 'evalPipe', 'evalCommand'],
      ...[
        'evalArgument',
        'evalVariable',
        'evalChain',
        'evalFields',
        'evalField',
        'evalFunction',
        'evalCall',
        'evalLogic',
      ],
    ],
    counters: new Map([['walkList', 'walkNodes']]),
  },
  {
    folder: 'template',
    source: 'parser',
    parent: 'Grammar',
    name: 'BodyParser',
    methods: [
      ...['parseList', 'parseTextOrAction', 'parseAction', 'parsePlainAction', 'parseBranch', 'parseOtherwise'],
      ...['parseBlock', 'parseTemplate', 'parsePipe', 'parseCommand', 'parseOperand', 'parseTerm'],
    ],
    extra: '  protected override nested(): BodyParser {\n    return new BodyParser(this.workshop);\n  }\n\n',
  },
  {
    folder: 'codec/yaml',
    source: 'grammar',
    parent: 'YamlGrammar',
    name: 'YamlComposer',
    methods: [
      ...['node', 'openCollection', 'nodeBehind', 'blockMapping', 'blockValue', 'blockEntry', 'blockSequence'],
      ...['indentlessSequence', 'takeEntry', 'flowSequence', 'singlePair', 'flowMapping', 'flowEntry'],
      ...['readKey', 'readUnusualKey'],
    ],
    counters: new Map([['collection', 'openCollection']]),
  },
];
/** Methods that have steps written by hand. */
const handwritten = ['callFunction'];

/** Gives where the parenthesis that opens at `open` closes. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  throw new Error(`no closing parenthesis: ${text.slice(open, open + 80)}`);
}

function yieldCalls(body: string, { methods, counters }: Walk): string {
  const names = [...methods, ...handwritten, ...(counters?.keys() ?? [])];
  const call = new RegExp(`\\b(this|block)\\.(${names.join('|')})\\(`, 'g');
  let made = '';
  let end = 0;
  for (const match of body.matchAll(call)) {
    if (match.index < end) throw new Error(`a call within the arguments of another: ${match[0]}`);
    const open = match.index + match[0].length - 1;
    const close = closing(body, open);
    made += `${body.slice(end, match.index)}(yield ${match[1]}.${counters?.get(match[2] as string) ?? match[2]}Steps${body.slice(open, close + 1)})`;
    end = close + 1;
  }
  return made + body.slice(end);
}

function stepsOf(text: string, method: string, walk: Walk): string {
  const start = text.indexOf(`\n  protected ${method}(`) + 1;
  const end = text.indexOf('\n  }\n', start);
  if (start === 0 || end < 0) throw new Error(`no method ${method}`);
  const source = text.slice(start, end + '\n  }\n'.length);
  const [, head, type, body] = /^ {2}protected (\w+\([\s\S]*?\)): ([^\n]+) \{\n([\s\S]*)$/.exec(source) ?? [];
  if (head === undefined || body === undefined) throw new Error(`method ${method} is not written as the others are`);
  const steps = `  protected *${head.replace(method, `${method}Steps`)}: Steps<${type}> {\n`;
  // How deep JavaScript's stack is does not matter here.
  const lines = body.split('\n').filter((line) => !/\bshallow\./.test(line));
  return steps + yieldCalls(lines.join('\n'), walk);
}

/** Gives the import statements of a module that a text needs, each with the names that it needs. */
function importsFor(source: string, body: string): string[] {
  const isUsed = (name: string): boolean => new RegExp(`(?<![\\w.'])${name}(?![\\w'])`).test(body);
  const statements: string[] = [];
  for (const [, typeOnly = '', names = '', from] of source.matchAll(/^import (type )?\{([^}]*)\} from '([^']+)';$/gm)) {
    const used = names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && isUsed(name.replace(/^type /, '')));
    if (used.length > 0) statements.push(`import ${typeOnly}{ ${used.join(', ')} } from '${from}';`);
  }
  return statements;
}

function exportsFor(source: string, body: string, walk: Walk): string {
  const names: string[] = [];
  for (const [, kind, name = ''] of source.matchAll(
    /^export (?:abstract )?(class|const|function|interface|type) (\w+)/gm,
  )) {
    if (!new RegExp(`(?<![\\w.'])${name}(?![\\w'])`).test(body)) continue;
    names.push(kind === 'interface' || kind === 'type' ? `type ${name}` : name);
  }
  return `import { ${names.join(', ')} } from './${walk.source}.ts';`;
}

function make(walk: Walk, source: string): string {
  const methods = walk.methods.map((method) => stepsOf(source, method, walk));
  const body = `/** The whole of ${walk.parent}: what it does when it is deep, too. */\nexport class ${walk.name} extends ${walk.parent} {\n${walk.extra ?? ''}${methods.join('\n')}}\n`;
  return [
    `// Generated by scripts/deepen.ts from ${walk.source}.ts: its walk in steps, for what nests deeper than JavaScript's stack.`,
    '',
    ...importsFor(source, body).filter((line) => !line.includes('/steps.ts')),
    `import type { Steps } from '${'../'.repeat(walk.folder.split('/').length)}go/steps.ts';`,
    exportsFor(source, body, walk),
    '',
    body,
  ].join('\n');
}

const check = process.argv.includes('--check');
for (const walk of walks) {
  const path = (name: string): string => fileURLToPath(new URL(`../render/${walk.folder}/${name}`, import.meta.url));
  const made = make(walk, await readFile(path(`${walk.source}.ts`), 'utf8'));
  const target = path(`${walk.source}-deep.generated.ts`);
  if (!check) await writeFile(target, made);
  else if ((await readFile(target, 'utf8')) !== made) {
    console.error(`${target} is not what npm run deepen makes of ${walk.source}.ts: run it`);
    process.exitCode = 1;
  }
}
