import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FIXTURES_RECEIVED_AT_MS, itemContext, rawItem } from '../fixtures/digest-fixture.ts';
import { digestCheckIn, LATEST_CHECK_IN } from './digest-check-in.ts';
import { slugOfMonitor } from './monitor-config.ts';

const checkIn = (fields: Record<string, unknown> = {}) => ({
  check_in_id: 'A460C25F-F255-4577-B920-FCFACAE4E5EB',
  monitor_slug: 'nightly-report',
  status: 'in_progress',
  ...fields,
});
const digest = (payload: unknown) => digestCheckIn(rawItem('check_in', payload), itemContext());
const rowOf = (fields: Record<string, unknown> = {}) => digest(checkIn(fields)).rows.checkIns?.[0];
const reasonOf = (fields: Record<string, unknown>) => digest(checkIn(fields)).outcomes[0]?.reason;

describe('a check-in', () => {
  test('is read as it was sent', () => {
    expect(
      rowOf({
        status: 'ok',
        environment: 'staging',
        duration: 21.5,
        contexts: { trace: { trace_id: '8f431b7aa08441bbbd5a0100fd91f9fe' } },
        monitor_config: {
          schedule: { type: 'crontab', value: '0 * * * *', other: 1 },
          checkin_margin: 5,
          max_runtime: 10,
          timezone: 'Europe/Vienna',
          failure_issue_threshold: 3,
          recovery_threshold: 1,
          owner: 'user:123',
          unknown: true,
        },
      }),
    ).toMatchObject({
      checkInId: 'a460c25ff2554577b920fcfacae4e5eb',
      monitorSlug: 'nightly-report',
      status: 'ok',
      environment: 'staging',
      durationMs: 21_500,
      occurredAt: FIXTURES_RECEIVED_AT_MS,
      traceId: '8f431b7aa08441bbbd5a0100fd91f9fe',
    });
    expect(
      rowOf({ monitor_config: { schedule: { type: 'interval', value: 5, unit: 'day' }, junk: 1 } })
        ?.monitorConfig,
    ).toEqual({
      schedule: { type: 'interval', value: 5, unit: 'day' },
    });
  });

  test('is of production unless it says otherwise', () => {
    expect(rowOf()?.environment).toBe('production');
    expect(rowOf({ environment: '' })?.environment).toBe('production');
  });

  test.each([undefined, null, '', 'latest', '0'.repeat(32), '00000000-0000-0000-0000-000000000000'])(
    'with the id %s is about the latest one',
    (check_in_id) => {
      expect(rowOf({ check_in_id })?.checkInId).toBe(LATEST_CHECK_IN);
    },
  );

  test.each([
    [{ check_in_id: 'x' }, 'invalid_check_in'],
    [{ status: 'missed' }, 'invalid_check_in'],
    [{ status: undefined }, 'invalid_check_in'],
    [{ monitor_slug: '' }, 'invalid_check_in'],
    [{ monitor_slug: '///' }, 'invalid_check_in'],
    [{ monitor_slug: 5 }, 'invalid_check_in'],
    [{ environment: 'x'.repeat(65) }, 'invalid_environment'],
    [{ duration: -1 }, 'invalid_duration'],
    [{ duration: 'long' }, 'invalid_duration'],
    [{ duration: 1e9 }, 'invalid_duration'],
    [{ monitor_config: {} }, 'invalid_monitor_config'],
    [
      { monitor_config: { schedule: { type: 'interval', value: 5, unit: 'fortnight' } } },
      'invalid_monitor_config',
    ],
    [{ monitor_config: { schedule: { type: 'crontab', value: 5 } } }, 'invalid_monitor_config'],
    [
      { monitor_config: { schedule: { type: 'crontab', value: '* * * * *' }, checkin_margin: '5' } },
      'invalid_monitor_config',
    ],
  ])('is refused with %j', (fields, reason) => {
    expect(reasonOf(fields)).toBe(reason);
  });

  test('whatever is sent, there is exactly one outcome', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          'check_in_id',
          'monitor_slug',
          'status',
          'environment',
          'duration',
          'contexts',
          'monitor_config',
        ),
        fc.jsonValue(),
        (name, value) => {
          const { outcomes, rows } = digest(checkIn({ [name]: value }));
          expect(outcomes).toHaveLength(1);
          expect(rows.checkIns?.length ?? 0).toBe(outcomes[0]?.outcome === 'accepted' ? 1 : 0);
        },
      ),
    );
  });
});

describe('the slug of a monitor', () => {
  test.each([
    ['Nightly Report', 'nightly-report'],
    ['  --a__b--  ', 'a__b'],
    ['Ünïcode Jöb', 'unicode-job'],
    ['a/b.c', 'abc'],
    ['x'.repeat(80), 'x'.repeat(50)],
    [`${'x'.repeat(49)}-yyy`, 'x'.repeat(49)],
  ])('%s is %s', (name, slug) => {
    expect(slugOfMonitor(name)).toBe(slug);
  });

  test('is always short, and made again it is the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        const slug = slugOfMonitor(name);
        expect(slug).toMatch(/^(?:[a-z0-9](?:[a-z0-9_-]{0,48}[a-z0-9])?)?$/);
        expect(slugOfMonitor(slug)).toBe(slug);
      }),
    );
  });
});
