import { Search } from 'lucide-react';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Input } from '#ui/field.tsx';
import { Logo } from '#ui/logo.tsx';
import { Link } from '#ui/navigation/link.tsx';
import { GuideMenu } from './guide-menu.tsx';
import { DOCS_PATH } from './guides/guide-links.ts';
import { readTitles } from './guides/read-guide.ts';

/** Guides for whoever reaches the server: they say nothing about what is stored in it. */
export default async function DocsLayout({ children }: { children: ReactNode }) {
  // The files are read when somebody reads them, not when the pages are built.
  await connection();
  const titles = await readTitles();
  return (
    <div className="mx-auto w-full max-w-[1280px] px-4 sm:px-6">
      <header className="flex flex-wrap items-center gap-x-6 gap-y-3 border-b py-3">
        <Link href={DOCS_PATH} className="flex items-center gap-2 font-semibold text-text no-underline">
          <Logo className="size-5" />
          Errata documentation
        </Link>
        <search className="order-last min-w-0 flex-1 basis-72 sm:order-none">
          <form action={DOCS_PATH} className="flex max-w-md gap-2">
            <Input
              name="q"
              type="search"
              aria-label="Search the documentation"
              placeholder="Search, such as retention"
            />
            <Button type="submit" iconOnly aria-label="Search">
              <Search aria-hidden className="size-4" />
            </Button>
          </form>
        </search>
        <ButtonLink href="/" className="ml-auto">
          Open Errata
        </ButtonLink>
      </header>
      <div className="gap-10 py-6 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)]">
        <GuideMenu titles={[...titles]} />
        <main className="min-w-0">{children}</main>
      </div>
    </div>
  );
}
