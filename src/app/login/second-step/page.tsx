import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { AccountFrame } from '#app/(account)/account-frame.tsx';
import { safeNext } from '#app/return-path.ts';
import { firstValue, type SearchParams } from '#app/url-state.ts';
import { getServices } from '#product/services.ts';
import { SecondStepForm } from './second-step-form.tsx';

export const metadata: Metadata = { title: 'Two-factor authentication' };

export default async function SecondStepPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const target = safeNext(firstValue(await searchParams, 'next'));
  const { secondFactor } = getServices().stores.authenticator;
  if ((await secondFactor.findChallenged(await headers())) === null) {
    redirect(target === '/' ? '/login' : `/login?next=${encodeURIComponent(target)}`);
  }
  return (
    <AccountFrame title="Two-factor authentication" description="Enter the code from your authenticator app.">
      <SecondStepForm next={target} />
    </AccountFrame>
  );
}
