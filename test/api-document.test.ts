import { describe, expect, test } from 'vitest';
import { apiDocument } from '#app/api/0/openapi/api-document.ts';

/** As it is answered: without what JSON does not hold. */
const document = JSON.parse(JSON.stringify(apiDocument())) as ReturnType<typeof apiDocument>;
const { paths, components, tags } = document;
type Json = { readonly [key: string]: unknown };

const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    operation,
  })),
);

/** What is said in the address alone: nothing is sent. */
const WITHOUT_BODY =
  /(?:reprocessing|feedback-replies\/\{reply\}\/resend|POST .*teams\/\{team\}|files\/dsyms\/associate|hashes|destinations\/\{destination\}\/test)\/$/;

const namesOf = (rule: (operation: (typeof operations)[number]) => boolean) =>
  operations.filter(rule).map(({ name }) => name);

const TOLD = { type: 'object' };

/** Every object within, each with the way to it. */
function* walk(value: unknown, way = ''): Generator<[Json, string]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [value as Json, way];
  for (const [key, inner] of Object.entries(value)) yield* walk(inner, `${way}/${key}`);
}

describe('openapi.json', () => {
  test('has 120 operations at least', () => {
    expect(operations.length).toBeGreaterThanOrEqual(120);
  });

  test('every reference leads somewhere, and every schema is referred to', () => {
    const referred = new Set<unknown>();
    for (const [{ $ref }] of walk(document)) if ($ref !== undefined) referred.add($ref);
    const known = Object.entries(components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, named]) => Object.keys(named as Json).map((name) => `#/components/${kind}/${name}`));
    expect([...referred].filter((each) => !known.includes(String(each)))).toEqual([]);
    expect(known.filter((each) => !referred.has(each))).toEqual([]);
  });

  test('every operation has an id of its own', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('the parameters of a path are those in it, and no parameter is there twice', () => {
    for (const { name, path, operation } of operations) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
      const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, each]) => each);
      expect(
        inPath.map((parameter) => parameter.name),
        name,
      ).toEqual(named);
      expect(
        inPath.every(({ required }) => required),
        name,
      ).toBe(true);
      const keys = operation.parameters.map((parameter) => `${parameter.in} ${parameter.name}`);
      expect(new Set(keys).size, name).toBe(keys.length);
    }
  });

  test('no two paths differ by the names of their parameters alone', () => {
    const plain = Object.keys(paths).map((path) => path.replaceAll(/\{[^}]+\}/g, '{}'));
    expect(plain.filter((path, index) => plain.indexOf(path) !== index)).toEqual([]);
  });

  test('what changes something says what it takes, and what is read takes nothing', () => {
    const isChange = ({ name }: { name: string }) => /^(?:POST|PUT) /.test(name) && !WITHOUT_BODY.test(name);
    expect(namesOf((each) => isChange(each) && !each.operation.requestBody)).toEqual([]);
    expect(namesOf(({ name, operation }) => /^GET /.test(name) && 'requestBody' in operation)).toEqual([]);
  });

  test('every operation stands under a heading, which has a meaning', () => {
    const headings = tags.map(({ name }) => name);
    expect(headings).not.toContain('Other');
    expect(namesOf(({ operation }) => operation.tags.some((tag) => !headings.includes(tag)))).toEqual([]);
  });

  test('no answer is left untold', () => {
    const isAnything = (schema: unknown) => Object.keys((schema ?? {}) as Json).length === 0;
    const untold = operations.flatMap(({ name, operation }) =>
      [...walk(operation.responses)]
        .filter(([{ schema = TOLD, anyOf = [] }]) => [schema, ...(anyOf as Json[])].some(isAnything))
        .map(([, way]) => `${name} ${way}`),
    );
    expect(untold).toEqual([]);
  });

  test('every parameter says what it is', () => {
    expect(namesOf(({ operation }) => operation.parameters.some((each) => each.description === ''))).toEqual(
      [],
    );
  });
});
