// Generates a JSON Schema from TypeScript interfaces and their comments.

import { readFileSync } from 'node:fs';
import * as ts from '@typescript/typescript6';

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the schema of an interface of a file; interfaces of the same file that it names become `$defs`.
 * Throws if a member has a type other than string, number, boolean, a list, or an interface of the file.
 */
export function interfaceSchema(file: URL, name: string): JsonSchema {
  const source = ts.createSourceFile(file.pathname, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const interfaces = new Map(source.statements.filter(ts.isInterfaceDeclaration).map((item) => [item.name.text, item]));
  const used = new Map<string, JsonSchema>();

  const typeSchema = (type: ts.TypeNode): JsonSchema => {
    if (ts.isTypeOperatorNode(type)) return typeSchema(type.type);
    if (ts.isArrayTypeNode(type)) return { type: 'array', items: typeSchema(type.elementType) };
    const text = type.getText(source);
    if (text === 'string' || text === 'boolean' || text === 'number') return { type: text };
    const found = interfaces.get(text);
    if (found === undefined) throw new Error(`${file.pathname}: no schema for the type ${text}`);
    if (!used.has(text)) {
      used.set(text, {});
      used.set(text, objectSchema(found));
    }
    return { $ref: `#/$defs/${text}` };
  };

  const propertiesOf = (item: ts.InterfaceDeclaration): Record<string, JsonSchema> => {
    const inherited = (item.heritageClauses ?? []).flatMap(({ types }) =>
      types.map((type) => propertiesOf(interfaces.get(type.getText(source))!)),
    );
    const own = item.members
      .filter(ts.isPropertySignature)
      .map((member) => [member.name.getText(source), { ...description(member), ...typeSchema(member.type!) }]);
    return Object.assign({}, ...inherited, Object.fromEntries(own)) as Record<string, JsonSchema>;
  };

  const objectSchema = (item: ts.InterfaceDeclaration): JsonSchema => {
    const properties = propertiesOf(item);
    return {
      ...description(item),
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    };
  };

  const root = objectSchema(interfaces.get(name)!);
  return { title: name, ...root, $defs: Object.fromEntries(used) };
}

function description(node: ts.Node): JsonSchema {
  const words = ts.getJSDocCommentsAndTags(node).map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '');
  const text = words.join(' ').replace(/\s+/g, ' ').trim();
  return text === '' ? {} : { description: text };
}
