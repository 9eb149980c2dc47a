import { describe, expect, it, test } from 'vitest';
import { isDataAddress, renamedPath, returnPath, safeNext } from './return-path.ts';

describe('returnPath', () => {
  it('keeps path and query of this site', () => {
    expect(returnPath('/acme/issues?query=is%3Aresolved')).toBe('/acme/issues?query=is%3Aresolved');
  });

  it('leaves out what the framework adds', () => {
    expect(returnPath('/acme/issues?_rsc=1a2b3')).toBe('/acme/issues');
    expect(returnPath('/acme/issues?sort=new&_rsc=1a2b3')).toBe('/acme/issues?sort=new');
  });

  it('never leads to another host', () => {
    expect(returnPath('//evil.example/x')).toBeNull();
    expect(returnPath('/\\evil.example')).toBeNull();
    expect(returnPath('https://evil.example')).toBeNull();
    expect(returnPath('')).toBeNull();
    expect(returnPath(null)).toBeNull();
  });

  it('is null for the root, which redirects anyway', () => {
    expect(returnPath('/')).toBeNull();
  });
});

test.each(['/main/issues', '/main/issues?query=is%3Aunresolved#top', '/'])('%s is kept', (path) => {
  expect(safeNext(path)).toBe(path);
});

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  'javascript:alert(1)',
  'main/issues',
  '',
  null,
  undefined,
])('%j leads to the start page', (path) => {
  expect(safeNext(path)).toBe('/');
});

test('what stands behind the slug stays', () => {
  expect(renamedPath('/old/issues/WEB-1?tab=2', 'old', 'new')).toBe('/new/issues/WEB-1?tab=2');
  expect(renamedPath('/old?x=1', 'old', 'new')).toBe('/new?x=1');
});

test('what is another path leads to the issues', () => {
  expect(renamedPath(null, 'old', 'new')).toBe('/new/issues');
  expect(renamedPath('/older/issues', 'old', 'new')).toBe('/new/issues');
  expect(renamedPath('/old', 'old', 'new')).toBe('/new/issues');
});

test('an address that the router of the framework asks for is told from one that somebody opens', () => {
  expect(isDataAddress('/acme/issues?query=_rsc&_rsc=1a2b3')).toBe(true);
  expect(isDataAddress('/acme/issues?query=_rsc')).toBe(false);
  expect(isDataAddress('/acme/issues')).toBe(false);
  expect(isDataAddress(null)).toBe(false);
});
