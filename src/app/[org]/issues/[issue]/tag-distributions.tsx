import type { Part } from '#lib/settle.ts';
import { TAGGED_EVENTS_MAX } from '#product/issues/list-issue-tags.ts';
import type { TagDistribution } from '#storage/ports/events.ts';
import { Card } from '#ui/card.tsx';
import { formatExact, formatPlural, formatShare } from '#ui/format-number.ts';
import { Link } from '#ui/link.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { RANGE_LABELS, type RangeKey, withQuery } from '../../../url-state.ts';
import { tagSearch } from './event/tag-search.ts';

const VALUES_SHOWN_FIRST = 3;
const TAGS_SHOWN_FIRST = 8;

/** Which values the events carry, and how often. */
export async function TagDistributions({
  tags: loading,
  range,
  organizationSlug,
}: {
  tags: Promise<Part<readonly TagDistribution[]>>;
  range: RangeKey;
  organizationSlug: string;
}) {
  const tags = await loading;
  if (!tags.ok) {
    return (
      <Card id="tags-of-issue" title="Tags">
        <p className="text-sm text-text-muted">Missing while the event store does not answer.</p>
      </Card>
    );
  }
  const isCut = tags.value.some(({ total }) => total >= TAGGED_EVENTS_MAX);
  const scope = isCut
    ? `Newest ${formatPlural(TAGGED_EVENTS_MAX, 'event')}, ${RANGE_LABELS[range].toLowerCase()}`
    : RANGE_LABELS[range];
  const [first, rest] = [tags.value.slice(0, TAGS_SHOWN_FIRST), tags.value.slice(TAGS_SHOWN_FIRST)];
  return (
    <Card id="tags-of-issue" title="Tags" actions={<span className="text-text-faint text-xs">{scope}</span>}>
      {first.length === 0 ? (
        <p className="text-sm text-text-muted">No event of this time range carries a tag.</p>
      ) : (
        <div className="space-y-4">
          {first.map((tag) => (
            <Distribution key={tag.key} organizationSlug={organizationSlug} tag={tag} />
          ))}
        </div>
      )}
      {rest.length > 0 ? (
        <details className="mt-4">
          <summary className="w-fit rounded-sm text-accent text-xs hover:underline">
            Show {formatPlural(rest.length, 'more tag')}
          </summary>
          <div className="mt-4 space-y-4">
            {rest.map((tag) => (
              <Distribution key={tag.key} organizationSlug={organizationSlug} tag={tag} />
            ))}
          </div>
        </details>
      ) : null}
    </Card>
  );
}

function Distribution({ organizationSlug, tag }: { organizationSlug: string; tag: TagDistribution }) {
  const shown = tag.top.slice(0, VALUES_SHOWN_FIRST);
  const more = tag.top.slice(VALUES_SHOWN_FIRST);
  const unlisted = Math.max(0, tag.distinct - tag.top.length);
  return (
    <div>
      <h3 className="break-anything mb-1 font-medium text-text-muted text-xs">
        <bdi>{tag.key}</bdi>
      </h3>
      <ValueList organizationSlug={organizationSlug} tag={tag} values={shown} />
      {more.length > 0 ? (
        <details className="mt-0.5">
          <summary className="w-fit rounded-sm px-1.5 text-text-faint text-xs hover:text-text">
            {formatExact(tag.distinct - shown.length)} more
          </summary>
          <ValueList organizationSlug={organizationSlug} tag={tag} values={more} />
          {unlisted > 0 ? (
            <p className="px-1.5 text-text-faint text-xs">and {formatPlural(unlisted, 'rarer value')}</p>
          ) : null}
        </details>
      ) : null}
    </div>
  );
}

function ValueList({
  organizationSlug,
  tag,
  values,
}: {
  organizationSlug: string;
  tag: TagDistribution;
  values: TagDistribution['top'];
}) {
  return (
    <ul className="space-y-0.5">
      {values.map(({ value, count }) => {
        const search = tagSearch(tag.key, value);
        const name = value === '' ? <i className="text-text-faint">empty</i> : <bdi>{value}</bdi>;
        return (
          <li
            key={value}
            title={`${value}: ${formatExact(count)} of ${formatExact(tag.total)} events`}
            className="relative flex h-6 items-center justify-between gap-3 px-1.5 text-xs"
          >
            <span
              aria-hidden
              className="absolute inset-y-0 left-0 rounded-xs bg-chart-soft opacity-60"
              style={{ width: `${Math.max(1, (count / tag.total) * 100)}%` }}
            />
            {search ? (
              <Link
                href={withQuery(`/${organizationSlug}/issues`, { query: search })}
                className="relative min-w-0 truncate text-text no-underline hover:underline"
              >
                {name}
              </Link>
            ) : (
              <span className="relative min-w-0 truncate">{name}</span>
            )}
            <span className="numbers relative shrink-0 text-text-muted">{formatShare(count, tag.total)}</span>
          </li>
        );
      })}
    </ul>
  );
}

export function TagDistributionsSkeleton() {
  return (
    <Card title="Tags">
      <div className="space-y-4">
        {['browser', 'environment', 'level', 'release'].map((key) => (
          <div key={key}>
            <Skeleton className="mb-1.5 h-3 w-20" />
            <Skeleton className="mb-1 h-5 w-full" />
            <Skeleton className="h-5 w-2/3" />
          </div>
        ))}
      </div>
    </Card>
  );
}
