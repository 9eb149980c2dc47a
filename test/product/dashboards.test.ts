import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WIDGET, type Widget } from '#domain/dashboards/dashboard.ts';
import { fromSentryWidget, toSentryWidgets } from '#domain/dashboards/sentry-widget.ts';
import { fromTemplate, TEMPLATE_NAMES } from '#domain/dashboards/templates.ts';
import type { Organization, Project } from '#domain/projects.ts';
import { HOUR_MS } from '#lib/time.ts';
import {
  createDashboard,
  deleteDashboard,
  getDashboard,
  listDashboards,
  starDashboard,
  updateDashboard,
} from '#product/dashboards/dashboards.ts';
import { readWidget, type WidgetPlace } from '#product/dashboards/read-widget.ts';
import { NOON_MS } from '../contract/sample-events.ts';
import { openProduct, type Product } from './open-product.ts';

let product: Product;
let organization: Organization;
let web: Project;
let shop: Project;
let ctx: Awaited<ReturnType<Product['join']>>;

beforeAll(async () => {
  product = await openProduct();
  organization = await product.createOrganization();
  web = await product.createProject(organization, 'web');
  shop = await product.createProject(organization, 'shop');
  ctx = await product.join(organization, 'member');
  await product.ingest(organization, [
    { projectId: web.id, release: 'app@1', environment: 'production', level: 'error' },
    { projectId: web.id, release: 'app@2', environment: 'staging', level: 'error' },
    { projectId: shop.id, release: 'app@2', environment: 'production', level: 'warning' },
  ]);
});
afterAll(() => product?.close());

const place = (more: Partial<WidgetPlace> = {}): WidgetPlace => ({
  projectSlugs: [],
  environments: [],
  range: { fromMs: NOON_MS - HOUR_MS, toMs: NOON_MS + HOUR_MS },
  terms: [],
  ...more,
});
const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((all, value) => all + (value ?? 0), 0);
const widget = (fields: Partial<Widget>): Widget =>
  WIDGET.parse({ id: 'w1', title: 'Errors', display: 'number', functions: ['count()'], ...fields });

test('a widget of issues has those that its search finds, with their events of the time range', async () => {
  const asked = widget({ display: 'issues', query: 'release:app@2', sort: 'new', limit: 5 });
  const data = await readWidget(ctx, asked, place({ projectSlugs: ['shop'] }));
  expect(data).toMatchObject({ kind: 'issues', issues: [{ projectSlug: 'shop', activity: { events: 1 } }] });
  const none = await readWidget(ctx, asked, place({ projectSlugs: ['shop'], environments: ['staging'] }));
  expect(none).toMatchObject({ issues: [] });
  const { id } = await createDashboard(ctx, { title: 'Issues of the day', widgets: [asked] });
  const wrong = { ...asked, query: 'is:gone' };
  await expect(updateDashboard(ctx, id, { widgets: [wrong] }, null)).rejects.toMatchObject({
    code: 'invalid',
  });
  await deleteDashboard(ctx, id);
});

describe('a dashboard', () => {
  test.each(TEMPLATE_NAMES)('of the template %s can be asked, every widget of it', async (name) => {
    const { id } = await createDashboard(ctx, fromTemplate(name));
    const dashboard = await getDashboard(ctx, id);
    expect(dashboard).toMatchObject({ ...fromTemplate(name), version: 1, createdBy: { name: 'A member' } });
    for (const each of dashboard.widgets) expect((await readWidget(ctx, each, place())).kind).toBeTruthy();
    await deleteDashboard(ctx, id);
    await expect(getDashboard(ctx, id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is changed by whoever saw the last change, and by nobody else', async () => {
    const { id } = await createDashboard(ctx, { title: 'On call' });
    const widgets = [widget({})];
    expect(await updateDashboard(ctx, id, { widgets }, 1)).toMatchObject({
      title: 'On call',
      version: 2,
      widgets,
    });
    await expect(updateDashboard(ctx, id, { title: 'Mine' }, 1)).rejects.toMatchObject({ code: 'conflict' });
    expect(await updateDashboard(ctx, id, { title: 'Mine' }, null)).toMatchObject({ version: 3, widgets });
    await expect(createDashboard(ctx, { title: 'mine' })).rejects.toMatchObject({ field: 'title' });
    await starDashboard(ctx, id, true);
    await createDashboard(ctx, { title: 'Another' });
    expect((await listDashboards(ctx)).map(({ title, isStarred }) => [title, isStarred])).toEqual([
      ['Mine', true],
      ['Another', false],
    ]);
  });

  test('refuses what could not be shown, and says which widget it is', async () => {
    const wrong = (fields: Partial<Widget>) =>
      createDashboard(ctx, { title: 'Wrong', widgets: [{ ...widget({}), ...fields }] });
    await expect(wrong({ functions: ['median()'] })).rejects.toThrow('Widget "Errors"');
    await expect(wrong({ query: 'level:(' })).rejects.toMatchObject({ code: 'invalid' });
    await expect(wrong({ width: 7 })).rejects.toMatchObject({ code: 'invalid', field: 'widgets' });
    await expect(createDashboard(ctx, { title: 'Wrong', widgets: [widget({}), widget({})] })).rejects.toThrow(
      'the same ID',
    );
  });

  test('is seen by everybody of its organization, changed by members, and invisible to others', async () => {
    const { id } = await createDashboard(ctx, { title: 'Shared' });
    const viewer = await product.join(organization, 'viewer');
    expect(await getDashboard(viewer, id)).toMatchObject({ title: 'Shared' });
    await expect(updateDashboard(viewer, id, { title: 'No' }, null)).rejects.toMatchObject({
      code: 'forbidden',
    });
    const stranger = await product.join(await product.createOrganization(), 'owner');
    await expect(getDashboard(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(deleteDashboard(stranger, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a widget', () => {
  const numberOf = async (more: Partial<WidgetPlace>, fields: Partial<Widget> = {}) => {
    const data = await readWidget(ctx, widget(fields), place(more));
    return data.kind === 'number' ? data.totals.groups[0]?.values[0] : null;
  };

  test('counts what the page is filtered by, and what the reader chose', async () => {
    expect(await numberOf({})).toBe(3);
    expect(await numberOf({ projectSlugs: ['web'] })).toBe(2);
    expect(await numberOf({ environments: ['production'] })).toBe(2);
    expect(await numberOf({ terms: ['release:app@2'] })).toBe(2);
    expect(await numberOf({ terms: ['release:app@2'] }, { query: 'level:warning OR release:app@1' })).toBe(1);
  });

  test('shows groups, rows, and lines', async () => {
    const table = await readWidget(
      ctx,
      widget({ display: 'table', groupBy: ['release'], functions: ['count()'] }),
      place(),
    );
    expect(table.kind === 'table' && table.table.groups).toMatchObject([
      { keys: ['app@2'], values: [2] },
      { keys: ['app@1'], values: [1] },
    ]);
    const list = await readWidget(
      ctx,
      widget({ display: 'list', fields: ['title'], functions: [] }),
      place(),
    );
    expect(list.kind === 'list' && list.rows).toHaveLength(3);
    const lines = await readWidget(ctx, widget({ display: 'bar', groupBy: ['level'] }), place());
    expect(lines.kind === 'chart' && lines.charts[0]?.chart.series.map(({ keys }) => keys[0])).toEqual([
      'error',
      'warning',
    ]);
  });

  test('with several queries draws the lines of each, in their order, and at most as many as fit', async () => {
    const asked = widget({
      display: 'line',
      query: 'release:app@2',
      alias: 'New',
      moreQueries: [
        { query: 'environment:production', alias: '' },
        { query: 'level:fatal', alias: '' },
      ],
    });
    const sums = async (more: Partial<WidgetPlace> = {}, fields: Partial<Widget> = {}) => {
      const data = await readWidget(ctx, { ...asked, ...fields }, place(more));
      if (data.kind !== 'chart') throw new Error(`It is a ${data.kind}`);
      return data.charts.map(({ chart }) =>
        chart.series.map(({ keys, values }) => [...keys, sum(values[0] ?? [])]),
      );
    };
    expect(await sums()).toEqual([[[2]], [[2]], [[0]]]);
    expect(await sums({ projectSlugs: ['web'], terms: ['level:error'] })).toEqual([[[1]], [[1]], [[0]]]);
    expect(await sums({}, { groupBy: ['project'] })).toEqual([
      expect.arrayContaining([
        ['shop', 1],
        ['web', 1],
      ]),
      expect.arrayContaining([['shop', 1]]),
      [],
    ]);
    const five = Array.from({ length: 4 }, () => ({ query: '', alias: '' }));
    const lines = await sums({}, { query: '', groupBy: ['release', 'project'], moreQueries: five });
    expect(lines.map((each) => each.length)).toEqual([2, 2, 2, 2, 2]);
    expect(await readWidget(ctx, { ...asked, display: 'number' }, place())).toMatchObject({
      totals: { groups: [{ values: [2] }] },
    });
  });

  test('with several queries is refused for any of them that cannot be asked, and for too many', async () => {
    const wrong = (moreQueries: Widget['moreQueries']) =>
      createDashboard(ctx, { title: 'Wrong', widgets: [{ ...widget({ display: 'line' }), moreQueries }] });
    await expect(wrong([{ query: 'level:(', alias: '' }])).rejects.toThrow('Widget "Errors"');
    await expect(wrong(Array.from({ length: 5 }, () => ({ query: '', alias: '' })))).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  test('that was stored before there could be several queries has one', async () => {
    const { alias: _, moreQueries: __, ...old } = widget({ display: 'line', query: 'level:error' });
    const { id } = await createDashboard(ctx, { title: 'Old', widgets: [widget({})] });
    await product.db
      .updateTable('dashboards')
      .set({ widgets: JSON.stringify([old]) })
      .where('id', '=', id)
      .execute();
    expect((await getDashboard(ctx, id)).widgets).toEqual([{ ...old, alias: '', moreQueries: [] }]);
    expect(await updateDashboard(ctx, id, { description: 'Still here' }, null)).toMatchObject({
      widgets: [{ query: 'level:error', moreQueries: [] }],
    });
    await deleteDashboard(ctx, id);
  });

  test.each(TEMPLATE_NAMES)('of the template %s is the same after Sentry’s form', (name) => {
    const { widgets } = fromTemplate(name);
    const back = toSentryWidgets(widgets).map((each, index) => fromSentryWidget(each, `w${index + 1}`));
    expect(back.map((each) => WIDGET.parse(each))).toEqual(
      widgets.map((each) => (each.display === 'number' ? { ...each, limit: 5 } : each)),
    );
  });
});
