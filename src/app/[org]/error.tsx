'use client';

import { ApplicationError } from '#app/error-reporting/application-error.tsx';

/** A page of an organization that failed: the side bar stays. */
export default function OrganizationErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return <ApplicationError error={error} retry={retry} />;
}
