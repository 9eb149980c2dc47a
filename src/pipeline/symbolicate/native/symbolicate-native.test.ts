import { expect, test } from 'vitest';
import type { Frame, NormalizedEvent } from '#protocol/event.ts';
import { asSent } from '../frame-problem.ts';
import type { SymbolSources } from '../symbol-sources.ts';
import { parseBreakpad } from './parse-breakpad.ts';
import { symbolicateNative } from './symbolicate-native.ts';

const ID = '5b2c350e-a259-c51e-9f95-40d4ce0e261c';
const LIBC = 'ec61ac93-8e5a-39b1-6f9f-bd350e3169a5';
const SHOP = parseBreakpad(
  Buffer.from(
    [
      `MODULE Linux x86_64 ${ID.replaceAll('-', '').toUpperCase()}0 shop`,
      'FILE 0 C:\\src\\shop.c',
      'INLINE_ORIGIN 0 discount',
      'FUNC 1000 80 0 pay',
      'INLINE 0 12 0 0 1010 20',
      '1000 80 4 0',
      'FUNC 1100 40 8 checkout',
    ].join('\n'),
  ),
);
const find: SymbolSources['findSymbols'] = (id) => (id === ID ? SHOP : null);

const eventOf = (frames: readonly Frame[], images: readonly object[] = IMAGES): NormalizedEvent =>
  ({
    platform: 'native',
    exception: { values: [{ type: 'SIGSEGV', stacktrace: { frames } }] },
    debug_meta: { images },
  }) as unknown as NormalizedEvent;
const IMAGES = [
  { type: 'elf', code_file: '/opt/shop', debug_id: ID, image_addr: '0x400000', image_size: 0x10000 },
  { type: 'elf', code_file: '/lib/libc.so.6', debug_id: LIBC, image_addr: '0x7f000000', image_size: 0x1000 },
];
const at = (address: number): Frame => ({ instruction_addr: `0x${address.toString(16)}` });
const framesOf = (event: NormalizedEvent) => event.exception?.values[0]?.stacktrace?.frames ?? [];

test('frames are named as they were written, callers by the call before where they go on', () => {
  const event = eventOf([at(0x401140), at(0x401080), at(0x401010)]);
  const symbolicated = symbolicateNative(event, find);
  expect(framesOf(symbolicated)).toMatchObject([
    // It returns to the end of the function: the call was within.
    { function: 'checkout', filename: null, lineno: null, symbol_addr: '0x401100' },
    { function: 'pay', filename: 'shop.c', abs_path: 'C:\\src\\shop.c', lineno: 4 },
    { function: 'pay', filename: 'shop.c', lineno: 12, symbol_addr: '0x401000' },
    { function: 'discount', filename: 'shop.c', lineno: 4, data: { symbolicated: true } },
  ]);
  expect(symbolicated.exception?.values[0]?.raw_stacktrace?.frames).toHaveLength(3);
  expect(symbolicated.debug_meta?.images).toMatchObject([{ debug_status: 'found' }, {}]);
  expect(framesOf(asSent(symbolicated))).toEqual(framesOf(event));
});

test('what is not known says why, unless the SDK named it', () => {
  const event = eventOf([
    at(0x7f000100),
    { ...at(0x7f000100), function: 'raise' },
    at(0x402000),
    at(0x900000),
    { function: 'main' },
  ]);
  const [libc, named, elsewhere, nowhere, other] = framesOf(symbolicateNative(event, find));
  expect(libc?.data?.source_problem).toEqual({
    reason: 'debug_file_not_uploaded',
    debugId: LIBC,
    file: 'libc.so.6',
  });
  expect(named).toEqual({ ...at(0x7f000100), function: 'raise' });
  expect(elsewhere?.data?.source_problem).toMatchObject({ reason: 'address_without_symbol', file: 'shop' });
  expect([nowhere, other]).toEqual([at(0x900000), { function: 'main' }]);
  expect(symbolicateNative(event, find).debug_meta?.images).toMatchObject([
    { debug_status: 'found' },
    { debug_status: 'missing' },
  ]);
});

test('addresses may be relative to an image, and files may be on their way', () => {
  const relative = eventOf([{ ...at(0x1004), addr_mode: 'rel:0' }]);
  expect(framesOf(symbolicateNative(relative, find))[0]).toMatchObject({ function: 'pay' });
  const event = eventOf([at(0x401004)]);
  expect(symbolicateNative(event, () => 'unknown')).toEqual(event);
  const broken = { reason: 'debug_file_invalid', debugId: ID, detail: 'x' } as const;
  const answer = symbolicateNative(event, () => broken);
  expect(framesOf(answer)[0]?.data?.source_problem).toEqual(broken);
  expect(answer.debug_meta?.images).toMatchObject([{ debug_status: 'malformed' }, {}]);
  expect(symbolicateNative(eventOf([at(0x401004)], []), find)).toEqual(eventOf([at(0x401004)], []));
});

test('a stack does not grow without an end by what was put into one another', () => {
  const deep = parseBreakpad(
    Buffer.from(
      [
        `MODULE Linux x86_64 ${ID.replaceAll('-', '').toUpperCase()}0 shop`,
        'INLINE_ORIGIN 0 again',
        'FUNC 1000 80 0 pay',
        ...Array.from({ length: 500 }, (_, depth) => `INLINE ${depth} 1 0 0 1000 80`),
      ].join('\n'),
    ),
  );
  const event = eventOf(Array.from({ length: 250 }, () => at(0x401010)));
  const frames = framesOf(symbolicateNative(event, () => deep));
  expect(frames.length).toBeLessThanOrEqual(1_000);
  expect(frames.at(-1)?.function).toBe('pay');
});
