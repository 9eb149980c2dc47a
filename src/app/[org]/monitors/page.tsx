import { redirect } from 'next/navigation';
import { type PageRequest, withQuery } from '#app/url-state.ts';

/** The section opens with its first tab, narrowed as the address says. */
export default async function MonitorsPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const entries = Object.entries(await searchParams).map(([name, value]) => [name, value ?? null] as const);
  redirect(withQuery(`/${org}/monitors/crons`, Object.fromEntries(entries)));
}
