import { expect, it } from 'vitest';
import { previewKind } from './attachment-list.tsx';

it.each([
  ['a.png', 'Image/PNG; q=1', 'picture'],
  ['a.svg', 'image/svg+xml', null],
  ['a.html', 'text/html', 'text'],
  ['app.log', 'application/octet-stream', 'text'],
  ['a.json', 'application/json', 'text'],
  ['core.dmp', 'application/x-dmp', null],
])('%s of %s is shown as %s', (name, contentType, kind) => {
  expect(previewKind({ name, contentType, bytes: 10 })).toBe(kind);
});

it('does not show a picture that is too large for a page', () => {
  expect(previewKind({ name: 'a.png', contentType: 'image/png', bytes: 50_000_000 })).toBeNull();
});
