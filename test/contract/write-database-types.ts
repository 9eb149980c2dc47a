import type { Pool } from 'pg';

type Column = {
  table_name: string;
  column_name: string;
  udt_name: string;
  is_nullable: boolean;
  /** Whether an insert may leave it out for another reason than that it may be null. */
  has_default: boolean;
  is_always: boolean;
};

/** As `openPostgres` reads them: 64-bit integers as numbers, timestamps as dates. */
const TYPES: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  date: 'Date',
  float8: 'number',
  inet: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  jsonb: 'Json',
  text: 'string',
  timestamptz: 'Date',
  tsvector: 'string',
  uuid: 'string',
  varchar: 'string',
};

const HEADER = `// Written by \`npm run db:types\` from the migrated schema: not to be edited.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** Read as its value, written as text. */
type Json = ColumnType<unknown, string, string>;
type GeneratedJson = ColumnType<unknown, string | undefined, string>;
`;

/** The rows of every table as types of TypeScript. Throws for a type of PostgreSQL that has none yet. */
export async function writeDatabaseTypes(pool: Pool): Promise<string> {
  const { rows } = await pool.query<Column>(`
    SELECT c.table_name, c.column_name, c.udt_name, c.is_nullable = 'YES' AS is_nullable,
      c.column_default IS NOT NULL OR c.is_identity = 'YES' AS has_default,
      c.is_generated = 'ALWAYS' OR c.identity_generation IS NOT DISTINCT FROM 'ALWAYS' AS is_always
    FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
      AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = format('public.%I', c.table_name)::regclass)
    ORDER BY c.table_name COLLATE "C", c.ordinal_position`);
  const tables = Map.groupBy(rows, ({ table_name: name }) => name);
  const written = [...tables].map(
    ([name, columns]) =>
      `  ${name}: {\n${columns.map((column) => `    ${writeColumn(column)}\n`).join('')}  };\n`,
  );
  return `${HEADER}\nexport type Tables = {\n${written.join('')}};\n`;
}

function writeColumn(column: Column): string {
  const isArray = column.udt_name.startsWith('_');
  const base = TYPES[isArray ? column.udt_name.slice(1) : column.udt_name];
  if (!base) {
    throw new Error(
      `${column.table_name}.${column.column_name} is of the type ${column.udt_name}: name its type`,
    );
  }
  const type = `${base}${isArray ? '[]' : ''}${column.is_nullable ? ' | null' : ''}`;
  if (base === 'Json' && column.has_default) return `${column.column_name}: GeneratedJson;`;
  if (column.is_always) return `${column.column_name}: GeneratedAlways<${type}>;`;
  return `${column.column_name}: ${column.has_default ? `Generated<${type}>` : type};`;
}
