import { expect, it } from 'vitest';
import { keptStack, readStackOptions, stackEntries } from './stack-options.ts';

const DEFAULT = { shape: 'own', order: 'newest', isAsSent: false } as const;

it('follows the address, then what was chosen last, then the default', () => {
  expect(readStackOptions({}, undefined)).toEqual(DEFAULT);
  expect(readStackOptions({}, 'all.oldest')).toEqual({ ...DEFAULT, shape: 'all', order: 'oldest' });
  expect(readStackOptions({ stack: 'raw' }, 'all.oldest')).toEqual({
    ...DEFAULT,
    shape: 'raw',
    order: 'oldest',
  });
  expect(readStackOptions({ stack: 'own', order: 'newest' }, 'raw.oldest')).toEqual(DEFAULT);
});

it('ignores what it does not know', () => {
  expect(readStackOptions({ stack: 'x', order: ['y'] }, 'z.')).toEqual(DEFAULT);
});

it('reads what it writes', () => {
  const options = { shape: 'raw', order: 'oldest', isAsSent: false } as const;
  expect(readStackOptions(stackEntries(options), undefined)).toEqual(options);
  expect(readStackOptions({}, keptStack(options))).toEqual(options);
});

it('shows the frames as they were sent only where the address asks for them', () => {
  const options = { ...DEFAULT, isAsSent: true };
  expect(readStackOptions(stackEntries(options), undefined)).toEqual(options);
  expect(readStackOptions({}, keptStack(options))).toEqual(DEFAULT);
});
