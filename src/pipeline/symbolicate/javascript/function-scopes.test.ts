import { describe, expect, test } from 'vitest';
import { findFunctionScopes } from './function-scopes.ts';

/** The name around `!!`, null where the code there has none. */
function nameAt(code: string): string | null {
  const at = code.indexOf('!!');
  const scopes = findFunctionScopes(code);
  if (!scopes) throw new Error('The code does not parse');
  const around = scopes.filter(({ start, end }) => start <= at && at < end);
  const name = around.at(-1)?.name ?? null;
  return name?.map((part) => (typeof part === 'string' ? part : textOf(part))).join('') ?? null;
}

const textOf = ({ text, kind }: { text: string; kind: string }): string =>
  kind === 'private' ? `#${text}` : text;

describe('the function around a position', () => {
  test.each([
    ['!!1', null],
    ['function a() { !!1 }', 'a'],
    ['function a() { return function b() { !!1 } }', 'b'],
    ['function a() { return () => !!1 }', null],
    ['function a() { b(() => 1); !!1 }', 'a'],
    ['async function a() { for await (const b of c) !!b }', 'a'],
    ['const a = function () { !!1 }', 'a'],
    ['const a = function b() { !!1 }', 'b'],
    ['let a = memo(() => { !!1 })', 'a'],
    ['const { a } = b(() => !!1)', null],
    ['const { a = () => !!1 } = b', 'a'],
    ['a = () => !!1', 'a'],
    ['a.b.c = () => !!1', 'a.b.c'],
    ['a ||= () => !!1', 'a'],
    ['a[0].b = () => !!1', null],
    ['function a() { this.b = () => !!1 }', 'this.b'],
    ['(a = () => !!1) => a', 'a'],
    ['const a = { b: () => !!1 }', 'a.b'],
    ['const a = { b() { !!1 } }', 'a.b'],
    ["const a = { 'b-c': { d() { !!1 } } }", 'a.b-c.d'],
    ['const a = { [b]: () => !!1 }', 'a.<computed>'],
    ['const a = { get b() { return !!1 } }', 'get a.b'],
    ['a({ b: () => !!1 })', '<object>.b'],
    ['a({ b: [c({ d: () => !!1 })] })', '<object>.b.d'],
    ['export default () => !!1', null],
    ['export default function a() { !!1 }', 'a'],
    ['export const a = () => !!1', 'a'],
    ['var a; var a = () => !!1', 'a'],
    ['if (/[/]()/.test(a)) b = () => !!1', 'b'],
  ])('%s', (code, name) => {
    expect(nameAt(code)).toBe(name);
  });
});

describe('the function of a class around a position', () => {
  test.each([
    ['class A { constructor() { !!1 } }', 'new A'],
    ['class A { a = !!1 }', 'new A'],
    ['class A { a = () => !!1 }', 'A.a'],
    ['class A { a() { !!1 } }', 'A.a'],
    ['class A { #a() { !!1 } }', 'A.#a'],
    ['class A { static a() { !!1 } }', 'A.a'],
    ['class A { static a = !!1 }', null],
    ['class A { static a = () => !!1 }', 'A.a'],
    ['class A { static { !!1 } }', null],
    ['class A { static { (() => !!1)() } }', null],
    ['class A { set a(b) { !!1 } }', 'set A.a'],
    ['class A extends b(() => !!1) {}', null],
    ['const A = class { a() { !!1 } }', 'A.a'],
    ['const A = class { constructor() { !!1 } }', 'new A'],
    ['const A = class B { a() { !!1 } }', 'B.a'],
    ['const a = { B: class { c() { !!1 } } }', 'a.B.c'],
    ['a(class { b() { !!1 } })', '<object>.b'],
    ['class A { constructor() { this.a = () => !!1 } }', 'this.a'],
  ])('%s', (code, name) => {
    expect(nameAt(code)).toBe(name);
  });
});

test.each([
  ['no script', 'function ('],
  ['nested too deep', '(()=>'.repeat(100_000)],
  ['an array that is nested too deep', '['.repeat(1_000_000)],
])('%s has no functions', (_, code) => {
  expect(findFunctionScopes(code)).toBeNull();
});

test('a script that declares the same names again and again is read in a time by its length', () => {
  const code = Array.from({ length: 50_000 }, (_, index) => `function a${index}(){}`).join('');
  expect(findFunctionScopes(code)).toHaveLength(50_000);
});
