import { expect, test } from 'vitest';
import { parseAuditFilters, toAuditQuery } from './audit-filters.ts';

test('reads what the address holds, and the last day is included', () => {
  const filters = parseAuditFilters({
    actor: 'u1',
    action: 'member.edit',
    from: '2026-11-01',
    to: '2026-11-02',
  });
  expect(toAuditQuery(filters)).toEqual({
    actorUserId: 'u1',
    action: 'member.edit',
    fromMs: Date.UTC(2026, 10, 1),
    toMs: Date.UTC(2026, 10, 3),
  });
});

test('what is no action and no day narrows nothing', () => {
  const filters = parseAuditFilters({ actor: '', action: 'toString', from: '2026-13-45', to: 'yesterday' });
  expect(filters).toEqual({ actor: null, action: null, from: null, to: null });
  expect(Object.values(toAuditQuery(filters)).every((value) => value === undefined)).toBe(true);
});
