import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildUnrealReport, UNREAL_CONTEXT, UNREAL_LOG } from '../../fixtures/unreal-fixture.ts';
import { bytesAsSource } from '../crash-facts.ts';
import { kindOfFile, readContainer, readUnrealLogs } from './read-container.ts';
import { readUnrealContext } from './read-context.ts';
import { readPortableCallStack, unrealFacts } from './unreal-facts.ts';

const FILES = [
  { name: 'CrashContext.runtime-xml', content: Buffer.from(UNREAL_CONTEXT) },
  { name: 'Shop.log', content: Buffer.from(UNREAL_LOG) },
  { name: 'empty.txt', content: Buffer.alloc(0) },
];
const list = (bytes: Uint8Array) => readContainer(bytesAsSource(bytes));

describe('the container', () => {
  test.each(['marked', 'older'] as const)('in its %s form lists its files', async (form) => {
    const report = buildUnrealReport(FILES, form);
    const container = await list(report);
    if (container.kind !== 'files') throw new Error(container.reason);
    expect(container.files.map(({ name, size }) => [name, size])).toEqual(
      FILES.map(({ name, content }) => [name, content.length]),
    );
    for (const [index, { offset, size }] of container.files.entries()) {
      expect(report.subarray(offset, offset + size)).toEqual(FILES[index]?.content);
    }
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a mark alone', Buffer.from('CR1')],
    ['a report that was cut', buildUnrealReport(FILES).subarray(0, 1_500)],
    [
      'very many files',
      Buffer.concat([buildUnrealReport([]).subarray(0, -4), Buffer.from([0xff, 0xff, 0, 0])]),
    ],
    [
      'minus one file',
      Buffer.concat([buildUnrealReport([]).subarray(0, -4), Buffer.from([255, 255, 255, 255])]),
    ],
  ])('of %s cannot be read', async (_name, bytes) => {
    expect((await list(bytes)).kind).toBe('unreadable');
  });

  test('never points outside of itself, whatever the bytes are', async () => {
    const whole = buildUnrealReport(FILES);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: whole.length - 4 }),
        fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
        async (at, value) => {
          const bytes = Buffer.from(whole);
          bytes.writeInt32LE(value, at);
          const container = await list(bytes);
          if (container.kind !== 'files') return;
          for (const { offset, size } of container.files) {
            expect(size).toBeGreaterThanOrEqual(0);
            expect(offset + size).toBeLessThanOrEqual(bytes.length);
          }
        },
      ),
    );
  });

  test('tells what its files are for', () => {
    const kind = (name: string, head = '') => kindOfFile(name, Buffer.from(head));
    expect(kind('CrashContext.runtime-xml')).toBe('context');
    expect(kind('CrashReportClient.ini')).toBe('config');
    expect(kind('Shop.log')).toBe('log');
    expect(kind('UEMinidump.dmp', 'MDMP....')).toBe('minidump');
    expect(kind('report', 'Incident Identifier: 1')).toBe('apple_crash_report');
    expect(kind('UEMinidump.dmp', 'text')).toBe('other');
  });
});

describe('the context', () => {
  test('is text under the names of Unreal', () => {
    const context = readUnrealContext(Buffer.from(`\ufeff${UNREAL_CONTEXT}`));
    expect(context?.runtime).toMatchObject({
      ErrorMessage: 'Access violation & more – code c0000005',
      'Misc.NumberOfCores': '6',
    });
    expect(context?.runtime).not.toHaveProperty('GameStateName');
    expect(context?.platform.PlatformIsRunningWindows).toBe('1');
    expect(context?.engine['RHI.RHIName']).toBe('D3D12');
    expect(context?.game.level).toBe('dungeon');
  });

  test('entities of its own are not followed', () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;&x;">]><a><GameData><b>&y;</b></GameData></a>`;
    expect(readUnrealContext(Buffer.from(bomb))).toBeNull();
    const file = '<a><GameData><b>&xxe; &amp;lt;</b></GameData></a>';
    expect(readUnrealContext(Buffer.from(file))?.game.b).toBe('&xxe; &lt;');
  });

  test('whatever the text is, nothing is thrown', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: UNREAL_CONTEXT.length }), (noise, at) => {
        readUnrealContext(Buffer.from(noise));
        readUnrealContext(Buffer.from(UNREAL_CONTEXT.slice(0, at) + noise + UNREAL_CONTEXT.slice(at)));
        readUnrealLogs(Buffer.from(noise), true);
        readPortableCallStack(noise);
      }),
    );
    expect(readUnrealContext(Buffer.from(`<a>${'<b>'.repeat(50_000)}`))).toBeNull();
  });
});

describe('the log', () => {
  test('becomes breadcrumbs, each with the time that is nearest', () => {
    const time = (text: string) => Date.parse(text) / 1000;
    expect(readUnrealLogs(Buffer.from(UNREAL_LOG), true)).toEqual([
      {
        timestamp: time('2025-12-13T15:54:55.717Z'),
        category: 'LogWindows',
        message: "Failed to load 'aqProf.dll' (GetLastError=126)",
      },
      {
        timestamp: time('2025-12-13T15:54:55.717Z'),
        category: 'LogInit',
        message: 'Display: Engine is initialized.',
      },
      { timestamp: time('2025-12-13T15:54:56.001Z'), category: null, message: 'no component here' },
    ]);
    const early = Buffer.from(UNREAL_LOG.split('\n').slice(0, 2).join('\r\n'));
    expect(readUnrealLogs(early, true)[0]?.timestamp).toBe(time('2025-12-13T15:54:53Z'));
    expect(readUnrealLogs(Buffer.from('Log file open, 13/13/25 99:99:99\nx'), true)[0]?.timestamp).toBeNull();
  });

  test('gives its last lines', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `LogTemp: ${index}`);
    const breadcrumbs = readUnrealLogs(Buffer.from(`half a line\n${lines.join('\n')}`), false);
    expect(breadcrumbs).toHaveLength(40);
    expect(breadcrumbs.at(-1)?.message).toBe('99');
  });
});

describe('what a report says', () => {
  const context = readUnrealContext(Buffer.from(UNREAL_CONTEXT));
  const facts = (user: string | null = null) => {
    const crash = unrealFacts({ context, dump: null, breadcrumbs: [], files: [], user });
    if (crash.kind !== 'crash') throw new Error(crash.reason);
    return crash;
  };

  test('without a dump is the stack that Unreal wrote down', () => {
    expect(facts().exception).toEqual({
      type: 'Crash',
      value: 'Access violation & more – code c0000005',
      mechanism: { type: 'unreal', handled: false, synthetic: true },
      stacktrace: {
        frames: [
          { package: 'KERNEL32', instruction_addr: '0xfd53034' },
          { package: 'Shop', instruction_addr: '0x10703394' },
        ],
      },
    });
  });

  test('is placed where SDKs would have put it', () => {
    const { contexts, event, userReport } = facts();
    expect(contexts).toMatchObject({
      device: { memory_size: 6_896_832_512 },
      os: { raw_description: 'Windows 10' },
      gpu: { name: 'NVIDIA GeForce RTX 4090', api_type: 'D3D12' },
      game: { level: 'dungeon' },
      unreal: {
        crash_type: 'Crash',
        process_id: 9444,
        is_assert: false,
        is_ensure: false,
        custom: { CrashVersion: '3' },
      },
    });
    expect(JSON.stringify(contexts)).not.toContain('__sentry');
    expect(event).toMatchObject({
      release: 'shop@1.0.0',
      environment: 'production',
      logentry: { formatted: 'Access violation & more – code c0000005' },
      user: { id: '9776d4844cc893f55395dbbefb0eb6d7', username: 'ada' },
      sdk: { name: 'unreal.crashreporter', version: '1.0' },
      tags: [
        ['epic_account_id', 'epic-1'],
        ['machine_id', '9776D4844CC893F55395DBBEFB0EB6D7'],
        ['plan', 'pro'],
      ],
    });
    expect(userReport).toEqual({ name: 'ada', comments: 'I opened the chest' });
  });

  test('the request knows better who it was', () => {
    const { event } = facts('login|epic-2|machine-2');
    expect(event.user).toMatchObject({ id: 'login' });
    expect(event.tags).toEqual([
      ['epic_account_id', 'epic-2'],
      ['machine_id', 'machine-2'],
      ['plan', 'pro'],
    ]);
  });
});
