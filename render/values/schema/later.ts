// Checks values against a JSON Schema of any draft up to 2020-12, as Helm 4 does.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, validator.go, v6.0.2. Not here: unevaluated properties and items, the
// contents of texts, the metaschema of a schema, schemas at other addresses.

import { deepEqual } from '../../go/deep-equal.ts';
import { runSteps, type Steps } from '../../go/steps.ts';
import { type GoMap, type GoValue, sortedKeys } from '../../go/value.ts';
import { type Fault, quoteNames } from './faults.ts';
import type { LaterSchema } from './later-model.ts';
import { checkNumber, checkString, checkValue } from './later-scalars.ts';
import { isNumber } from './model.ts';

/** Gives every fault of the values; where Go walks a map at random, names go by alphabet. */
export function faultsOf(schema: LaterSchema, values: GoValue): readonly Fault[] {
  const fault = runSteps(new Check(schema, values, []).run());
  if (fault === undefined) return [];
  return fault.kind === 'group' ? fault.causes : [fault];
}

type Outcome = Steps<Fault | undefined>;

class Check {
  private readonly faults: Fault[] = [];
  private readonly schema: LaterSchema;
  private readonly value: GoValue;
  private readonly at: readonly string[];

  constructor(schema: LaterSchema, value: GoValue, at: readonly string[]) {
    this.schema = schema;
    this.value = value;
    this.at = at;
  }

  *run(): Outcome {
    const { schema, value } = this;
    if (schema.node === true) return undefined;
    if (schema.node === false) return this.fault('false schema');
    const first = checkValue(schema, value);
    if (first !== undefined) return this.fault(first);
    const reference = schema.reference();
    if (reference !== undefined) {
      const fault = this.referenceFault(yield new Check(reference, value, this.at).run());
      if (schema.draft < 2019) return fault;
      this.add(fault);
    }
    if (value instanceof Map) yield this.object(value);
    else if (Array.isArray(value)) yield this.array(value);
    else if (typeof value === 'string') for (const text of checkString(schema, value)) this.refuse(text);
    else if (isNumber(value)) for (const text of checkNumber(schema, value)) this.refuse(text);
    yield this.logic();
    return this.faults.length > 1 ? { ...this.fault('validation failed', this.faults), kind: 'group' } : this.faults[0];
  }

  private fault(message: string, causes: readonly Fault[] = []): Fault {
    return { at: this.at, message, causes };
  }

  private refuse(message: string, causes: readonly Fault[] = []): void {
    this.faults.push(this.fault(message, causes));
  }

  private add(fault: Fault | undefined): void {
    if (fault !== undefined) this.faults.push(fault);
  }

  private referenceFault(fault: Fault | undefined): Fault | undefined {
    if (fault === undefined) return undefined;
    const causes = fault.kind === 'group' ? fault.causes : [fault];
    return { ...this.fault('validation failed', causes), kind: 'reference' };
  }

  // Checks the value itself against another schema.
  private same(schema: LaterSchema): Outcome {
    return new Check(schema, this.value, this.at).run();
  }

  private inner(schema: LaterSchema, value: GoValue, step: string | number): Outcome {
    return new Check(schema, value, [...this.at, String(step)]).run();
  }

  private *object(object: GoMap): Steps<void> {
    const { schema } = this;
    this.count('minProperties', object.size);
    this.count('maxProperties', object.size);
    const missing = schema.texts('required').filter((name) => !object.has(name));
    if (missing.length > 0) {
      this.refuse(`missing ${missing.length === 1 ? 'property' : 'properties'} ${quoteNames(missing)}`);
    }
    yield this.dependencies('dependencies', object);
    yield this.properties(object);
    if (schema.draft > 4) yield this.names(object);
    if (schema.draft <= 6) return;
    yield this.dependencies('dependentSchemas', object);
    yield this.dependencies('dependentRequired', object);
  }

  private *dependencies(keyword: string, object: GoMap): Steps<void> {
    for (const [name, dependency] of this.schema.members(keyword)) {
      if (!object.has(name)) continue;
      if (!Array.isArray(dependency.node)) {
        this.add(yield this.same(dependency));
        continue;
      }
      const missing = dependency.node.map(String).filter((needed) => !object.has(needed));
      if (missing.length > 0)
        this.refuse(`properties ${quoteNames(missing)} required, if ${quoteNames([name])} exists`);
    }
  }

  private *properties(object: GoMap): Steps<void> {
    const { schema } = this;
    const named = new Map(schema.members('properties'));
    const patterns = schema
      .members('patternProperties')
      .map(([source, inner]) => ({ regexp: schema.regexp(source), inner }));
    const additional = schema.child('additionalProperties');
    const others: string[] = [];
    for (const name of sortedKeys(object)) {
      const value = object.get(name) ?? null;
      const own = named.get(name);
      if (own !== undefined) this.add(yield this.inner(own, value, name));
      const matching = patterns.filter(({ regexp }) => regexp.matchString(name));
      for (const { inner } of matching) this.add(yield this.inner(inner, value, name));
      if (own !== undefined || matching.length > 0 || additional === undefined) continue;
      if (additional.node === false) others.push(name);
      else this.add(yield this.inner(additional, value, name));
    }
    if (others.length > 0) this.refuse(`additional properties ${quoteNames(others)} not allowed`);
  }

  private *names(object: GoMap): Steps<void> {
    const schema = this.schema.child('propertyNames');
    if (schema === undefined) return;
    for (const name of sortedKeys(object)) {
      const fault: Fault | undefined = yield new Check(schema, name, this.at).run();
      if (fault === undefined) continue;
      this.refuse(`invalid propertyName ${quoteNames([name])}`, fault.kind === 'group' ? fault.causes : [fault]);
    }
  }

  private *array(items: readonly GoValue[]): Steps<void> {
    const { schema } = this;
    this.count('minItems', items.length);
    this.count('maxItems', items.length);
    if (schema.get('uniqueItems') === true) this.unique(items);
    const isLate = schema.draft >= 2020;
    const first = schema.list(isLate ? 'prefixItems' : 'items');
    const end = Math.min(first.length, items.length);
    for (let i = 0; i < end; i++) this.add(yield this.inner(first[i] as LaterSchema, items[i] as GoValue, i));
    const one = isLate || first.length === 0 ? schema.child('items') : undefined;
    const rest = one ?? (isLate || first.length === 0 ? undefined : schema.child('additionalItems'));
    if (rest !== undefined && one === undefined && rest.node === false) {
      if (end < items.length) this.refuse(`last ${items.length - end} additionalItem(s) not allowed`);
    } else if (rest !== undefined) {
      // The library counts these from the first of them.
      for (const [i, item] of items.slice(end).entries()) this.add(yield this.inner(rest, item, i));
    }
    yield this.contains(items);
  }

  private unique(items: readonly GoValue[]): void {
    for (let i = 1; i < items.length; i++) {
      const j = items.findIndex((item, at) => at < i && deepEqual(item, items[i] as GoValue));
      if (j < 0) continue;
      this.refuse(`items at ${j} and ${i} are equal`);
      return;
    }
  }

  private *contains(items: readonly GoValue[]): Steps<void> {
    const schema = this.schema.child('contains');
    if (schema === undefined) return;
    const faults: Fault[] = [];
    const matched: number[] = [];
    for (const [i, item] of items.entries()) {
      const fault: Fault | undefined = yield this.inner(schema, item, i);
      if (fault === undefined) matched.push(i);
      else faults.push(fault);
    }
    const [least, most] = [this.schema.size('minContains'), this.schema.size('maxContains')];
    const found = matched.length === 0 ? 'none matched' : `matched ${matched.length} items at ${matched.join(' ')}`;
    if (least === undefined && matched.length === 0) this.refuse('no items match contains schema', faults);
    if (least !== undefined && matched.length < least) {
      this.refuse(`min ${least} items required to match contains schema, but ${found}`, faults);
    }
    if (most !== undefined && matched.length > most) {
      this.refuse(`max ${most} items required to match contains schema, but ${found}`);
    }
  }

  private count(keyword: 'minProperties' | 'maxProperties' | 'minItems' | 'maxItems', got: number): void {
    const fault = this.schema.countFault(keyword, got);
    if (fault !== undefined) this.refuse(fault);
  }

  private *logic(): Steps<void> {
    const { schema } = this;
    const not = schema.child('not');
    if (not !== undefined && (yield this.same(not)) === undefined) this.refuse("'not' failed");
    const all = yield* this.attempts('allOf');
    if (all.faults.length > 0) this.refuse("'allOf' failed", all.faults);
    const any = yield* this.attempts('anyOf');
    if (any.count > 0 && any.matched.length === 0) this.refuse("'anyOf' failed", any.faults);
    const one = yield* this.attempts('oneOf');
    if (one.count > 0 && one.matched.length === 0) this.refuse("'oneOf' failed, none matched", one.faults);
    if (one.matched.length > 1) this.refuse(`'oneOf' failed, subschemas ${one.matched.slice(0, 2).join(', ')} matched`);
    const condition = schema.child('if');
    if (condition === undefined) return;
    const branch = schema.child((yield this.same(condition)) === undefined ? 'then' : 'else');
    if (branch !== undefined) this.add(yield this.same(branch));
  }

  private *attempts(keyword: string): Generator<Steps<unknown>, Attempts, Fault | undefined> {
    const schemas = this.schema.list(keyword);
    const faults: Fault[] = [];
    const matched: number[] = [];
    for (const [i, schema] of schemas.entries()) {
      const fault: Fault | undefined = yield this.same(schema);
      if (fault === undefined) matched.push(i);
      else faults.push(fault);
    }
    return { count: schemas.length, faults, matched };
  }
}

/** What came of the schemas of a list. */
interface Attempts {
  readonly count: number;
  readonly faults: readonly Fault[];
  readonly matched: readonly number[];
}
