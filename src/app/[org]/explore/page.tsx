import { redirect } from 'next/navigation';

/** Errors are what most people ask about. */
export default async function ExplorePage({ params }: { params: Promise<{ org: string }> }) {
  redirect(`/${(await params).org}/explore/errors`);
}
