'use client';

import { ApplicationError } from '#app/error-reporting/application-error.tsx';

/** A page that failed inside the frame: the frame stays. */
export default function OrganizationErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return <ApplicationError error={error} retry={retry} />;
}
