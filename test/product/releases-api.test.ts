import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ResolutionChoice } from '#domain/issues/issue.ts';
import type { Organization, Project } from '#domain/projects.ts';
import { createToken } from '#product/accounts/own-account/own-tokens.ts';
import { saveReleaseFile } from '#product/artifacts/save-release-file.ts';
import { listAuditEntries } from '#product/audit/audit-log.ts';
import type { Context } from '#product/context.ts';
import { mergeIssues } from '#product/grouping/merge-issues.ts';
import { updateIssues } from '#product/issues/update-issues.ts';
import { listAllRepositories } from '#product/repositories/repositories.ts';
import { provideServices } from '#product/services.ts';
import { createOrganizationToken } from '#product/tokens/organization-tokens.ts';
import type { Frame } from '#protocol/event.ts';
import { HOUR_MS, MINUTE_MS, NOON_MS } from '../contract/sample-events.ts';
import { makeRow } from '../contract/sample-telemetry.ts';
import { testInFull } from '../harness/is-full.ts';
import { type ApiRoute, listApiRoutes } from '../harness/list-api-routes.ts';
import { makeBundle } from '../harness/make-zip.ts';
import { openProduct, type Product, PUBLIC_URL } from './open-product.ts';
import { servicesOf } from './product-services.ts';
import { piecesOf, upload } from './upload-scene.ts';

type Answer = { status: number; body: Record<string, unknown>; link: string | null };

/** What sentry-cli sends of a commit. */
const commit = (id: string, part: Record<string, unknown> = {}) => ({
  id,
  repository: 'acme/web',
  author_name: 'Ada',
  author_email: 'Ada@example.com',
  message: `Message of ${id}`,
  timestamp: '2026-07-01T10:00:00+02:00',
  patch_set: [],
  ...part,
});

describe('releases, commits and deploys as builds tell of them', () => {
  let product: Product;
  let routes: readonly ApiRoute[];
  let organization: Organization;
  let web: Project;
  let api: Project;
  let owner: Awaited<ReturnType<Product['join']>>;
  /** Of the organization, as a build has it. */
  let buildToken: string;
  let personToken: string;

  beforeAll(async () => {
    [product, routes] = [await openProduct(), listApiRoutes()];
    provideServices(servicesOf(product));
  });
  afterAll(async () => {
    await product?.close();
  });
  beforeEach(async () => {
    product.clock.nowMs = NOON_MS;
    organization = await product.createOrganization();
    web = await product.createProject(organization, 'web');
    api = await product.createProject(organization, 'api');
    owner = await product.join(organization, 'owner');
    buildToken = (await createOrganizationToken(owner, { name: 'Build' })).token;
    const scopes = [
      'event:read',
      'event:write',
      'project:read',
      'org:read',
      'org:integrations',
      'project:releases',
    ];
    personToken = (await createToken(owner, { name: 'Mine', scopes: scopes as never, expiresAt: null }))
      .token;
  });

  async function ask(
    method: string,
    path: string,
    options: { body?: unknown; token?: string; params?: Record<string, string>; query?: string } = {},
  ): Promise<Answer> {
    const route = routes.find((candidate) => candidate.path === path);
    if (!route) throw new Error(`There is no route ${path}`);
    const { body, token = buildToken, params = {}, query = '' } = options;
    const request = new Request(`http://127.0.0.1:1/api/0/${path}/?${query}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const response = await route.handlers[method]!(request, {
      params: Promise.resolve({ org: organization.slug, ...params }),
    });
    const text = await response.text();
    const parsed = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    return { status: response.status, body: parsed, link: response.headers.get('link') };
  }
  const ORG = 'organizations/[org]';
  const RELEASES = `${ORG}/releases`;
  const RELEASE = `${RELEASES}/[version]`;
  const of = (version: string) => ({ params: { version } });
  const create = (version: string, body: Record<string, unknown> = {}) =>
    ask('POST', RELEASES, { body: { version, projects: ['web'], ...body } });
  /** As a person: no build needs to. */
  const remove = (version: string, part: object = {}) =>
    ask('DELETE', RELEASE, { ...of(version), token: personToken, ...part });
  const put = (version: string, body: unknown) => ask('PUT', RELEASE, { ...of(version), body });

  test('new, finalize, info, list, archive, delete', async () => {
    const made = await create('web@1.2.3-rc.1+77', {
      url: 'https://ci.example.com/7',
      projects: ['web', String(api.id)],
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        version: 'web@1.2.3-rc.1+77',
        shortVersion: 'web@1.2.3-rc.1+77',
        versionInfo: {
          package: 'web',
          version: {
            raw: '1.2.3-rc.1+77',
            major: 1,
            minor: 2,
            patch: 3,
            pre: 'rc.1',
            buildCode: '77',
            components: 3,
          },
          description: '1.2.3-rc.1 (77)',
          buildHash: null,
        },
        status: 'open',
        url: 'https://ci.example.com/7',
        ref: null,
        dateCreated: new Date(NOON_MS).toISOString(),
        dateReleased: null,
        newGroups: 0,
        commitCount: 0,
        deployCount: 0,
        lastCommit: null,
        lastDeploy: null,
        authors: [],
        firstEvent: null,
        projects: [
          { slug: 'api', name: 'api', newGroups: 0 },
          { slug: 'web', name: 'web', newGroups: 0 },
        ],
      },
    });
    expect((await create('web@1.2.3-rc.1+77')).status).toBe(208);
    const finalized = await put('web@1.2.3-rc.1+77', {
      dateReleased: '2026-01-02T10:00:00.123456789Z',
      projects: ['x'],
    });
    expect(finalized.body).toMatchObject({
      dateReleased: '2026-01-02T10:00:00.123Z',
      url: 'https://ci.example.com/7',
    });
    expect((await ask('GET', RELEASE, of('web@1.2.3-rc.1+77'))).body).toMatchObject({
      dateReleased: '2026-01-02T10:00:00.123Z',
    });
    expect((await ask('GET', RELEASE, of('web@9'))).status).toBe(404);
    const versions = async (query = '') =>
      ((await ask('GET', RELEASES, { query })).body as unknown as { version: string }[]).map(
        ({ version }) => version,
      );
    product.clock.nowMs += MINUTE_MS;
    await create('web@2');
    expect(await versions()).toEqual(['web@2', 'web@1.2.3-rc.1+77']);
    expect(await versions('query=1.2')).toEqual(['web@1.2.3-rc.1+77']);
    expect(await versions(`project=${api.id}`)).toEqual(['web@1.2.3-rc.1+77']);
    const first = await ask('GET', RELEASES, { query: 'per_page=1' });
    expect(first.link).toContain('rel="next"; results="true"');
    // As `sentry-cli releases archive` does it.
    const archived = await ask('POST', RELEASES, { body: { version: 'web@2', status: 'archived' } });
    expect([archived.status, archived.body.status]).toEqual([208, 'archived']);
    expect([await versions(), await versions('status=archived')]).toEqual([['web@1.2.3-rc.1+77'], ['web@2']]);
    // No build needs to delete.
    expect((await ask('DELETE', RELEASE, of('web@2'))).status).toBe(403);
    expect((await remove('web@2')).status).toBe(204);
    expect((await remove('web@2')).status).toBe(404);
    const { entries } = await listAuditEntries(owner, { cursor: null, limit: 5 } as never);
    expect(entries[0]).toMatchObject({ action: 'release.remove', target: { name: 'web@2' } });
  });

  test('a list of a period has what was released, or else made, within it', async () => {
    await create('web@old', { dateReleased: new Date(NOON_MS - 10 * 86_400_000).toISOString() });
    await create('web@new');
    const list = async (query: string) => {
      const { status, body } = await ask('GET', RELEASES, { query });
      expect(status).toBe(200);
      return (body as unknown as { version: string }[]).map(({ version }) => version);
    };
    expect(await list('statsPeriod=7d')).toEqual(['web@new']);
    expect(await list('statsPeriod=14d')).toHaveLength(2);
    expect(await list('')).toHaveLength(2);
  });

  test('what is refused names the field', async () => {
    const detail = async (body: Record<string, unknown>) => {
      const { status, body: answer } = await create('web@1', body);
      return [status, answer.detail];
    };
    expect(await detail({ projects: [] })).toEqual([400, expect.stringContaining('"projects"')]);
    expect(await detail({ projects: ['nowhere'] })).toEqual([404, expect.stringContaining('nowhere')]);
    expect(await detail({ url: 'javascript:alert(1)' })).toEqual([400, expect.stringContaining('"url"')]);
    expect(await detail({ dateReleased: 'tomorrow' })).toEqual([
      400,
      expect.stringContaining('"dateReleased"'),
    ]);
    expect(await detail({ status: 'gone' })).toEqual([400, expect.stringContaining('status')]);
    expect((await create('latest')).status).toBe(400);
    expect((await create('a\nb')).status).toBe(400);
    expect((await ask('GET', RELEASES, { query: 'sort=build' })).status).toBe(400);
    // Neither are sessions.
    expect((await ask('GET', RELEASES, { query: 'sort=users' })).status).toBe(403);
    // Which environments a release is in is told by its events, which tokens of builds do not read.
    expect((await ask('GET', RELEASES, { query: 'environment=production' })).status).toBe(403);
  });

  test('releases are listed by how their sessions went, with the health of each project', async () => {
    await create('web@1', { projects: ['web', 'api'] });
    await create('web@2');
    const own = { organizationId: organization.id, projectId: web.id, startedAt: NOON_MS - HOUR_MS };
    await product.stores.telemetry.insert(
      {
        sessions: [
          makeRow('sessions', { ...own, release: 'web@1', exited: 3, crashed: 1 }),
          makeRow('sessions', { ...own, release: 'web@2', exited: 6 }),
        ],
      },
      'health',
    );
    const list = async (query: string, token = personToken) =>
      (await ask('GET', RELEASES, { query, token })).body as unknown as {
        version: string;
        projects: object[];
      }[];
    const versions = async (sort: string) => (await list(`sort=${sort}`)).map(({ version }) => version);
    expect(await versions('sessions')).toEqual(['web@2', 'web@1']);
    expect(await versions('crash_free_sessions')).toEqual(['web@1', 'web@2']);
    const [first] = await list('sort=crash_free_sessions&health=1');
    expect(first?.projects).toMatchObject([
      { slug: 'api', hasHealthData: false, healthData: { totalSessions: 0, crashFreeSessions: null } },
      {
        slug: 'web',
        hasHealthData: true,
        healthData: {
          ...{ totalSessions: 4, sessionsCrashed: 1, crashFreeSessions: 75, crashFreeUsers: null },
          ...{ totalSessions24h: 4, totalProjectSessions24h: 10, sessionsAdoption: 40, durationP50: null },
        },
      },
    ]);
    expect((await list(''))[0]?.projects[0]).not.toHaveProperty('healthData');
    // A build may not read sessions.
    expect((await list('health=1', buildToken))[0]?.projects[0]).not.toHaveProperty('healthData');
  });

  test('a release with issues or sessions is not deleted', async () => {
    await create('web@1');
    await product.ingest(organization, [{ projectId: web.id, release: 'web@1' }]);
    expect((await remove('web@1')).body.detail).toMatch(/An issue occurred.*archive it/);
    await create('web@2', { projects: ['web', 'api'] });
    const own = { organizationId: organization.id, projectId: web.id };
    await product.stores.telemetry.insert(
      {
        sessions: [
          makeRow('sessions', { ...own, release: 'web@2', exited: 1, startedAt: NOON_MS - HOUR_MS }),
        ],
      },
      'sessions of web@2',
    );
    expect((await remove('web@2')).body.detail).toMatch(/This release has sessions/);
    // It would be gone from the other projects too, whichever it is asked for.
    const path = 'projects/[org]/[project]/releases/[version]';
    const params = { project: 'api', version: 'web@2' };
    expect((await ask('DELETE', path, { params, token: personToken })).body.detail).toMatch(/has sessions/);
    await create('web@3', { projects: ['web', 'api'] });
    await ask('DELETE', path, { params: { ...params, version: 'web@3' }, token: personToken });
    const { entries } = await listAuditEntries(owner, { cursor: null, limit: 5 } as never);
    expect(entries[0]).toMatchObject({ action: 'release.remove', data: { projects: ['api', 'web'] } });
    const { body } = await ask('GET', RELEASE, of('web@1'));
    expect(body).toMatchObject({
      newGroups: 1,
      firstEvent: new Date(NOON_MS).toISOString(),
      lastEvent: new Date(NOON_MS).toISOString(),
    });
  });

  test('a release that issues are resolved in, or after, is not deleted', async () => {
    const [event] = await product.ingest(organization, [{ projectId: web.id, release: 'web@1' }]);
    const [issueId] = (await product.stores.issues.findIdsByShortIds(organization.id, ['WEB-1'])).values();
    product.clock.nowMs += MINUTE_MS;
    await create('web@2');
    const resolve = (resolution: ResolutionChoice) =>
      updateIssues(owner, { issueIds: [issueId!], change: { status: 'resolved', resolution } });
    for (const resolution of [{ kind: 'release', release: 'web@2' }, { kind: 'next_release' }] as const) {
      await resolve(resolution);
      expect((await remove('web@2')).body.detail).toMatch(/An issue is resolved in this.*archive it/);
    }
    await updateIssues(owner, { issueIds: [issueId!], change: { status: 'unresolved' } });
    expect((await remove('web@2')).status).toBe(204);
    expect(event?.release).toBe('web@1');
  });

  test('set-commits: a list, what is new since, refs, and none again', async () => {
    await create('web@1');
    expect((await ask('GET', `${RELEASE}/previous-with-commits`, of('web@1'))).body).toEqual({});
    const ada = { ...(await product.join(organization, 'member')) };
    const list = [
      commit('aaa', { timestamp: '2026-06-01T00:00:00Z', author_email: ada.email.toUpperCase() }),
      commit('bbb', {
        patch_set: [
          { path: 'src/cart.ts', type: 'M' },
          { path: 'src/old.ts', type: 'R' },
        ],
      }),
    ];
    const told = await put('web@1', { commits: list });
    expect(told.body).toMatchObject({
      commitCount: 2,
      lastCommit: {
        id: 'bbb',
        message: 'Message of bbb',
        repository: { name: 'acme/web', provider: { id: 'unknown' } },
      },
      authors: [{ name: 'Ada', email: 'ada@example.com' }, { id: ada.userId }],
    });
    product.clock.nowMs += MINUTE_MS;
    await create('web@2');
    expect((await ask('GET', `${RELEASE}/previous-with-commits`, of('web@2'))).body).toMatchObject({
      version: 'web@1',
      lastCommit: { id: 'bbb' },
    });
    const commits = await ask('GET', `${RELEASE}/commits`, of('web@1'));
    expect(commits.body).toMatchObject([
      { id: 'bbb' },
      { id: 'aaa', author: { id: ada.userId, email: ada.email } },
    ]);
    expect((await ask('GET', `${RELEASE}/commitfiles`, of('web@1'))).body).toMatchObject([
      { filename: 'src/cart.ts', type: 'M', repoName: 'acme/web' },
      { filename: 'src/old.ts', type: 'M' },
    ]);
    expect((await ask('GET', `${RELEASE}/meta`, of('web@1'))).body).toMatchObject({
      commitFilesChanged: 2,
      commitCount: 2,
    });
    const refs = [{ repository: 'acme/api', commit: 'ddd..eee' }];
    expect((await put('web@2', { refs })).body).toMatchObject({ commitCount: 0, lastCommit: null });
    expect((await put('web@1', { refs: [] })).body).toMatchObject({ commitCount: 0 });
    const repos = await ask('GET', `${ORG}/repos`);
    expect((repos.body as unknown as { name: string }[]).map(({ name }) => name)).toEqual([
      'acme/api',
      'acme/web',
    ]);
    const [, repo] = repos.body as unknown as { id: string }[];
    expect(
      (await ask('GET', `${ORG}/repos/[repo]/commits`, { params: { repo: repo!.id } })).body,
    ).toHaveLength(2);
    expect((await put('web@1', { commits: [{ id: 'a b' }] })).status).toBe(400);
  });

  test('deploys', async () => {
    await create('web@1', { projects: ['web', 'api'] });
    const deploy = (body: unknown) => ask('POST', `${RELEASE}/deploys`, { ...of('web@1'), body });
    const started = {
      environment: 'production',
      name: 'blue',
      dateStarted: '2026-07-01T00:00:00Z',
      dateFinished: '2026-07-01T00:05:00Z',
    };
    expect(await deploy(started)).toMatchObject({
      status: 201,
      body: {
        ...started,
        url: null,
        dateStarted: '2026-07-01T00:00:00.000Z',
        dateFinished: '2026-07-01T00:05:00.000Z',
      },
    });
    expect(
      (await deploy({ environment: 'staging', url: 'https://staging.example.com', projects: ['web'] }))
        .status,
    ).toBe(201);
    expect((await deploy({ environment: 'a/b' })).status).toBe(400);
    expect((await deploy({ environment: 'x', url: 'ftp://x' })).status).toBe(400);
    const { body } = await ask('GET', `${RELEASE}/deploys`, of('web@1'));
    expect(
      (body as unknown as { environment: string }[]).map(({ environment }) => environment).sort(),
    ).toEqual(['production', 'staging']);
    expect((await ask('GET', RELEASE, of('web@1'))).body).toMatchObject({ deployCount: 2 });
    expect((await create('other', { projects: ['api'] })).status).toBe(201);
    const strange = await ask('POST', `${RELEASE}/deploys`, {
      ...of('other'),
      body: { environment: 'x', projects: ['web'] },
    });
    expect(strange.status).toBe(404);
  });

  const frame = (filename: string, in_app = true): Frame => ({ filename, in_app, function: 'f', lineno: 7 });
  const failing = (frames: readonly Frame[], part: object = {}) => ({
    projectId: web.id,
    release: 'web@2',
    payload: {
      event_id: '',
      type: 'error' as const,
      level: 'error' as const,
      platform: 'javascript',
      timestamp: NOON_MS / 1000,
      received: NOON_MS / 1000,
      exception: { values: [{ type: 'TypeError', value: 'x', stacktrace: { frames } }] },
    },
    ...part,
  });

  test('a commit that fixes an issue resolves it in the release, and says who did', async () => {
    const ada = await product.join(organization, 'member');
    await product.ingest(organization, [
      { projectId: web.id, release: 'web@1' },
      { projectId: api.id, groupingHash: 'a'.repeat(32), groupingHashes: ['a'.repeat(32)] },
    ]);
    const [own] = (await product.stores.issues.findIdsByShortIds(organization.id, ['WEB-1'])).values();
    product.clock.nowMs += MINUTE_MS;
    await create('web@2', {
      commits: [
        commit('fff', { message: 'Guard the cart\n\nFixes WEB-1, NONE-7', author_email: ada.email }),
        commit('eee', { message: `closes ${PUBLIC_URL}/${organization.slug}/issues/API-1` }),
      ],
    });
    const [webIssue, apiIssue] = await Promise.all(
      ['WEB-1', 'API-1'].map((shortId) => product.stores.issues.findByShortId(organization.id, shortId)),
    );
    expect(webIssue).toMatchObject({
      id: own,
      status: 'resolved',
      resolution: { kind: 'release', release: 'web@2' },
    });
    // The release is none of its project's: it waits for one that is.
    expect(apiIssue).toMatchObject({ status: 'resolved', resolution: { kind: 'commit', commit: 'eee' } });
    const [activity] = await product.stores.issues.listActivity(organization.id, webIssue!.id, 1);
    expect(activity).toMatchObject({
      type: 'set_resolved_in_commit',
      user: { id: ada.userId },
      data: { commit: 'fff', version: 'web@2' },
    });
    product.clock.nowMs += MINUTE_MS;
    await create('api@7', { projects: ['api'], commits: [commit('eee', { message: 'closes API-1' })] });
    expect(await product.stores.issues.findByShortId(organization.id, 'API-1')).toMatchObject({
      resolution: { kind: 'release', release: 'api@7' },
    });
  });

  test.each<[string, (version: string) => Promise<unknown>]>([
    ['a build makes it', (version) => create(version, { projects: ['api'] })],
    [
      'something is uploaded for it',
      (version) => upload(owner, makeBundle([]), { projectSlugs: ['api'], version }),
    ],
    [
      'a file is uploaded for it',
      (version) =>
        saveReleaseFile(owner, {
          version,
          projectSlugs: ['api'],
          body: piecesOf('run()'),
          describe: async () => ({ name: '~/app.js', dist: null, headers: {} }),
        }),
    ],
  ])(
    'an issue that waits for a commit is resolved in its release once its project has it: %s',
    async (_, join) => {
      await product.ingest(organization, [{ projectId: api.id }]);
      product.clock.nowMs += MINUTE_MS;
      await create('f00', { commits: [commit('aaa', { message: 'fixes API-1' })] });
      const find = () => product.stores.issues.findByShortId(organization.id, 'API-1');
      expect((await find())?.resolution).toMatchObject({ kind: 'commit', commit: 'aaa' });
      await join('f00');
      expect((await find())?.resolution).toEqual({ kind: 'release', release: 'f00' });
    },
  );

  test('who resolves an issue in a commit that is released already resolves it in that release', async () => {
    await product.ingest(organization, [{ projectId: web.id, release: 'web@1' }]);
    product.clock.nowMs += MINUTE_MS;
    for (const version of ['web@2', 'web@3']) {
      await create(version, { commits: [commit('9f2c1ab77')] });
      product.clock.nowMs += MINUTE_MS;
    }
    const issue = await product.stores.issues.findByShortId(organization.id, 'WEB-1');
    const change = { resolution: { kind: 'commit', repository: 'acme/web', commit: '9f2c1ab' } } as const;
    await updateIssues(owner, { issueIds: [issue!.id], change: { status: 'resolved', ...change } });
    const after = await product.stores.issues.findByShortId(organization.id, 'WEB-1');
    expect(after?.resolution).toEqual({ kind: 'release', release: 'web@2' });
  });

  test('suspect commits: of the first release, by the files of the stack trace', async () => {
    await create('web@1', {
      commits: [commit('old', { patch_set: [{ path: 'web/src/cart.ts', type: 'M' }] })],
    });
    product.clock.nowMs += MINUTE_MS;
    await create('web@2', {
      commits: [
        commit('c3', { patch_set: [{ path: 'web/src/checkout.ts', type: 'M' }] }),
        commit('c2', {
          patch_set: [{ path: 'web/src/cart.ts', type: 'M' }],
          timestamp: '2026-07-01T07:00:00Z',
        }),
        commit('c1', { patch_set: [{ path: 'docs/cart.md', type: 'M' }] }),
      ],
    });
    const [event] = await product.ingest(organization, [
      failing([
        frame('/srv/web/src/checkout.ts'),
        frame('/srv/web/src/cart.ts'),
        frame('node_modules/x/cart.ts', false),
      ]),
    ]);
    const committers = async (id: string) =>
      (
        await ask('GET', 'projects/[org]/[project]/events/[event]/committers', {
          token: personToken,
          params: { project: 'web', event: id },
        })
      ).body.committers as { author: unknown; commits: { id: string; why: string; files: string[] }[] }[];
    const found = await committers(event!.eventId);
    expect(found).toHaveLength(1);
    expect(found[0]!.author).toEqual({ name: 'Ada', email: 'ada@example.com' });
    expect(found[0]!.commits.map(({ id, files }) => [id, files])).toEqual([
      ['c2', ['web/src/cart.ts']],
      ['c3', ['web/src/checkout.ts']],
    ]);
    expect(found[0]!.commits[0]!.why).toBe(
      'Changed web/src/cart.ts, where it occurred, in web@2, the first release with this issue',
    );
    const hash = 'b'.repeat(32);
    const [other] = await product.ingest(organization, [
      failing([frame('/srv/web/src/nothing.ts')], { groupingHash: hash, groupingHashes: [hash] }),
    ]);
    expect(await committers(other!.eventId)).toEqual([]);
    // What the first release did not touch, one before it may have.
    await put('web@2', { commits: [commit('c1', { patch_set: [{ path: 'docs/cart.md', type: 'M' }] })] });
    expect((await committers(event!.eventId))[0]!.commits.map(({ id }) => id)).toEqual(['old']);
  });

  test('code mappings link a frame to the commit of its release', async () => {
    await create('web@2', { commits: [commit('f'.repeat(40))] });
    const bulk = await ask('POST', `${ORG}/code-mappings/bulk`, {
      body: {
        project: 'web',
        repository: 'acme/web',
        defaultBranch: 'main',
        mappings: [
          { stackRoot: 'src/', sourceRoot: 'web/src/' },
          { stackRoot: 'lib/', sourceRoot: 'lib' },
        ],
      },
    });
    expect(bulk.body).toMatchObject({
      created: 2,
      updated: 0,
      errors: 0,
      mappings: [{ stackRoot: 'src/', status: 'created' }, {}],
    });
    const link = async (query: string) =>
      (
        await ask('GET', 'projects/[org]/[project]/stacktrace-link', {
          token: personToken,
          params: { project: 'web' },
          query,
        })
      ).body;
    expect(await link('file=src/cart.ts')).toMatchObject({
      sourceUrl: null,
      error: 'repository_has_no_address',
    });
    const [repo] = (await ask('GET', `${ORG}/repos`)).body as unknown as { id: string }[];
    expect(
      (await ask('PUT', `${ORG}/repos/[repo]`, { params: { repo: repo!.id }, body: { host: 'github' } }))
        .status,
    ).toBe(403);
    const changed = await ask('PUT', `${ORG}/repos/[repo]`, {
      token: personToken,
      params: { repo: repo!.id },
      body: { host: 'github' },
    });
    expect(changed.body).toMatchObject({ host: 'github', name: 'acme/web' });
    expect(await link('file=src/cart.ts&lineNo=7')).toMatchObject({
      sourceUrl: 'https://github.com/acme/web/blob/main/web/src/cart.ts#L7',
      config: { stackRoot: 'src/', sourceRoot: 'web/src/', repoName: 'acme/web', projectSlug: 'web' },
    });
    expect(await link('file=src/cart.ts&commitId=abc')).toMatchObject({
      sourceUrl: 'https://github.com/acme/web/blob/abc/web/src/cart.ts',
    });
    expect(await link('file=app/cart.ts')).toMatchObject({ config: null, error: 'stack_root_mismatch' });
    expect(
      (
        await ask('POST', `${ORG}/repos`, {
          token: personToken,
          body: { name: 'x', host: 'other', linkTemplate: 'javascript:{path}' },
        })
      ).status,
    ).toBe(400);
    const { linkFrames } = await import('#product/code-mappings/link-frames.ts');
    expect(
      await linkFrames(owner, {
        projectId: web.id,
        release: 'web@2',
        frames: [
          { filename: 'src/cart.ts', lineno: 3 },
          { filename: 'node_modules/react/index.js', lineno: 3 },
          { filename: 'elsewhere.ts' },
        ],
      }),
    ).toEqual([`https://github.com/acme/web/blob/${'f'.repeat(40)}/web/src/cart.ts#L3`, null, null]);
    const mappings = (await ask('GET', `${ORG}/code-mappings`)).body as unknown as { id: string }[];
    expect(mappings).toHaveLength(2);
    expect(
      (await ask('DELETE', `${ORG}/code-mappings/[mapping]`, { params: { mapping: mappings[0]!.id } }))
        .status,
    ).toBe(204);
  });

  testInFull('a request brings up to 300 code mappings', async () => {
    const send = (count: number) =>
      ask('POST', `${ORG}/code-mappings/bulk`, {
        body: {
          project: 'web',
          repository: 'acme/web',
          mappings: Array.from({ length: count }, (_, index) => ({
            stackRoot: `${index}/`,
            sourceRoot: '',
          })),
        },
      });
    expect((await send(201)).body).toMatchObject({ created: 201 });
    expect((await send(301)).status).toBe(400);
  });

  test('every repository can be chosen', async () => {
    const names = Array.from({ length: 130 }, (_, index) => `acme/${String(index).padStart(3, '0')}`);
    await product.stores.repositories.ensure(organization.id, names, NOON_MS);
    expect((await listAllRepositories(owner)).map(({ name }) => name)).toEqual(names);
  });

  test('another organization has none of it, and a closed one hides what is of other teams', async () => {
    await create('web@1', { projects: ['web', 'api'], commits: [commit('aaa')] });
    const other = await product.createOrganization();
    const stranger = await product.join(other, 'owner');
    const scopes = ['project:read', 'project:releases'];
    const tokenOf = async (ctx: Context) =>
      (await createToken(ctx, { name: 'Mine', scopes: scopes as never, expiresAt: null })).token;
    const foreign = await tokenOf(stranger);
    for (const [method, path] of [
      ['GET', RELEASE],
      ['PUT', RELEASE],
      ['DELETE', RELEASE],
      ['GET', `${RELEASE}/commits`],
      ['GET', `${RELEASE}/deploys`],
    ] as const) {
      const own = await ask(method, path, {
        ...of('web@1'),
        token: foreign,
        body: method === 'PUT' ? {} : undefined,
      });
      const theirs = await ask(method, path, {
        params: { version: 'web@1', org: other.slug },
        token: foreign,
        body: method === 'PUT' ? {} : undefined,
      });
      expect([method, path, own.status, theirs.status]).toEqual([method, path, 404, 404]);
    }
    await product.stores.organizations.update(organization.id, { isOpen: false }, NOON_MS);
    organization = { ...organization, isOpen: false };
    const member = await product.join(organization, 'member');
    const team = await product.stores.teams.create(organization.id, { slug: 'webbers', name: 'Webbers' });
    await product.stores.teams.setMember(organization.id, team.id, member.userId, true);
    await product.stores.teams.setProject(organization.id, team.id, web.id, true);
    const token = await tokenOf(member);
    const seen = await ask('GET', RELEASE, { ...of('web@1'), token });
    expect((seen.body.projects as { slug: string }[]).map(({ slug }) => slug)).toEqual(['web']);
    // One project is enough to change it: a build of it is not locked out by those of others.
    expect((await ask('PUT', RELEASE, { ...of('web@1'), token, body: { ref: 'x' } })).status).toBe(200);
    const again = { token, body: { version: 'web@1', projects: ['web'] } };
    expect((await ask('POST', RELEASES, again)).status).toBe(208);
    const deploy = { ...of('web@1'), token, body: { environment: 'production' } };
    expect((await ask('POST', `${RELEASE}/deploys`, deploy)).status).toBe(201);
    expect((await remove('web@1', { token })).status).toBe(403);
    await create('api@1', { projects: ['api'] });
    expect((await ask('GET', RELEASE, { ...of('api@1'), token })).status).toBe(404);
    expect((await ask('PUT', RELEASE, { ...of('api@1'), token, body: {} })).status).toBe(404);
    expect((await ask('POST', RELEASES, { token, body: { version: 'api@1' } })).status).toBe(400);
    expect((await ask('POST', `${RELEASE}/deploys`, { ...deploy, ...of('api@1') })).status).toBe(404);
    // An event of web would make it a release of web as well.
    const joined = await ask('POST', RELEASES, { token, body: { version: 'api@1', projects: ['web'] } });
    expect([joined.status, joined.body.projects]).toEqual([201, [expect.objectContaining({ slug: 'web' })]]);

    // Nor does a message resolve what its author's token does not see, by no name of it.
    const [hidden, merged] = ['c'.repeat(32), 'd'.repeat(32)];
    await product.ingest(organization, [
      { projectId: web.id },
      ...[hidden, merged].map((hash) => ({
        projectId: api.id,
        groupingHash: hash,
        groupingHashes: [hash],
      })),
    ]);
    const find = (shortId: string) => product.stores.issues.findByShortId(organization.id, shortId);
    const statuses = async () => [(await find('WEB-1'))?.status, (await find('API-1'))?.status];
    const [target, source] = [await find('API-1'), await find('API-2')];
    await mergeIssues(owner, { issueIds: [target!.id, source!.id] });
    const address = `${PUBLIC_URL}/${organization.slug}/issues/${target!.id}`;
    const message = `fixes WEB-1, API-1, API-2\nfixes ${address}`;
    const commits = [commit('eee', { message })];
    await ask('PUT', RELEASE, { ...of('web@1'), token, body: { commits } });
    expect(await statuses()).toEqual(['resolved', 'unresolved']);
    await put('web@1', { commits: [commit('fff', { message })] });
    expect(await statuses()).toEqual(['resolved', 'resolved']);
  });

  test('U+0000 in a name is found nowhere, and breaks nothing', async () => {
    await create('web@1', { commits: [commit('9f2c1ab')] });
    await product.ingest(organization, [{ projectId: web.id }]);
    for (const path of [RELEASES, `${ORG}/repos`]) {
      expect((await ask('GET', path, { query: 'query=x%00y' })).body).toEqual([]);
    }
    expect((await ask('GET', RELEASE, of('\0'))).status).toBe(404);
    const resolve = (statusDetails: object) =>
      ask('PUT', `${ORG}/issues`, {
        token: personToken,
        query: 'query=is:unresolved',
        body: { status: 'resolved', statusDetails },
      });
    expect((await resolve({ inRelease: 'x\0' })).status).toBe(400);
    expect((await resolve({ inCommit: { repository: 'a\0', commit: '9f2c1ab' } })).status).toBe(400);
  });
});
