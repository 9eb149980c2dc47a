import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Issue, IssueChange } from '#domain/issues/issue.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores, type Tenant } from './postgres-stores.ts';
import { DAY_MS, HOUR_MS, hashOf, MINUTE_MS, makeEvent, NOON_MS } from './sample-events.ts';

describeOnPostgres('status transitions of issues', (engine) => {
  let stores: PostgresStores;
  let tenant: Tenant;
  /** Moves with every change and every event, so that one comes after the other. */
  let nowMs: number;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  async function start(events: readonly Partial<DigestedEvent>[] = [{}]): Promise<Issue> {
    tenant = await stores.createTenant();
    nowMs = NOON_MS;
    await happen(...events);
    return await theIssue();
  }

  const theIssue = async (): Promise<Issue> => (await stores.listIssues(tenant))[0]!;

  async function happen(...events: readonly Partial<DigestedEvent>[]) {
    nowMs += MINUTE_MS;
    const made = events.map((event) =>
      makeEvent({ ...tenant, occurredAt: nowMs, receivedAt: nowMs, ...event }),
    );
    return await stores.assignNext(made, { nowMs });
  }

  async function change(asked: IssueChange, userId: string | null = null): Promise<Issue> {
    nowMs += MINUTE_MS;
    const { id } = await theIssue();
    const [before] = await stores.issues.update(tenant.organizationId, [id], asked, userId, nowMs);
    return before!;
  }

  const activityTypes = async (): Promise<string[]> => {
    const activity = await stores.issues.listActivity(tenant.organizationId, (await theIssue()).id, 50);
    return activity.map(({ type }) => type).reverse();
  };
  const lastActivity = async () =>
    (await stores.issues.listActivity(tenant.organizationId, (await theIssue()).id, 1))[0];

  const outboxKinds = async (): Promise<string[]> => {
    const { rows } = await stores.database.pool.query<{ kind: string }>(
      'SELECT kind FROM outbox WHERE organization_id = $1 ORDER BY id',
      [tenant.organizationId],
    );
    return rows.map(({ kind }) => kind);
  };

  describe('resolved', () => {
    test('now: any event that was received later opens it again', async () => {
      await start([{ release: 'web@2.0' }]);
      await change({ status: 'resolved' });
      expect(await theIssue()).toMatchObject({ status: 'resolved', resolution: { kind: 'now' } });
      await happen({ release: 'web@1.0', receivedAt: NOON_MS });
      expect((await theIssue()).status).toBe('resolved');
      expect(await happen({ release: 'web@1.0' })).toMatchObject({ regressions: 1 });
      expect(await theIssue()).toMatchObject({
        status: 'unresolved',
        substatus: 'regressed',
        substatusAt: nowMs,
        resolvedAt: null,
        resolution: null,
      });
      expect(await activityTypes()).toEqual(['first_seen', 'set_resolved', 'set_regression']);
      expect(await outboxKinds()).toEqual(['first_seen', 'regression']);
    });

    test('in a release: events of older ones count, those of this and newer ones open it again', async () => {
      for (const [release, isRegression] of [
        ['web@1.9.9', false],
        ['web@2.0.0-rc.1', false],
        ['web@2.0.0', true],
        ['web@2.0.10', true],
        [null, true],
      ] as const) {
        await start([{ release: 'web@2.0.0' }, { release: 'web@1.0.0' }]);
        await change({ status: 'resolved', resolution: { kind: 'release', release: 'web@2.0.0' } });
        const result = await happen({ release });
        expect([release, result.regressions]).toEqual([release, isRegression ? 1 : 0]);
        expect((await theIssue()).timesSeen).toBe(3);
      }
    });

    test('in a release without a version: the dates decide', async () => {
      await start([{ release: 'a1b2' }]);
      await happen({ release: 'c3d4' });
      await happen({ release: 'e5f6' });
      await change({ status: 'resolved', resolution: { kind: 'release', release: 'c3d4' } });
      expect(await happen({ release: 'a1b2' })).toMatchObject({ regressions: 0 });
      expect(await happen({ release: 'e5f6' })).toMatchObject({ regressions: 1 });
      await change({ status: 'resolved', resolution: { kind: 'release', release: 'c3d4' } });
      expect(await happen({ release: 'never-seen' })).toMatchObject({ regressions: 1 });
    });

    test('in the current release: the highest version, not the one that came last', async () => {
      await start([{ release: 'web@2.0.0' }]);
      await happen({ release: 'web@10.0.0' });
      await happen({ release: 'web@1.0.0' });
      await change({ status: 'resolved', resolution: { kind: 'release', release: null } });
      expect((await theIssue()).resolution).toEqual({ kind: 'release', release: 'web@10.0.0' });
    });

    test('in the next release: a newer one names it, and its events open it again', async () => {
      await start([{ release: 'web@2.0.0' }]);
      await change({ status: 'resolved', resolution: { kind: 'next_release' } });
      expect(await theIssue()).toMatchObject({ resolution: { kind: 'next_release', after: 'web@2.0.0' } });
      expect(await happen({ release: 'web@2.0.0' })).toMatchObject({ regressions: 0 });

      const other = { groupingHash: hashOf('other'), groupingHashes: [hashOf('other')] };
      await happen({ release: 'web@1.5.0', ...other });
      expect((await theIssue()).resolution?.kind).toBe('next_release');
      await happen({ release: 'web@2.2.0', ...other }, { release: 'web@2.1.0', ...other });
      expect(await theIssue()).toMatchObject({
        status: 'resolved',
        resolution: { kind: 'release', release: 'web@2.1.0' },
      });
      expect(await lastActivity()).toMatchObject({
        type: 'set_resolved_in_release',
        user: null,
        data: { version: 'web@2.1.0', wasNextRelease: true },
      });
      expect(await happen({ release: 'web@2.0.0' })).toMatchObject({ regressions: 0 });
      expect(await happen({ release: 'web@2.1.0' })).toMatchObject({ regressions: 1 });
    });

    test('in the next release: its own event in it opens it at once', async () => {
      await start([{ release: 'web@2.0.0' }]);
      await change({ status: 'resolved', resolution: { kind: 'next_release' } });
      expect(await happen({ release: 'web@2.1.0' })).toMatchObject({ regressions: 1 });
      expect(await theIssue()).toMatchObject({ substatus: 'regressed', resolution: null });
    });

    describe('in a project with several packages', () => {
      const other = { groupingHash: hashOf('other'), groupingHashes: [hashOf('other')] };

      test('the releases of another package neither name the next one nor open the issue again', async () => {
        await start([{ release: 'web@2.0.0' }]);
        await happen({ release: 'backend@7.0.0', ...other });
        await change({ status: 'resolved', resolution: { kind: 'next_release' } });
        expect((await theIssue()).resolution).toEqual({ kind: 'next_release', after: 'web@2.0.0' });
        await happen({ release: 'backend@8.0.0', ...other }, { release: 'c3d4', ...other });
        expect(await happen({ release: 'backend@8.0.0' })).toMatchObject({ regressions: 0 });
        expect((await theIssue()).resolution).toEqual({ kind: 'next_release', after: 'web@2.0.0' });
        await happen({ release: 'web@2.1.0', ...other });
        expect((await theIssue()).resolution).toEqual({ kind: 'release', release: 'web@2.1.0' });
        expect(await happen({ release: 'backend@9.0.0' }, { release: 'c3d4' })).toMatchObject({
          regressions: 0,
        });
        expect(await happen({ release: 'web@2.1.0' })).toMatchObject({ regressions: 1 });
      });

      test('the current release is that of the package which the issue was seen in last', async () => {
        await start([{ release: 'backend@1.0.0' }]);
        await happen({ release: 'web@1.0.0' });
        await happen({ release: 'web@1.1.0', ...other });
        await happen({ release: 'backend@1.1.0', ...other });
        await change({ status: 'resolved', resolution: { kind: 'release', release: null } });
        expect((await theIssue()).resolution).toEqual({ kind: 'release', release: 'web@1.1.0' });
        for (const release of ['backend@1.1.0', 'backend@2.0.0', 'web@1.0.0']) {
          expect(await happen({ release })).toMatchObject({ regressions: 0 });
        }
        expect(await happen({ release: 'web@1.1.0' })).toMatchObject({ regressions: 1 });
      });

      test('releases without a package are a group of their own', async () => {
        await start([{ release: 'a1b2' }]);
        await happen({ release: 'web@1.0.0', ...other });
        await change({ status: 'resolved', resolution: { kind: 'next_release' } });
        expect((await theIssue()).resolution).toEqual({ kind: 'next_release', after: 'a1b2' });
        expect(await happen({ release: 'web@2.0.0' })).toMatchObject({ regressions: 0 });
        expect(await happen({ release: 'c3d4' })).toMatchObject({ regressions: 1 });
      });

      test('after a release of a package that it was never seen in, the dates decide for its own', async () => {
        await start([{ release: 'web@2.0.0' }]);
        await happen({ release: 'backend@7.0.0', ...other });
        await change({ status: 'resolved', resolution: { kind: 'next_release' } });
        const anchor = (kind: string, name: string) =>
          stores.database.pool.query(
            'UPDATE issues SET resolution = jsonb_build_object($1::text, $2::text) || $3 WHERE project_id = $4 AND id = $5',
            ['kind', kind, { [name]: 'backend@7.0.0' }, tenant.projectId, issueId],
          );
        const issueId = (await theIssue()).id;
        await anchor('next_release', 'after');
        await happen({ release: 'backend@8.0.0', ...other });
        expect((await theIssue()).resolution?.kind).toBe('next_release');
        expect(await happen({ release: 'web@2.0.0' })).toMatchObject({ regressions: 0 });
        await happen({ release: 'web@2.1.0', ...other });
        expect((await theIssue()).resolution).toEqual({ kind: 'release', release: 'web@2.1.0' });
        await anchor('release', 'release');
        expect(await happen({ release: 'web@2.0.0' })).toMatchObject({ regressions: 0 });
        expect(await happen({ release: 'web@2.1.0' })).toMatchObject({ regressions: 1 });
      });
    });

    test('in a commit: kept with it, and not opened while no release holds it', async () => {
      await start([{ release: 'web@2.0.0' }]);
      const resolution = { kind: 'commit', repository: 'shop/web', commit: '9f2c1ab' } as const;
      await change({ status: 'resolved', resolution });
      expect(await theIssue()).toMatchObject({ status: 'resolved', resolution });
      expect(await lastActivity()).toMatchObject({
        type: 'set_resolved_in_commit',
        data: { repository: 'shop/web', commit: '9f2c1ab' },
      });
      expect(await happen({ release: 'web@3.0.0' })).toMatchObject({ regressions: 0 });
    });

    test('in a release that the project has not seen is refused, and nothing is changed', async () => {
      await start([{ release: 'web@1' }]);
      const unknown = { status: 'resolved', resolution: { kind: 'release', release: 'web@9' } } as const;
      await expect(change(unknown)).rejects.toMatchObject({ code: 'invalid' });
      expect((await theIssue()).status).toBe('unresolved');
      await start([{ release: null }]);
      for (const resolution of [{ kind: 'next_release' }, { kind: 'release', release: null }] as const) {
        await expect(change({ status: 'resolved', resolution })).rejects.toMatchObject({ code: 'invalid' });
      }
    });
  });

  describe('archived', () => {
    const until = (count: number): IssueChange => ({
      status: 'archived',
      archive: { kind: 'events', count, windowMinutes: null },
    });

    test('until more events: the one that makes the count brings it back', async () => {
      await start([{}, {}, { level: 'warning' }]);
      await change(until(3), null);
      expect(await theIssue()).toMatchObject({
        status: 'archived',
        substatus: 'archived_until_condition_met',
        archive: { timesSeen: 3 },
        priority: 'medium',
      });
      await happen({}, { level: 'warning' });
      expect((await theIssue()).status).toBe('archived');
      await happen({ level: 'warning' });
      expect(await theIssue()).toMatchObject({
        status: 'unresolved',
        substatus: 'escalating',
        archive: null,
        timesSeen: 6,
        priority: 'high',
      });
      expect(await lastActivity()).toMatchObject({
        type: 'set_escalating',
        data: { reason: { kind: 'events', count: 3, windowMinutes: null } },
      });
      expect(await outboxKinds()).toEqual(['first_seen', 'escalation']);
    });

    test('forever: nothing brings it back', async () => {
      await start();
      await change({ status: 'archived', archive: { kind: 'forever' } });
      await happen(...Array.from({ length: 200 }, () => ({})));
      expect(await theIssue()).toMatchObject({ substatus: 'archived_forever', timesSeen: 201 });
      expect(await stores.issues.listWatched(0, nowMs, 0, 10)).toEqual([]);
    });

    test('until a date: it is ongoing from then on', async () => {
      await start();
      const untilMs = NOON_MS + DAY_MS;
      await change({ status: 'archived', archive: { kind: 'date', untilMs } });
      await happen({});
      expect(await stores.issues.unarchiveDueIssues(untilMs - 1, 100)).toBe(0);
      expect(await stores.issues.unarchiveDueIssues(untilMs, 100)).toBeGreaterThan(0);
      expect(await theIssue()).toMatchObject({
        status: 'unresolved',
        substatus: 'ongoing',
        substatusAt: untilMs,
        archive: null,
      });
      expect(await lastActivity()).toMatchObject({
        type: 'auto_set_ongoing',
        data: { reason: { kind: 'date' } },
      });
      expect(await outboxKinds()).toEqual(['first_seen']);
    });

    test('until escalating: the event beyond the forecast of the hour brings it back, in this hour only', async () => {
      const issue = await start();
      await change({ status: 'archived' });
      const hourEndMs = NOON_MS + HOUR_MS;
      const watch = () => stores.issues.listWatched(NOON_MS - HOUR_MS, hourEndMs, issue.id - 1, 1);
      expect(await watch()).toMatchObject([{ issueId: issue.id, timesSeen: 1 }]);
      await stores.issues.setForecasts([
        { issueId: issue.id, remaining: 3, forecast: 2, beforeMs: hourEndMs },
      ]);
      expect(await watch()).toEqual([]);
      await happen({}, {});
      expect((await theIssue()).status).toBe('archived');
      nowMs = hourEndMs;
      await happen({}, {});
      expect((await theIssue()).status).toBe('archived');
      await stores.issues.setForecasts([
        { issueId: issue.id, remaining: 2, forecast: 1, beforeMs: nowMs + HOUR_MS },
      ]);
      await happen({}, {});
      expect(await theIssue()).toMatchObject({ status: 'unresolved', substatus: 'escalating' });
      expect(await lastActivity()).toMatchObject({
        data: { reason: { kind: 'forecast', forecast: 1, events: 2 } },
      });
    });

    test('what a condition in the events brings back is left alone when somebody was faster', async () => {
      const issue = await start();
      await change({ status: 'archived', archive: { kind: 'users', count: 5, windowMinutes: 60 } });
      const { archive } = await theIssue();
      const reason = { kind: 'users', count: 5, windowMinutes: 60 } as const;
      const escalate = (archivedAt: number) =>
        stores.issues.escalateIssues([{ issueId: issue.id, archivedAt, reason }], nowMs);
      expect(await escalate(archive!.archivedAt - 1)).toBe(0);
      expect(await escalate(archive!.archivedAt)).toBe(1);
      expect(await escalate(archive!.archivedAt)).toBe(0);
      expect(await theIssue()).toMatchObject({ substatus: 'escalating', archive: null });
      expect(await outboxKinds()).toEqual(['first_seen', 'escalation']);
    });
  });

  test('undo puts a state back with its condition and its count', async () => {
    const ada = await stores.createUser('Ada');
    await start([{}, {}]);
    await change({ status: 'archived', archive: { kind: 'events', count: 3, windowMinutes: null } }, ada);
    await happen({});
    const before = await change({ status: 'resolved' }, ada);
    await change({ assigneeUserId: ada, priority: 'low' }, ada);
    const { id, status, substatus, substatusAt, resolvedAt, resolution, archive } = before;
    const state = { issueId: id, status, substatus, substatusAt, resolvedAt, resolution, archive };
    await stores.issues.restore(tenant.organizationId, { part: 'status', entries: [state] }, ada, nowMs);
    expect(await theIssue()).toMatchObject({
      ...before,
      assignee: { userId: ada },
      priority: 'low',
      priorityLockedAt: nowMs,
    });
    await happen({}, {});
    expect(await theIssue()).toMatchObject({
      status: 'unresolved',
      substatus: 'escalating',
      priority: 'low',
    });
    const entries = [{ issueId: id, priority: 'high', priorityLockedAt: null } as const];
    await stores.issues.restore(tenant.organizationId, { part: 'priority', entries }, ada, nowMs);
    expect(await theIssue()).toMatchObject({ priority: 'high', priorityLockedAt: null });
    const other = await stores.createTenant();
    await stores.issues.restore(other.organizationId, { part: 'status', entries: [state] }, ada, nowMs);
    expect((await theIssue()).status).toBe('unresolved');
  });

  test('undo names as who archived whoever did, whatever it says', async () => {
    const [ada, bob] = await Promise.all([stores.createUser('Ada'), stores.createUser('Bob')]);
    await start();
    await change({ status: 'archived', archive: { kind: 'forever' } }, ada);
    const before = await change({ status: 'unresolved' }, bob);
    const undo = async (archivedAt: number) => {
      const { id, status, substatus, substatusAt, resolvedAt, resolution } = before;
      const archive = { ...before.archive!, archivedAt, userId: 'somebody who was never here' };
      const state = { issueId: id, status, substatus, substatusAt, resolvedAt, resolution, archive };
      nowMs += MINUTE_MS;
      await stores.issues.restore(tenant.organizationId, { part: 'status', entries: [state] }, bob, nowMs);
      return (await theIssue()).archive;
    };
    expect(await undo(before.archive!.archivedAt)).toEqual(before.archive);
    expect(before.archive?.userId).toBe(ada);
    await change({ status: 'unresolved' }, bob);
    // A moment at which nobody archived it.
    expect(await undo(before.archive!.archivedAt + 1)).toMatchObject({ userId: null });
  });

  test('regressed and escalating issues settle after their time', async () => {
    await start();
    await change({ status: 'resolved' });
    await happen({});
    const regressedAt = nowMs;
    await stores.issues.settleIssues(regressedAt, nowMs, 100);
    expect((await theIssue()).substatus).toBe('regressed');
    expect(await stores.issues.settleIssues(regressedAt + 1, nowMs + 1, 100)).toBeGreaterThan(0);
    expect(await theIssue()).toMatchObject({ status: 'unresolved', substatus: 'ongoing' });
    expect(await lastActivity()).toMatchObject({ type: 'auto_set_ongoing', data: { after: 'regressed' } });
  });

  describe('hashes', () => {
    const hashes = (...names: string[]) => {
      const groupingHashes = names.map(hashOf);
      return { groupingHash: groupingHashes[0]!, groupingHashes };
    };

    test('an issue is found by any hash of an event, and takes on the others', async () => {
      const issue = await start([hashes('app', 'system')]);
      await happen(hashes('other app', 'system'));
      await happen(hashes('other app'));
      await happen(hashes('third', 'fourth', 'other app'));
      await happen(hashes('fourth'));
      expect(await stores.listIssues(tenant)).toMatchObject([{ id: issue.id, timesSeen: 5 }]);
      const mapped = await stores.issues.listHashes(tenant.organizationId, [issue.id]);
      expect(new Set(mapped.get(issue.id))).toEqual(
        new Set(['app', 'system', 'other app', 'third', 'fourth'].map(hashOf)),
      );
    });

    test('events of one batch that share a hash make one issue, whatever comes first', async () => {
      await start([hashes('a', 'x'), hashes('b', 'x'), hashes('c', 'b'), hashes('x')]);
      expect(await stores.listIssues(tenant)).toMatchObject([{ timesSeen: 4 }]);
    });

    test('of two known issues the first hash decides, and nothing is moved', async () => {
      await start([hashes('a'), hashes('b')]);
      await happen(hashes('b', 'a'));
      expect((await stores.listIssues(tenant)).map(({ timesSeen }) => timesSeen).sort()).toEqual([1, 2]);
    });

    test('batches that run at once with the same new hashes make one issue', async () => {
      await start();
      const batches = Array.from({ length: 6 }, (_, index) =>
        stores.assignNext([makeEvent({ ...tenant, ...hashes(`own ${index}`, 'shared') })]),
      );
      await Promise.all(batches);
      expect((await stores.listIssues(tenant)).map(({ timesSeen }) => timesSeen).sort()).toEqual([1, 6]);
    });
  });
});
