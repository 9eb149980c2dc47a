import type { Metadata } from 'next';
import { Logo } from '#ui/logo.tsx';
import { apiDocument } from '../openapi/api-document.ts';
import { OperationDetails } from './operation-details.tsx';

export const metadata: Metadata = { title: 'API' };

const anchorOf = (tag: string): string => tag.toLowerCase().replaceAll(/[^a-z]+/g, '-');

/** The OpenAPI document for people; without a session, since it contains no data of anyone. */
export default function ApiDocsPage() {
  const { tags, paths } = apiDocument();
  // In the order of the document.
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return (
    <main className="mx-auto w-full max-w-[960px] px-4 py-8 sm:px-6">
      <p className="mb-6 flex items-center gap-2 text-sm text-text-muted">
        <Logo className="size-5" />
        Errata
      </p>
      <header className="mb-5">
        <h1 className="font-semibold text-xl tracking-tight">API</h1>
        <p className="mt-1 max-w-[75ch] text-sm text-text-muted">
          Compatible with the paths and fields of Sentry’s web API. Authenticate with a token from{' '}
          <a className="text-accent underline underline-offset-2" href="/account/tokens">
            Account → Tokens
          </a>{' '}
          as <code className="mono text-xs">Authorization: Bearer …</code>. Lists are paginated with the Link
          header. Errors return <code className="mono text-xs">{'{"detail": "…"}'}</code>. The OpenAPI
          document is at{' '}
          <a className="text-accent underline underline-offset-2" href="/api/0/openapi.json">
            openapi.json
          </a>
          .
        </p>
      </header>
      <nav aria-label="API sections" className="mb-6">
        <ul className="flex flex-wrap gap-x-4 gap-y-1.5 text-sm">
          {tags.map(({ name }) => (
            <li key={name}>
              <a className="text-accent underline underline-offset-2" href={`#${anchorOf(name)}`}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {tags.map(({ name }) => (
        <section key={name} id={anchorOf(name)} aria-labelledby={`${anchorOf(name)}-title`} className="mb-8">
          <h2 id={`${anchorOf(name)}-title`} className="mb-2 font-semibold text-base">
            {name}
          </h2>
          <div className="divide-y rounded-lg border bg-surface-raised">
            {operations
              .filter(({ operation }) => operation.tags.includes(name))
              .map((each) => (
                <OperationDetails key={each.operation.operationId} {...each} />
              ))}
          </div>
        </section>
      ))}
    </main>
  );
}
