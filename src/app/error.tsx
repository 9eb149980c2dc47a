'use client';

import { ApplicationError } from './error-reporting/application-error.tsx';

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <main className="grid min-h-[70vh] place-items-center">
      <ApplicationError error={error} retry={retry} />
    </main>
  );
}
