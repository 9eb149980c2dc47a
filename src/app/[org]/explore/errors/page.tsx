import type { Metadata } from 'next';
import type { PageRequest } from '#app/url-state.ts';
import { RowsPage } from '../rows/rows-page.tsx';

export const metadata: Metadata = { title: 'Explore errors' };

/** Errors of all projects; each leads to its event and its issue. */
export default function ExploreErrorsPage(request: PageRequest<'org'>) {
  return (
    <RowsPage
      page="errors"
      request={request}
      placeholder="Search events: browser.name:Firefox has:user.email text"
      empty="SDKs send errors once they are set up."
    />
  );
}
