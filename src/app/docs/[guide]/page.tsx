import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { headingsOf, readGuide } from '../guides/read-guide.ts';
import { Markdown } from '../markdown/markdown.tsx';

type Props = { params: Promise<{ guide: string }> };

const load = cache(readGuide);
/** A shorter guide is looked through without a list of its sections. */
const SECTIONS_LISTED_MIN = 3;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const guide = await load((await params).guide);
  return { title: guide ? `${guide.title} · Documentation` : 'Not found' };
}

export default async function GuidePage({ params }: Props) {
  const guide = await load((await params).guide);
  if (!guide) notFound();
  const sections = headingsOf(guide, 2);
  return (
    <div className="gap-10 xl:grid xl:grid-cols-[minmax(0,1fr)_13rem]">
      <article className="min-w-0 max-w-[75ch] text-sm leading-6">
        <h1 className="mb-4 font-semibold text-2xl tracking-tight">{guide.title}</h1>
        <Markdown tokens={guide.tokens} />
      </article>
      {sections.length < SECTIONS_LISTED_MIN ? null : (
        <nav aria-label="On this page" className="max-xl:hidden">
          <div className="sticky top-6 max-h-[calc(100dvh-3rem)] overflow-y-auto text-sm">
            <p className="mb-1.5 font-medium text-text-muted text-xs">On this page</p>
            <ul className="flex flex-col gap-1.5">
              {sections.map(({ text, anchor }) => (
                <li key={anchor}>
                  <a
                    href={`#${anchor}`}
                    className="text-text-muted no-underline hover:text-text hover:underline"
                  >
                    {text}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        </nav>
      )}
    </div>
  );
}
