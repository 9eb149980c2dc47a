import { describe, expect, test } from 'vitest';
import { javascriptBrowser } from '#pipeline/fixtures/javascript-samples.ts';
import {
  crashFixture,
  FOREIGN_FRAME,
  groupFixture,
  hashedValues,
  OWN_FRAME,
} from '../../fixtures/group-fixture.ts';

describe('stacks', () => {
  test('do not count recursion', () => {
    expect(groupFixture(crashFixture([FOREIGN_FRAME, OWN_FRAME, OWN_FRAME, OWN_FRAME])).hashes).toEqual(
      groupFixture(crashFixture([FOREIGN_FRAME, OWN_FRAME])).hashes,
    );
    expect(
      groupFixture(crashFixture([FOREIGN_FRAME, OWN_FRAME, { ...OWN_FRAME, lineno: 9 }])).hashes,
    ).not.toEqual(groupFixture(crashFixture([FOREIGN_FRAME, OWN_FRAME])).hashes);
  });

  test('of a script’s single frame without function and address tell nothing', () => {
    const script = (frame: object) => ({ platform: 'javascript', stacktrace: { frames: [frame] } });
    expect(hashedValues(groupFixture(script({ filename: 'cart.js', lineno: 1 })))).toEqual({ fallback: [] });
    expect(hashedValues(groupFixture(script({ filename: 'cart.js', function: 'pay' })))).toEqual({
      system: ['cart.js', 'pay'],
    });
  });

  test('are the same for the next build of a script', () => {
    const rebuilt = JSON.parse(
      JSON.stringify(javascriptBrowser).replaceAll('3f2a91bc', '77c0ffee').replaceAll('9f8e7d6c', 'aa11bb22'),
    );
    expect(rebuilt).not.toEqual(javascriptBrowser);
    expect(groupFixture(rebuilt).hashes).toEqual(groupFixture(javascriptBrowser).hashes);
  });

  test('lose the query of a script’s file and the numbers of Python’s spawned processes', () => {
    const script = {
      platform: 'javascript',
      stacktrace: { frames: [{ filename: 'a.js?v=1', function: 'f' }] },
    };
    expect(hashedValues(groupFixture(script)).system).toEqual(['a.js', 'f']);
    const spawn = (fd: number) =>
      crashFixture([
        {
          module: '__main__',
          filename: '<string>',
          function: '<module>',
          context_line: `from multiprocessing.spawn import spawn_main; spawn_main(tracker_fd=${fd}, pipe_handle=${fd})`,
        },
      ]);
    expect(groupFixture(spawn(3)).hashes).toEqual(groupFixture(spawn(41)).hashes);
  });

  test('of threads count for the one that crashed, is current, or is alone', () => {
    const thread = (id: number, more: object) => ({
      id,
      stacktrace: { frames: [{ function: `f${id}`, in_app: true }] },
      ...more,
    });
    const grouped = (...values: object[]) =>
      hashedValues(groupFixture({ platform: 'native', threads: { values } }));
    expect(grouped(thread(1, {}), thread(2, { crashed: true }), thread(3, { current: true }))).toEqual({
      app: ['f2'],
    });
    expect(grouped(thread(1, {}), thread(3, { current: true }))).toEqual({ app: ['f3'] });
    expect(grouped(thread(1, {}))).toEqual({ app: ['f1'] });
    expect(grouped(thread(1, {}), thread(2, {}))).toEqual({ fallback: [] });
    expect(grouped({ id: 1, crashed: true }, thread(2, {}))).toEqual({ fallback: [] });
  });
});

describe('stack-trace rules', () => {
  const byRules = (stackTrace: string, frames: readonly object[] = [FOREIGN_FRAME, OWN_FRAME]) =>
    hashedValues(groupFixture(crashFixture(frames), { stackTrace }));

  test('decide what is own code, over the SDK', () => {
    expect(byRules('module:shop.* -app')).toEqual({
      system: ['CartError', 'web.server', 'serve', 'shop.cart', 'pay'],
    });
    expect(byRules('module:web.* +app').app).toEqual([
      'CartError',
      'web.server',
      'serve',
      'shop.cart',
      'pay',
    ]);
  });

  test('leave frames out; foreign ones never count in app', () => {
    expect(byRules('module:web.* -group').system).toBeUndefined();
    expect(byRules('module:web.* +group').app).toEqual(['CartError', 'shop.cart', 'pay']);
    expect(byRules('module:** -group')).toEqual({ app: ['CartError', 'no <int>'] });
  });

  test('bring recursion back', () => {
    expect(byRules('function:pay +group', [OWN_FRAME, OWN_FRAME]).app).toEqual([
      'CartError',
      'shop.cart',
      'pay',
      'shop.cart',
      'pay',
    ]);
  });

  test('limit the frames from the crash, or ask for a number of them', () => {
    expect(byRules('function:** max-frames=1')).toEqual({ app: ['CartError', 'shop.cart', 'pay'] });
    expect(byRules('function:** min-frames=2')).toEqual({
      system: ['CartError', 'web.server', 'serve', 'shop.cart', 'pay'],
    });
    expect(byRules('function:** min-frames=3')).toEqual({ app: ['CartError', 'no <int>'] });
  });

  test('name themselves in the tree', () => {
    const { variants } = groupFixture(crashFixture([FOREIGN_FRAME, OWN_FRAME]), {
      stackTrace: 'module:web.* -group',
    });
    expect(JSON.stringify(variants.system?.tree)).toContain('module:web.* -group');
  });

  test('find the categories that an exported event came with', () => {
    const exported = { ...OWN_FRAME, data: { category: 'checkout' } };
    expect(byRules('category:checkout -group', [FOREIGN_FRAME, exported])).toEqual({
      system: ['CartError', 'web.server', 'serve'],
    });
  });
});
