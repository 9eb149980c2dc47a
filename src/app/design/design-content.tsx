import { Check, Inbox, RotateCcw, TrendingUp } from 'lucide-react';
import { Avatar } from '#ui/avatar.tsx';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { CodeBlock } from '#ui/code-block.tsx';
import { DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { ExternalLink } from '#ui/external-link.tsx';
import { KeyValues } from '#ui/key-values.tsx';
import { LevelBadge, LevelMark, type MarkLevel } from '#ui/level-badge.tsx';
import { Notice, type NoticeTone } from '#ui/notice.tsx';
import { ExactTime, RelativeTime } from '#ui/relative-time.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const LEVELS: readonly MarkLevel[] = ['fatal', 'error', 'warning', 'info', 'debug'];
const NOTICES: readonly NoticeTone[] = ['info', 'success', 'warning', 'danger'];
const NOW_MS = Date.UTC(2026, 10, 21, 12);
const ROWS = 1_000;

/** What people read: states, notices, tables, and pages that have nothing to show. */
export function DesignContent() {
  return (
    <>
      <Card title="States">
        <div className="flex flex-wrap items-center gap-3">
          {LEVELS.map((level) => (
            <LevelBadge key={level} level={level} />
          ))}
          <LevelMark level="error" />
          <Badge>Neutral</Badge>
          <Badge tone="accent">Accent</Badge>
          <Badge tone="warning" icon={<RotateCcw aria-hidden />}>
            Regressed
          </Badge>
          <Badge tone="danger" icon={<TrendingUp aria-hidden />}>
            Escalating
          </Badge>
          <Badge tone="success" icon={<Check aria-hidden />}>
            Resolved
          </Badge>
          <Badge tone="info">New</Badge>
          <Avatar name="Ana María López" />
          <RelativeTime at={NOW_MS - 90_000} now={NOW_MS} />
          <ExactTime at={NOW_MS} />
          <ExternalLink href="https://example.com">External link</ExternalLink>
        </div>
      </Card>
      <Card title="Notices">
        <div className="flex flex-col gap-2">
          {NOTICES.map((tone) => (
            <Notice key={tone} tone={tone} title={`This is ${tone}`}>
              A sentence that describes the state and the next step.
            </Notice>
          ))}
        </div>
      </Card>
      <Card flush title="A thousand rows">
        <DataTable
          label="A thousand rows"
          columns={[{ heading: 'Value' }, { heading: 'Events', align: 'right' }]}
          rows={Array.from({ length: ROWS }, (_, index) => ({
            key: String(index),
            cells: [`value ${index + 1}`, String((index * 7919) % 10_007)],
          }))}
        />
      </Card>
      <Card title="Values and code">
        <KeyValues
          rows={[
            { key: 'browser', name: 'browser', value: 'Firefox 140' },
            { key: 'url', name: 'url', value: 'https://example.com/cart' },
          ]}
        />
        <div className="mt-4">
          <CodeBlock
            label="example"
            text={'const coupon = cart.coupons.find(byCode(code));\nreturn coupon.id;'}
          />
        </div>
      </Card>
      <div className="grid gap-6 lg:grid-cols-3">
        <Card title="Empty">
          <EmptyState
            icon={<Inbox />}
            title="No events yet"
            actions={<ButtonLink href="/">Set up an SDK</ButtonLink>}
          >
            The first error appears here automatically.
          </EmptyState>
        </Card>
        <Card title="Loading">
          <div aria-busy className="flex flex-col gap-3">
            <Skeleton className="h-4 w-2/3" />
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-32 w-full" />
          </div>
        </Card>
        <Card title="Failed">
          <ErrorState title="A database is unavailable" digest="1234567890">
            No data is lost: events are still being accepted.
          </ErrorState>
        </Card>
      </div>
    </>
  );
}
