import { Rocket, X, ZoomIn } from 'lucide-react';
import type { ReactNode } from 'react';
import { ReleaseName, releaseHref } from '#app/[org]/release-name.tsx';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import { visibleText } from '#lib/visible-text.ts';
import type { Context } from '#product/context.ts';
import {
  type Arrival,
  type ExplainedSelection,
  type ExplainedValue,
  explainSelection,
} from '#product/explore/rows/explain-selection.ts';
import type { RowQuestion } from '#product/explore/rows/explored-rows.ts';
import type { Range } from '#product/time-buckets.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { formatExact, formatPlural, formatShare } from '#ui/format-number.ts';
import { Link } from '#ui/navigation/link.tsx';
import { ExactTime } from '#ui/relative-time.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';
import { QuestionProblem } from '../../question/question-problem.tsx';
import { readAnswer } from '../../question/read-answer.ts';
import { ROWS_PAGES, type RowsPlace, rowsHref } from './rows-state.ts';
import { valueTerm, withTerm } from './value-term.ts';

/** What is more frequent in the selected part of a chart than in the rest of it, and what came shortly before. */
export async function SelectionCard({
  ctx,
  place,
  question,
  selection,
}: {
  ctx: Context;
  place: RowsPlace;
  question: RowQuestion;
  selection: Range;
}) {
  const answer = await readAnswer(explainSelection(ctx, question, selection));
  return (
    <Frame place={place} selection={selection}>
      {answer.kind === 'found' ? (
        <Explained place={place} found={answer.value} />
      ) : (
        <QuestionProblem problem={answer} isSaidAbove={false} />
      )}
    </Frame>
  );
}

export function SelectionSkeleton({ place }: { place: RowsPlace }) {
  return (
    <Frame place={place} selection={null}>
      <Skeleton className="m-4 h-40" />
    </Frame>
  );
}

function Frame({
  place,
  selection,
  children,
}: {
  place: RowsPlace;
  selection: Range | null;
  children: ReactNode;
}) {
  return (
    <Card
      flush
      id="changed"
      title="What changed here"
      className="mb-3"
      actions={
        <>
          {selection ? (
            <ButtonLink
              size="sm"
              href={rowsHref(place, {
                selection: null,
                filters: { ...place.state.filters, time: { kind: 'between', ...selection } },
              })}
            >
              <ZoomIn aria-hidden className="size-4" />
              Zoom in
            </ButtonLink>
          ) : null}
          <ButtonLink size="sm" href={rowsHref(place, { selection: null })}>
            <X aria-hidden className="size-4" />
            Close
          </ButtonLink>
        </>
      }
    >
      {children}
    </Card>
  );
}

function Explained({ place, found }: { place: RowsPlace; found: ExplainedSelection }) {
  const { selection, total, looked, isSampled, values, arrivals } = found;
  const { one } = ROWS_PAGES[place.state.page];
  return (
    <>
      <div className="flex flex-col gap-1 px-4 py-3 text-sm">
        <p>
          <ExactTime at={selection.fromMs} className="font-medium" /> to{' '}
          <ExactTime at={selection.toMs} className="font-medium" />: {formatPlural(total.selected, one)},
          compared with {formatExact(total.others)} in the rest of the time range.
          {isSampled ? (
            <span className="text-text-muted">
              {' '}
              Shares are of a sample of {formatExact(looked.selected)} and {formatExact(looked.others)}.
            </span>
          ) : null}
        </p>
        <p className="text-text-muted text-xs">
          Drag over the chart to select another part, or use Shift, the arrow keys and Enter on it.
        </p>
        <Arrivals place={place} arrivals={arrivals} selection={selection} />
      </div>
      {values.length === 0 ? (
        <p className="border-t px-4 py-3 text-sm text-text-muted">
          {total.selected === 0
            ? `There is no ${one} in this part.`
            : total.others === 0
              ? `All ${one}s are in this part: there is nothing to compare them with.`
              : 'No attribute is significantly more frequent in this part than in the rest.'}
        </p>
      ) : (
        <Table
          label="What is more frequent in the selected part"
          columns={['Attribute', 'Value', numeric('Selected'), numeric('Rest'), numeric('Difference')]}
        >
          {values.map((each) => (
            <ValueRow key={`${each.name}\n${each.value}`} place={place} each={each} looked={looked} />
          ))}
        </Table>
      )}
    </>
  );
}

function ValueRow({
  place,
  each: { name, value, selected, others },
  looked,
}: {
  place: RowsPlace;
  each: ExplainedValue;
  looked: ExplainedSelection['looked'];
}) {
  const { page, query } = place.state;
  const term = valueTerm(page, name, value);
  const shown = visibleText(name === 'release' ? shortenHashes(value) : value);
  const points = (selected / looked.selected - others / looked.others) * 100;
  return (
    <Tr>
      <Td className="mono max-w-48 truncate text-xs">
        <bdi>{visibleText(name)}</bdi>
      </Td>
      <Td className="max-w-72">
        {term === null ? (
          <bdi className="block truncate">{shown}</bdi>
        ) : (
          <Link
            href={rowsHref(place, { query: withTerm(query, term) })}
            title={`Filter by ${visibleText(value)}`}
            className="block truncate font-medium text-text no-underline hover:underline"
          >
            <bdi>{shown}</bdi>
          </Link>
        )}
      </Td>
      <Counted part={selected} whole={looked.selected} tone="bg-accent" />
      <Counted part={others} whole={looked.others} tone="bg-text-faint" />
      <Td align="right" className="numbers whitespace-nowrap font-medium">
        +{points < 10 ? points.toFixed(1) : Math.round(points)} pp
      </Td>
    </Tr>
  );
}

function Counted({ part, whole, tone }: { part: number; whole: number; tone: string }) {
  return (
    <Td align="right" className="numbers whitespace-nowrap">
      <span className="inline-flex items-center gap-2">
        <span
          aria-hidden
          className="h-1.5 w-16 overflow-hidden rounded-full bg-surface-pressed max-sm:hidden"
        >
          <span
            className={`block h-full ${tone}`}
            style={{ width: `${(part / Math.max(1, whole)) * 100}%` }}
          />
        </span>
        {formatShare(part, whole)}
        <span className="text-text-muted text-xs">({formatExact(part)})</span>
      </span>
    </Td>
  );
}

function Arrivals({
  place: { organizationSlug },
  arrivals,
  selection,
}: {
  place: RowsPlace;
  arrivals: readonly Arrival[];
  selection: Range;
}) {
  if (arrivals.length === 0) {
    return <p className="text-text-muted text-xs">No release or deploy came shortly before it.</p>;
  }
  return (
    <ul aria-label="Releases and deploys shortly before" className="mt-2 flex flex-col gap-1">
      {arrivals.map(({ kind, version, environment, atMs }) => (
        <li
          key={`${kind} ${version} ${environment} ${atMs}`}
          className="flex min-w-0 flex-wrap items-center gap-x-1.5"
        >
          <Rocket aria-hidden className="size-4 shrink-0 text-text-muted" />
          {kind === 'release' ? 'New release' : 'Deploy of'}
          <Link href={releaseHref(organizationSlug, version)} className="min-w-0 truncate text-accent">
            <ReleaseName version={version} />
          </Link>
          {environment === null ? null : <span>to {visibleText(environment)}</span>}
          <span className="text-text-muted text-xs">
            <ExactTime at={atMs} />,{' '}
            {atMs < selection.fromMs ? 'before the selected part' : 'in the selected part'}
          </span>
        </li>
      ))}
    </ul>
  );
}
