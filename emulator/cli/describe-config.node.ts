// The configuration, generated from the tables of flags: as a TypeScript type for `defineConfig` and as a JSON Schema for editors.

import {
  allSections,
  type ConfigMember,
  type ConfigSection,
  chartMembers,
  chartSettingsKey,
  sharedMembers,
} from '../../render/cli/config/check.ts';
import type { FlagSpec } from '../../render/cli/flags.ts';
import { describeFlag } from '../../render/cli/help.ts';
import type { Schema } from '../index.ts';
import { settingsSchema } from '../settings.ts';
import { program } from './program.node.ts';

const chartSettingsText =
  'Settings of some charts alone, by the path of a chart or a pattern such as charts/legacy-*; a later entry overrides an earlier one.';

export async function configType(): Promise<string> {
  const sections = await allSections(program);
  const parts = sections.map(
    (section) => `${comment(`For \`drydock ${section.spec.name}\`: ${section.spec.summary}.`, 2)}
  readonly ${section.key}?: {
${typeMembers(section.members, 4)}${section.hasInputs ? `${comment('What the command line names otherwise: paths and patterns, from the folder of this file.', 4)}\n    readonly inputs?: readonly string[];\n` : ''}${section.settings.length > 0 ? `${comment('How the emulated service behaves.', 4)}\n    readonly settings?: Partial<Settings>;\n` : ''}  };
${section.formerKeys.map((key) => `  /** @deprecated Use \`${section.key}\`. */\n  readonly ${key}?: DrydockConfig['${section.key}'];\n`).join('')}`,
  );
  return `// What drydock.config.ts may say; generated from the tables of flags: \`npm run generate\`.

import type { Settings } from '../index.ts';

/** Settings of some charts only, for every command that renders them; each overrides the same member for all charts. */
export interface ChartSettings {
${typeMembers(chartMembers, 2)}}

/** Default flags of commands. Flags on the command line take precedence; paths are relative to the folder of the file. */
export interface DrydockConfig {
${typeMembers(sharedMembers, 2)}${comment(chartSettingsText, 2)}
  readonly ${chartSettingsKey}?: Readonly<Record<string, ChartSettings>>;
${parts.join('')}}
`;
}

function typeMembers(members: readonly ConfigMember[], indent: number): string {
  const member = ({ key, flag }: ConfigMember): string =>
    `${comment(sentence(flag), indent)}\n${' '.repeat(indent)}readonly ${key}?: ${typeOf(flag)};\n`;
  return members.map(member).join('');
}

function comment(text: string, indent: number): string {
  return `${' '.repeat(indent)}/** ${text.replaceAll('*/', '*\\/')} */`;
}

function sentence(flag: FlagSpec): string {
  const text = describeFlag(flag);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function typeOf(flag: FlagSpec): string {
  if (flag.type === 'bool') return 'boolean';
  if (flag.type === 'strings' || flag.type === 'stringArray') return 'readonly string[]';
  if (flag.words !== undefined) return flag.words.map((word) => `'${word}'`).join(' | ');
  return isNumber(flag) ? 'number' : 'string';
}

function isNumber({ form, type }: FlagSpec): boolean {
  return form === 'port' || form === 'count' || type === 'int';
}

export async function configSchema(): Promise<Schema> {
  const sections = await allSections(program);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The configuration of drydock',
    description:
      'Default flags of commands. Flags on the command line take precedence; paths are relative to the folder of the file.',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      ...schemaMembers(sharedMembers),
      [chartSettingsKey]: {
        description: chartSettingsText,
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: schemaMembers(chartMembers),
          additionalProperties: false,
        },
      },
      ...Object.fromEntries(
        sections.flatMap((section) => [
          [section.key, sectionSchema(section)],
          ...section.formerKeys.map((key) => [key, { $ref: `#/properties/${section.key}`, deprecated: true }]),
        ]),
      ),
    },
    additionalProperties: false,
  };
}

function sectionSchema({ spec, members, hasInputs, settings }: ConfigSection): Schema {
  return {
    description: `For \`drydock ${spec.name}\`: ${spec.summary}.`,
    type: 'object',
    properties: {
      ...schemaMembers(members),
      ...(hasInputs && {
        inputs: {
          description: 'Paths and patterns in place of those of the command line.',
          type: 'array',
          items: { type: 'string' },
        },
      }),
      ...(settings.length > 0 && { settings: settingsSchema }),
    },
    additionalProperties: false,
  };
}

function schemaMembers(members: readonly ConfigMember[]): Record<string, Schema> {
  return Object.fromEntries(
    members.map(({ key, flag }) => [key, { description: sentence(flag), ...valueSchema(flag) }]),
  );
}

function valueSchema(flag: FlagSpec): Schema {
  if (flag.type === 'bool') return { type: 'boolean' };
  if (flag.type === 'strings' || flag.type === 'stringArray') {
    return { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
  }
  if (flag.words !== undefined) return { enum: [...flag.words] };
  return isNumber(flag) ? { type: ['integer', 'string'] } : { type: 'string' };
}
