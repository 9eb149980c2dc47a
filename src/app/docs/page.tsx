import { SearchX } from 'lucide-react';
import type { Metadata } from 'next';
import { EmptyPanel } from '#app/shell/panel.tsx';
import { firstValue } from '#app/url-state.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { DOCS_PATH } from './guides/guide-links.ts';
import { GUIDE_GROUPS } from './guides/guide-list.ts';
import { readTitles } from './guides/read-guide.ts';
import { RESULTS_MAX, searchGuides } from './guides/search-guides.ts';

export const metadata: Metadata = { title: 'Documentation' };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** All guides, or the sections that a search finds. */
export default async function DocsPage({ searchParams }: Props) {
  const query = firstValue(await searchParams, 'q')?.trim() ?? '';
  return query === '' ? <AllGuides /> : <Results query={query} />;
}

async function AllGuides() {
  const titles = await readTitles();
  return (
    <>
      <h1 className="font-semibold text-2xl tracking-tight">Documentation</h1>
      <p className="mt-1 mb-6 max-w-[75ch] text-sm text-text-muted">
        It describes the version that runs here. New to Errata? Begin with{' '}
        <TextLink href={`${DOCS_PATH}/first-hour`}>the first hour</TextLink>. The{' '}
        <TextLink href="/api/0/docs">API reference</TextLink> is made from the code.
      </p>
      <div className="grid gap-x-8 gap-y-6 sm:grid-cols-2 xl:grid-cols-3">
        {GUIDE_GROUPS.map(({ title, guides }) => (
          <section key={title} aria-label={title}>
            <h2 className="mb-2 font-semibold text-base">{title}</h2>
            <ul className="flex flex-col gap-1 text-sm">
              {guides.map((name) => (
                <li key={name}>
                  <TextLink href={`${DOCS_PATH}/${name}`}>{titles.get(name) ?? name}</TextLink>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
}

async function Results({ query }: { query: string }) {
  const found = await searchGuides(query);
  return (
    <>
      <h1 className="break-anything mb-4 font-semibold text-xl tracking-tight">
        Sections with <bdi>“{query}”</bdi>
      </h1>
      {found.length === 0 ? (
        <EmptyPanel
          icon={<SearchX />}
          title="Nothing found"
          actions={<ButtonLink href={DOCS_PATH}>All guides</ButtonLink>}
        >
          Every word has to be in a section. Try fewer words, or another word for it.
        </EmptyPanel>
      ) : (
        <ul aria-label="Results" className="flex max-w-[75ch] flex-col gap-4">
          {found.map(({ href, guide, heading, excerpt }) => (
            <li key={href} className="text-sm">
              <Link href={href} className="font-medium text-accent underline-offset-2">
                {heading ?? guide}
              </Link>
              {heading === null ? null : <span className="text-text-faint text-xs"> · {guide}</span>}
              <p className="break-anything text-text-muted">{excerpt}</p>
            </li>
          ))}
        </ul>
      )}
      {found.length === RESULTS_MAX ? (
        <p className="mt-4 text-sm text-text-muted">
          These are the first {RESULTS_MAX}. Add a word to see fewer.
        </p>
      ) : null}
    </>
  );
}
