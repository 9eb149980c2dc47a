import { expect, test } from 'vitest';
import type { MigrationFacts } from '#lib/migration-facts.ts';
import type { SchemaState } from '#storage/ports/schema-state.ts';
import { BYTES_A_SECOND, backupRoom, missingRoom, planUpgrade } from './plan-upgrade.ts';

const facts = (more: Partial<MigrationFacts> = {}): MigrationFacts => ({
  summary: 'Adds a table',
  cost: null,
  isCompatible: true,
  ...more,
});
const schema = (store: SchemaState['store'], pending: SchemaState['pending']): SchemaState => ({
  store,
  applied: [],
  newer: [],
  pending,
  bytes: 0,
});

test('what goes through rows takes time and room by their bytes, stores side by side', () => {
  const cost = { tables: ['events'], passes: 3, growth: 0.5 };
  const plan = planUpgrade([
    schema('PostgreSQL', [{ name: '0001_a.sql', facts: facts(), rows: 0, bytes: 0 }]),
    schema('ClickHouse', [
      { name: '0002_b.sql', facts: facts({ cost, isCompatible: false }), rows: 1_000, bytes: 80e6 },
      { name: '0003_c.sql', facts: facts(), rows: 0, bytes: 0 },
    ]),
  ]);
  const readMs = Math.round(((80e6 * 3) / BYTES_A_SECOND.ClickHouse) * 1_000);
  expect(plan.migrations.map(({ name, isInstant, ms }) => [name, isInstant, ms])).toEqual([
    ['0001_a.sql', true, 50],
    ['0002_b.sql', false, readMs],
    ['0003_c.sql', true, 50],
  ]);
  expect(plan).toMatchObject({ ms: readMs + 50, addedBytes: 40e6, oneWay: ['0002_b.sql'] });
});

test('without anything pending there is nothing to do', () => {
  expect(planUpgrade([schema('PostgreSQL', []), schema('ClickHouse', [])])).toEqual({
    migrations: [],
    ms: 0,
    addedBytes: 0,
    oneWay: [],
  });
});

test('a backup needs room for what no earlier one has, and leaves some free', () => {
  expect(backupRoom(1e9, 0)).toBe(1.2e9);
  expect(backupRoom(1e9, 0.5e9)).toBe(0.6e9);
  // What changed since is never nothing.
  expect(backupRoom(1e9, 2e9)).toBe(0.12e9);
  expect(missingRoom(1e9, 5e9)).toBe(0);
  expect(missingRoom(1e9, 1e9)).toBe(200e6);
});
