import { redirect } from 'next/navigation';
import type { PageRequest } from '#app/url-state.ts';

/** The list of traces is part of Explore. */
export default async function TracesPage({ params }: PageRequest<'org'>) {
  redirect(`/${(await params).org}/explore/traces`);
}
