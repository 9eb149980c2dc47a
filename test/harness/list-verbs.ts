import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

const PRODUCT = path.resolve(import.meta.dirname, '../../src/product');

/** An exported function of the product whose first parameter is a `Context`, or a part of one. */
export type Verb = {
  name: string;
  /** Relative to `src/product`. */
  file: string;
};

/** Every one of them, as the source has them. */
export function listVerbs(): readonly Verb[] {
  const files = readdirSync(PRODUCT, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort();
  return files.flatMap((file) => {
    const { program } = parseSync(file, readFileSync(path.join(PRODUCT, file), 'utf8'));
    return program.body.flatMap((statement) => {
      if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) return [];
      return namesOf(statement.declaration as unknown as Node)
        .filter(({ parameters }) => takesContext(parameters[0]))
        .map(({ name }) => ({ name, file }));
    });
  });
}

type Node = { type: string; [key: string]: unknown };
type Declared = { name: string; parameters: readonly Node[] };

function namesOf(declaration: Node): readonly Declared[] {
  if (declaration.type === 'FunctionDeclaration') {
    return [{ name: (declaration.id as { name: string }).name, parameters: declaration.params as Node[] }];
  }
  if (declaration.type !== 'VariableDeclaration') return [];
  return (declaration.declarations as { id: { name: string }; init: Node | null }[]).flatMap(
    ({ id, init }) =>
      init?.type === 'ArrowFunctionExpression' ? [{ name: id.name, parameters: init.params as Node[] }] : [],
  );
}

/** `ctx: Context`, `{ actor }: Pick<Context, 'actor'>`, `ctx: Context & …`. */
const takesContext = (parameter: Node | undefined): boolean =>
  parameter !== undefined && CONTEXT.test(JSON.stringify(parameter.typeAnnotation ?? null));

/** `Context` itself or a selection of it, but none of its parts alone, as `Context['stores']` is. */
const CONTEXT = /^(?!.*TSIndexedAccessType).*"name":"Context"/;
