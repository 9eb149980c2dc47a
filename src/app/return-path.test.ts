import { describe, expect, it } from 'vitest';
import { returnPath } from './return-path.ts';

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
