// A set of named templates: parse, clone, look up, execute. The entry point of this module.
// Mirrors: Go, text/template, template.go, 1.23.

import { quote } from '../go/number.ts';
import { type FuncMap, type FuncSource, GoError, type GoFunc, type GoValue } from '../go/value.ts';
import { builtins, builtinsOf } from './builtins.ts';
import { Execution, type MissingKey, type Surroundings } from './exec.ts';
import { Lexer } from './lexer.ts';
import type { Template } from './nodes.ts';
import type { Observers } from './observer.ts';
import { BodyParser, type ParsedFile } from './parser.ts';
import { type GoRules, go123 } from './rules.ts';
import { Source } from './source.ts';

export type { MissingKey } from './exec.ts';
export type { ParsedFile } from './parser.ts';

/** Shared by all templates with the same functions. */
export class Vocabulary {
  readonly isFunction: (name: string) => boolean;
  readonly rules: GoRules;

  /** The functions are those of `knows` and Go's predefined ones. `rules` are those of the parsing Go version, by default Go 1.23. */
  constructor(knows: (name: string) => boolean, rules: GoRules = go123) {
    this.rules = rules;
    this.isFunction = (name) => knows(name) || builtins.has(name);
  }
}

/** Parses a text into immutable templates that can be added to any number of sets. Throws `TemplateParseError`, `LimitReached`. */
export function parseTemplate(name: string, text: string, { isFunction, rules }: Vocabulary): ParsedFile {
  const templates = new Map<string, Template>();
  const source = new Source(name, text);
  new BodyParser({ source, lexer: new Lexer(text, rules), isFunction, templates, depth: 0 }).parseFile();
  return { name, templates };
}

/** Returns the same parsed templates under another file name, which the text must not mention. Trees are shared. */
export function renamed(file: ParsedFile, name: string, text: string): ParsedFile {
  const source = new Source(name, text);
  const templates = new Map<string, Template>();
  for (const [old, template] of file.templates) {
    const own = old === file.name ? name : old;
    templates.set(own, { ...template, name: own, source });
  }
  return { name, templates };
}

/** Options of a template set. */
export interface TemplateSetOptions {
  /** Functions that extend and override Go's predefined ones. */
  readonly funcs: FuncSource;
  /** The value of a missing map key. Default `zero`. */
  readonly missingKey?: MissingKey;
  /** Differences of the Go version. Default Go 1.23. */
  readonly rules?: GoRules;
  /** The name of the set in the error for a missing template. Default `gotpl`, as in Helm. */
  readonly name?: string;
  /** Creates the observer of each execution. Default: none. */
  readonly observers?: Observers | undefined;
}

/** Templates by name, in layers: a clone adds its own layer to the shared ones. */
interface Layer {
  readonly templates: Map<string, Template>;
  readonly below: Layer | undefined;
}

/** Templates that can call each other by name. */
export class TemplateSet implements Surroundings {
  readonly missingKey: MissingKey;
  readonly rules: GoRules;
  readonly #name: string;
  readonly observers: Observers | undefined;
  /** Go's predefined functions. */
  readonly #builtins: FuncMap;
  /** Functions that override them. */
  readonly #funcs: FuncSource;
  /** Functions that were set later; they are few and are looked up first. */
  #overrides: FuncMap = new Map();
  #layer: Layer = { templates: new Map(), below: undefined };
  /** Whether a clone shares the top layer, which must then not change. */
  #shared = false;

  constructor(options: TemplateSetOptions) {
    this.rules = options.rules ?? go123;
    this.#builtins = builtinsOf(this.rules);
    this.#funcs = options.funcs;
    this.missingKey = options.missingKey ?? 'zero';
    this.#name = options.name ?? 'gotpl';
    this.observers = options.observers;
  }

  /** Parses a text and adds its templates. Throws `TemplateParseError`. */
  parse(name: string, text: string): ParsedFile {
    const file = parseTemplate(name, text, new Vocabulary((word) => this.findFunction(word) !== undefined, this.rules));
    this.add(file);
    return file;
  }

  /** Adds parsed templates. Each replaces one of the same name unless it is empty. */
  add(file: ParsedFile): void {
    if (this.#shared) this.#layer = { templates: new Map(), below: this.#layer };
    this.#shared = false;
    for (const [name, template] of file.templates) {
      if (!template.isEmpty || !this.has(name)) this.#layer.templates.set(name, template);
    }
  }

  /** Returns a copy of the set. Later additions to either do not affect the other. */
  clone(): TemplateSet {
    const clone = new TemplateSet({
      funcs: this.#funcs,
      missingKey: this.missingKey,
      rules: this.rules,
      name: this.#name,
      observers: this.observers,
    });
    clone.#overrides = this.#overrides;
    clone.#layer = this.#layer;
    clone.#shared = true;
    this.#shared = true;
    return clone;
  }

  setFuncs(funcs: FuncMap): void {
    this.#overrides = new Map([...this.#overrides, ...funcs]);
  }

  has(name: string): boolean {
    return this.findTemplate(name) !== undefined;
  }

  /** Returns the names of all templates, the last added first. */
  defined(): string[] {
    const names = new Set<string>();
    for (let layer: Layer | undefined = this.#layer; layer !== undefined; layer = layer.below) {
      for (const name of layer.templates.keys()) names.add(name);
    }
    return [...names];
  }

  /**
   * Executes a template, by name or the body of a parsed file, which `add` may have skipped because it is empty. Throws
   * `TemplateExecError`, `LimitReached`, or `GoError` if there is no such template.
   */
  execute(template: string | ParsedFile, data: GoValue): string {
    return this.execution(template, data).run();
  }

  /** Returns the execution of a template before it runs. Throws `GoError` if there is no such template. */
  execution(template: string | ParsedFile, data: GoValue): Execution {
    const found = typeof template === 'string' ? this.findTemplate(template) : template.templates.get(template.name);
    if (found !== undefined) return new Execution(found, data, this);
    throw new GoError(`template: no template ${quote(String(template))} associated with template ${quote(this.#name)}`);
  }

  findTemplate(name: string): Template | undefined {
    let layer: Layer | undefined = this.#layer;
    while (layer !== undefined) {
      const template = layer.templates.get(name);
      if (template !== undefined) return template;
      layer = layer.below;
    }
    return undefined;
  }

  findFunction(name: string): GoFunc | undefined {
    return this.#overrides.get(name) ?? this.#funcs.get(name) ?? this.#builtins.get(name);
  }
}
