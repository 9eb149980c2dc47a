import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MINUTE_MS } from '#lib/time.ts';
import { createOauthStore, type OauthStore, type OauthTokenPair } from '#product/oauth/oauth-store.ts';
import { describeOnPostgres } from './engines.ts';
import { openPostgresStores, type PostgresStores } from './postgres-stores.ts';
import { NOON_MS } from './sample-events.ts';

const hash = (text: string): Uint8Array => createHash('sha256').update(text).digest();

describeOnPostgres('OauthStore', (engine) => {
  let stores: PostgresStores;
  let oauth: OauthStore;
  let userId: string;
  let organizationId: number;
  let clientId: string;

  beforeAll(async () => {
    stores = await openPostgresStores(engine);
    oauth = createOauthStore(stores.database.db);
    userId = await stores.createUser('Ada');
    ({ organizationId } = await stores.createTenant());
  });
  afterAll(async () => {
    await stores?.database.drop();
  });
  beforeEach(async () => {
    clientId = await newClient();
  });

  async function newClient(createdAt = NOON_MS, unused = { sinceMs: 0, max: 1_000 }): Promise<string> {
    const id = randomBytes(16).toString('hex');
    const client = { id, name: 'Agent', redirectUris: ['http://127.0.0.1/cb'], createdAt };
    await oauth.addClient(client, unused);
    expect(await oauth.findClient(id)).toEqual(client);
    return id;
  }

  const addGrant = (code: string, client = clientId) =>
    oauth.addGrant({
      clientId: client,
      userId,
      organizationId,
      scopes: ['event:read'],
      codeHash: hash(code),
      code: { challenge: 'c', redirectUri: 'http://127.0.0.1/cb' },
      codeExpiresAt: NOON_MS + MINUTE_MS,
      createdAt: NOON_MS,
    });

  const pair = (name: string, nowMs = NOON_MS): OauthTokenPair => ({
    accessHash: hash(`access ${name}`),
    accessExpiresAt: nowMs + 60 * MINUTE_MS,
    refreshHash: hash(`refresh ${name}`),
    refreshExpiresAt: nowMs + 600 * MINUTE_MS,
  });

  const newCode = () => randomBytes(8).toString('hex');

  test('a code serves once, also when it is used twice at the same moment', async () => {
    const code = newCode();
    const id = await addGrant(code);
    const used = await Promise.all([
      oauth.redeemCode(hash(code), NOON_MS),
      oauth.redeemCode(hash(code), NOON_MS),
    ]);
    const [first] = used.filter((each) => each !== null);
    expect(used.filter((each) => each !== null)).toHaveLength(1);
    expect(first).toMatchObject({ grant: { id, clientName: 'Agent', userId }, code: { challenge: 'c' } });
    // Two knew it, so the grant is over.
    expect(await oauth.addTokens(id, pair(code), NOON_MS)).toBe(false);
  });

  test('a code that is too old serves nothing, and its grant is not listed', async () => {
    const code = newCode();
    await addGrant(code);
    expect(await oauth.redeemCode(hash(code), NOON_MS + MINUTE_MS)).toBeNull();
    expect(await oauth.redeemCode(hash('unknown'), NOON_MS)).toBeNull();
    expect(await oauth.listGrants(userId, NOON_MS)).toEqual([]);
  });

  test('access tokens open until they end, and note their use once a minute', async () => {
    const code = newCode();
    const id = await addGrant(code);
    await oauth.redeemCode(hash(code), NOON_MS);
    await oauth.addTokens(id, pair(code), NOON_MS);
    const find = (nowMs: number) => oauth.findByAccessToken(hash(`access ${code}`), nowMs);
    expect(await find(NOON_MS)).toMatchObject({ id, scopes: ['event:read'], lastUsedAt: null });
    expect(await find(NOON_MS + 1_000)).toMatchObject({ lastUsedAt: NOON_MS });
    expect(await find(NOON_MS + 2_000)).toMatchObject({ lastUsedAt: NOON_MS });
    expect(await find(NOON_MS + 60 * MINUTE_MS)).toBeNull();
    expect(await oauth.findByAccessToken(hash(`refresh ${code}`), NOON_MS)).toBeNull();
    expect(await oauth.listGrants(userId, NOON_MS)).toEqual([expect.objectContaining({ id })]);
    expect(await oauth.listGrants(userId, NOON_MS + 600 * MINUTE_MS)).toEqual([]);
  });

  test('a refresh token serves once and for a short while again; later its grant is over', async () => {
    const code = newCode();
    const id = await addGrant(code);
    await oauth.redeemCode(hash(code), NOON_MS);
    await oauth.addTokens(id, pair(code), NOON_MS);
    const use = (nowMs: number) => oauth.redeemRefreshToken(hash(`refresh ${code}`), nowMs, 30_000);
    expect(await oauth.redeemRefreshToken(hash(`access ${code}`), NOON_MS, 30_000)).toBeNull();
    expect(await use(NOON_MS)).toMatchObject({ id });
    expect(await use(NOON_MS + 30_000)).toMatchObject({ id });
    expect(await use(NOON_MS + 30_001)).toBeNull();
    expect(await oauth.findByAccessToken(hash(`access ${code}`), NOON_MS)).toBeNull();
  });

  test('the newer grant of a program takes the place of the older one, of it alone', async () => {
    const other = await newClient();
    const codes = [newCode(), newCode(), newCode()];
    const ids = [await addGrant(codes[0]!), await addGrant(codes[1]!, other), await addGrant(codes[2]!)];
    for (const [index, code] of codes.entries()) {
      await oauth.redeemCode(hash(code), NOON_MS);
      await oauth.addTokens(ids[index]!, pair(code), NOON_MS);
    }
    const listed = (await oauth.listGrants(userId, NOON_MS)).map(({ id }) => id);
    expect(listed).toContain(ids[1]);
    expect(listed).toContain(ids[2]);
    expect(listed).not.toContain(ids[0]);
  });

  test('a person ends their own grants, a program those of its tokens', async () => {
    const codes = [newCode(), newCode()];
    const other = await newClient();
    const ids = [await addGrant(codes[0]!), await addGrant(codes[1]!, other)];
    for (const [index, code] of codes.entries()) {
      await oauth.redeemCode(hash(code), NOON_MS);
      await oauth.addTokens(ids[index]!, pair(code), NOON_MS);
    }
    expect(await oauth.endGrant(await stores.createUser('Eve'), ids[0]!)).toBe(false);
    expect(await oauth.endGrant(userId, ids[0]!)).toBe(true);
    await oauth.endByToken(hash(`refresh ${codes[1]}`), clientId);
    expect(await oauth.findByAccessToken(hash(`access ${codes[1]}`), NOON_MS)).not.toBeNull();
    await oauth.endByToken(hash(`refresh ${codes[1]}`), other);
    expect(await oauth.findByAccessToken(hash(`access ${codes[1]}`), NOON_MS)).toBeNull();
  });

  test('what has expired, and programs that nobody let in, are forgotten', async () => {
    const code = newCode();
    await addGrant(code);
    const late = NOON_MS + 10_000 * MINUTE_MS;
    const used = await newClient(late);
    const usedCode = newCode();
    const id = await addGrant(usedCode, used);
    await oauth.addTokens(id, pair(usedCode, late), late);
    const idle = await newClient();
    await newClient(late, { sinceMs: late - 1, max: 1_000 });
    expect(await oauth.findClient(idle)).toBeNull();
    const newer = [await newClient(late + 1), await newClient(late + 2)];
    await newClient(late + 3, { sinceMs: 0, max: 1 });
    expect(await Promise.all(newer.map((id) => oauth.findClient(id)))).toEqual([null, expect.anything()]);
    expect(await oauth.findClient(used)).not.toBeNull();
    const { rows } = await stores.database.pool.query(
      'SELECT count(*)::int AS count FROM oauth_grants WHERE expires_at < $1',
      [new Date(late)],
    );
    expect(rows).toEqual([{ count: 0 }]);
  });
});
