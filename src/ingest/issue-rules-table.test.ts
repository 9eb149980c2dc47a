import { expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { createLog } from '#lib/log.ts';
import type { NormalizedEvent } from '#protocol/event.ts';
import { IssueRulesTable } from './issue-rules-table.ts';

const HASH = 'a'.repeat(32);
const FRAME = { filename: 'src/a.ts' };

const event = (frames: number) => ({
  tags: [],
  payload: {
    exception: { values: [{ stacktrace: { frames: Array.from({ length: frames }, () => FRAME) } }] },
  } as unknown as NormalizedEvent,
});

function tableOver(rules: string, now = () => 0) {
  let stamp = 1;
  let hashes = [{ projectId: 1, hash: HASH }];
  const loads = { hashes: 0, owners: 0 };
  const table = new IssueRulesTable(
    {
      issueDeletions: {
        stampDiscarded: async () => String(stamp),
        listDiscardedHashes: async () => {
          loads.hashes += 1;
          return hashes;
        },
      },
      ownership: {
        stamp: async () => String(stamp),
        listAutoAssigning: async () => {
          loads.owners += 1;
          return [{ projectId: 1, rules, codeowners: '', stackRoot: '', sourceRoot: '', autoAssign: true }];
        },
      },
    },
    createLog('test', 'error'),
    now,
  );
  const change = () => {
    stamp += 1;
    hashes = [];
  };
  return { table, loads, change };
}

test('is loaded again only when something changed', async () => {
  const { table, loads, change } = tableOver('src/* #web');
  await table.load();
  await table.load();
  expect(loads).toEqual({ hashes: 1, owners: 1 });
  expect(table.isDiscarded(1, ['b'.repeat(32), HASH])).toBe(true);
  expect(table.isDiscarded(2, [HASH])).toBe(false);
  change();
  await table.load();
  expect(loads).toEqual({ hashes: 2, owners: 2 });
  expect(table.isDiscarded(1, [HASH])).toBe(false);
});

test('names the owners of the rule that counts most, and nobody where it has none', async () => {
  const { table } = tableOver('src/* #web');
  await table.load();
  expect(table.findOwner(1, event(1))).toEqual({
    owners: [{ kind: 'team', slug: 'web' }],
    rule: { source: 'rules', line: 1, text: 'src/* #web', value: 'src/a.ts' },
  });
  expect(table.findOwner(2, event(1))).toBeNull();
  expect(table.findOwner(1, event(0))).toBeNull();
  const without = tableOver('src/* #web\nsrc/a.ts');
  await without.table.load();
  expect(without.table.findOwner(1, event(1))).toBeNull();
});

test('a second has its share of comparisons, the next one its own', async () => {
  let nowMs = 0;
  const { table } = tableOver(`src/* #web\n${'*x?x* #web\n'.repeat(1_999)}`, () => nowMs);
  await table.load();
  withinMs(5_000, () => {
    for (let index = 0; index < 1_000; index += 1) table.findOwner(1, event(100));
  });
  expect(table.findOwner(1, event(1))).toBeNull();
  nowMs = 1_000;
  expect(table.findOwner(1, event(1))).not.toBeNull();
});
