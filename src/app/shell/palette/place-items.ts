import { withQuery } from '../../url-state.ts';
import type { PaletteAnswer } from './palette-answer.ts';
import type { PaletteItem } from './palette-item.ts';

/** What the server found by name beside issues and projects. */
export function placeItems(
  organizationSlug: string,
  places: PaletteAnswer['places'],
): readonly PaletteItem[] {
  const base = `/${organizationSlug}`;
  const place = (path: string, label: string, detail: string): PaletteItem => ({
    id: `place ${path}`,
    group: 'Found',
    label,
    detail,
    act: { kind: 'go', href: path },
  });
  return [
    ...places.dashboards.map(({ title, href }) => place(href, title, 'Dashboard')),
    ...places.monitors.map(({ id, name, projectSlug }) =>
      place(`${base}/monitors/crons/${id}`, name, `Cron monitor in ${projectSlug}`),
    ),
    ...places.uptimeMonitors.map(({ id, name, projectSlug }) =>
      place(`${base}/monitors/uptime/${id}`, name, `Uptime monitor in ${projectSlug}`),
    ),
    ...places.releases.map(({ version, href }) => place(href, version, 'Release')),
    ...places.users.map(({ key, name }) => place(`${base}/users/${encodeURIComponent(key)}`, name, 'User')),
  ];
}

/** Lists that are searched with what stands after their name, as in `replays checkout`. */
const SEARCHED_LISTS = [
  { words: ['replay', 'replays'], path: 'replays', label: 'replays' },
  { words: ['feedback'], path: 'feedback', label: 'feedback' },
  { words: ['user', 'users'], path: 'users', label: 'users' },
  { words: ['release', 'releases'], path: 'releases', label: 'releases' },
  { words: ['issue', 'issues'], path: 'issues', label: 'issues' },
] as const;

/** The search that a text such as `replays checkout` asks for; none for any other text. */
export function searchItems(organizationSlug: string, text: string): readonly PaletteItem[] {
  const [kind = '', ...rest] = text.trim().split(/\s+/);
  const list = SEARCHED_LISTS.find(({ words }) => words.some((word) => word === kind.toLowerCase()));
  const query = rest.join(' ');
  if (!list || query === '') return [];
  return [
    {
      id: `search ${list.path}`,
      group: 'Found',
      label: `Search ${list.label} for “${query}”`,
      act: { kind: 'go', href: withQuery(`/${organizationSlug}/${list.path}`, { query }) },
    },
  ];
}
