import { afterAll, beforeAll, expect, test } from 'vitest';
import { unavailable } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import { createDashboard, updateDashboard } from '#product/dashboards/dashboards.ts';
import {
  getDashboardSharing,
  listSharedDashboards,
  shareDashboard,
  stopSharingDashboard,
} from '#product/sharing/dashboard-sharing.ts';
import { openSharedDashboard, type SharedDashboard } from '#product/sharing/open-shared-dashboard.ts';
import { setSharingAllowed } from '#product/sharing/sharing.ts';
import { hashOf, NOON_MS } from '../contract/sample-events.ts';
import { openProduct, type Product, PUBLIC_URL } from './open-product.ts';
import { servicesOf } from './product-services.ts';

type Joined = Awaited<ReturnType<Product['join']>>;

let product: Product;
let owner: Joined;
let member: Joined;
let hidden: { id: number };

beforeAll(async () => {
  product = await openProduct();
  product.clock.nowMs = NOON_MS;
  const organization = await product.createOrganization();
  const web = await product.createProject(organization, 'web');
  hidden = await product.createProject(organization, 'hidden');
  owner = await product.join(organization, 'owner');
  member = await product.join(organization, 'member');
  await product.ingest(organization, [
    ...Array.from({ length: 3 }, () => ({
      projectId: web.id,
      title: 'Seen',
      groupingHash: hashOf('seen'),
      occurredAt: NOON_MS - 1_000,
    })),
    {
      projectId: hidden.id,
      title: 'Secret plan',
      groupingHash: hashOf('secret'),
      occurredAt: NOON_MS - 1_000,
    },
  ]);
});
afterAll(async () => {
  await product?.close();
});

const open = (token: string) => openSharedDashboard(servicesOf(product), token);
const tokenOf = ({ url }: { url: string }) => url.slice(`${PUBLIC_URL}/share/dashboard/`.length);
const later = (ms: number) => {
  product.clock.nowMs += ms;
};
const countOf = (shared: SharedDashboard | null): number | null | undefined => {
  const data = shared?.widgets[0]?.data;
  return data?.kind === 'number' ? data.totals.groups[0]?.values[0] : undefined;
};

async function newDashboard(title: string) {
  return await createDashboard(owner, {
    title,
    widgets: [
      { id: 'n', title: 'Errors', display: 'number', functions: ['count()'] },
      { id: 'l', title: 'Newest', display: 'list', fields: ['title', 'project'], query: '!title:x' },
      {
        id: 'c',
        title: 'Two queries',
        display: 'line',
        query: '!title:y',
        alias: 'Ours',
        moreQueries: [{ query: '!title:z', alias: '' }],
        functions: ['count()'],
      },
      { id: 'w', title: 'Wrong here', display: 'table', query: 'project:hidden', groupBy: ['title'] },
    ],
    filters: { projects: ['web'], environments: [], period: '7d' },
  });
}

test('the page has what widgets show of the projects it was shared with, and nothing else', async () => {
  const { id, version } = await newDashboard('Shared');
  expect(await getDashboardSharing(member, id)).toEqual({ isAllowed: true, share: null });
  const made = await shareDashboard(member, id, { days: 7 });
  expect(made.url).toMatch(new RegExp(`^${PUBLIC_URL}/share/dashboard/[\\w-]{43}$`));
  const shared = await open(tokenOf(made));
  expect(shared).toMatchObject({ title: 'Shared', expiresAt: NOON_MS + 7 * DAY_MS });
  expect(countOf(shared)).toBe(3);
  expect(JSON.stringify(shared)).not.toMatch(/Secret|hidden|!title/);
  expect(shared?.widgets[2]).toMatchObject({ aliases: ['Ours', ''], data: { kind: 'chart' } });
  const table = shared?.widgets[3]?.data;
  expect(table?.kind === 'table' ? table.table.groups : []).toEqual([]);
  // Whatever the dashboard is changed to.
  await updateDashboard(
    owner,
    id,
    { filters: { projects: ['hidden'], environments: [], period: null } },
    version,
  );
  const after = await open(tokenOf(made));
  expect(countOf(after)).toBe(3);
  expect(JSON.stringify(after)).not.toMatch(/Secret/);
  const [listed] = await listSharedDashboards(member);
  expect(listed).toMatchObject({ dashboardId: id, title: 'Shared', createdBy: { id: member.userId } });
});

test('however many look, the store is asked once a minute', async () => {
  const { id } = await newDashboard('Watched');
  const token = tokenOf(await shareDashboard(owner, id, { days: 1 }));
  const services = servicesOf(product);
  let asked = 0;
  const rowExplore = {
    ...services.stores.rowExplore,
    aggregate: async (...args: Parameters<typeof services.stores.rowExplore.aggregate>) => {
      asked++;
      return await services.stores.rowExplore.aggregate(...args);
    },
  };
  const counted = { ...services, stores: { ...services.stores, rowExplore } };
  await Promise.all(Array.from({ length: 20 }, () => openSharedDashboard(counted, token)));
  const first = asked;
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThanOrEqual(4);
  await openSharedDashboard(counted, token);
  expect(asked).toBe(first);
  later(61_000);
  await openSharedDashboard(counted, token);
  expect(asked).toBe(2 * first);
});

test('a widget that cannot be answered says no more than that', async () => {
  const { id } = await newDashboard('Down');
  const token = tokenOf(await shareDashboard(owner, id, { days: 1 }));
  const services = servicesOf(product);
  const away = () => Promise.reject(unavailable('The store at 10.0.0.1 is away'));
  const rowExplore = { ...services.stores.rowExplore, aggregate: away, sample: away };
  const shared = await openSharedDashboard(
    { ...services, stores: { ...services.stores, rowExplore } },
    token,
  );
  expect(shared?.widgets.map(({ data }) => data)).toEqual([null, null, null, null]);
  expect(JSON.stringify(shared)).not.toContain('10.0.0.1');
});

test('a link ends when it is taken back, replaced, too old, or sharing is off; a dashboard of all projects has none', async () => {
  const { id } = await newDashboard('Ends');
  const first = tokenOf(await shareDashboard(owner, id, { days: 1 }));
  const second = tokenOf(await shareDashboard(owner, id, { days: 1 }));
  expect(await open(first)).toBeNull();
  expect(await open(second)).not.toBeNull();
  expect(await open('x'.repeat(43))).toBeNull();
  expect(await open("' OR 1=1")).toBeNull();
  await setSharingAllowed(owner, false);
  expect(await open(second)).toBeNull();
  await expect(shareDashboard(owner, id, { days: 1 })).rejects.toThrow(/Sharing is disabled/);
  await setSharingAllowed(owner, true);
  expect(await open(second)).not.toBeNull();
  later(2 * DAY_MS);
  expect(await open(second)).toBeNull();
  const third = tokenOf(await shareDashboard(owner, id, { days: 1 }));
  expect(await stopSharingDashboard(member, id)).toBe(true);
  expect(await stopSharingDashboard(member, id)).toBe(false);
  expect(await open(third)).toBeNull();
  await expect(shareDashboard(owner, id, { days: 2 })).rejects.toThrow(/1, 7, 30, 90 days/);
  const all = await createDashboard(owner, { title: 'All' });
  await expect(shareDashboard(owner, all.id, { days: 1 })).rejects.toThrow(/Select the projects/);
});
