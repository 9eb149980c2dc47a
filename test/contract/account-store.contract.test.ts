import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '#lib/time.ts';
import { type AccountStore, createAccountStore } from '#product/accounts/store/account-store.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores } from './postgres-stores.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const hash = (text: string): Uint8Array => createHash('sha256').update(text).digest();

describeOnPostgres('AccountStore', (engine) => {
  let stores: PostgresStores;
  let accounts: AccountStore;
  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    accounts = createAccountStore(stores.database);
  });
  afterAll(async () => {
    await stores?.database.drop();
  });

  async function createMember(): Promise<{ organizationId: number; userId: string }> {
    const { organizationId } = await stores.createTenant();
    const userId = await stores.createUser('Ana');
    await accounts.addMembership({ organizationId, userId, role: 'member' });
    return { organizationId, userId };
  }

  async function createToken(expiresAt: number | null = null) {
    const { organizationId, userId } = await createMember();
    const secret = randomBytes(16).toString('hex');
    const token = await accounts.createToken({
      organizationId,
      userId,
      name: 'ci',
      scopes: ['event:read', 'org:read'],
      tokenHash: hash(secret),
      expiresAt,
    });
    return { secret, token };
  }

  test('a user is found by id, and by e-mail whatever its case', async () => {
    const before = await accounts.countUsers();
    const id = await stores.createUser('Zoë "Ω" 🦓');
    expect(await accounts.countUsers()).toBe(before + 1);
    const user = { id, email: `${id}@example.com`, name: 'Zoë "Ω" 🦓', isInstanceOwner: false };
    expect(await accounts.findUser(id)).toEqual(user);
    expect(await accounts.findUserByEmail(` ${id.toUpperCase()}@EXAMPLE.com `)).toEqual(user);
    expect(await accounts.findUserByEmail('nobody@example.com')).toBeNull();
    expect(await accounts.findUser('nobody')).toBeNull();
  });

  test('two users cannot have one e-mail in different cases', async () => {
    const id = await stores.createUser('Ana');
    await expect(
      stores.database.pool.query("INSERT INTO users (id, name, email) VALUES ('other', 'Other', $1)", [
        `${id}@EXAMPLE.com`,
      ]),
    ).rejects.toMatchObject({ code: '23505' });
  });

  test('an instance has one owner, and the same user may take the place twice', async () => {
    const [first, second] = [await stores.createUser('First'), await stores.createUser('Second')];
    expect(await accounts.findInstanceOwner()).toBeNull();
    await accounts.setInstanceOwner(first);
    await accounts.setInstanceOwner(first);
    await expect(accounts.setInstanceOwner(second)).rejects.toMatchObject({ code: 'conflict' });
    expect(await accounts.findInstanceOwner()).toMatchObject({ id: first, isInstanceOwner: true });
    expect((await accounts.findUser(second))?.isInstanceOwner).toBe(false);
  });

  test('a role belongs to one organization, and setting it again changes it', async () => {
    const { organizationId, userId } = await createMember();
    const other = await stores.createTenant();
    expect(await accounts.findRole(organizationId, userId)).toBe('member');
    expect(await accounts.findRole(other.organizationId, userId)).toBeNull();
    await accounts.addMembership({ organizationId, userId, role: 'owner' });
    await accounts.addMembership({ organizationId: other.organizationId, userId, role: 'viewer' });
    expect(await accounts.listMemberships(userId)).toEqual([
      { organizationId, userId, role: 'owner' },
      { organizationId: other.organizationId, userId, role: 'viewer' },
    ]);
    expect(await accounts.listMembers(other.organizationId)).toEqual([
      { ...(await accounts.findUser(userId)), role: 'viewer' },
    ]);
  });

  test('a token is found by its hash, and its use is noted', async () => {
    const { secret, token } = await createToken();
    expect(token).toMatchObject({
      name: 'ci',
      scopes: ['event:read', 'org:read'],
      lastUsedAt: null,
      expiresAt: null,
    });
    expect(await accounts.findToken(hash(secret), NOW_MS)).toEqual(token);
    expect(await accounts.findToken(hash(secret), NOW_MS + 1_000)).toEqual({ ...token, lastUsedAt: NOW_MS });
    await accounts.findToken(hash(secret), NOW_MS + MINUTE_MS);
    expect((await accounts.findToken(hash(secret), NOW_MS + MINUTE_MS))?.lastUsedAt).toBe(NOW_MS + MINUTE_MS);
    expect(await accounts.findToken(hash('other'), NOW_MS)).toBeNull();
  });

  test('a token does not open from the millisecond of its expiry on', async () => {
    const { secret } = await createToken(NOW_MS);
    expect(await accounts.findToken(hash(secret), NOW_MS - 1)).not.toBeNull();
    expect(await accounts.findToken(hash(secret), NOW_MS)).toBeNull();
  });

  test('the database holds no token and no one-time secret, only hashes', async () => {
    const { secret } = await createToken();
    const columns = await stores.database.pool.query(
      `SELECT table_name, column_name, data_type FROM information_schema.columns
       WHERE table_name IN ('api_tokens', 'one_time_secrets') AND column_name LIKE '%hash'`,
    );
    expect(columns.rows.map((row) => row.data_type)).toEqual(['bytea', 'bytea']);
    const { rows } = await stores.database.pool.query('SELECT api_tokens::text AS row FROM api_tokens');
    expect(JSON.stringify(rows)).not.toContain(secret);
    await expect(
      stores.database.pool.query(
        `INSERT INTO one_time_secrets (purpose, secret_hash, expires_at) VALUES ('setup', '\\x00', now())`,
      ),
    ).rejects.toMatchObject({ code: '23514' });
  });

  test('a one-time secret opens once, for its purpose, before its expiry', async () => {
    const userId = await stores.createUser('Ana');
    const secret = { purpose: 'reset_password', userId, secretHash: hash('one'), expiresAt: NOW_MS } as const;
    await accounts.putOneTimeSecret(secret);
    expect(await accounts.checkOneTimeSecret('setup', hash('one'), NOW_MS - 1)).toBe(false);
    expect(await accounts.checkOneTimeSecret('reset_password', hash('one'), NOW_MS)).toBe(false);
    expect(await accounts.takeOneTimeSecret('reset_password', hash('one'), NOW_MS)).toBeNull();
    expect(await accounts.checkOneTimeSecret('reset_password', hash('one'), NOW_MS - 1)).toBe(true);
    const takes = await Promise.all(
      Array.from({ length: 5 }, () => accounts.takeOneTimeSecret('reset_password', hash('one'), NOW_MS - 1)),
    );
    expect(takes.filter((take) => take !== null)).toEqual([{ userId }]);
  });

  test('a new secret of the same purpose and user replaces the one before', async () => {
    const put = (text: string) =>
      accounts.putOneTimeSecret({
        purpose: 'setup',
        userId: null,
        secretHash: hash(text),
        expiresAt: NOW_MS,
      });
    await put('old');
    await put('new');
    expect(await accounts.checkOneTimeSecret('setup', hash('old'), NOW_MS - 1)).toBe(false);
    expect(await accounts.takeOneTimeSecret('setup', hash('new'), NOW_MS - 1)).toEqual({ userId: null });
  });

  test('set-ups run one after another, also when more wait than there are connections', async () => {
    let running = 0;
    let most = 0;
    const work = async () => {
      running++;
      most = Math.max(most, running);
      await accounts.countUsers();
      running--;
    };
    await Promise.all(Array.from({ length: 20 }, () => accounts.withSetupLock(work)));
    expect(most).toBe(1);
  });

  test('a set-up that fails lets the next one in', async () => {
    await expect(
      accounts.withSetupLock(async () => {
        throw new Error('no disk');
      }),
    ).rejects.toThrow('no disk');
    expect(await accounts.withSetupLock(async () => 'in')).toBe('in');
  });
});
