import { expect, test } from 'vitest';
import { createLog } from '#lib/log.ts';
import type { ActiveGroupingRules } from '#product/grouping/grouping-change.ts';
import { DEFAULT_INGEST_SETTINGS, type IngestSettings } from '#protocol/ingest-settings.ts';
import { RulesTable } from './rules-table.ts';

type OfProject = { organizationId: number; projectId: number; settings: IngestSettings };

const filtering = (...releases: string[]): IngestSettings => ({
  ...DEFAULT_INGEST_SETTINGS,
  filters: { ...DEFAULT_INGEST_SETTINGS.filters, releases },
});
const grouping = (projectId: number, version: number): ActiveGroupingRules => ({
  projectId,
  version,
  fingerprint: `type:Error -> rule-${version}`,
  stackTrace: '',
});

/** A table that is asked to load again by hand, and what it said had changed. */
class Scene extends RulesTable {
  settings: readonly OfProject[] = [];
  grouping: readonly ActiveGroupingRules[] = [];
  isAway = false;
  readonly changes: (readonly number[])[] = [];

  static create(): Scene {
    const stores: { of?: Scene } = {};
    const read = <T>(take: (scene: Scene) => T) => {
      if (!stores.of || stores.of.isAway) throw new Error('away');
      return take(stores.of);
    };
    const scene = new Scene(
      { listEffective: async () => read((scene) => scene.settings) },
      { listActive: async () => read((scene) => scene.grouping) },
      createLog('test', 'silent'),
    );
    stores.of = scene;
    scene.onChange((projectIds) => scene.changes.push(projectIds));
    return scene;
  }

  look = () => this.refresh();
}

test('a project that nobody knows has the defaults, one that is known its own rules', async () => {
  const table = Scene.create();
  table.settings = [{ organizationId: 1, projectId: 1, settings: filtering('1.*') }];
  table.grouping = [grouping(1, 3)];
  await table.look();
  expect(table.describe(1)).toEqual({ settings: filtering('1.*'), grouping: grouping(1, 3) });
  expect(table.describe(2)).toEqual({ settings: null, grouping: null });
  expect(table.find(2)).not.toBe(table.find(1));
  expect(table.find(2)).toBe(table.find(3));
});

test('only what changed is compiled anew, and named: settings, a version of grouping rules, or a project that went', async () => {
  const table = Scene.create();
  const first = { organizationId: 1, projectId: 1, settings: filtering('1.*') };
  const second = { organizationId: 1, projectId: 2, settings: filtering('2.*') };
  table.settings = [first, second];
  await table.look();
  const [one, two] = [table.find(1), table.find(2)];
  await table.look();
  expect([table.find(1), table.find(2)]).toEqual([one, two]);
  expect(table.find(1)).toBe(one);
  table.settings = [{ ...first, settings: filtering('3.*') }, second];
  await table.look();
  expect(table.find(1)).not.toBe(one);
  expect(table.find(2)).toBe(two);
  table.grouping = [grouping(2, 1)];
  await table.look();
  const grouped = table.find(2);
  expect(grouped).not.toBe(two);
  table.grouping = [grouping(2, 2)];
  await table.look();
  expect(table.find(2)).not.toBe(grouped);
  table.settings = [second];
  await table.look();
  expect(table.changes).toEqual([[1, 2], [1], [2], [2], [1]]);
});

test('while the store is away the last known rules count; without any, the table does not start', async () => {
  const table = Scene.create();
  table.isAway = true;
  await expect(table.start()).rejects.toThrow('away');
  table.isAway = false;
  table.settings = [{ organizationId: 1, projectId: 1, settings: filtering('1.*') }];
  await table.start();
  const known = table.find(1);
  table.isAway = true;
  await table.look();
  expect(table.find(1)).toBe(known);
  table.stop();
});
