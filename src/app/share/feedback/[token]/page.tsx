import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { visibleStart, visibleText } from '#lib/visible-text.ts';
import { openFeedbackForm } from '#product/feedback/feedback-form.ts';
import { getServices } from '#product/services.ts';
import { FeedbackForm } from './feedback-form.tsx';

type Props = { params: Promise<{ token: string }> };

const load = cache((token: string) => openFeedbackForm(getServices(), token));

/** Search engines pass by. */
export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const form = await load((await params).token);
  return {
    title: form ? `Feedback on ${visibleStart(form.projectName, 80)}` : 'Not found',
    robots: { index: false, follow: false, nocache: true },
  };
}

/** The feedback form of a project, for everybody who has its address. It is sent to the edge, as what an SDK sends. */
export default async function PublicFeedbackForm({ params }: Props) {
  const form = await load((await params).token);
  if (!form) notFound();
  return (
    <main className="mx-auto w-full max-w-[36rem] px-4 py-8 sm:px-6">
      <h1 className="break-anything mb-5 font-semibold text-xl">
        Feedback on <bdi>{visibleText(form.projectName)}</bdi>
      </h1>
      <noscript>
        <p className="mb-4 text-danger text-sm">
          This form needs JavaScript: turn it on and reload the page.
        </p>
      </noscript>
      <FeedbackForm action={`/api/${form.projectId}/feedback-form/?sentry_key=${form.publicKey}`} />
    </main>
  );
}
