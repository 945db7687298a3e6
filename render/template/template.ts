// A set of named templates: parse into it, clone it, look up, execute. The only door of this room.
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

/** What is shared by all templates that know the same functions. */
export class Vocabulary {
  readonly isFunction: (name: string) => boolean;
  readonly rules: GoRules;

  /** Functions are those of `knows` and Go's own. `rules` are those of the Go version that parses; default Go 1.23. */
  constructor(knows: (name: string) => boolean, rules: GoRules = go123) {
    this.rules = rules;
    this.isFunction = (name) => knows(name) || builtins.has(name);
  }
}

/**
 * Parses a text into templates that any set may take, and use many times: they never change.
 * Throws `TemplateParseError`, `LimitReached`.
 */
export function parseTemplate(name: string, text: string, { isFunction, rules }: Vocabulary): ParsedFile {
  const templates = new Map<string, Template>();
  const source = new Source(name, text);
  new BodyParser({ source, lexer: new Lexer(text, rules), isFunction, templates, depth: 0 }).parseFile();
  return { name, templates };
}

/** Returns what a text was parsed into as if under another name, which it must not mention. Trees are shared. */
export function renamed(file: ParsedFile, name: string, text: string): ParsedFile {
  const source = new Source(name, text);
  const templates = new Map<string, Template>();
  for (const [old, template] of file.templates) {
    const own = old === file.name ? name : old;
    templates.set(own, { ...template, name: own, source });
  }
  return { name, templates };
}

/** How a set works. */
export interface TemplateSetOptions {
  /** The functions beside Go's own, which they may override. */
  readonly funcs: FuncSource;
  /** What a missing map key gives. Default `zero`. */
  readonly missingKey?: MissingKey;
  /** What Go's version makes different. Default Go 1.23. */
  readonly rules?: GoRules;
  /** The set's name in the error for a template that is not there. Default `gotpl`, as Helm calls it. */
  readonly name?: string;
  /** Creates the observer of each execution. Default: none. */
  readonly observers?: Observers | undefined;
}

/** Templates by name, in layers: a clone puts its own on top of those it shares. */
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
  /** Go's own functions. */
  readonly #builtins: FuncMap;
  /** Those over them. */
  readonly #funcs: FuncSource;
  /** Functions set later: few, and looked up first. */
  #overrides: FuncMap = new Map();
  #layer: Layer = { templates: new Map(), below: undefined };
  /** Whether a clone shares the layer, which must then stay as it is. */
  #shared = false;

  constructor(options: TemplateSetOptions) {
    this.rules = options.rules ?? go123;
    this.#builtins = builtinsOf(this.rules);
    this.#funcs = options.funcs;
    this.missingKey = options.missingKey ?? 'zero';
    this.#name = options.name ?? 'gotpl';
    this.observers = options.observers;
  }

  /** Parses a text and adds what it defines. Throws `TemplateParseError`. */
  parse(name: string, text: string): ParsedFile {
    const file = parseTemplate(name, text, new Vocabulary((word) => this.findFunction(word) !== undefined, this.rules));
    this.add(file);
    return file;
  }

  /** Adds parsed templates. Each replaces one of its name, unless it is empty and the other is there already. */
  add(file: ParsedFile): void {
    if (this.#shared) this.#layer = { templates: new Map(), below: this.#layer };
    this.#shared = false;
    for (const [name, template] of file.templates) {
      if (!template.isEmpty || !this.has(name)) this.#layer.templates.set(name, template);
    }
  }

  /** Returns a set with the same templates and functions; what either takes up later, the other does not see. */
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

  /** Sets functions over those there are. */
  setFuncs(funcs: FuncMap): void {
    this.#overrides = new Map([...this.#overrides, ...funcs]);
  }

  /** Reports whether there is a template of that name. */
  has(name: string): boolean {
    return this.findTemplate(name) !== undefined;
  }

  /** Returns the names of all templates, those added last first. */
  defined(): string[] {
    const names = new Set<string>();
    for (let layer: Layer | undefined = this.#layer; layer !== undefined; layer = layer.below) {
      for (const name of layer.templates.keys()) names.add(name);
    }
    return [...names];
  }

  /**
   * Runs a template, by name or the body of a parsed file itself, which `add` may have passed over as empty.
   * Throws `TemplateExecError`, or `GoError` when there is no such template, or `LimitReached`.
   */
  execute(template: string | ParsedFile, data: GoValue): string {
    return this.execution(template, data).run();
  }

  /** Returns the execution of a template, which is not yet run. Throws `GoError` when there is no such template. */
  execution(template: string | ParsedFile, data: GoValue): Execution {
    const found = typeof template === 'string' ? this.findTemplate(template) : template.templates.get(template.name);
    if (found !== undefined) return new Execution(found, data, this);
    throw new GoError(`template: no template ${quote(String(template))} associated with template ${quote(this.#name)}`);
  }

  /** Returns the template of a name. */
  findTemplate(name: string): Template | undefined {
    let layer: Layer | undefined = this.#layer;
    while (layer !== undefined) {
      const template = layer.templates.get(name);
      if (template !== undefined) return template;
      layer = layer.below;
    }
    return undefined;
  }

  /** Returns the function of a name. */
  findFunction(name: string): GoFunc | undefined {
    return this.#overrides.get(name) ?? this.#funcs.get(name) ?? this.#builtins.get(name);
  }
}
