import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pressKey } from './press-key.ts';
import { openDraft, type SearchDraft, searchOf, typeText } from './search-draft.ts';

/** The draft in one line: `|` are ends of the selection, `{}` the filter that has the focus. */
function show({ parts, at, selection: { start, end } }: SearchDraft): string {
  const shown = parts.map((part, index) => {
    if (index !== at) return index % 2 === 1 ? `<${part}>` : part;
    if (index % 2 === 1) return `{${part}}`;
    const selected = start === end ? '' : `${part.slice(start, end)}|`;
    return `${part.slice(0, start)}|${selected}${part.slice(end)}`;
  });
  return shown.filter((part) => part !== '').join(' ');
}

function press(draft: SearchDraft, ...keys: readonly string[]): SearchDraft {
  return keys.reduce((before, key) => {
    const pressed = { key: key.replace('mod+', ''), metaKey: false, altKey: false, shiftKey: false };
    return pressKey(before, { ...pressed, ctrlKey: key.startsWith('mod+') }) ?? before;
  }, draft);
}

const type = (search: string, typed: string) =>
  [...typed].reduce((draft, character) => {
    const { parts, at, selection } = draft;
    const text = parts[at] ?? '';
    const next = text.slice(0, selection.start) + character + text.slice(selection.end);
    return typeText(draft, next, selection.start + 1);
  }, openDraft(search));

describe('keys', () => {
  test.each<[string, readonly string[], string]>([
    ['is:new a:b', ['ArrowLeft'], '<is:new> {a:b}'],
    ['is:new a:b', ['ArrowLeft', 'ArrowLeft'], '<is:new> | <a:b>'],
    ['is:new a:b', ['ArrowLeft', 'ArrowLeft', 'ArrowLeft'], '{is:new} <a:b>'],
    ['is:new a:b', ['ArrowLeft', 'ArrowRight'], '<is:new> <a:b> |'],
    ['x a:b', ['ArrowLeft', 'ArrowLeft'], 'x| <a:b>'],
    ['x a:b', ['ArrowLeft', 'Home'], '|x <a:b>'],
    ['a:b x', ['ArrowLeft'], '<a:b> x|'],
    ['a:b c:d', ['ArrowLeft', 'Home', 'ArrowRight'], '{a:b} <c:d>'],
    ['is:new !level:>=error', ['ArrowLeft', 'Enter'], '<is:new> !level:>=|error|'],
    ['is:new a:"b c" x', [], '<is:new> <a:"b c"> x|'],
    ['x a:"b c" y', ['mod+a'], '|x a:"b c" y|'],
    ['is:new a:b', ['ArrowLeft', 'F2'], '<is:new> a:|b|'],
    ['x a:b y:z', ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Backspace'], 'x| <y:z>'],
    ['is:new a:b', ['Backspace'], '<is:new> {a:b}'],
    ['is:new a:b', ['Backspace', 'Backspace'], '<is:new> |'],
    ['is:new a:b', ['ArrowLeft', 'Escape'], '<is:new> <a:b> |'],
    ['x', ['ArrowLeft', 'ArrowRight', 'Backspace'], 'x|'],
  ])('%j %j', (search, keys, expected) => {
    expect(show(press(openDraft(search), ...keys))).toBe(expected);
  });

  test('a filter that was just written becomes one when the caret goes past it', () => {
    const edited = press(type('is:new', 'a:b'), 'ArrowRight');
    expect(show(edited)).toBe('<is:new> <a:b> |');
    expect(show(press(type('a:b', 'c:d'), 'ArrowLeft'))).toBe('<a:b> c:d|');
  });
});

describe('typing', () => {
  test.each([
    ['', 'a:b', 'a:b|'],
    ['', 'a:b ', '<a:b> |'],
    ['is:new', 'a:b cd', '<is:new> <a:b> cd|'],
    ['', '(a:b c:d) e:f ', '(a:b c:d) <e:f> |'],
    ['', 'a:b OR c:d ', '<a:b> OR <c:d> |'],
    ['', 'a:"b c" ', '<a:"b c"> |'],
    ['', 'a:"b c ', 'a:"b c |'],
    ['', 'a:[b, c ', 'a:[b, c |'],
    ['', 'foo  bar ', 'foo  bar |'],
  ])('%j, then %j', (search, typed, expected) => {
    expect(show(type(search, typed))).toBe(expected);
  });

  test('what is pasted becomes filters at once', () => {
    const text = 'is:new free text level:error';
    expect(show(typeText(openDraft(''), text, text.length, true))).toBe('<is:new> free text <level:error> |');
  });

  test('a space between a text and a filter keeps the caret where it is', () => {
    expect(show(typeText(openDraft('a:b'), 'x  c:d', 2))).toBe('<a:b> x | <c:d>');
  });
});

test('no keys lose what was not deleted, and the caret stays within its text', () => {
  const key = fc.constantFrom('ArrowLeft', 'ArrowRight', 'Home', 'End', 'Enter', 'F2', 'Escape', 'mod+a');
  const search = fc.constantFrom(
    '',
    'x',
    'is:new',
    'x a:b y !c:"d e" z',
    'a:b (c:d OR e) f:g',
    'a:[b, c] OR d:e',
  );
  fc.assert(
    fc.property(search, fc.array(key, { maxLength: 20 }), (text, keys) => {
      const draft = press(openDraft(text), ...keys);
      expect(searchOf(draft.parts)).toBe(text);
      expect(draft.parts.length % 2).toBe(1);
      expect(draft.selection.start).toBeLessThanOrEqual(draft.selection.end);
      const length = draft.parts[draft.at]?.length;
      expect(length).toBeGreaterThanOrEqual(draft.selection.end);
    }),
  );
});
