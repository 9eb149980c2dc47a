import { notFound } from 'next/navigation';
import { orNotFound } from '#app/or-not-found.ts';
import { listAssignees } from '#product/assignment/assignees.ts';
import type { Context } from '#product/context.ts';
import { findMonitor, getMonitor, type ProjectMonitor } from '#product/monitors/monitors.ts';
import { NO_OWNER } from './monitor-form/monitor-fields.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The monitor with the number, or the ID of the API, in the address; the not-found page when the user sees none. */
export async function loadMonitor(ctx: Context, monitor: string): Promise<ProjectMonitor> {
  if (UUID.test(monitor)) return orNotFound(getMonitor(ctx, { projectSlugs: [], slug: monitor }));
  if (!/^\d{1,15}$/.test(monitor)) notFound();
  return orNotFound(findMonitor(ctx, Number(monitor)));
}

/** Enough for a list that people still look through. */
const PEOPLE_OFFERED_MAX = 1_000;

/** Who can own a monitor. */
export async function loadOwners(ctx: Context): Promise<readonly { value: string; label: string }[]> {
  const { members, teams } = await listAssignees(ctx);
  return [
    { value: NO_OWNER, label: 'No owner' },
    ...teams.map(({ id, slug }) => ({ value: `team:${id}`, label: `#${slug}` })),
    ...members.slice(0, PEOPLE_OFFERED_MAX).map(({ id, name }) => ({ value: `user:${id}`, label: name })),
  ];
}
