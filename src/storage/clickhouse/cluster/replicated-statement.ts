const CREATE_TABLE = /^CREATE TABLE (?:IF NOT EXISTS )?([a-z0-9_]+)/;
const ENGINE = /\bENGINE = ([A-Za-z]*MergeTree)\b(?:\(([^()]*)\))?/;
/** What each server notes of itself. */
const OWN_LISTS = /^schema_/;
const ON_EVERY_REPLICA = /^(?:CREATE|DROP)\b|^ALTER TABLE [a-z0-9_]+\s+MODIFY SETTING\b/;

/**
 * A statement as servers with the same rows need it: tables are kept alike through Keeper, and a change has ended when it
 * has on all of them. `database` has the tables; servers fill in what is in braces.
 */
export function replicatedStatement(statement: string, database: string): string {
  const table = CREATE_TABLE.exec(statement)?.[1];
  if (table === undefined) return statement.replace(/\bmutations_sync = 1\b/, 'mutations_sync = 2');
  if (OWN_LISTS.test(table)) return statement;
  return statement.replace(ENGINE, (_, engine: string, parameters: string | undefined) => {
    const path = `'/clickhouse/tables/{shard}/${database}/${table}'`;
    return `ENGINE = Replicated${engine}(${[path, "'{replica}'", parameters].filter(Boolean).join(', ')})`;
  });
}

/** Whether a statement changes what Keeper does not pass on: the tables themselves, and their settings. */
export const runsOnEveryReplica = (statement: string): boolean =>
  ON_EVERY_REPLICA.test(statement.trimStart());
