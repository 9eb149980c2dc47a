import { redirect } from 'next/navigation';
import type { PageRequest } from '#app/url-state.ts';

/** Errors are what most people ask about. */
export default async function ExplorePage({ params }: PageRequest<'org'>) {
  redirect(`/${(await params).org}/explore/errors`);
}
