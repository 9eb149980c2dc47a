import { expect, expectTypeOf, test } from 'vitest';
import { fromRow, type RowOf } from './from-row.ts';

type Token = { id: number; organizationId: number; scopes: readonly string[]; lastUsedAt: number | null };

test('names columns in camel case and turns dates into milliseconds', () => {
  const row = { id: 1, organization_id: 2, scopes: ['org:read'], last_used_at: new Date(5) };
  expect(fromRow<Token>(row)).toEqual({ id: 1, organizationId: 2, scopes: ['org:read'], lastUsedAt: 5 });
  expect(fromRow<Token>({ ...row, last_used_at: null }).lastUsedAt).toBeNull();
});

test('derives the row from the type', () => {
  expectTypeOf<RowOf<Token>>().toEqualTypeOf<{
    id: number;
    organization_id: number;
    scopes: readonly string[];
    last_used_at: Date | null;
  }>();
});
