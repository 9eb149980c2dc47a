import { expect, test } from 'vitest';
import { splitInlineMap } from './read-map.ts';

const textOf = (script: string) => {
  const found = splitInlineMap(Buffer.from(script));
  return found && Buffer.from(found.map).toString();
};
const inBase64 = (text: string) => Buffer.from(text).toString('base64');

test('the last map of a script counts', () => {
  const lines = [
    `//# sourceMappingURL=data:application/json;base64,${inBase64('first')}`,
    `//# sourceMappingURL=data:application/json;charset=utf-8;base64,${inBase64('last')}`,
    '//# debugId=1',
  ];
  expect(textOf(lines.join('\n'))).toBe('last');
});

test('the code is what stands before it', () => {
  const found = splitInlineMap(Buffer.from(`a();\n//# sourceMappingURL=data:x;base64,${inBase64('{}')}\n`));
  expect(Buffer.from(found?.script ?? []).toString()).toMatch(/^a\(\);\n/);
});

test('it may be written plainly', () => {
  expect(textOf('//# sourceMappingURL=data:application/json,%7B%22a%22%3A1%7D\r\n')).toBe('{"a":1}');
});

test.each([
  'a()',
  '//# sourceMappingURL=app.js.map',
  '//# sourceMappingURL=data:x',
  '//# sourceMappingURL=data:x,%',
])('%s has none', (script) => {
  expect(textOf(script)).toBeNull();
});
