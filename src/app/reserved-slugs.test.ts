import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isReservedOrganizationSlug } from '#product/organizations/organizations.ts';
import { RESERVED_PROJECT_SLUGS } from '#product/projects/change-projects.ts';

const APP = import.meta.dirname;

test('no organization can take the first segment of a page or a route', () => {
  const free = routeSegments(APP).filter((name) => !isReservedOrganizationSlug(name));
  expect(free).toEqual([]);
});

test('no project can take the address of a screen', () => {
  const screens = [
    ...routeSegments(path.join(APP, '[org]')),
    ...routeSegments(path.join(APP, '[org]/projects')),
  ];
  expect(screens).toContain('issues');
  expect(screens.filter((name) => !RESERVED_PROJECT_SLUGS.includes(name))).toEqual([]);
});

/** Folders in which somewhere a page or a route lies; groups and parameters are no segments of their own. */
function routeSegments(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^[[(_]/.test(entry.name))
    .filter((entry) =>
      readdirSync(path.join(folder, entry.name), { recursive: true, encoding: 'utf8' }).some((file) =>
        /(?:^|\/)(?:page|route)\.tsx?$/.test(file),
      ),
    )
    .map((entry) => entry.name);
}
