import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Organization, Project } from '#domain/projects.ts';
import { isErrataError } from '#lib/errors.ts';
import { listProjectEvents } from '#product/events/list-project-events.ts';
import { listIssueEvents } from '#product/issues/issue-events.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { IS_FULL } from '../harness/is-full.ts';
import { randomSearch } from '../harness/random-search.ts';
import { chooseSeed, seededRandom } from '../harness/seeded-random.ts';
import { openProduct, type Product } from '../product/open-product.ts';
import { DAY_MS, HOSTILE_TEXT, HOUR_MS, hashOf, MINUTE_MS, NOON_MS } from './sample-events.ts';

const RANDOM_SEARCHES = IS_FULL ? 2_000 : 40;

/** Every feature of the search, from its words to what both stores answer. */
describe('search', () => {
  let product: Product;
  let organization: Organization;
  let web: Project;
  let api: Project;
  let member: Awaited<ReturnType<Product['join']>>;

  beforeAll(async () => {
    product = await openProduct();
    organization = await product.createOrganization();
    web = await product.createProject(organization, 'web');
    api = await product.createProject(organization, 'api');
    member = await product.join(organization, 'member');
    await fill();
  });
  afterAll(async () => {
    await product?.close();
  });

  /** Titles of the issues that are found, sorted. */
  async function titles(
    query: string,
    ctx = member,
    range = null as { fromMs: number; toMs: number } | null,
  ) {
    const list = await listIssues(ctx, {
      query,
      projectSlugs: [],
      sort: 'date',
      range,
      cursor: null,
      limit: 100,
    });
    expect(list.isCut).toBe(false);
    return list.issues.map((issue) => issue.title).sort();
  }

  async function eventTitles(query: string, projectSlug = 'web') {
    const { events } = await listProjectEvents(member, { projectSlug, cursor: null, limit: 100, query });
    return [...new Set(events.map(({ event }) => event.title))].sort();
  }

  async function fill(): Promise<void> {
    const event = (title: string, part: Partial<DigestedEvent>, project = web) => ({
      projectId: project.id,
      title,
      culprit: `culprit of ${title}`,
      message: `message of ${title}`,
      metadata: {},
      groupingHash: hashOf(title),
      ...part,
    });
    await product.ingest(organization, [
      event('cart', {
        level: 'fatal',
        release: 'web@1.2.0+10',
        environment: 'production',
        dist: '42',
        transaction: '/cart',
        logger: 'shop.cart',
        traceId: 'a'.repeat(32),
        user: { id: '7', email: 'Ann@Example.com', username: 'ann', ip: '10.1.2.3' },
        tags: [
          ['level', 'fatal'],
          ['browser.name', 'Firefox'],
          ['customer', 'acme inc'],
          ['weight', '12.5'],
        ],
        payload: payloadOf({
          exception: {
            values: [
              {
                type: 'TypeError',
                value: 'x is undefined',
                mechanism: { type: 'onerror', handled: false },
                stacktrace: {
                  frames: [
                    {
                      function: 'applyCoupon',
                      module: 'checkout/cart',
                      filename: 'cart.js',
                      abs_path: 'https://shop/cart.js',
                      package: 'shop',
                      lineno: 12,
                      colno: 7,
                      in_app: true,
                    },
                  ],
                },
              },
            ],
          },
          request: { method: 'POST', url: 'https://shop/cart', headers: [['Referer', 'https://shop/']] },
          contexts: {
            device: { family: 'iPhone', arch: 'arm64', battery_level: 42 },
            os: { name: 'iOS', version: '17.4' },
            response: { status_code: 502 },
          },
          user: { geo: { country_code: 'AT', city: 'Vienna' } },
        }),
      }),
      // The same issue once more, in another browser and release.
      event('cart', {
        level: 'fatal',
        release: 'web@1.10.0',
        environment: 'staging',
        user: { id: '8', email: 'bob@example.com', username: null, ip: null },
        tags: [['browser.name', 'Chrome']],
        occurredAt: NOON_MS + MINUTE_MS,
      }),
      event('late', {
        level: 'warning',
        occurredAt: NOON_MS - 3 * DAY_MS,
        release: 'web@2.0.0-beta.1',
        tags: [['browser.name', 'Chrome']],
        payload: payloadOf({
          exception: {
            values: [{ type: 'KeyError', value: "'a'", mechanism: { type: 'generic', handled: true } }],
          },
        }),
      }),
      event('odd', {
        tags: [
          ['odd key!', HOSTILE_TEXT],
          ['plain', HOSTILE_TEXT],
        ],
        message: HOSTILE_TEXT,
      }),
      event('api', { platform: 'python', release: 'api@5.0', level: 'info' }, api),
    ]);
    // Three more of one issue.
    await product.ingest(
      organization,
      [1, 2, 3].map((minutes) =>
        event('api', { platform: 'python', level: 'info', occurredAt: NOON_MS + minutes * MINUTE_MS }, api),
      ),
    );
  }

  const payloadOf = (part: Partial<DigestedEvent['payload']>): DigestedEvent['payload'] => ({
    event_id: '0'.repeat(32),
    type: 'error',
    level: 'error',
    platform: 'javascript',
    timestamp: NOON_MS / 1000,
    received: NOON_MS / 1000,
    ...part,
  });

  const ALL = ['api', 'cart', 'late', 'odd'];

  test.each<[string, readonly string[]]>([
    ['', ALL],
    // What is known of issues.
    ['is:unresolved', ALL],
    ['is:resolved', []],
    ['!is:unresolved', []],
    ['is:[resolved, archived]', []],
    ['is:for_review', ALL],
    ['is:new', ALL],
    ['!is:ongoing', ALL],
    ['is:unassigned', ALL],
    ['is:assigned', []],
    ['is:linked', []],
    ['is:unlinked', ALL],
    ['assigned:none', ALL],
    ['assigned:me', []],
    ['assigned:[me, none]', ALL],
    ['assigned_or_suggested:[me, my_teams]', []],
    ['!assigned:me', ALL],
    ['bookmarks:me', []],
    ['!bookmarks:me', ALL],
    ['subscribed:me', []],
    ['level:fatal', ['cart']],
    ['level:[fatal, WARNING]', ['cart', 'late']],
    ['!level:fatal', ['api', 'late', 'odd']],
    ['platform:python', ['api']],
    ['logger:shop.*', ['cart']],
    ['title:cart', ['cart']],
    ['title:*AR*', ['cart']],
    ['!title:*ar*', ['api', 'late', 'odd']],
    ['culprit:"culprit of late"', ['late']],
    ['message:"of late"', ['late']],
    ['timesSeen:1', ['late', 'odd']],
    ['timesSeen:>1', ['api', 'cart']],
    ['timesSeen:>=4', ['api']],
    ['timesSeen:[2, 4]', ['api', 'cart']],
    ['!timesSeen:1', ['api', 'cart']],
    ['times_seen:<2', ['late', 'odd']],
    ['firstSeen:-24h', ['api', 'cart', 'odd']],
    ['firstSeen:+24h', ['late']],
    ['age:+2d', ['late']],
    ['age:-1h', ['api', 'cart', 'odd']],
    ['lastSeen:>2026-03-01', ['api', 'cart', 'odd']],
    ['lastSeen:2026-02-26', ['late']],
    ['lastSeen:2026-02-26T12:03:00', ['late']],
    ['lastSeen:<=2026-02-26T12:00:00+00:00', ['late']],
    ['issue.priority:high', ['cart', 'odd']],
    ['issue.priority:[low,medium]', ['api', 'late']],
    ['issue.category:error', ALL],
    ['!issue.category:error', []],
    ['issue.type:performance', []],
    ['project:api', ['api']],
    ['project:[api, web]', ALL],
    ['!project:api', ['cart', 'late', 'odd']],
    ['project:w*', ['cart', 'late', 'odd']],
    ['issue:API-1', ['api']],
    ['issue:api-*', ['api']],
    ['firstRelease:api@*', ['api']],
    // What is known of events.
    ['environment:production', ['cart']],
    ['environment:[production,staging]', ['cart']],
    ['dist:42', ['cart']],
    ['transaction:/cart', ['cart']],
    [`trace:${'A'.repeat(32)}`, ['cart']],
    [`trace:aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa`, ['cart']],
    ['user.id:7', ['cart']],
    ['user.email:ann@example.com', []],
    ['user.email:Ann@Example.com', ['cart']],
    ['user.email:*@EXAMPLE.com', ['cart']],
    ['user.username:ann', ['cart']],
    ['user.ip:10.1.2.3', ['cart']],
    ['sdk.name:sentry.javascript.*', ALL],
    ['error.type:TypeError', ['cart']],
    ['error.type:[TypeError, KeyError]', ['cart', 'late']],
    ['type:*error', ['cart', 'late']],
    ['error.value:*undefined', ['cart']],
    ['error.mechanism:onerror', ['cart']],
    ['error.unhandled:true', ['cart']],
    ['error.handled:0', ['cart']],
    ['error.handled:true error.type:*', ['late']],
    ['!error.handled:true', ['cart']],
    ['stack.function:applyCoupon', ['cart']],
    ['stack.module:checkout/*', ['cart']],
    ['stack.filename:cart.js', ['cart']],
    ['stack.abs_path:"https://shop/cart.js"', ['cart']],
    ['stack.package:shop', ['cart']],
    ['stack.lineno:12', ['cart']],
    ['stack.lineno:>12', []],
    ['stack.colno:<=7', ['cart']],
    ['stack.in_app:true', ['cart']],
    ['has:stack.lineno', ['cart']],
    ['device.family:iPhone', ['cart']],
    ['device.arch:arm*', ['cart']],
    ['tags[device.battery_level]:42', []],
    ['device.battery_level:42', ['cart']],
    ['os.name:iOS', ['cart']],
    ['os.version:17.*', ['cart']],
    ['http.method:POST', ['cart']],
    ['http.url:"https://shop/cart"', ['cart']],
    ['http.referer:"https://shop/"', ['cart']],
    ['http.status_code:502', ['cart']],
    ['geo.country_code:AT', ['cart']],
    ['geo.city:vienna*', ['cart']],
    ['browser.name:Firefox', ['cart']],
    ['browser.name:Chrome', ['cart', 'late']],
    ['!browser.name:Chrome', ['api', 'cart', 'odd']],
    ['customer:"acme inc"', ['cart']],
    ['tags[customer]:acme*', ['cart']],
    ['"customer":"acme inc"', ['cart']],
    ['tags[weight,number]:>12', ['cart']],
    ['tags[weight,number]:>13', []],
    ['has:customer', ['cart']],
    ['!has:environment', ['api', 'late', 'odd']],
    ['has:release !has:environment', ['api', 'late']],
    ['customer:""', ['api', 'cart', 'late', 'odd']],
    // Releases and their order.
    ['release:web@1.2.0+10', ['cart']],
    ['release:web@*', ['cart', 'late']],
    ['release:[api@5.0, web@1.10.0]', ['api', 'cart']],
    ['release:latest', ['api', 'late']],
    ['!release:web@1.10.0', ['api', 'cart', 'late', 'odd']],
    ['release.version:1.2.0', ['cart']],
    ['release.version:>1.2.0', ['api', 'cart', 'late']],
    ['release.version:>=1.10.0', ['api', 'cart', 'late']],
    ['release.version:<2.0.0 release.package:web', ['cart', 'late']],
    ['release.version:1.*', ['cart']],
    ['release.package:web', ['cart', 'late']],
    ['release.build:10', ['cart']],
    ['release.build:>9', ['cart']],
    // Words.
    ['cart', ['cart']],
    ['of CART', ['cart']],
    ['"message of late"', ['late']],
    ['!cart !late', ['api', 'odd']],
    ['mess*late', ['late']],
    // How terms belong together.
    ['level:fatal OR level:info', ['api', 'cart']],
    ['level:fatal AND level:info', []],
    ['(level:fatal OR level:info) platform:python', ['api']],
    ['level:fatal OR level:info platform:python', ['api', 'cart']],
    ['browser.name:Firefox OR platform:python', ['api', 'cart']],
    ['(browser.name:Firefox OR level:info) is:unresolved', ['api', 'cart']],
    // Both hold for the same event, or for none.
    ['browser.name:Firefox environment:production', ['cart']],
    ['browser.name:Chrome environment:production', []],
    ['browser.name:Chrome release:web@1.2.0+10', []],
    ['browser.name:Chrome release:web@1.10.0', ['cart']],
    ['(browser.name:Chrome OR browser.name:Firefox) environment:production', ['cart']],
    ['is:unresolved browser.name:Chrome level:warning', ['late']],
  ])('%s', async (query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  test('assignees, teams, bookmarks, subscriptions and links', async () => {
    const { teams, issueUserState } = product.stores;
    const list = await listIssues(member, {
      query: 'title:[cart, late]',
      projectSlugs: [],
      sort: 'date',
      range: null,
      cursor: null,
      limit: 10,
    });
    const [cart, late] = ['cart', 'late'].map((title) => list.issues.find((issue) => issue.title === title)!);
    const team = await teams.create(organization.id, { slug: 'shop', name: 'Shop' });
    await teams.setMember(organization.id, team.id, member.userId, true);
    const { update } = product.stores.issues;
    await update(organization.id, [cart!.id], { assigneeUserId: member.userId }, null, NOON_MS);
    await update(organization.id, [late!.id], { assigneeTeamId: team.id }, null, NOON_MS);
    await issueUserState.setBookmarked(organization.id, [cart!.id], member.userId, true);
    await issueUserState.setSubscribed(organization.id, [late!.id], member.userId, true);
    expect(await titles('assigned:me')).toEqual(['cart']);
    expect(await titles(`assigned:${member.email.toUpperCase()}`)).toEqual(['cart']);
    expect(await titles('assigned:#shop')).toEqual(['late']);
    expect(await titles('assigned:my_teams')).toEqual(['late']);
    expect(await titles('assigned:[me, #shop]')).toEqual(['cart', 'late']);
    expect(await titles('is:assigned')).toEqual(['cart', 'late']);
    expect(await titles('!assigned:none')).toEqual(['cart', 'late']);
    expect(await titles('bookmarks:me')).toEqual(['cart']);
    expect(await titles('subscribed:me')).toContain('late');
    await update(organization.id, [cart!.id, late!.id], { assigneeUserId: null }, null, NOON_MS);
  });

  test('words are found whatever they hold', async () => {
    const quoted = `"${HOSTILE_TEXT.trim().replaceAll(/[\\"*]/g, '\\$&')}"`;
    expect(await titles(quoted)).toEqual(['odd']);
    expect(await titles(`plain:${quoted}`)).toEqual(['odd']);
    expect(await eventTitles(quoted)).toEqual(['odd']);
  });

  test('only events of the range count', async () => {
    const range = { fromMs: NOON_MS - HOUR_MS, toMs: NOON_MS + HOUR_MS };
    expect(await titles('browser.name:Chrome', member, range)).toEqual(['cart']);
  });

  test.each<[string, readonly string[]]>([
    ['', ['cart', 'late', 'odd']],
    ['cart', ['cart']],
    ['OF late', ['late']],
    ['!cart', ['late', 'odd']],
    ['level:fatal environment:staging', ['cart']],
    ['error.type:KeyError OR has:customer', ['cart', 'late']],
    ['timestamp:>2026-03-01T12:00:30', ['cart']],
    ['timestamp:-1d', ['cart', 'odd']],
    ['issue:WEB-1', ['cart']],
    ['!issue:WEB-1', ['late', 'odd']],
    ['release:latest', ['late']],
    ['release.version:>1.2 level:fatal', ['cart']],
    ['user.email:bob@example.com', ['cart']],
  ])('events: %s', async (query, expected) => {
    expect(await eventTitles(query)).toEqual(expected);
  });

  test('events of an issue', async () => {
    const [cart] = (
      await listIssues(member, {
        query: 'cart',
        projectSlugs: [],
        sort: 'date',
        range: null,
        cursor: null,
        limit: 1,
      })
    ).issues;
    const count = async (query: string) =>
      (await listIssueEvents(member, cart!, { cursor: null, limit: 10, range: null, query })).events.length;
    expect(await count('')).toBe(2);
    expect(await count('browser.name:Chrome')).toBe(1);
    expect(await count('browser.name:Opera')).toBe(0);
  });

  test.each<[string, RegExp]>([
    ['x is:open', /"is:" does not support "open" at character 6\. Supported values: unresolved, resolved/],
    ['is:unresloved', /at character 4: did you mean "unresolved"\? Supported values: unresolved, /],
    ['level:bad', /"level:" does not support "bad" at character 7\. Supported values: fatal, error/],
    ['assigned:bob', /does not support "bob" at character 10/],
    ['assigned:#nobody', /does not support "#nobody" at character 10\. Supported values: #shop/],
    ['project:none', /does not support "none" at character 9\. Supported values: api, web/],
    ['firstSeen:yesterday', /"firstSeen:" at character 1 needs a time/],
    ['firstSeen:2026-02-30', /"2026-02-30" at character 11 is not a valid time/],
    ['!age:-1h', /cannot be negated: use < and >=/],
    ['timesSeen:many', /"timesSeen:" at character 1 needs a number/],
    ['error.handled:maybe', /needs true or false/],
    ['level:', /"level:" at character 1 needs a value/],
    ['a OR', /"OR" at character 3 has nothing after it/],
    ['AND a', /"AND" at character 1 has nothing before it/],
    ['(a', /Unclosed parenthesis at character 1/],
    ['a)', /Unmatched parenthesis at character 2/],
    ['x "never closed', /Unclosed quote at character 3/],
    ['""', /quotes at character 1 are empty/],
    ['release:[a, ]', /list with an empty value/],
    ['p95(transaction.duration):>5s', /"p95\(\):" at character 1 aggregates multiple events/],
    ['measurements.lcp:>5', /applies to transactions/],
    ['release.version:>abc', /"abc" at character 18 is not a valid version/],
    ['release.stage:adopted', /needs release adoption data/],
    ['x\0', /Character 2 is not valid text/],
    [`a${' OR a'.repeat(60)}`, /more than 100 terms/],
    ['('.repeat(11), /more than 10 levels deep/],
    ['a'.repeat(4_097), /longer than 4096 characters/],
  ])('%s is refused with the place', async (query, message) => {
    await expect(titles(query)).rejects.toSatisfy(
      (error) => isErrataError(error) && error.code === 'invalid' && message.test(error.message),
    );
  });

  test('any search is answered or refused, and never with rows of another organization', async () => {
    const other = await product.createOrganization();
    const theirs = await product.createProject(other, 'web');
    const stranger = await product.join(other, 'owner');
    await product.ingest(other, [
      { projectId: theirs.id, title: 'cart', groupingHash: hashOf('cart'), environment: 'production' },
      { projectId: theirs.id, title: 'theirs', groupingHash: hashOf('theirs'), release: 'web@1.2.3' },
    ]);
    // The short run tries the same searches each time: too few for any seed to find something.
    const random = seededRandom(IS_FULL ? chooseSeed() : 1);
    const found = { issues: 0, events: 0 };
    for (let round = 0; round < RANDOM_SEARCHES; round++) {
      const query = randomSearch(random);
      const ctx = round % 2 === 0 ? member : stranger;
      const visible = round % 2 === 0 ? [web.id, api.id] : [theirs.id];
      const issues = await answered(query, () =>
        listIssues(ctx, { query, projectSlugs: [], sort: 'date', range: null, cursor: null, limit: 100 }),
      );
      for (const issue of issues?.issues ?? []) {
        expect(issue.organizationId, query).toBe(ctx.organization.id);
        expect(visible, query).toContain(issue.projectId);
      }
      const events = await answered(query, () =>
        listProjectEvents(ctx, { projectSlug: 'web', cursor: null, limit: 100, query }),
      );
      for (const { event } of events?.events ?? []) expect(visible, query).toContain(event.projectId);
      found.issues += issues?.issues.length ?? 0;
      found.events += events?.events.length ?? 0;
    }
    expect(found.issues).toBeGreaterThan(0);
    expect(found.events).toBeGreaterThan(0);
  }, 600_000);

  /** null for a search that is refused as invalid; everything else that goes wrong is a failure. */
  async function answered<Answer>(query: string, search: () => Promise<Answer>): Promise<Answer | null> {
    try {
      return await search();
    } catch (error) {
      if (isErrataError(error) && error.code === 'invalid') return null;
      throw new Error(`Fails for ${JSON.stringify(query)}`, { cause: error });
    }
  }

  test('no search sees another organization', async () => {
    const other = await product.createOrganization();
    await product.createProject(other, 'web');
    const stranger = await product.join(other, 'owner');
    for (const query of [
      '',
      'cart',
      'level:fatal',
      'browser.name:Firefox',
      'release:web@*',
      'is:new OR has:customer',
    ]) {
      expect(await titles(query, stranger)).toEqual([]);
    }
  });
});
