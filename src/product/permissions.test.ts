import { describe, expect, test } from 'vitest';
import { ROLES, type Role } from '#domain/people.ts';
import { SCOPES, type Scope } from '#protocol/scopes.ts';
import type { Actor } from './context.ts';
import { hasRight, requireOneOf, requireRight } from './permissions.ts';

const user = (role: Role): Actor => ({
  kind: 'user',
  userId: 'u1',
  name: 'Ana',
  role,
  isInstanceOwner: false,
});
const token = (role: Role, scopes: readonly string[]): Actor => ({
  kind: 'token',
  userId: 'u1',
  name: 'CI',
  role,
  isInstanceOwner: false,
  scopes,
});

describe('roles', () => {
  test.each<[Scope, Role]>([
    ['event:read', 'viewer'],
    ['project:read', 'viewer'],
    ['org:read', 'viewer'],
    ['event:write', 'member'],
    ['project:releases', 'member'],
    ['project:write', 'admin'],
    ['alerts:write', 'admin'],
    ['event:admin', 'manager'],
    ['project:admin', 'manager'],
    ['member:write', 'manager'],
    ['org:integrations', 'manager'],
    ['org:write', 'manager'],
    ['org:admin', 'owner'],
  ])('%s starts with the role %s', (right, least) => {
    for (const role of ROLES) {
      expect(hasRight(user(role), right), role).toBe(ROLES.indexOf(role) >= ROLES.indexOf(least));
    }
  });

  test('a higher role never lacks what a lower one has', () => {
    for (const [index, role] of ROLES.entries()) {
      const higher = ROLES[index + 1];
      if (!higher) continue;
      for (const right of SCOPES) {
        if (hasRight(user(role), right))
          expect(hasRight(user(higher), right), `${higher} ${right}`).toBe(true);
      }
    }
  });
});

describe('tokens', () => {
  test('a token has what both its scopes and its role allow', () => {
    expect(hasRight(token('owner', ['event:read']), 'event:read')).toBe(true);
    expect(hasRight(token('owner', ['event:read']), 'event:write')).toBe(false);
    expect(hasRight(token('viewer', ['event:admin']), 'event:read')).toBe(true);
    expect(hasRight(token('viewer', ['event:admin']), 'event:write')).toBe(false);
  });

  test('a token without scopes may do nothing', () => {
    for (const right of SCOPES) expect(hasRight(token('owner', []), right)).toBe(false);
  });
});

describe('requireRight', () => {
  test('the system may do everything', () => {
    for (const right of SCOPES)
      expect(() => requireRight({ actor: { kind: 'system' } }, right)).not.toThrow();
  });

  test('says which role would be enough', () => {
    expect(() => requireRight({ actor: user('viewer') }, 'event:write')).toThrow(
      /role "viewer" does not include event:write.*"member"/,
    );
  });

  test('says which scope a token lacks', () => {
    expect(() => requireRight({ actor: token('owner', ['org:read']) }, 'event:read')).toThrow(
      expect.objectContaining({ code: 'forbidden', message: expect.stringContaining('scope event:read') }),
    );
  });

  test('agrees with hasRight for every role and right', () => {
    for (const role of ROLES) {
      for (const right of SCOPES) {
        const check = () => requireRight({ actor: user(role) }, right);
        if (hasRight(user(role), right)) expect(check).not.toThrow();
        else expect(check).toThrow(expect.objectContaining({ code: 'forbidden' }));
      }
    }
  });
});

describe('requireOneOf', () => {
  test('any of the rights is enough', () => {
    for (const scope of ['project:releases', 'org:ci']) {
      const actor = token('member', [scope]);
      expect(() => requireOneOf({ actor }, ['project:releases', 'org:ci'])).not.toThrow();
    }
  });

  test('without any, the first is asked for', () => {
    const actor = token('member', ['event:read']);
    expect(() => requireOneOf({ actor }, ['project:releases', 'org:ci'])).toThrow(
      expect.objectContaining({ code: 'forbidden', message: expect.stringContaining('project:releases') }),
    );
  });
});
