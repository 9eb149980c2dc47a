import { type TreeLine, treeLines } from '#product/grouping/compare-groupings.ts';
import type { EventGrouping, EventVariant } from '#product/grouping/explain-grouping.ts';
import { summarizeGrouping } from '#product/grouping/summarize-grouping.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/navigation/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { ScrollRegion } from '#ui/table.tsx';

/** Why the events of the issue are one, in a sentence, with every way in which they could be grouped behind it. */
export function VariantList({
  grouping,
  eventId,
  eventHref,
  storedHash,
}: {
  grouping: EventGrouping;
  eventId: string;
  eventHref: string;
  storedHash: string;
}) {
  const variants = Object.values(grouping.variants).sort(
    (a, b) => Number(b.contributes) - Number(a.contributes),
  );
  return (
    <Card flush id="variants" title="Why these events are one issue">
      {grouping.hashes.includes(storedHash) ? null : (
        <div className="p-3 pb-0">
          <Notice title="The grouping rules have changed since this event was stored">
            The event was grouped by the hash <code className="mono text-xs">{storedHash}</code>. What follows
            uses the current rules.
          </Notice>
        </div>
      )}
      <p className="break-anything px-4 py-3 text-sm">
        <bdi>{summarizeGrouping(grouping)}</bdi>
      </p>
      <details className="border-t">
        <summary className="px-4 py-2 text-accent text-xs hover:underline focus-visible:-outline-offset-2">
          Grouping details
        </summary>
        <p className="border-t px-4 py-2 text-text-muted text-xs">
          Event{' '}
          <Link href={eventHref} className="mono text-accent underline-offset-2 hover:underline">
            {eventId.slice(0, 8)}
          </Link>
          , grouped with {grouping.config}.{' '}
          {grouping.matchedRule ? (
            <>
              Matched fingerprint rule: <code className="mono break-anything">{grouping.matchedRule}</code>
            </>
          ) : null}
        </p>
        <ul className="border-t">
          {variants.map((variant) => (
            <li key={variant.name} className="border-b last:border-b-0">
              <Variant variant={variant} />
            </li>
          ))}
        </ul>
      </details>
    </Card>
  );
}

function Variant({ variant }: { variant: EventVariant }) {
  const lines = variant.tree ? treeLines(variant.tree) : [];
  return (
    <details open={variant.contributes} className="group">
      <summary className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 hover:bg-surface-hover">
        <span className="font-medium text-sm">{VARIANT_LABELS[variant.name] ?? variant.name}</span>
        <Badge tone={variant.contributes ? 'success' : 'neutral'}>
          {variant.contributes ? 'contributing' : 'not contributing'}
        </Badge>
        {variant.hash ? <code className="mono break-anything text-xs">{variant.hash}</code> : null}
        {variant.hint ? <span className="text-text-muted text-xs">{variant.hint}</span> : null}
      </summary>
      <ScrollRegion label={`${variant.name} variant details`} className="overflow-x-auto px-2 pb-3">
        {lines.length > 0 ? (
          <TreeLines lines={lines} />
        ) : (
          <ul className="mono px-2 text-xs">
            {(variant.fingerprint ?? variant.values).map((value, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: values repeat and never move
              <li key={index} className="break-anything">
                {value}
              </li>
            ))}
          </ul>
        )}
      </ScrollRegion>
    </details>
  );
}

const VARIANT_LABELS: Readonly<Record<string, string>> = {
  app: 'In-app frames',
  system: 'Full stack trace',
  default: 'Event content',
  fallback: 'Fallback',
  checksum: 'Checksum from the SDK',
  hashed_checksum: 'Checksum from the SDK',
  custom_client_fingerprint: 'Fingerprint from the SDK',
  custom_server_fingerprint: 'Fingerprint rule',
  built_in_fingerprint: 'Built-in fingerprint rule',
};

const INDENT_REM = 1;
const INDENT_FIRST_REM = 0.5;

/** Parts of a tree under each other. What not contributing is faint and crossed out, and says why. */
function TreeLines({ lines }: { lines: readonly TreeLine[] }) {
  return (
    <ul className="min-w-fit text-xs leading-5">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat and never move
        <TreeRow key={index} line={line} />
      ))}
    </ul>
  );
}

/** `mark` stands before the line: which side it is of. */
export function TreeRow({ line, mark, className }: { line: TreeLine; mark?: string; className?: string }) {
  return (
    <li
      className={cx(
        'flex min-w-fit gap-2 whitespace-nowrap pr-2',
        line.contributes ? 'text-text' : 'text-text-faint',
        className,
      )}
      style={{ paddingLeft: `${line.depth * INDENT_REM + INDENT_FIRST_REM}rem` }}
    >
      {mark === undefined ? null : (
        <span aria-hidden className="mono w-3 shrink-0 select-none">
          {mark}
        </span>
      )}
      <span className={cx('text-text-muted', line.contributes ? null : 'line-through')}>{line.label}</span>
      {line.value === null ? null : (
        <bdi
          className={cx('mono max-w-[80ch] truncate', line.contributes ? null : 'line-through')}
          title={line.value}
        >
          {line.value}
        </bdi>
      )}
      {line.contributes ? null : <span className="sr-only">not contributing</span>}
      {line.hint ? <span className="text-text-muted italic">{line.hint}</span> : null}
    </li>
  );
}
