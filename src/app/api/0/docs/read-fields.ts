import { apiDocument } from '../openapi/api-document.ts';
import type { OpenApiOperation } from '../openapi/build-document.ts';

type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  /** false of a list whose elements each have a place of their own. */
  items?: Schema | false;
  prefixItems?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
};
type Content = Readonly<Record<string, { schema?: Schema }>>;

export type Field = { name: string; type: string; isRequired: boolean };

/** What is sent as JSON, field by field, or in words what else; null for nothing. */
export function fieldsOfBody({ requestBody }: OpenApiOperation): readonly Field[] | string | null {
  if (!requestBody) return null;
  const content = requestBody.content as Content;
  if (content['multipart/form-data']) return 'multipart form with a file';
  const { properties, required = [] } = resolve(content['application/json']?.schema) ?? {};
  if (!properties) return 'JSON';
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    isRequired: required.includes(name),
  }));
}

/** Statuses of the answer, and in a line what it holds; null without content. */
export function fieldsOfAnswer({ responses }: OpenApiOperation): { statuses: string; holds: string | null } {
  const answers = Object.entries(responses).filter(([name]) => name !== 'default');
  const content = answers.map(([, response]) => response.content as Content | undefined).find(Boolean);
  const statuses = answers.map(([status]) => status).join(' or ');
  if (!content) return { statuses, holds: null };
  const isFile = content['application/octet-stream'] !== undefined;
  return { statuses, holds: isFile ? 'file' : print(content['application/json']?.schema) };
}

function print(schema: Schema | undefined): string {
  const resolved = resolve(schema);
  if (!resolved) return 'JSON';
  const choices = choicesOf(resolved);
  if (choices.length > 0) return choices.map(print).join(', or ');
  if (resolved.type === 'array') return `array of ${print(elementOf(resolved))}`;
  const names = Object.keys(resolved.properties ?? {});
  return names.length === 0 ? typeOf(resolved) : names.join(', ');
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  boolean: 'boolean',
};

function typeOf(schema: Schema): string {
  const resolved = resolve(schema) ?? {};
  const choices = choicesOf(resolved);
  if (choices.length > 0) return [...new Set(choices.map(typeOf))].join(' or ');
  if ('const' in resolved) return String(resolved.const);
  if (resolved.enum) return resolved.enum.join(', ');
  const types = [resolved.type ?? 'anything'].flat();
  if (types.includes('array')) return `array of ${typeOf(elementOf(resolved) ?? {})}`;
  return types.map((type) => TYPES[type] ?? type).join(' or ');
}

const elementOf = ({ items, prefixItems }: Schema): Schema | undefined =>
  prefixItems ? { anyOf: prefixItems } : items || undefined;

const choicesOf = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? [];

function resolve(schema: Schema | undefined): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  const schemas = apiDocument().components.schemas as Readonly<Record<string, Schema>>;
  return schemas[name];
}
