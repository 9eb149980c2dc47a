import { expect, test } from 'vitest';
import { completionOf } from './search-field.tsx';

test('a value is asked for as the search writes it', () => {
  expect(completionOf('has:', 'pl', false)).toEqual({ text: 'has:pl', caret: 6, kept: '' });
  expect(completionOf('plan:', '', false)).toEqual({ text: 'plan:', caret: 5, kept: '' });
  expect(completionOf('browser:', 'Mobile Saf', false)).toEqual({
    text: 'browser:"Mobile Saf',
    caret: 19,
    kept: '',
  });
});

test('of several values the last one is completed, and the others stay', () => {
  expect(completionOf('plan:', 'gold, sil', true)).toEqual({ text: 'plan:sil', caret: 8, kept: 'gold, ' });
  expect(completionOf('plan:', 'go', true).kept).toBe('');
  expect(completionOf('plan:', 'gold, sil', false)).toEqual({ text: 'plan:"gold, sil', caret: 15, kept: '' });
});
