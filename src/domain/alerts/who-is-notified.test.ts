import { describe, expect, test } from 'vitest';
import { chooseNotified, dropQuietFirings, type Firing, type Receiver } from './who-is-notified.ts';

const ana: Receiver = { kind: 'user', userId: 'ana' };
const pager: Receiver = { kind: 'destination', destinationId: 1 };
const chat: Receiver = { kind: 'destination', destinationId: 2 };
const closings = { pagers: new Set([1]), closedAt: new Map([[7, 500]]) };

const firing = (overrides: Partial<Firing> = {}): Firing => ({
  ruleId: 3,
  issueId: 7,
  cause: 'event',
  quietSinceMs: 300,
  receivers: [ana, pager, chat],
  ...overrides,
});

describe('dropQuietFirings', () => {
  const fired = (lastAt: number | null, ...firings: Firing[]) =>
    dropQuietFirings(firings, new Map(lastAt === null ? [] : [['3:7', lastAt]]), closings);

  test('a rule that has not fired for the issue, or long ago, fires once', () => {
    expect(fired(null, firing(), firing())).toEqual([{ firing: firing(), withheld: [] }]);
    expect(fired(300, firing())).toHaveLength(1);
  });

  test('a rule that fired since is quiet about the issue', () => {
    expect(fired(301, firing())).toEqual([]);
    expect(fired(301, firing({ issueId: 8 }))).toHaveLength(1);
  });

  test.each(['regression', 'escalation'])(
    'on a %s it still notifies the pager whose incident was closed',
    (cause) => {
      const [found] = fired(400, firing({ cause }));
      expect(found?.firing.receivers).toEqual([pager]);
      expect(found?.withheld.map(({ receiver, toldAt }) => [receiver, toldAt])).toEqual([
        [ana, 400],
        [chat, 400],
      ]);
    },
  );

  test('an incident that is still open is not opened again', () => {
    expect(fired(501, firing({ cause: 'regression' }))).toEqual([]);
  });
});

test('whoever was notified of the issue before is left out, also by the rule just before', () => {
  const notifications = new Map([['7 uana', 100]]);
  expect(chooseNotified(firing(), notifications, 900)).toEqual({
    notified: [pager, chat],
    withheld: [{ receiver: ana, reason: 'told_recently', toldAt: 100 }],
  });
  expect(chooseNotified(firing({ ruleId: 4 }), notifications, 950)).toMatchObject({
    notified: [],
    withheld: [{ toldAt: 100 }, { toldAt: 900 }, { toldAt: 900 }],
  });
});
