import { describe, expect, test } from 'vitest';
import type { Context } from '#product/context.ts';
import { type Remembered, rememberReads } from './remember-reads.ts';

function openContext() {
  const asked: string[] = [];
  const stores = {
    projects: {
      listProjects: async (organizationId: number) => {
        asked.push(`projects of ${organizationId}`);
        return [];
      },
      findBySlug: async () => null,
    },
    issues: {
      listHashes: async (organizationId: number, issueIds: readonly number[]) => {
        asked.push(`hashes of ${organizationId}: ${issueIds}`);
        return new Map();
      },
    },
    teams: {},
  };
  return { asked, ctx: { organization: { id: 1 }, stores } as unknown as Context };
}

describe('a request', () => {
  test('reads each of what its parts ask for once', async () => {
    const { asked, ctx } = openContext();
    const remembered: Remembered = new Map();
    const { stores } = rememberReads(ctx, () => remembered);
    await Promise.all([
      stores.projects.listProjects(1),
      stores.projects.listProjects(1),
      stores.issues.listHashes(1, [5]),
    ]);
    await stores.issues.listHashes(1, [5]);
    await stores.issues.listHashes(1, [5, 6]);
    await stores.projects.listProjects(2);
    expect(asked).toEqual(['projects of 1', 'hashes of 1: 5', 'hashes of 1: 5,6', 'projects of 2']);
    expect(stores.teams).toBe(ctx.stores.teams);
  });

  test('reads anew outside of the time in which it changes nothing', async () => {
    const { asked, ctx } = openContext();
    const { stores } = rememberReads(ctx, () => new Map());
    await stores.projects.listProjects(1);
    await stores.projects.listProjects(1);
    expect(asked).toHaveLength(2);
  });
});
