// The first document of a YAML text as a Go value. Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), readerc.go and decode.go.

import { shallow } from '../../go/steps.ts';
import { GoError } from '../../go/value.ts';
import type { ComposedYaml } from './grammar.ts';
import { YamlComposer } from './grammar-deep.generated.ts';
import { readSource } from './reader.ts';
import { YamlScanner } from './scanner.ts';

/**
 * Reads the first document of a YAML text.
 * `exact` keeps integers as `Int`; otherwise every number is a float64, as it is once JSON has been between.
 * `hasBoolWords`: whether `yes` and `off` are booleans, as in YAML 1.1.
 * Throws GoError with go-yaml's text, which begins with `yaml: `.
 */
export function composeYaml(text: string, exact: boolean, hasBoolWords = true): ComposedYaml {
  const source = readSource(text);
  const composer = new YamlComposer(new YamlScanner(source), exact, hasBoolWords);
  const { depth } = shallow;
  // The text may stop short of a forbidden character. Whoever comes to that end has met it.
  const meetsEnd = (): boolean => source.fault !== undefined && composer.scanner.pos + 4 >= source.text.length;
  try {
    const composed = composer.document();
    if (!meetsEnd()) return composed;
  } catch (error) {
    if (!meetsEnd()) throw error;
  } finally {
    shallow.depth = depth;
  }
  throw new GoError(`yaml: ${source.fault}`);
}
