import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CRASHED_SHOP } from '../fixtures/crashed-shop.ts';
import {
  amd64Context,
  arm64Context,
  armContext,
  buildMinidump,
  type DumpPlan,
  elfRecord,
  pdbRecord,
  x86Context,
} from '../fixtures/minidump-fixture.ts';
import { parseBreakpad } from '../symbolicate/native/parse-breakpad.ts';
import { symbolicateNative } from '../symbolicate/native/symbolicate-native.ts';
import { bytesAsSource, type CrashFacts } from './crash-facts.ts';
import { readMinidump } from './read-minidump.ts';

const read = (plan: DumpPlan) => readMinidump(bytesAsSource(buildMinidump(plan)));
async function readCrash(plan: DumpPlan): Promise<Extract<CrashFacts, { kind: 'crash' }>> {
  const facts = await read(plan);
  if (facts.kind !== 'crash') throw new Error(facts.reason);
  return facts;
}

const LINUX = {
  platform: 0x8201,
  processor: 9,
  systemText: 'Linux 6.8.0-45-generic #45-Ubuntu SMP Fri Aug 30 UTC 2024 x86_64',
};
const MACOS = { platform: 0x8101, processor: 12, version: [14, 5, 0], systemText: '23F79' } as const;

const WINDOWS: DumpPlan = {
  timestamp: 1_790_000_000,
  version: [10, 0, 19045],
  exception: {
    threadId: 7,
    code: 0xc0000005,
    address: 0x7ff6_0000_1234n,
    parameters: [1n, 0x45n],
    context: amd64Context(0x7ff6_0000_1234n),
  },
  threads: [
    { id: 5, name: 'RenderThread', context: amd64Context(0x7ffb_0000_0010n) },
    { id: 7, context: amd64Context(0x1n) },
  ],
  modules: [
    {
      base: 0x7ffb_0000_0000n,
      size: 0x10_0000,
      name: 'C:\\Windows\\System32\\ntdll.dll',
      linkedAt: 0x5b6a_dd44,
      version: [10, 0, 19041, 3996],
    },
    {
      base: 0x7ff6_0000_0000n,
      size: 0x2_0000,
      name: 'C:\\Games\\Shop.exe',
      linkedAt: 0x1a2b,
      record: pdbRecord('9dd94932310c40498610f4e4fb0b6936', 1, 'Shop.pdb'),
    },
  ],
  misc: { processId: 4242, startedAt: 1_789_999_000 },
};

const SHOP = { base: 0x40_0000n, size: 0x10_0000, name: '/opt/shop' };
const LIBC = { base: 0x7f00_0000_0000n, size: 0x20_0000, name: '/lib/libc.so.6' };
const STACK = 0x7ffd_0000_0000n;
const JUNK = [0x1n, 0x40_0010n, 0xffff_ffff_ffffn];

/** Addresses of the frames of the crash with how each was found, the innermost first. */
async function walked(plan: DumpPlan) {
  const { exception } = await readCrash({ modules: [SHOP, LIBC], ...LINUX, ...plan });
  return (exception.stacktrace?.frames ?? [])
    .toReversed()
    .map(({ instruction_addr: at, trust, package: image }) => [at, trust, image]);
}

const crash = (words: readonly bigint[], at: bigint, rbp = 0n, processor = 9): DumpPlan => ({
  processor,
  exception: { threadId: 1, code: 11, context: amd64Context(at, { rsp: STACK + 16n, rbp }) },
  threads: [{ id: 1, stack: { base: STACK, words: [0x40_9999n, 0x40_9999n, ...words] } }],
});

describe('the callers of a thread', () => {
  test('are found by scanning what lies above the stack pointer', async () => {
    expect(await walked(crash([...JUNK, 0x40_2345n, ...JUNK, 0x7f00_0000_1234n], 0x40_1111n))).toEqual([
      ['0x401111', 'context', SHOP.name],
      ['0x402345', 'scan', SHOP.name],
      ['0x7f0000001234', 'scan', LIBC.name],
    ]);
  });

  test('are found along frame pointers first, up to the first call', async () => {
    const words = [0x40_8888n, STACK + 56n, 0x40_2222n, 0x40_8888n, 0n, 0n, 0x40_3333n, 0x40_4444n];
    const found = (trust: string, ...addresses: readonly string[]) => [
      ['0x401111', 'context', SHOP.name],
      ...addresses.map((at) => [at, trust, SHOP.name]),
    ];
    expect(await walked(crash(words, 0x40_1111n, STACK + 24n))).toEqual(found('fp', '0x402222', '0x403333'));
    // What leads back is no pointer to the frame before.
    const broken = words.with(1, 0x1234n);
    expect(await walked(crash(broken, 0x40_1111n, STACK + 24n))).toEqual(
      found('scan', '0x408888', '0x402222', '0x408888', '0x403333', '0x404444'),
    );
  });

  test('end where nothing points into a module for a while, and after so many', async () => {
    const gap = Array.from({ length: 40 }, () => 1n);
    expect(await walked(crash([...gap, 0x40_2000n, ...gap, 0x40_3000n], 0x40_1111n))).toHaveLength(2);
    const endless = Array.from({ length: 200 }, () => 0x40_2000n);
    expect(await walked(crash(endless, 0x40_1111n))).toHaveLength(49);
  });

  test('are missing where the stack was not captured, or the pointer lies elsewhere', async () => {
    const plan = crash([0x40_2000n], 0x40_1111n);
    expect(await walked({ ...plan, threads: [{ id: 1 }] })).toHaveLength(1);
    const away = [{ id: 1, stack: { base: STACK + 0x1000n, words: [0x40_2000n] } }];
    expect(await walked({ ...plan, threads: away })).toHaveLength(1);
  });

  test('on ARM begin with the link register after a jump to nowhere', async () => {
    const context = (pc: bigint) => arm64Context(pc, { sp: STACK, lr: 0x40_2222n, fp: STACK + 8n });
    const plan = (pc: bigint): DumpPlan => ({
      processor: 12,
      exception: { threadId: 1, code: 11, context: context(pc) },
      threads: [{ id: 1, stack: { base: STACK, words: [1n, 0n, 0x40_3333n] } }],
    });
    expect(await walked(plan(0n))).toEqual([
      ['0x0', 'context', null],
      ['0x402222', 'scan', SHOP.name],
      ['0x403333', 'fp', SHOP.name],
    ]);
    expect(await walked(plan(0x40_1111n))).toHaveLength(2);
  });
});

describe('a dump of Windows', () => {
  test('says why, where and in which thread', async () => {
    const facts = await readCrash(WINDOWS);
    expect(facts.exception).toEqual({
      type: 'EXCEPTION_ACCESS_VIOLATION_WRITE / 0x45',
      value: 'Fatal Error: EXCEPTION_ACCESS_VIOLATION_WRITE / 0x45',
      thread_id: 7,
      mechanism: { type: 'minidump', handled: false, synthetic: true },
      stacktrace: {
        frames: [
          {
            instruction_addr: '0x7ff600001234',
            package: 'C:\\Games\\Shop.exe',
            image_addr: '0x7ff600000000',
            trust: 'context',
          },
        ],
        registers: expect.objectContaining({ rip: '0x7ff600001234', rax: '0x0' }),
      },
    });
    expect(facts.threads).toEqual([
      {
        id: 5,
        name: 'RenderThread',
        crashed: false,
        current: false,
        stacktrace: expect.objectContaining({
          frames: [expect.objectContaining({ package: 'C:\\Windows\\System32\\ntdll.dll' })],
        }),
      },
      { id: 7, name: null, crashed: true, current: true, stacktrace: null },
    ]);
    expect(facts.timestamp).toBe(1_790_000_000);
    expect(facts.event).toEqual({ level: 'fatal', sdk: { name: 'minidump.unknown', version: '0.0.0' } });
  });

  test('lists what was loaded, with the ids that symbols are found by', async () => {
    const { images } = await readCrash(WINDOWS);
    expect(images).toEqual([
      {
        type: 'pe',
        code_file: 'C:\\Games\\Shop.exe',
        code_id: '00001a2b20000',
        debug_id: '3249d99d-0c31-4940-8610-f4e4fb0b6936-1',
        debug_file: 'Shop.pdb',
        image_addr: '0x7ff600000000',
        image_size: 0x2_0000,
        arch: 'x86_64',
      },
      expect.objectContaining({ code_id: '5b6add44100000', image_version: '10.0.19041.3996' }),
    ]);
  });

  test('tells the system and the process', async () => {
    const { contexts } = await readCrash(WINDOWS);
    expect(contexts.os).toEqual({ type: 'os', name: 'Windows', version: '10.0.19045' });
    expect(contexts.device).toEqual({ type: 'device', arch: 'x86_64', processor_count: 8 });
    expect(contexts.process).toEqual({ type: 'process', pid: 4242 });
    expect(contexts.app?.app_start_time).toBe('2026-09-21T13:56:40.000Z');
  });

  test.each<[number, readonly bigint[], string]>([
    [0xc0000005, [0n, 0x10n], 'EXCEPTION_ACCESS_VIOLATION_READ / 0x10'],
    [0xc0000005, [8n, 0x10n], 'EXCEPTION_ACCESS_VIOLATION_EXEC / 0x10'],
    [0xc0000005, [], 'EXCEPTION_ACCESS_VIOLATION / 0x99'],
    [0xc0000006, [0n, 0x10n, 0xc000009cn], 'EXCEPTION_IN_PAGE_ERROR_READ / 0xc000009c / 0x10'],
    [0xc0000094, [], 'EXCEPTION_INT_DIVIDE_BY_ZERO / 0x99'],
    [0xc00000fd, [], 'EXCEPTION_STACK_OVERFLOW / 0x99'],
    [0xc0000409, [7n], 'EXCEPTION_STACK_BUFFER_OVERRUN / FAST_FAIL_FATAL_APP_EXIT / 0x99'],
    [0xc0000409, [99n], 'EXCEPTION_STACK_BUFFER_OVERRUN / 99 / 0x99'],
    [0xe06d7363, [], 'Unhandled C++ Exception / 0x99'],
    [0x12345, [], '0x00012345 / 0x99'],
  ])('the code %i with %s is %s', async (code, parameters, type) => {
    const { exception } = await readCrash({ exception: { threadId: 1, code, parameters, address: 0x99n } });
    expect(exception.type).toBe(type);
  });

  test('addresses of 32 bits are not filled up with their sign', async () => {
    const { exception } = await readCrash({
      processor: 0,
      exception: {
        threadId: 1,
        code: 0xc0000005,
        parameters: [0n, 0xffff_ffff_dead_beefn],
        context: x86Context(0x40_429en),
      },
    });
    expect(exception.type).toBe('EXCEPTION_ACCESS_VIOLATION_READ / 0xdeadbeef');
    expect(exception.stacktrace?.registers?.eip).toBe('0x40429e');
  });
});

describe('dumps of other systems', () => {
  test.each<[number, number, string]>([
    [11, 1, 'SIGSEGV / SEGV_MAPERR / 0x0'],
    [11, 2, 'SIGSEGV / SEGV_ACCERR / 0x0'],
    [11, 0x80, 'SIGSEGV / SI_KERNEL / 0x0'],
    [11, 0, 'SIGSEGV / 0x0'],
    [6, -6, 'SIGABRT / SI_TKILL / 0x0'],
    [8, 1, 'SIGFPE / FPE_INTDIV / 0x0'],
    [7, 1, 'SIGBUS / BUS_ADRALN / 0x0'],
    [5, 77, 'SIGTRAP / 0x0000004d / 0x0'],
    [0xffffffff, 0, 'DUMP_REQUESTED / 0x0'],
  ])('the signal %i with %i is %s', async (code, flags, type) => {
    const { exception } = await readCrash({ ...LINUX, exception: { threadId: 1, code, flags } });
    expect(exception.type).toBe(type);
  });

  test('Linux names a build by its build id', async () => {
    const { images, contexts } = await readCrash({
      ...LINUX,
      exception: { threadId: 1, code: 11, flags: 1, context: amd64Context(0x401d72n) },
      modules: [
        {
          base: 0x400000n,
          size: 106_496,
          name: '/srv/crash',
          record: elfRecord('f1c3bcc0279865fe3058404b2831d9e64135386c'),
        },
        { base: 0x7f00n, size: 16, name: '/usr/share/font.ttf', record: elfRecord('0000000000000000') },
      ],
    });
    expect(images).toContainEqual({
      type: 'elf',
      code_file: '/srv/crash',
      code_id: 'f1c3bcc0279865fe3058404b2831d9e64135386c',
      debug_id: 'c0bcc3f1-9827-fe65-3058-404b2831d9e6',
      debug_file: '/srv/crash',
      image_addr: '0x400000',
      image_size: 106_496,
      arch: 'x86_64',
    });
    expect(images).toContainEqual(expect.not.objectContaining({ debug_id: expect.anything() }));
    expect(contexts.os).toEqual({
      type: 'os',
      name: 'Linux',
      version: '6.8.0-45-generic',
      build: '#45-Ubuntu SMP Fri Aug 30 UTC 2024',
    });
  });

  test.each<[number, number, number, string]>([
    [12, 1, 1, 'EXC_BAD_ACCESS / KERN_INVALID_ADDRESS / 0x0'],
    [12, 1, 0x101, 'EXC_BAD_ACCESS / EXC_ARM_DA_ALIGN / 0x0'],
    [9, 1, 13, 'EXC_BAD_ACCESS / EXC_I386_GPFLT / 0x0'],
    [12, 6, 1, 'EXC_BREAKPOINT / EXC_ARM_BREAKPOINT / 0x0'],
    [9, 3, 1, 'EXC_ARITHMETIC / EXC_I386_DIV / 0x0'],
    [12, 5, 0x10002, 'EXC_SOFTWARE / SIGABRT / 0x0'],
    [12, 2, 99, 'EXC_BAD_INSTRUCTION / 0x00000063 / 0x0'],
  ])('on processor %i the exception %i with %i is %s', async (processor, code, flags, type) => {
    const { exception } = await readCrash({ ...MACOS, processor, exception: { threadId: 1, code, flags } });
    expect(exception.type).toBe(type);
  });

  test.each<[string, number, Buffer, string]>([
    ['x86', 0, x86Context(0x1122n), 'eip'],
    ['amd64', 9, amd64Context(0x1122n), 'rip'],
    ['arm', 5, armContext(0x1122n), 'pc'],
    ['arm64', 12, arm64Context(0x1122n), 'pc'],
    ['arm64 of Breakpad', 0x8003, arm64Context(0x1122n), 'pc'],
  ])('the instruction of %s is found', async (_name, processor, context, register) => {
    const { exception } = await readCrash({
      ...LINUX,
      processor,
      exception: { threadId: 1, code: 11, flags: 1, context },
    });
    expect(exception.stacktrace?.frames[0]?.instruction_addr).toBe('0x1122');
    expect(exception.stacktrace?.registers?.[register]).toBe('0x1122');
  });
});

describe('what writers add', () => {
  test('Breakpad says which thread wrote the dump, and what was asserted', async () => {
    const facts = await readCrash({
      breakpad: { dumpThreadId: 5, requestingThreadId: 7 },
      threads: WINDOWS.threads ?? [],
      assertion: { expression: 'items > 0', inFunction: 'checkout', file: 'cart.cc', line: 42 },
    });
    expect(facts.exception.value).toBe('Assertion Error: items > 0 in checkout at cart.cc:42');
    expect(facts.exception.thread_id).toBe(7);
    expect(facts.threads.map(({ stacktrace }) => stacktrace)).toEqual([null, null]);
    expect(facts.event.level).toBe('fatal');
    expect(facts.event.sdk).toMatchObject({ name: 'minidump.breakpad' });
  });

  test('Crashpad brings annotations', async () => {
    const { contexts, event } = await readCrash({ ...WINDOWS, annotations: { channel: 'beta', sha: 'äöü' } });
    expect(contexts.crashpad).toEqual({ channel: 'beta', sha: 'äöü' });
    expect(event.sdk).toMatchObject({ name: 'minidump.crashpad' });
  });

  test('a dump that was asked for is no crash', async () => {
    const facts = await readCrash({ threads: [{ id: 1 }] });
    expect(facts.exception.type).toBe('DUMP_REQUESTED');
    expect(facts.event.level).toBe('info');
    expect(facts.threads[0]?.crashed).toBe(false);
  });
});

describe('a dump that is broken', () => {
  test.each([
    ['nothing', Buffer.alloc(0), 'too short'],
    [
      'text',
      Buffer.from('-----BEGIN BREAKPAD MICRODUMP-----'.padEnd(100)),
      'does not start with the minidump signature',
    ],
    ['a dump of another byte order', Buffer.from('PMDM'.padEnd(100)), 'big-endian'],
    ['a head without a directory', buildMinidump({}).subarray(0, 40), 'are outside the dump'],
  ])('%s is refused with a reason', async (_name, bytes, reason) => {
    const facts = await readMinidump(bytesAsSource(bytes));
    expect(facts).toEqual({ kind: 'unreadable', reason: expect.stringContaining(reason) });
  });

  test('what of it can be read is told', async () => {
    const whole = buildMinidump(WINDOWS);
    // The list of modules claims four thousand million entries.
    const broken = Buffer.from(whole);
    const at = whole.indexOf(Buffer.concat([Buffer.from([2, 0, 0, 0]), Buffer.from([0, 0, 0, 0, 0xfb])]));
    expect(at).toBeGreaterThan(0);
    broken.writeUInt32LE(0xffffffff, at);
    const facts = await readMinidump(bytesAsSource(broken));
    expect(facts).toMatchObject({ kind: 'crash', exception: { thread_id: 7 } });
  });

  test('the thread that crashed is kept among very many', async () => {
    const threads = Array.from({ length: 3_000 }, (_, index) => ({ id: index + 1 }));
    const facts = await readCrash({ threads, exception: { threadId: 2_500, code: 0xc0000005 } });
    expect(facts.threads).toHaveLength(1_000);
    expect(facts.threads.filter(({ crashed }) => crashed).map(({ id }) => id)).toEqual([2_500]);
  });

  test('whatever the bytes are, it is answered, and little of it is read', async () => {
    const whole = buildMinidump({
      ...WINDOWS,
      annotations: { a: 'b' },
      breakpad: { dumpThreadId: 1, requestingThreadId: 2 },
    });
    const change = fc.record({
      at: fc.nat({ max: whole.length - 4 }),
      value: fc.oneof(fc.constantFrom(0, 0xffffffff, 0x7fffffff, whole.length), fc.nat({ max: 0xffffffff })),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 8 }),
        fc.nat({ max: whole.length }),
        async (changes, cut) => {
          const bytes = Buffer.from(whole);
          for (const { at, value } of changes) bytes.writeUInt32LE(value, at);
          const facts = await readMinidump(
            bytesAsSource(bytes.subarray(0, cut % 3 === 0 ? cut : bytes.length)),
          );
          expect(['crash', 'unreadable']).toContain(facts.kind);
          expect(JSON.stringify(facts).length).toBeLessThan(2_000_000);
        },
      ),
      { numRuns: 500 },
    );
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), async (noise) => {
        expect((await readMinidump(bytesAsSource(noise))).kind).toBe('unreadable');
      }),
    );
  });

  test('one that refers to itself over and over is read in part', async () => {
    const size = 200 * 1024 * 1024;
    const MEGABYTE = 1024 * 1024;
    const system = buildMinidump({ timestamp: 1 });
    const head = Buffer.from(system.subarray(0, 32 + 56));
    const streams = [
      [7, 56, 32],
      [4, 0x0fff_ffff, 5 * MEGABYTE],
      [3, 0x0fff_ffff, 90 * MEGABYTE],
      [24, 0x0fff_ffff, 120 * MEGABYTE],
      [0x43500001, 0x0fff_ffff, 150 * MEGABYTE],
    ];
    head.writeUInt32LE(streams.length, 8);
    head.writeUInt32LE(head.length, 12);
    const directory = Buffer.alloc(streams.length * 12);
    for (const [index, value] of streams.flat().entries()) directory.writeUInt32LE(value, index * 4);
    const start = Buffer.concat([head, directory]);
    let bytesRead = 0;
    // Behind its head each four bytes differ: names and records lie all over it.
    const facts = await readMinidump({
      size,
      async read(offset, length) {
        const bytes = Buffer.alloc(Math.min(length, size - offset));
        bytesRead += bytes.length;
        for (let at = 0; at + 4 <= bytes.length; at += 4)
          bytes.writeUInt32LE(((offset + at) * 2_654_435) % size, at);
        if (offset < start.length) start.copy(bytes, 0, offset);
        return bytes;
      },
    });
    expect(['crash', 'unreadable']).toContain(facts.kind);
    expect(bytesRead).toBeGreaterThan(10 * MEGABYTE);
    expect(bytesRead).toBeLessThan(65 * MEGABYTE);
  });
});

describe('a crash of a real program whose symbols were uploaded', () => {
  const { debugId, base, size, libc, rip, rsp, rbp, words } = CRASHED_SHOP;
  const dump = bytesAsSource(
    buildMinidump({
      ...LINUX,
      exception: { threadId: 1, code: 11, context: amd64Context(rip, { rsp, rbp }) },
      threads: [{ id: 1, stack: { base: rsp, words } }],
      modules: [
        { base, size, name: '/opt/shop', record: elfRecord('0e352c5b59a21ec59f9540d4ce0e261c') },
        { ...libc, name: '/lib/libc.so.6' },
      ],
    }),
  );
  const symbols = parseBreakpad(Buffer.from(CRASHED_SHOP.symbols));
  const findSymbols = (id: string) => (id === debugId ? symbols : null);

  test('is walked by its call frame information, and named', async () => {
    const facts = await readMinidump(dump, async (work) => work({ findSymbols }));
    if (facts.kind !== 'crash') throw new Error(facts.reason);
    const event = symbolicateNative(
      {
        platform: 'native',
        exception: { values: [facts.exception] },
        debug_meta: { images: facts.images },
      } as unknown as Parameters<typeof symbolicateNative>[0],
      findSymbols,
    );
    const frames = (event.exception?.values[0]?.stacktrace?.frames ?? []).toReversed();
    expect(
      frames.map(({ trust, function: name, filename, lineno }) => [trust, name ?? '', filename, lineno]),
    ).toEqual([
      ['context', 'half', 'discount.h', 2],
      ['context', 'apply_discount', 'discount.h', 5],
      ['context', 'pay', 'shop.c', 10],
      ['cfi', 'checkout', 'shop.c', 16],
      ['cfi', 'shop_main', 'shop.c', 29],
      ['cfi', expect.stringContaining('shop4main'), null, null],
      ['cfi', expect.stringContaining('rust_begin_short_backtrace'), null, null],
      ['cfi', expect.stringContaining('lang_start'), null, null],
      ['cfi', expect.stringContaining('lang_start_internal'), null, null],
      ['cfi', 'main', null, null],
      ['cfi', '', undefined, undefined],
    ]);
  });

  test('is guessed without them', async () => {
    const facts = await readMinidump(dump);
    if (facts.kind !== 'crash') throw new Error(facts.reason);
    const trusts = facts.exception.stacktrace?.frames.map(({ trust }) => trust) ?? [];
    expect(trusts.filter((trust) => trust === 'scan').length).toBeGreaterThan(15);
    expect(trusts).not.toContain('cfi');
  });

  test('is walked again until what it asked for is there', async () => {
    let looks = 0;
    const facts = await readMinidump(dump, async (work) => {
      work({
        findSymbols: () => {
          looks += 1;
          return 'unknown';
        },
      });
      return work({ findSymbols });
    });
    expect(looks).toBe(1);
    if (facts.kind !== 'crash') throw new Error(facts.reason);
    expect(facts.exception.stacktrace?.frames[0]?.trust).toBe('cfi');
  });
});
