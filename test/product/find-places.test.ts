import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDashboard } from '#product/dashboards/dashboards.ts';
import { findPlaces } from '#product/places/find-places.ts';
import { type MatrixScene, openMatrixScene } from './roles-matrix/scene.ts';
import { newUptimeMonitor } from './roles-matrix/uptime-rows.ts';

let scene: MatrixScene;
beforeAll(async () => {
  scene = await openMatrixScene();
});
afterAll(async () => {
  await scene?.product.close();
});

test('places are found by words of their names, with or without what kind they are', async () => {
  const { owner, product } = scene;
  const monitorId = await newUptimeMonitor(scene);
  await product.db
    .updateTable('uptime_monitors')
    .set({ name: 'Shop front' })
    .where('id', '=', monitorId)
    .execute();
  const { id } = await createDashboard(owner, { title: 'Shop health' });
  const user = { id: 'u-7', email: 'shopper@example.com', username: null, ip: null };
  await product.ingest(scene.mine, [{ projectId: scene.web.id, user, release: 'shop@1.0.0' }]);
  expect(await findPlaces(owner, 'uptime monitor SHOP front')).toMatchObject({
    uptimeMonitors: [{ id: monitorId, name: 'Shop front', projectSlug: 'web' }],
    dashboards: [],
  });
  // On a busy machine users may take longer than anybody waits for them.
  await expect
    .poll(() => findPlaces(owner, 'shop'))
    .toMatchObject({
      dashboards: [{ id, title: 'Shop health' }],
      users: [{ key: 'id:u-7', name: 'shopper@example.com' }],
      releases: [{ version: 'shop@1.0.0' }],
    });
  const [monitor] = (await findPlaces(owner, `cron ${(await scene.monitorSlug()).slice(0, 4)}`)).monitors;
  expect(monitor?.projectSlug).toBe('web');
});

test('a word for a kind alone finds nothing, and neither does a slow store or a missing right', async () => {
  const { owner } = scene;
  const nothing = { monitors: [], uptimeMonitors: [], dashboards: [], users: [], releases: [] };
  for (const text of ['', 'monitors', ' Cron  monitor '])
    expect(await findPlaces(owner, text)).toEqual(nothing);
  const hanging = () => new Promise<never>(() => {});
  const stores = { ...owner.stores, userActivity: { ...owner.stores.userActivity, listUsers: hanging } };
  expect(await findPlaces({ ...owner, stores }, 'shop')).toMatchObject({
    users: [],
    dashboards: [{ title: 'Shop health' }],
  });
});
