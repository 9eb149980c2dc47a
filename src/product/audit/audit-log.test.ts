import { expect, test } from 'vitest';
import type { Context } from '#product/context.ts';
import { exportAuditEntries } from './audit-log.ts';
import type { AuditEntry } from './audit-store.ts';

const entry = (name: string): AuditEntry => ({
  id: 1,
  organizationId: 1,
  at: Date.UTC(2026, 10, 22),
  action: 'team.create',
  actor: { kind: 'user', userId: 'u1', name, tokenId: null },
  ipAddress: '203.0.113.7',
  target: { kind: 'team', id: '2', name: 'web' },
  data: { note: 'a "quoted", text' },
});

async function exported(entries: readonly AuditEntry[]): Promise<string> {
  const audit = { list: async () => entries };
  const ctx = { stores: { audit }, organization: { id: 1 }, actor: { kind: 'system' } } as unknown as Context;
  let text = '';
  for await (const piece of exportAuditEntries(ctx, {})) text += piece;
  return text;
}

test('one line each, quoted where CSV needs it', async () => {
  expect(await exported([entry('Ana')])).toBe(
    'time,action,actor,actor_kind,actor_user_id,token_id,ip_address,target_kind,target_id,target,data\r\n' +
      '2026-11-22T00:00:00.000Z,team.create,Ana,user,u1,,203.0.113.7,team,2,web,"{""note"":""a \\""quoted\\"", text""}"\r\n',
  );
});
