import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountStore, createAccountStore } from '#product/accounts/store/account-store.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores } from './postgres-stores.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const hash = (text: string): Uint8Array => createHash('sha256').update(text).digest();

describeOnPostgres('AccountStore, what opens accounts', (engine) => {
  let stores: PostgresStores;
  let accounts: AccountStore;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    accounts = createAccountStore(stores.database);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  const setTwoFactor = (userId: string) =>
    stores.database.pool.query('UPDATE users SET two_factor_enabled = true WHERE id = $1', [userId]);

  test('a policy belongs to one organization, and is seen together with the role', async () => {
    const [mine, other] = [await stores.createTenant(), await stores.createTenant()];
    const [ana, bo] = [await stores.createUser('Ana'), await stores.createUser('Bo')];
    for (const { organizationId } of [mine, other]) {
      await accounts.addMembership({ organizationId, userId: ana, role: 'owner' });
    }
    await accounts.addMembership({ organizationId: mine.organizationId, userId: bo, role: 'viewer' });
    const access = (organizationId: number, userId: string) => accounts.findAccess(organizationId, userId);
    expect(await access(mine.organizationId, ana)).toEqual({ role: 'owner', requiresTwoFactor: false });
    expect(await access(other.organizationId, bo)).toBeNull();

    await accounts.setTwoFactorRequired(mine.organizationId, true);
    expect(await access(mine.organizationId, bo)).toEqual({ role: 'viewer', requiresTwoFactor: true });
    expect(await access(other.organizationId, ana)).toEqual({ role: 'owner', requiresTwoFactor: false });
    expect(await accounts.requiresTwoFactor(mine.organizationId)).toBe(true);
    expect(await accounts.requiresTwoFactor(other.organizationId)).toBe(false);
    await expect(accounts.requiresTwoFactor(2 ** 40)).rejects.toMatchObject({ code: 'not_found' });
    const { rows } = await stores.database.pool.query('SELECT slug FROM organizations WHERE id = $1', [
      mine.organizationId,
    ]);
    expect(await accounts.listTwoFactorOrganizations(ana)).toEqual([rows[0].slug]);
    expect(await accounts.listTwoFactorOrganizations('nobody')).toEqual([]);

    expect(await accounts.countWithoutTwoFactor(mine.organizationId)).toBe(2);
    await setTwoFactor(ana);
    expect(await accounts.countWithoutTwoFactor(mine.organizationId)).toBe(1);
  });

  test('a profile tells what opens the account', async () => {
    const id = await stores.createUser('Ana');
    expect(await accounts.findProfile(id)).toEqual({
      id,
      email: `${id}@example.com`,
      name: 'Ana',
      isInstanceOwner: false,
      isEmailTrusted: false,
      hasPassword: false,
      hasTwoFactor: false,
    });
    await accounts.linkIdentity(id, { issuer: 'https://id.example.com', subject: id });
    await setTwoFactor(id);
    await accounts.renameUser(id, 'Ana María');
    expect(await accounts.findProfile(id)).toMatchObject({
      name: 'Ana María',
      hasPassword: false,
      hasTwoFactor: true,
    });
    expect(await accounts.findProfile('nobody')).toBeNull();
  });

  test('an identity belongs to one user, and to one issuer', async () => {
    const [ana, bo] = [await stores.createUser('Ana'), await stores.createUser('Bo')];
    const identity = { issuer: 'https://id.example.com', subject: randomBytes(4).toString('hex') };
    expect(await accounts.findUserByIdentity(identity)).toBeNull();
    await accounts.linkIdentity(ana, identity);
    await accounts.linkIdentity(ana, identity);
    await expect(accounts.linkIdentity(bo, identity)).rejects.toMatchObject({ code: 'conflict' });
    expect(await accounts.findUserByIdentity(identity)).toMatchObject({ id: ana });
    expect(await accounts.findUserByIdentity({ ...identity, issuer: 'https://other' })).toBeNull();
    expect([await accounts.hasIdentity(ana), await accounts.hasIdentity(bo)]).toEqual([true, false]);
    expect(await accounts.hasIdentity(ana, identity.issuer)).toBe(true);
    expect(await accounts.hasIdentity(ana, identity.issuer.slice(0, -1))).toBe(false);
    expect(await accounts.unlinkIdentities(ana)).toBe(1);
    expect(await accounts.findUserByIdentity(identity)).toBeNull();
  });

  test('a link changes an address once, until it expires, and not to one that is taken by then', async () => {
    const userId = await stores.createUser('Ana');
    const put = (secret: string, email: string, isMailed = true) =>
      accounts.putEmailChange({ userId, email, isMailed, secretHash: hash(secret), expiresAt: NOW_MS });
    await put('first', 'first@example.com');
    await put('second', 'second@example.com');
    expect(await accounts.checkEmailChange(userId, hash('first'), NOW_MS - 1)).toBeNull();
    expect(await accounts.checkEmailChange(userId, hash('second'), NOW_MS)).toBeNull();
    expect(await accounts.takeEmailChange(userId, hash('second'), NOW_MS)).toBeNull();
    expect(await accounts.takeEmailChange('somebody-else', hash('second'), NOW_MS - 1)).toBeNull();
    expect(await accounts.takeEmailChange(userId, hash('second'), NOW_MS - 1)).toEqual({
      oldEmail: `${userId}@example.com`,
      email: 'second@example.com',
    });
    expect(await accounts.takeEmailChange(userId, hash('second'), NOW_MS - 1)).toBeNull();
    expect(await accounts.findProfile(userId)).toMatchObject({ isEmailTrusted: true });

    await put('third', 'third@example.com', false);
    await accounts.takeEmailChange(userId, hash('third'), NOW_MS - 1);
    expect(await accounts.findProfile(userId)).toMatchObject({
      email: 'third@example.com',
      isEmailTrusted: false,
    });

    const other = await stores.createUser('Bo');
    await put('fourth', `${other}@EXAMPLE.com`);
    const taking = accounts.takeEmailChange(userId, hash('fourth'), NOW_MS - 1);
    await expect(taking).rejects.toMatchObject({ code: 'conflict', field: 'email' });
    expect(await accounts.findUser(userId)).toMatchObject({ email: 'third@example.com' });
  });

  test('tokens are listed over all organizations, newest first, and deleted by their owner only', async () => {
    const [mine, other] = [await stores.createTenant(), await stores.createTenant()];
    const [ana, bo] = [await stores.createUser('Ana'), await stores.createUser('Bo')];
    const create = ({ organizationId }: { organizationId: number }, name: string) =>
      accounts.createToken({
        organizationId,
        userId: ana,
        name,
        scopes: ['org:read'],
        tokenHash: hash(`${name} ${ana}`),
        expiresAt: null,
      });
    const first = await create(mine, 'first');
    await create(other, 'second');
    expect((await accounts.listTokens(ana)).map(({ name }) => name)).toEqual(['second', 'first']);
    expect(await accounts.listTokens(bo)).toEqual([]);
    expect(await accounts.deleteToken(bo, first.id)).toBe(false);
    expect(await accounts.deleteToken(ana, first.id)).toBe(true);
    expect(await accounts.deleteToken(ana, first.id)).toBe(false);
    expect(await accounts.findToken(hash(`first ${ana}`), NOW_MS)).toBeNull();
  });
});
