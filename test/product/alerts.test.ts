import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AlertFilter } from '#domain/alerts/alert-rule.ts';
import { ISSUE_QUIET_MS } from '#domain/alerts/delivery-budgets.ts';
import { invalid, unavailable } from '#lib/errors.ts';
import { listAlertFirings } from '#product/alerts/alert-firings.ts';
import { deleteAlertRule, setAlertRuleEnabled, snoozeAlertRule } from '#product/alerts/change-alert-rules.ts';
import { DEFAULT_RULES } from '#product/alerts/default-rules.ts';
import { ENTRIES_PER_BATCH } from '#product/alerts/evaluate/evaluate-outbox.ts';
import { listAlertRules } from '#product/alerts/list-alert-rules.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import { createProject } from '#product/projects/create-project.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { hashOf, MINUTE_MS } from '../contract/sample-events.ts';
import { testInFull } from '../harness/is-full.ts';
import { type AlertScene, openAlertScene } from './alert-scene.ts';

let scene: AlertScene;
beforeAll(async () => {
  scene = await openAlertScene();
});
afterAll(async () => {
  await scene?.close();
});

/** No rule of one test looks at the events of another. */
afterEach(async () => {
  const rules = await listAlertRules(scene.owner, { projectSlugs: [] });
  for (const { rule } of rules) await deleteAlertRule(scene.owner, rule.id);
  scene.later(2 * 60 * MINUTE_MS);
});

let count = 0;
/** An event of an issue of its own. */
const fresh = (input: Partial<DigestedEvent> = {}): Partial<DigestedEvent> => {
  const title = `Error ${count++}`;
  return { title, groupingHash: hashOf(title), groupingHashes: [hashOf(title)], ...input };
};

async function resolve(title: string, change: Parameters<typeof updateIssues>[1]['change']): Promise<void> {
  const issue = (await scene.listIssues()).find((each) => each.title === title);
  await updateIssues(scene.owner, { issueIds: [issue!.id], change });
}

describe('triggers', () => {
  test('a new issue, once', async () => {
    const rule = await scene.rule();
    const error = fresh();
    await scene.happen(error);
    await scene.evaluate();
    await scene.happen(error);
    await scene.evaluate();
    expect(await scene.causesOf(rule.id)).toEqual(['first_seen']);
    expect(await scene.notifiedBy(rule.id)).toEqual([scene.owner.userId]);
  });

  test('a regression', async () => {
    const rule = await scene.rule({ triggers: ['regression'] });
    const error = fresh();
    await scene.happen(error);
    await resolve(error.title!, { status: 'resolved' });
    scene.later(MINUTE_MS);
    await scene.happen(error);
    await scene.evaluate();
    expect(await scene.causesOf(rule.id)).toEqual(['regression']);
  });

  test('an archived issue that escalates, by an event and by the clock', async () => {
    const rule = await scene.rule({ triggers: ['escalation'] });
    const [error, quiet] = [fresh(), fresh()];
    await scene.happen(error, quiet);
    const until = { kind: 'events', count: 1, windowMinutes: null } as const;
    await resolve(error.title!, { status: 'archived', archive: until });
    await resolve(quiet.title!, { status: 'archived' });
    scene.later(MINUTE_MS);
    await scene.happen(error);
    const issue = (await scene.listIssues()).find(({ title }) => title === quiet.title)!;
    const { archivedAt } = issue.archive!;
    const reason = { kind: 'forecast', events: 9, forecast: 1 } as const;
    await scene.stores.issues.escalateIssues([{ issueId: issue.id, archivedAt, reason }], scene.clock.nowMs);
    await scene.evaluate();
    const fired = await scene.firingsOf(rule.id);
    expect(fired.map(({ cause }) => cause)).toEqual(['escalation', 'escalation']);
  });

  test('each event, at most once in the time of the rule for an issue', async () => {
    const rule = await scene.rule({ triggers: ['event'], frequencyMinutes: 5 });
    const [one, other] = [fresh(), fresh()];
    for (const events of [[one], [one, other], [one]]) {
      await scene.happen(...events);
      await scene.evaluate();
      scene.later(MINUTE_MS);
    }
    expect(await scene.causesOf(rule.id)).toEqual(['event', 'event']);
    scene.later(2 * MINUTE_MS);
    await scene.happen(one);
    await scene.evaluate();
    expect(await scene.causesOf(rule.id)).toEqual(['event', 'event', 'event']);
  });

  test('what came before the rule, or while it was disabled or snoozed, is not told', async () => {
    await scene.happen(fresh());
    scene.later(1);
    const rule = await scene.rule({ triggers: ['first_seen', 'event'] });
    await scene.evaluate();
    await setAlertRuleEnabled(scene.owner, rule.id, false);
    await scene.happen(fresh());
    await scene.evaluate();
    await setAlertRuleEnabled(scene.owner, rule.id, true);
    await snoozeAlertRule(scene.owner, rule.id, scene.clock.nowMs + MINUTE_MS);
    await scene.happen(fresh());
    await scene.evaluate();
    expect(await scene.causesOf(rule.id)).toEqual([]);
    scene.later(MINUTE_MS);
    await scene.happen(fresh());
    await scene.evaluate();
    expect(await scene.causesOf(rule.id)).toEqual(['first_seen']);
  });

  test('an issue that somebody closed meanwhile is told to nobody', async () => {
    const rule = await scene.rule({ triggers: ['first_seen', 'event'] });
    const error = fresh();
    await scene.happen(error);
    await resolve(error.title!, { status: 'archived' });
    await scene.evaluate();
    await scene.happen(error);
    await scene.evaluate();
    expect(await scene.causesOf(rule.id)).toEqual([]);
  });
});

describe('filters', () => {
  const frames = [{ filename: 'src/cart.ts', in_app: true }];
  const error = (): Partial<DigestedEvent> => {
    const made = fresh({ level: 'warning', environment: 'production', tags: [['browser', 'Firefox']] });
    return {
      ...made,
      payload: {
        type: 'error',
        level: 'warning',
        platform: 'javascript',
        exception: { values: [{ type: 'TypeError', value: 'x', stacktrace: { frames } }] },
      } as unknown as DigestedEvent['payload'],
    };
  };

  const cases: [string, AlertFilter, AlertFilter][] = [
    [
      'level',
      { kind: 'level', match: 'at_least', level: 'warning' },
      { kind: 'level', match: 'at_least', level: 'error' },
    ],
    [
      'tag',
      { kind: 'tag', key: 'browser', match: 'equals', value: 'firefox' },
      { kind: 'tag', key: 'browser', match: 'equals', value: 'chrome' },
    ],
    [
      'attribute',
      { kind: 'attribute', attribute: 'stacktrace.filename', match: 'contains', value: 'cart' },
      { kind: 'attribute', attribute: 'exception.type', match: 'equals', value: 'KeyError' },
    ],
    ['age', { kind: 'age', compare: 'newer', minutes: 5 }, { kind: 'age', compare: 'older', minutes: 5 }],
    ['times seen', { kind: 'times_seen', atLeast: 1 }, { kind: 'times_seen', atLeast: 2 }],
    [
      'assigned',
      { kind: 'assigned', to: { kind: 'nobody' } },
      { kind: 'assigned', to: { kind: 'team', teamId: 0 } },
    ],
    ['category', { kind: 'category', category: 'error' }, { kind: 'category', category: 'feedback' }],
    ['priority', { kind: 'priority', atLeast: 'medium' }, { kind: 'priority', atLeast: 'high' }],
    [
      'events in a window',
      { kind: 'event_count', above: 0, minutes: 60 },
      { kind: 'event_count', above: 1, minutes: 60 },
    ],
    [
      'users in a window',
      { kind: 'user_count', above: 0, minutes: 60 },
      { kind: 'user_count', above: 1, minutes: 60 },
    ],
  ];

  test.each(cases)('%s, of a new issue and of each event', async (_, fitting, other) => {
    const team = await scene.stores.teams.create(scene.mine.id, { slug: `t${count}`, name: 'Team' });
    const named = (filter: AlertFilter): AlertFilter =>
      filter.kind === 'assigned' && filter.to.kind === 'team'
        ? { ...filter, to: { kind: 'team', teamId: team.id } }
        : filter;
    const rules = [];
    for (const trigger of ['first_seen', 'event'] as const) {
      for (const filter of [fitting, other]) {
        rules.push(await scene.rule({ triggers: [trigger], filters: [named(filter)] }));
      }
    }
    await scene.happen({ ...error(), user: { id: 'u1', email: null, username: null, ip: null } });
    await scene.evaluate();
    const fired = await Promise.all(rules.map(({ id }) => scene.causesOf(id)));
    expect(fired).toEqual([['first_seen'], [], ['event'], []]);
  });

  test.each(['person', 'team'] as const)('assigned, to a %s before the event', async (kind) => {
    const { product, stores, mine, owner } = scene;
    const other = await product.join(mine, 'member');
    const team = await stores.teams.create(mine.id, { slug: `of-${kind}`, name: 'Of it' });
    const assigned = error();
    await scene.happen(assigned);
    const change = kind === 'person' ? { assigneeUserId: owner.userId } : { assigneeTeamId: team.id };
    await resolve(assigned.title!, change);
    scene.later(MINUTE_MS);
    const rules = [];
    for (const to of [
      { kind: 'user', userId: owner.userId },
      { kind: 'user', userId: other.userId },
      { kind: 'team', teamId: team.id },
      { kind: 'nobody' },
    ] as const) {
      rules.push(await scene.rule({ triggers: ['event'], filters: [{ kind: 'assigned', to }] }));
    }
    await scene.happen(assigned);
    await scene.evaluate();
    const fired = await Promise.all(rules.map(async ({ id }) => (await scene.causesOf(id)).length));
    expect(fired).toEqual(kind === 'person' ? [1, 0, 0, 0] : [0, 0, 1, 0]);
  });

  test('all, any, none', async () => {
    const fits = { kind: 'level', match: 'equals', level: 'warning' } as const;
    const not = { kind: 'times_seen', atLeast: 9 } as const;
    const rules = [];
    for (const filterMatch of ['all', 'any', 'none'] as const) {
      for (const filters of [[fits], [not], [fits, not]]) {
        rules.push(await scene.rule({ triggers: ['event'], filters, filterMatch }));
      }
    }
    await scene.happen(error());
    await scene.evaluate();
    const fired = await Promise.all(rules.map(async ({ id }) => (await scene.causesOf(id)).length));
    expect(fired).toEqual([1, 0, 0, 1, 0, 1, 0, 1, 0]);
  });

  test('the environment of the rule', async () => {
    const rules = [];
    for (const environment of ['production', 'staging']) {
      for (const trigger of ['first_seen', 'event'] as const) {
        rules.push(await scene.rule({ triggers: [trigger] }, { environment }));
      }
    }
    await scene.happen(error());
    await scene.evaluate();
    const fired = await Promise.all(rules.map(async ({ id }) => (await scene.causesOf(id)).length));
    expect(fired).toEqual([1, 1, 0, 0]);
  });

  testInFull(
    'of an environment: an issue is new when it comes there, is counted there, and came back there',
    async () => {
      const of = { environment: 'production' };
      const counting = { kind: 'event_count', above: 1, minutes: 60 } as const;
      const first = await scene.rule({}, of);
      const counted = await scene.rule({ triggers: ['event'], filters: [counting] }, of);
      const back = await scene.rule({ triggers: ['escalation'] }, of);
      const [staging, production] = ['staging', 'production'].map((environment) =>
        fresh({
          environment,
          title: 'Shipped',
          groupingHash: hashOf('shipped'),
          groupingHashes: [hashOf('shipped')],
        }),
      );
      const causes = async () =>
        await Promise.all([first, counted, back].map(async ({ id }) => (await scene.causesOf(id)).join(' ')));
      const happen = async (...events: readonly (Partial<DigestedEvent> | undefined)[]) => {
        scene.later(15 * MINUTE_MS);
        await scene.happen(...events.map((event) => event ?? {}));
        await scene.evaluate();
        return await causes();
      };
      expect(await happen(staging, staging, staging)).toEqual(['', '', '']);
      expect(await happen(production)).toEqual(['first_seen', '', '']);
      expect(await happen(production)).toEqual(['first_seen', 'event', '']);
      // A digest that has forgotten it looks again.
      await scene.restartDigest();
      scene.later(60 * MINUTE_MS);
      expect(await happen(production)).toEqual(['first_seen', 'event', '']);

      await resolve('Shipped', { status: 'archived' });
      await happen(staging);
      const issue = (await scene.listIssues()).find(({ title }) => title === 'Shipped')!;
      const reason = { kind: 'forecast', events: 9, forecast: 1 } as const;
      const { archivedAt } = issue.archive!;
      await scene.stores.issues.escalateIssues(
        [{ issueId: issue.id, archivedAt, reason }],
        scene.clock.nowMs,
      );
      await scene.evaluate();
      expect((await causes())[2]).toBe('escalation');
    },
  );

  test('the latest release of the project', async () => {
    const rules = [];
    for (const trigger of ['first_seen', 'event'] as const) {
      rules.push(await scene.rule({ triggers: [trigger], filters: [{ kind: 'latest_release' }] }));
    }
    const of = (release: string) => ({
      ...fresh({ release }),
      payload: { release } as DigestedEvent['payload'],
    });
    await scene.happen(of('web@1.0.0'), of('web@2.0.0'));
    await scene.evaluate();
    expect(await Promise.all(rules.map(({ id }) => scene.causesOf(id)))).toEqual([['first_seen'], ['event']]);
  });

  test('a count is reached by the event that reaches it', async () => {
    const filters = [{ kind: 'event_count', above: 2, minutes: 5 }] as const;
    const rule = await scene.rule({ triggers: ['event'], filters });
    const same = fresh();
    const fired: number[] = [];
    for (let index = 0; index < 4; index++) {
      await scene.happen(same);
      await scene.evaluate();
      fired.push((await scene.causesOf(rule.id)).length);
    }
    expect(fired).toEqual([0, 0, 1, 1]);
  });
});

describe('who is told', () => {
  test('one message for one issue to one receiver in half an hour, whatever fires', async () => {
    const [one, other] = [await scene.rule(), await scene.rule({ triggers: ['event'], frequencyMinutes: 5 })];
    const error = fresh();
    await scene.happen(error);
    await scene.evaluate();
    expect([...(await scene.notifiedBy(one.id)), ...(await scene.notifiedBy(other.id))]).toEqual([
      scene.owner.userId,
    ]);
    const [, second] = [await scene.firingsOf(one.id), await scene.firingsOf(other.id)];
    const withheld = [...(await scene.firingsOf(one.id)), ...second].flatMap((firing) => firing.withheld);
    expect(withheld).toEqual([
      {
        receiver: { kind: 'user', userId: scene.owner.userId },
        reason: 'told_recently',
        toldAt: scene.clock.nowMs,
      },
    ]);
    const taken = await scene.stores.deliveries.take(scene.clock.nowMs, {
      leaseUntil: scene.clock.nowMs + MINUTE_MS,
      mailLeaseUntil: scene.clock.nowMs + MINUTE_MS,
      limit: 100,
      mailsMax: 100,
      reportsMax: 100,
      issuesMax: 10,
      metricsMax: 10,
      mailsPerHourMax: 1_000,
    });
    for (const delivery of taken) {
      await scene.stores.deliveries.finish(
        delivery,
        'sent',
        { error: null, status: null },
        scene.clock.nowMs,
      );
    }
    scene.later(ISSUE_QUIET_MS - 1);
    await scene.happen(error);
    await scene.evaluate();
    const before = await scene.notifiedBy(other.id);
    scene.later(6 * MINUTE_MS);
    await scene.happen(error);
    await scene.evaluate();
    expect(await scene.notifiedBy(other.id)).toEqual([...before, scene.owner.userId]);
  });

  test('people who see the project and want mail, each once, and places that are there', async () => {
    const { product, stores, mine, web } = scene;
    const [ana, bo, silent] = [
      await product.join(mine, 'member'),
      await product.join(mine, 'member'),
      await product.join(mine, 'member'),
    ];
    const team = await stores.teams.create(mine.id, { slug: 'told', name: 'Told' });
    for (const { userId } of [ana, bo, silent]) {
      await stores.teams.setMember(mine.id, team.id, userId, true);
    }
    const place = { organizationId: mine.id, projectId: web.id };
    await stores.notifications.set(silent.userId, place, 'alerts', false);
    const [kept, gone] = [
      await stores.destinations.add(
        mine.id,
        { kind: 'ntfy', name: 'Kept', config: {}, secret: {} },
        null,
        scene.clock.nowMs,
      ),
      await stores.destinations.add(
        mine.id,
        { kind: 'ntfy', name: 'Gone', config: {}, secret: {} },
        null,
        scene.clock.nowMs,
      ),
    ];
    const rule = await scene.rule({
      receivers: [
        { kind: 'team', teamId: team.id },
        { kind: 'user', userId: ana.userId },
        { kind: 'destination', destinationId: kept.id },
        { kind: 'destination', destinationId: gone.id },
      ],
    });
    await stores.destinations.remove(mine.id, gone.id);
    await stores.members.remove(mine.id, bo.userId);
    await scene.happen(fresh());
    await scene.evaluate();
    expect(await scene.notifiedBy(rule.id)).toEqual([ana.userId, `destination ${kept.id}`].sort());
    await stores.teams.delete(mine.id, team.id);
    await scene.happen(fresh());
    await scene.evaluate();
    expect(await scene.causesOf(rule.id)).toHaveLength(2);
  });

  test('the owners: the assignee, else whom the rules name, else the members of the project', async () => {
    const { product, stores, mine, web } = scene;
    const [ana, bo] = [await product.join(mine, 'member'), await product.join(mine, 'member')];
    const rule = await scene.rule({ receivers: [{ kind: 'owners', otherwise: 'members' }] });
    const team = await stores.teams.create(mine.id, { slug: 'owning', name: 'Owning' });
    await stores.teams.setMember(mine.id, team.id, bo.userId, true);
    await stores.teams.setProject(mine.id, team.id, web.id, true);
    const stored = await stores.ownership.find(mine.id, web.id);
    const ownership = { codeowners: '', stackRoot: '', sourceRoot: '', autoAssign: false };
    await stores.ownership.save(
      mine.id,
      web.id,
      { ...ownership, rules: `path:src/pay/* ${ana.email}` },
      stored!.version,
      null,
      scene.clock.nowMs,
    );
    const at = (filename: string) => ({
      ...fresh(),
      payload: {
        type: 'error',
        platform: 'javascript',
        exception: { values: [{ type: 'E', stacktrace: { frames: [{ filename }] } }] },
      } as unknown as DigestedEvent['payload'],
    });
    const told = async () => {
      await scene.evaluate();
      const [last] = (await scene.firingsOf(rule.id)).toReversed();
      const found = await stores.deliveries.findByFirings(mine.id, [last!.id], null);
      return (found.get(last!.id) ?? []).map(({ receiver }) => receiver.kind === 'user' && receiver.userId);
    };
    await scene.happen(at('src/pay/card.ts'));
    expect(await told()).toEqual([ana.userId]);
    scene.later(1);
    await scene.happen(at('src/home.ts'));
    expect(await told()).toEqual([bo.userId]);
    const assigned = at('src/pay/card.ts');
    scene.later(1);
    await scene.happen(assigned);
    await resolve(assigned.title!, { assigneeUserId: scene.owner.userId });
    expect(await told()).toEqual([scene.owner.userId]);
    await stores.teams.delete(mine.id, team.id);
  });
});

test('nobody hears of a project that they do not see', async () => {
  const { product, stores, mine } = scene;
  const [outside, manager] = [await product.join(mine, 'member'), await product.join(mine, 'manager')];
  const rule = await scene.rule({
    receivers: [outside, manager].map(({ userId }) => ({ kind: 'user', userId })),
  });
  await stores.organizations.update(mine.id, { isOpen: false }, scene.clock.nowMs);
  await scene.happen(fresh());
  await scene.evaluate();
  await stores.organizations.update(mine.id, { isOpen: true }, scene.clock.nowMs);
  expect(await scene.notifiedBy(rule.id)).toEqual([manager.userId]);
});

test('a new project begins with rules for errors', async () => {
  const { project } = await createProject(scene.owner, { slug: 'fresh', platform: null });
  const rows = await listAlertRules(scene.owner, { projectSlugs: ['fresh'] });
  expect(rows.map(({ rule }) => [rule.name, rule.projectId, rule.definition])).toEqual(
    DEFAULT_RULES.map(({ name, definition }) => [name, project.id, definition]),
  );
});

test('the history says what became of each', async () => {
  const rule = await scene.rule();
  for (let index = 0; index < 3; index++) {
    await scene.happen(fresh());
    await scene.evaluate();
    scene.later(1);
  }
  const first = await listAlertFirings(scene.owner, { ruleId: rule.id, cursor: null, limit: 2 });
  const second = await listAlertFirings(scene.owner, {
    ruleId: rule.id,
    cursor: first.nextCursor,
    limit: 2,
  });
  const rows = [...first.firings, ...second.firings];
  expect(second.nextCursor).toBeNull();
  expect(rows.map(({ issue }) => issue?.title)).toEqual([2, 1, 0].map((back) => `Error ${count - 3 + back}`));
  expect(rows.every(({ deliveries }) => deliveries.length === 1)).toBe(true);
});

testInFull('more news than a batch holds is looked at in several', async () => {
  const rule = await scene.rule();
  const many = Array.from({ length: ENTRIES_PER_BATCH + 5 }, () => fresh());
  await scene.happen(...many);
  expect(await scene.evaluate()).toBe(ENTRIES_PER_BATCH);
  expect(await scene.evaluate()).toBe(5);
  expect(await scene.evaluate()).toBe(0);
  const { pool } = scene.product;
  const fired = await pool.query<{ count: number }>('SELECT count(*) FROM alert_firings WHERE rule_id = $1', [
    rule.id,
  ]);
  expect(fired.rows[0]?.count).toBe(ENTRIES_PER_BATCH + 5);
});

test('what can only not be counted in time counts as more, and is asked only when it may be', async () => {
  const filters = [{ kind: 'event_count', above: 1, minutes: 60 }] as const;
  const rule = await scene.rule({ triggers: ['event'], filters });
  const [busy, calm] = [fresh(), fresh()];
  const { alertEvents } = scene.stores;
  let asked: number[] = [];
  const slow: Partial<typeof scene.stores> = {
    alertEvents: {
      ...alertEvents,
      countWindow: (_scope, issues) => {
        asked = issues.map(({ issueId }) => issueId);
        return Promise.reject(invalid('It needs more than 8 seconds', 'query'));
      },
    },
  };
  await scene.happen(busy, calm);
  await scene.evaluate(slow);
  expect(asked).toEqual([]);
  await scene.happen(busy);
  await scene.evaluate(slow);
  expect(asked).toHaveLength(1);
  expect((await scene.firingsOf(rule.id)).map(({ issueId }) => issueId)).toEqual(asked);
});

test('events are held a few at a time', async () => {
  const handled = { kind: 'attribute', attribute: 'message', match: 'is_set', value: '' } as const;
  const rule = await scene.rule({ filters: [handled] });
  await scene.happen(...Array.from({ length: 35 }, () => fresh()));
  const { alertEvents } = scene.stores;
  const sizes: number[] = [];
  const findEvents: typeof alertEvents.findEvents = async (organizationId, wanted, since, withPayload) => {
    if (withPayload) sizes.push(wanted.length);
    return await alertEvents.findEvents(organizationId, wanted, since, withPayload);
  };
  await scene.evaluate({ alertEvents: { ...alertEvents, findEvents } });
  expect(sizes).toEqual([10, 10, 10, 5]);
  expect(await scene.causesOf(rule.id)).toHaveLength(35);
});

test('a failure that passes costs nobody a message', async () => {
  const rule = await scene.rule();
  await scene.happen(fresh());
  let fails = 1;
  const { alertOutbox } = scene.stores;
  const failing: typeof alertOutbox = {
    ...alertOutbox,
    finish: async (...asked) => {
      if (fails-- > 0) throw new Error('violates foreign key constraint');
      return await alertOutbox.finish(...asked);
    },
  };
  await scene.evaluate({ alertOutbox: failing });
  expect(await scene.causesOf(rule.id)).toEqual(['first_seen']);
});

test('news that cannot be judged is set aside alone', async () => {
  const rule = await scene.rule({ filters: [{ kind: 'level', match: 'equals', level: 'error' }] });
  await scene.happen(fresh(), fresh(), fresh());
  const bad = (await scene.listIssues())[1]!;
  const { alertEvents } = scene.stores;
  const failing: typeof alertEvents = {
    ...alertEvents,
    findEvents: async (organizationId, wanted, ...rest) => {
      if (wanted.some(({ issueId }) => issueId === bad.id)) throw new TypeError('A defect');
      return await alertEvents.findEvents(organizationId, wanted, ...rest);
    },
  };
  await scene.evaluate({ alertEvents: failing });
  const fired = await scene.firingsOf(rule.id);
  expect(fired.map(({ issueId }) => issueId)).toHaveLength(2);
  expect(fired.map(({ issueId }) => issueId)).not.toContain(bad.id);
  expect(await scene.evaluate()).toBe(0);
});

test('while a store is away the news waits', async () => {
  const rule = await scene.rule({ filters: [{ kind: 'level', match: 'equals', level: 'error' }] });
  await scene.happen(fresh());
  const { alertEvents } = scene.stores;
  const away: typeof alertEvents = {
    ...alertEvents,
    findEvents: async () => {
      throw unavailable('ClickHouse is away');
    },
  };
  await expect(scene.evaluate({ alertEvents: away })).rejects.toThrow('away');
  expect(await scene.causesOf(rule.id)).toEqual([]);
  await scene.evaluate();
  expect(await scene.causesOf(rule.id)).toEqual(['first_seen']);
});
