import type { Metadata } from 'next';
import { KindChoices } from '#app/[org]/settings/destinations/destination-marks.tsx';
import { getRequestContext } from '#app/request-context.ts';
import { firstValue, type PageRequest } from '#app/url-state.ts';
import { DESTINATION_KINDS, DESTINATION_KINDS_FIELDS } from '#product/destinations/destination-kinds.ts';
import { DESTINATION_STEPS } from '#product/destinations/destination-steps.ts';
import { mayChangeSharedObjects } from '#product/shared-objects.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { Notice } from '#ui/notice.tsx';
import { Page } from '#ui/page-header.tsx';
import { destinationFields } from '../destination-fields.ts';
import { DestinationForm } from '../destination-form.tsx';

export const metadata: Metadata = { title: 'New destination' };

export default async function NewDestinationPage({ params, searchParams }: PageRequest<'org'>) {
  const { org } = await params;
  const requested = firstValue(await searchParams, 'kind');
  const ctx = await getRequestContext(org);
  const back = <ButtonLink href={`/${org}/settings/destinations`}>All destinations</ButtonLink>;
  if (!mayChangeSharedObjects(ctx)) {
    return (
      <Page width="narrow" title="New destination">
        <Notice title="You cannot add destinations" actions={back}>
          Destinations are shared by all projects. Ask a manager or an owner to add one.
        </Notice>
      </Page>
    );
  }
  const kind = DESTINATION_KINDS.find((each) => each === requested);
  if (!kind) {
    return (
      <Page width="narrow" title="New destination" description="Where should messages go?" actions={back}>
        <Card id="kinds">
          <KindChoices organizationSlug={org} />
        </Card>
      </Page>
    );
  }
  const { name, how } = DESTINATION_KINDS_FIELDS[kind];
  return (
    <Page width="narrow" title={`New destination: ${name}`} description={how} actions={back}>
      <Card id="new-destination" title={name}>
        <ol className="mb-5 flex list-decimal flex-col gap-1 pl-5 text-sm text-text-muted">
          {DESTINATION_STEPS[kind].map((step) => (
            <li key={step} className="break-anything">
              {step}
            </li>
          ))}
        </ol>
        <DestinationForm
          key={kind}
          organizationSlug={org}
          kind={kind}
          destinationId={null}
          fields={destinationFields({ kind })}
          canChange
        />
      </Card>
    </Page>
  );
}
