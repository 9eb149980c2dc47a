import { describe, expect, test } from 'vitest';
import { findSymbol, hasSymbol, INLINED_CALLS_MAX } from './find-symbol.ts';
import { imageAt, readNativeImages, toNativeDebugId } from './native-images.ts';
import { parseBreakpad, readSymbolsHead } from './parse-breakpad.ts';
import { InvalidSymbols } from './symbol-tables.ts';
import { type CallState, unwind } from './unwind.ts';

const ID = '5b2c350e-a259-c51e-9f95-40d4ce0e261c';
const HEAD = 'MODULE Linux x86_64 5B2C350EA259C51E9F9540D4CE0E261C0 shop';
const parse = (...lines: readonly string[]) => parseBreakpad(Buffer.from([HEAD, ...lines].join('\n')));

const SHOP = [
  'INFO CODE_ID 0E352C5B59A21EC59F9540D4CE0E261CDEADBEEF',
  'FILE 0 /src/shop.c',
  'FILE 7 /src/discount.h',
  'INLINE_ORIGIN 0 apply_discount',
  'INLINE_ORIGIN 1 half(int*)',
  'FUNC 1000 80 0 pay',
  'INLINE 0 12 0 0 1010 20 1050 8',
  'INLINE 1 4 7 1 1018 8',
  '1000 10 10 0',
  '1010 8 4 7',
  '1018 8 2 7',
  '1020 10 5 7',
  '1030 50 13 0',
  'FUNC m 1100 40 8 checkout(order*, int)',
  '1100 40 0 0',
  'PUBLIC 1140 0 _start',
  'PUBLIC m 900 0 before',
];

describe('a symbol file', () => {
  const symbols = parse(...SHOP);

  test('says what it is of', () => {
    expect(symbols.head).toEqual({ os: 'Linux', arch: 'x86_64', debugId: ID, name: 'shop' });
    const pdb = 'MODULE windows x86 3249D99D0C4049318610F4E4FB0B69361a Shop App.pdb\r\nFILE 0 a\r\n';
    expect(readSymbolsHead(Buffer.from(pdb))).toMatchObject({
      debugId: '3249d99d-0c40-4931-8610-f4e4fb0b6936-1a',
      name: 'Shop App.pdb',
    });
    for (const other of ['', 'MODULE Linux x86_64 12 shop', '\u007fELF', 'com.example.A -> a.a:']) {
      expect(readSymbolsHead(Buffer.from(other))).toBeNull();
      expect(() => parseBreakpad(Buffer.from(other))).toThrow(InvalidSymbols);
    }
  });

  test('names the function, the line and what was put into it', () => {
    expect(findSymbol(symbols, 0x1004)).toEqual({
      address: 0x1000,
      calls: [{ function: 'pay', file: '/src/shop.c', line: 10 }],
    });
    expect(findSymbol(symbols, 0x101a)?.calls).toEqual([
      { function: 'half(int*)', file: '/src/discount.h', line: 2 },
      { function: 'apply_discount', file: '/src/discount.h', line: 4 },
      { function: 'pay', file: '/src/shop.c', line: 12 },
    ]);
    expect(findSymbol(symbols, 0x1051)?.calls.map((call) => call.function)).toEqual([
      'apply_discount',
      'pay',
    ]);
    expect(findSymbol(symbols, 0x1100)?.calls).toEqual([
      { function: 'checkout(order*, int)', file: '/src/shop.c', line: null },
    ]);
  });

  test('knows of other symbols where they begin, until a function begins', () => {
    expect(findSymbol(symbols, 0x1150)).toMatchObject({ address: 0x1140, calls: [{ function: '_start' }] });
    expect(findSymbol(symbols, 0xfff)?.calls[0]?.function).toBe('before');
    expect(findSymbol(symbols, 0x1090)).toBeNull();
    expect([0x1004, 0x1090, 0x10, 0xffffffff].map((at) => hasSymbol(symbols, at))).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
});

describe('call frame information', () => {
  const stack = new Map([
    [0x7f00n, 0x1111n],
    [0x7f08n, 0x401234n],
    [0x7f18n, 0x2222n],
  ]);
  const state = (registers: Record<string, bigint>, cpu: CallState['cpu'] = 'x86_64'): CallState => ({
    cpu,
    registers,
    calleeParameters: 0,
    read: (at) => stack.get(at) ?? null,
  });

  test('leads to the caller, with what changed within the function', () => {
    const symbols = parse(
      'STACK CFI INIT 1000 40 .cfa: $rsp 8 + .ra: .cfa -8 + ^',
      'STACK CFI 1001 .cfa: $rsp 16 + $rbp: .cfa -16 + ^',
      'STACK CFI 1030 .cfa: $rbp 16 +',
    );
    const registers = { rip: 1n, rsp: 0x7f00n, rbp: 5n, rbx: 6n, rax: 7n };
    expect(unwind(symbols, 0x1008, state(registers))).toMatchObject({
      instructionPointer: 0x401234n,
      stackPointer: 0x7f10n,
      registers: { rbp: 0x1111n, rbx: 6n, rsp: 0x7f10n },
    });
    expect(unwind(symbols, 0x1008, state(registers))?.registers).not.toHaveProperty('rax');
    expect(unwind(symbols, 0x1000, state({ rsp: 0x7f08n }))).toMatchObject({ stackPointer: 0x7f10n });
    expect(unwind(symbols, 0x1030, state({ rsp: 1n, rbp: 0x7f00n }))).toMatchObject({
      stackPointer: 0x7f10n,
    });
    for (const at of [0xfff, 0x1040]) expect(unwind(symbols, at, state(registers))).toBeNull();
    // Outside of what was captured.
    expect(unwind(symbols, 0x1008, state({ rsp: 0x9000n }))).toBeNull();
  });

  test('names registers of ARM as it likes', () => {
    const symbols = parse(
      'STACK CFI INIT 1000 40 .cfa: sp 0 + .ra: x30',
      'STACK CFI 1004 .cfa: sp 16 + x29: .cfa -16 + ^ .ra: .cfa -8 + ^',
    );
    expect(unwind(symbols, 0x1000, state({ sp: 0x7f00n, lr: 9n }, 'arm64'))).toMatchObject({
      instructionPointer: 9n,
      stackPointer: 0x7f00n,
    });
    expect(unwind(symbols, 0x1004, state({ sp: 0x7f00n, fp: 3n }, 'arm64'))).toMatchObject({
      instructionPointer: 0x401234n,
      registers: { fp: 0x1111n },
    });
  });

  test('is a program on 32-bit Windows', () => {
    const symbols = parse(
      'STACK WIN 4 1000 40 3 0 8 4 c 0 1 $T0 $ebp = $eip $T0 8 + ^ = $ebp $T0 ^ = $esp $T0 16 + =',
      'STACK WIN 4 2000 40 3 0 8 0 0 0 1 $T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + =',
      'STACK WIN 0 3000 40 3 0 8 0 0 0 0 0',
    );
    expect(unwind(symbols, 0x1008, state({ esp: 0n, ebp: 0x7f00n, ebx: 4n }, 'x86'))).toMatchObject({
      instructionPointer: 0x401234n,
      stackPointer: 0x7f10n,
      registers: { ebp: 0x1111n, ebx: 4n },
      parameters: 8,
    });
    expect(unwind(symbols, 0x2008, state({ esp: 0x7f18n }, 'x86'))?.instructionPointer).toBe(0x2222n);
    expect(unwind(symbols, 0x3008, state({ esp: 0x7f18n }, 'x86'))).toBeNull();
    expect(unwind(symbols, 0x1008, state({ rsp: 0n, rbp: 0x7f00n }))).toBeNull();
  });

  test.each([
    ['no rule for the frame', '.ra: .cfa -8 + ^'],
    ['an operand too many', '.cfa: $rsp 8 8 .ra: .cfa -8 + ^'],
    ['an operand too few', '.cfa: $rsp + .ra: .cfa -8 + ^'],
    ['names of JavaScript', '.cfa: constructor 8 + .ra: .cfa toString __proto__'],
    ['a division by nothing', '.cfa: $rsp 0 / .ra: .cfa -8 + ^'],
    ['a frame made of itself', '.cfa: .cfa 8 + .ra: .cfa'],
    ['text', 'x'.repeat(3_000)],
  ])('with %s leads nowhere', (_, rules) => {
    const symbols = parse(`STACK CFI INIT 1000 40 ${rules}`);
    expect(unwind(symbols, 0x1008, state({ rsp: 0x7f00n }))).toBeNull();
  });
});

describe('a hostile symbol file', () => {
  test.each([
    ['records without what they belong to', ['1000 10 1 0', 'INLINE 0 1 0 0 1 1', 'STACK CFI 1000 .cfa: 1']],
    [
      'numbers of any size',
      ['FUNC ffffffffff 10 0 x', 'FUNC 1000 99999999999999999999 0 x', 'FUNC zz 1 0 x'],
    ],
    ['half a record', ['FUNC', 'FUNC 1000', 'PUBLIC', 'FILE', 'INLINE_ORIGIN x', 'STACK', 'STACK WIN 4 1']],
  ])('%s is passed over', (_, lines) => {
    const symbols = parse(...lines, 'FUNC 1000 10 0 pay');
    expect(findSymbol(symbols, 0x1001)?.calls).toEqual([{ function: 'pay', file: null, line: null }]);
  });

  test('calls put into one another without an end are bounded, and ranges may overlap', () => {
    const deep = parse(
      'INLINE_ORIGIN 0 again',
      'FUNC 1000 100 0 pay',
      ...Array.from({ length: 1_000 }, (_, depth) => `INLINE ${depth} 1 0 0 1000 100 1000 100 1001 50`),
      'FUNC 1000 ffffffff 0 all',
      'FUNC 1001 ffffffff 0 most',
    );
    expect(findSymbol(deep, 0x1000)?.calls.length).toBeLessThanOrEqual(INLINED_CALLS_MAX + 1);
    expect(findSymbol(deep, 0x1050)?.calls[0]?.function).toBe('most');
  });

  test('of many records answers at once, whichever order they are in', () => {
    const functions = Array.from({ length: 20_000 }, (_, at) => [
      `FUNC ${((20_000 - at) * 16).toString(16)} 10 0 f${at}`,
      ...Array.from(
        { length: 5 },
        (_, line) => `${((20_000 - at) * 16 + 15 - 3 * line).toString(16)} 3 ${line + 1} 0`,
      ),
    ]);
    const symbols = parse('FILE 0 a.c', ...functions.flat());
    const began = performance.now();
    let known = 0;
    for (let at = 16; at < 320_000; at += 7) known += hasSymbol(symbols, at) ? 1 : 0;
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(known).toBe(Math.ceil((320_000 - 16) / 7));
    expect(findSymbol(symbols, 16 * 500 + 15)?.calls).toEqual([{ function: 'f19500', file: 'a.c', line: 1 }]);
  });
});

describe('images', () => {
  const image = (change: object) => ({
    type: 'elf',
    code_file: '/opt/shop',
    debug_id: ID,
    image_addr: '0x1000',
    image_size: 4_096,
    ...change,
  });

  test('are found by their addresses', () => {
    const images = readNativeImages([
      image({ image_addr: '0x4000', code_file: 'C:\\shop\\pay.dll', debug_id: `${ID.toUpperCase()}-1` }),
      image({}),
      image({ type: 'sourcemap' }),
      image({ debug_id: 'x' }),
      image({ image_addr: '0xzz' }),
      null,
    ]);
    expect(images.map(({ name, debugId, index }) => [name, debugId, index])).toEqual([
      ['shop', ID, 1],
      ['pay.dll', `${ID}-1`, 0],
    ]);
    expect(imageAt(0x1fffn, images)?.name).toBe('shop');
    expect([0x2000n, 0xfffn, 0x5000n].map((at) => imageAt(at, images))).toEqual([null, null, null]);
  });

  test('have ids of several forms', () => {
    const digits = ID.replaceAll('-', '');
    expect([ID, digits, digits.toUpperCase(), `${digits}0`, `${ID}-0`].map(toNativeDebugId)).toEqual(
      Array.from({ length: 5 }, () => ID),
    );
    expect([`${digits}1A`, `${ID}-1a`].map(toNativeDebugId)).toEqual([`${ID}-1a`, `${ID}-1a`]);
    expect(['', digits.slice(1), `${digits}123456789`, 5, null].map(toNativeDebugId)).toEqual(
      Array.from({ length: 5 }, () => null),
    );
  });
});
