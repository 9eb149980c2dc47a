import { describe, expect, test } from 'vitest';
import {
  crashFixture,
  FOREIGN_FRAME,
  groupFixture,
  hashedValues,
  OWN_FRAME,
} from '../../fixtures/group-fixture.ts';

describe('exceptions', () => {
  test('of which the type is synthetic are known by their stack', () => {
    expect(
      hashedValues(
        groupFixture(crashFixture([OWN_FRAME], { mechanism: { type: 'signal', synthetic: true } })),
      ),
    ).toEqual({
      app: ['shop.cart', 'pay'],
    });
  });

  test('of Cocoa are told apart by domain and code', () => {
    const nsError = { type: 'NSError', meta: { ns_error: { domain: 'shop', code: 7 } } };
    const grouping = groupFixture({
      exception: { values: [{ type: 'NSError', value: 'Code: 7', mechanism: nsError }] },
    });
    expect(hashedValues(grouping)).toEqual({ app: ['NSError', 'shop', '7'] });
  });

  test('in a chain count in their order; without a stack only in app', () => {
    const payload = crashFixture([FOREIGN_FRAME, OWN_FRAME]);
    payload.exception.values.unshift({ type: 'Cause', value: 'x' } as never);
    expect(hashedValues(groupFixture(payload))).toEqual({
      app: ['Cause', 'x', 'CartError', 'shop.cart', 'pay'],
      system: ['CartError', 'web.server', 'serve', 'shop.cart', 'pay'],
    });
  });

  test('of a dump without names are told apart by where the process died', () => {
    const dump = (image: string) => ({
      platform: 'native',
      exception: {
        values: [
          {
            type: 'SIGSEGV / 0x0',
            value: 'Fatal Error: SIGSEGV / 0x0',
            mechanism: { type: 'minidump', synthetic: true },
            stacktrace: { frames: [{ instruction_addr: '0x1000', package: image }] },
          },
        ],
      },
    });
    expect(hashedValues(groupFixture(dump('C:\\Shop\\Cart.dll')))).toEqual({
      app: ['Fatal Error: SIGSEGV / <hex>', 'cart.dll'],
    });
    expect(groupFixture(dump('/lib/a.so')).hashes).not.toEqual(groupFixture(dump('/lib/b.so')).hashes);
  });

  test('of a crash dump without names count the place in the module, wherever it was loaded', () => {
    const dump = (at: string, base: string) => ({
      platform: 'native',
      exception: {
        values: [
          {
            type: 'EXCEPTION_ACCESS_VIOLATION_READ / 0x0',
            value: 'Fatal Error: EXCEPTION_ACCESS_VIOLATION_READ / 0x0',
            mechanism: { type: 'minidump', synthetic: true },
            stacktrace: { frames: [{ instruction_addr: at, image_addr: base, package: 'C:\\Shop.exe' }] },
          },
        ],
      },
    });
    const first = groupFixture(dump('0x7ff600001f40', '0x7ff600000000'));
    expect(hashedValues(first).app?.slice(1)).toEqual(['shop.exe', '+0x1f40']);
    expect(groupFixture(dump('0x7ff700001f40', '0x7ff700000000')).hashes).toEqual(first.hashes);
    expect(groupFixture(dump('0x7ff600001f44', '0x7ff600000000')).hashes).not.toEqual(first.hashes);
    expect(hashedValues(groupFixture(dump('0x1', '0x2'))).app?.slice(1)).toEqual(['shop.exe']);
  });

  test('of a crash dump do not count what a walk of the stack found, unless the crash is in no module', () => {
    const frame = (offset: number, trust: string, image: string | null = '/opt/shop') => ({
      instruction_addr: `0x${(0x40_0000 + offset).toString(16)}`,
      ...(image && { image_addr: '0x400000', package: image }),
      trust,
    });
    const dump = (...frames: readonly object[]) =>
      groupFixture({
        platform: 'native',
        exception: {
          values: [
            {
              type: 'SIGSEGV',
              value: 'Fatal Error: SIGSEGV',
              mechanism: { type: 'minidump', synthetic: true },
              stacktrace: { frames },
            },
          ],
        },
      });
    const alone = dump(frame(0x1111, 'context'));
    expect(dump(frame(0x3333, 'scan'), frame(0x2222, 'fp'), frame(0x1111, 'context')).hashes).toEqual(
      alone.hashes,
    );
    expect(dump(frame(0x9999, 'scan'), frame(0x1111, 'context')).hashes).toEqual(alone.hashes);
    const nowhere = dump(frame(0x3333, 'scan'), frame(0x2222, 'scan'), frame(0, 'context', null));
    expect(hashedValues(nowhere).app?.slice(1)).toEqual(['shop', '+0x2222']);
    const named = (trust: string) =>
      dump({ ...frame(0x2222, trust), function: 'main' }, { ...frame(0x1111, 'context'), function: 'pay' });
    expect(hashedValues(named('scan')).system).toEqual(['pay']);
    expect(hashedValues(named('cfi')).system).toEqual(['main', 'pay']);
  });
});

describe('exception groups', () => {
  const member = (id: number, parent: number | undefined, type: string, more: object = {}) => ({
    type,
    value: `item ${id}`,
    mechanism: { type: 'chained', exception_id: id, parent_id: parent, ...more },
  });
  const ROOT = member(0, undefined, 'Group', { is_exception_group: true });
  const grouped = (...values: object[]) => hashedValues(groupFixture({ exception: { values } })).app;

  test('of members of one kind are that kind, however many there are', () => {
    const one = ['Bad', 'item <int>'];
    expect(grouped(member(1, 0, 'Bad'), ROOT)).toEqual(one);
    expect(grouped(member(3, 0, 'Bad'), member(2, 0, 'Bad'), member(1, 0, 'Bad'), ROOT)).toEqual(one);
  });

  test('of several kinds are one of each, the last name first, and the root', () => {
    const values = [member(3, 0, 'Bad'), member(2, 0, 'Worse'), member(1, 0, 'Bad'), ROOT];
    expect(grouped(...values)).toEqual(['Worse', 'item <int>', 'Bad', 'item <int>', 'Group', 'item <int>']);
  });

  test('inside of groups count by what they hold', () => {
    const inner = member(1, 0, 'Inner', { is_exception_group: true });
    expect(grouped(member(2, 1, 'Bad'), inner, ROOT)).toEqual(['Bad', 'item <int>']);
  });

  test('keep the cause of the only kind', () => {
    expect(grouped(member(2, 1, 'Cause'), member(1, 0, 'Bad'), ROOT)).toEqual([
      'Bad',
      'item <int>',
      'Cause',
      'item <int>',
    ]);
  });

  test.each([
    ['the root is missing', [member(2, 1, 'A'), member(1, 5, 'B')]],
    ['an id comes twice', [member(1, 0, 'A'), member(1, 0, 'B'), ROOT]],
    ['an id is missing', [{ type: 'A', value: 'item 9' }, member(1, 0, 'B'), ROOT]],
    ['an exception is its own parent', [member(1, 1, 'A'), member(2, 0, 'B'), ROOT]],
    ['all are groups', [member(1, 0, 'A', { is_exception_group: true }), ROOT]],
    [
      'they go round',
      [
        member(1, 0, 'A', { is_exception_group: true }),
        { ...ROOT, mechanism: { ...ROOT.mechanism, parent_id: 1 } },
      ],
    ],
  ])('are a plain chain when %s', (_, values) => {
    expect(grouped(...values)?.filter((value) => !value.includes(' '))).toHaveLength(values.length);
  });
});
