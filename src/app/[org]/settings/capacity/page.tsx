import { Gauge } from 'lucide-react';
import type { Metadata } from 'next';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import {
  getLoadShedding,
  isNow,
  type LoadShedding,
  type ShedLoad,
} from '#product/capacity/get-load-shedding.ts';
import { getServices, type IngestLag } from '#product/services.ts';
import { Badge } from '#ui/badge.tsx';
import { Card, ListCard } from '#ui/card.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { formatBytes } from '#ui/format-number.ts';
import { ListRow } from '#ui/list-row.tsx';
import { Notice } from '#ui/notice.tsx';
import { SettingsPage } from '#ui/page-header.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { describeForecast, describeShed } from './shed-labels.ts';

export const metadata: Metadata = { title: 'Load and capacity' };

export default async function CapacityPage({ params }: PageRequest<'org'>) {
  const { org } = await params;
  const ctx = await getRequestContext(org);
  const { shed, disk } = await getLoadShedding(ctx);
  return (
    <SettingsPage
      title="Load and capacity"
      description="What is sampled, limited or dropped in your projects now or was in the last 24 hours, why, and what you can do about it."
    >
      <Lag lag={getServices().findIngestLag()} spoolBytes={disk?.spoolBytes ?? null} />
      <ListCard
        id="shed"
        title="Sampled, limited and dropped"
        empty={
          <EmptyState icon={<Gauge aria-hidden />} title="Nothing is held back">
            In the last 24 hours, everything that your projects sent was stored in full. Data that inbound
            filters drop on purpose is listed in <TextLink href={`/${org}/stats`}>Stats</TextLink>.
          </EmptyState>
        }
      >
        {shed.map((each) => (
          <ShedRow key={keyOf(each)} org={org} shed={each} />
        ))}
      </ListCard>
      {disk ? <Disk disk={disk} /> : null}
    </SettingsPage>
  );
}

const keyOf = (shed: ShedLoad): string =>
  [
    shed.projectSlug,
    shed.kind,
    'category' in shed ? shed.category : '',
    'reason' in shed ? shed.reason : '',
  ].join(' ');

function ShedRow({ org, shed }: { org: string; shed: ShedLoad }) {
  const { what, why, next } = describeShed(org, shed);
  return (
    <ListRow
      title={
        <>
          <bdi>{shed.projectName}</bdi>
          <Badge tone={isNow(shed) ? 'warning' : 'neutral'}>{isNow(shed) ? 'Now' : 'Last 24 hours'}</Badge>
        </>
      }
      actions={<TextLink href={next.href}>{next.label}</TextLink>}
    >
      <p className="text-sm text-text">{what}</p>
      <p>{why}</p>
    </ListRow>
  );
}

function Lag({ lag, spoolBytes }: { lag: IngestLag | null; spoolBytes: number | null }) {
  if (lag === null) return null;
  return (
    <Notice tone="warning" title={`New data shows up ${Math.ceil(lag.seconds / 60)} minutes late`}>
      {lag.reason ??
        'More arrives than can be stored: give the server more processors, or limit what is sent.'}
      {spoolBytes === null ? '' : ` The spool occupies ${formatBytes(spoolBytes)}.`} No data is lost: when the
      spool reaches ERRATA_SPOOL_BYTES_MAX, SDKs are asked to try again later.
    </Notice>
  );
}

function Disk({ disk }: { disk: NonNullable<LoadShedding['disk']> }) {
  const { title, text, tone } = describeForecast(disk.forecast, disk.budgetBytes);
  return (
    <Card id="forecast" title="Disk forecast">
      <div className="flex flex-col gap-3">
        <Notice tone={tone} title={title}>
          {text}
        </Notice>
        <p className="text-sm text-text-muted">
          {formatBytes(disk.usedBytes)} of {formatBytes(disk.budgetBytes)} are used by all organizations of
          this instance.
        </p>
      </div>
    </Card>
  );
}
