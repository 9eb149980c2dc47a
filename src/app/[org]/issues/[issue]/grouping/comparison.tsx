import { isErrataError } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import {
  type ComparedVariant,
  compareGroupings,
  findComparedEvent,
} from '#product/grouping/compare-groupings.ts';
import { type EventGrouping, explainGrouping } from '#product/grouping/explain-grouping.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { ScrollRegion } from '#ui/table.tsx';
import { TreeRow } from './variant-list.tsx';

/** Why an event and another one are one issue, or are not. */
export async function Comparison({
  ctx,
  issueHref,
  event,
  grouping,
  comparedWith,
}: {
  ctx: Context;
  issueHref: string;
  event: StoredEvent;
  grouping: EventGrouping;
  comparedWith: string;
}) {
  const other = comparedWith === '' ? null : await find();
  return (
    <Card id="compare" title="Compare grouping">
      <form action={`${issueHref}/grouping#compare`} className="flex flex-wrap items-end gap-2">
        <input type="hidden" name="event" value={event.eventId} />
        <TextField
          label="Issue or event to compare with"
          name="with"
          defaultValue={comparedWith}
          placeholder="WEB-3F or an event ID"
          error={other && 'message' in other ? other.message : undefined}
          className="min-w-0 flex-1 basis-64"
          required
        />
        <Button type="submit" className="h-9">
          Compare
        </Button>
      </form>
      {other && 'grouping' in other ? (
        <Compared
          left={event.eventId}
          right={other.eventId}
          compared={compareGroupings(grouping, other.grouping)}
        />
      ) : null}
    </Card>
  );

  async function find(): Promise<{ eventId: string; grouping: EventGrouping } | { message: string }> {
    try {
      const found = await findComparedEvent(ctx, comparedWith);
      const theirs = await explainGrouping(ctx, found);
      return theirs
        ? { eventId: found.eventId, grouping: theirs }
        : { message: 'The details of that event were not stored. Choose another event' };
    } catch (error) {
      if (isErrataError(error)) return { message: `${error.message}.` };
      throw error;
    }
  }
}

function Compared({
  left,
  right,
  compared,
}: {
  left: string;
  right: string;
  compared: ReturnType<typeof compareGroupings>;
}) {
  return (
    <div className="mt-4 flex flex-col gap-4">
      {compared.common ? (
        <Notice tone="success" title="Under the current rules, these events belong to one issue">
          Both have the hash <code className="mono text-xs">{compared.common}</code>.
        </Notice>
      ) : (
        <p className="text-sm text-text-muted">
          <span className="mono">−</span> is only in event {left.slice(0, 8)}, <span className="mono">+</span>{' '}
          only in event {right.slice(0, 8)}. Contributing lines that differ make them separate issues.
        </p>
      )}
      {compared.variants.map((variant) => (
        <VariantDifference key={variant.name} variant={variant} />
      ))}
    </div>
  );
}

function VariantDifference({ variant }: { variant: ComparedVariant }) {
  const [left, right] = variant.hashes;
  const isSame = left !== null && left === right;
  return (
    <section>
      <h3 className="mb-1 flex flex-wrap items-center gap-2 font-medium text-sm">
        {variant.name}
        <Badge tone={isSame ? 'success' : 'warning'}>{isSame ? 'same hash' : 'different'}</Badge>
      </h3>
      <ScrollRegion
        label={`${variant.name} grouping input`}
        className="overflow-x-auto rounded-md border bg-surface py-1"
      >
        <ul className="min-w-fit text-xs leading-5">
          {variant.lines.map(({ side, line }, index) => (
            <TreeRow
              // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat and never move
              key={index}
              line={line}
              mark={MARKS[side]}
              className={APPEARANCE[side]}
            />
          ))}
        </ul>
      </ScrollRegion>
    </section>
  );
}

const MARKS = { both: '', left: '−', right: '+' } as const;
const APPEARANCE = { both: '', left: 'bg-danger-soft', right: 'bg-success-soft' } as const;
