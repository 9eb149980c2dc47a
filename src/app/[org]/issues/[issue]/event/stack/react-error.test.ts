import { expect, test } from 'vitest';
import { readReactError } from './react-error.ts';

const REST = 'for the full message or use the non-minified dev environment for full errors';

test.each([
  [
    `Minified React error #441; visit https://react.dev/errors/441 ${REST}.`,
    { code: 441, meaning: expect.stringContaining('server component'), href: 'https://react.dev/errors/441' },
  ],
  [
    `Minified React error #130; visit https://reactjs.org/docs/error-decoder.html?invariant=130&args[]=undefined&args[]= ${REST}.`,
    {
      code: 130,
      meaning: expect.stringContaining('undefined'),
      href: 'https://react.dev/errors/130?args%5B%5D=undefined&args%5B%5D=',
    },
  ],
  [
    `Minified React error #9; visit https://react.dev/errors/9?args[]=a%20b ${REST}.`,
    { code: 9, meaning: null, href: 'https://react.dev/errors/9?args%5B%5D=a+b' },
  ],
])('%s', (message, error) => {
  expect(readReactError(message)).toEqual(error);
});

test.each([
  'Cannot read properties of undefined',
  'Minified React error #130; visit https://evil.example/errors/130',
  'Minified React error #130; visit https://react.dev.evil.example/errors/130',
  'Not: Minified React error #130; visit https://react.dev/errors/130',
])('%s is none', (message) => {
  expect(readReactError(message)).toBeNull();
});
