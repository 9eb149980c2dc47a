import { Flame } from 'lucide-react';
import { EmptyPanel, LoadError, Panel } from '#app/shell/panel.tsx';
import {
  COMPARED_PROFILES_MIN,
  COMPARED_SAMPLES_MIN,
  type ComparedFunction,
  type FunctionShare,
} from '#domain/profiles/compare-functions.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import { shortenHashes } from '#lib/shorten-hashes.ts';
import { visibleData, visibleText } from '#lib/visible-text.ts';
import type { Context } from '#product/context.ts';
import { type ComparedProfiles, compareProfiles } from '#product/profiles/compare-profiles.ts';
import type { MergeQuestion } from '#product/profiles/open-merged-profile.ts';
import { getServices } from '#product/services.ts';
import { formatElapsed } from '#ui/format-elapsed.ts';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { Notice } from '#ui/notice.tsx';
import { numeric, Table, Td, Tr } from '#ui/table.tsx';
import { NO_RELEASE } from '../../release-options.ts';
import { FrameMark } from '../../view/function-table.tsx';
import { formatShare, placeOfFrame } from '../../view/shown-profile.ts';
import type { ChosenSides } from './choose-sides.ts';

/** The comparison: how much there is to go by, and the functions by how much they changed. */
export async function ComparedFunctions({
  ctx,
  question: { range, ...question },
  sides,
}: {
  ctx: Context;
  question: Omit<MergeQuestion, 'release'>;
  sides: ChosenSides;
}) {
  const earlier = { fromMs: Math.max(0, 2 * range.fromMs - range.toMs), toMs: range.fromMs };
  const comparison = await orUnavailable(
    compareProfiles(ctx, getServices().symbols, {
      ...question,
      before: isNone(sides.before) ? { release: null, range: earlier } : { release: sides.before, range },
      after: { release: isNone(sides.after) ? null : sides.after, range },
    }),
  );
  if (!comparison.ok) return <LoadError what="the profiles">{comparison.reason}</LoadError>;
  const { before, after, functions, total } = comparison.value;
  const names = [nameOf(sides.before, 'Previous period'), nameOf(sides.after, 'This period')] as const;
  if (before.profiles === 0 || after.profiles === 0) {
    return (
      <EmptyPanel icon={<Flame />} title="Nothing to compare">
        <bdi>{(before.profiles === 0 ? names[0] : names[1]) ?? ''}</bdi> has no profiles that can be merged.
        Choose another release, or a longer time range.
      </EmptyPanel>
    );
  }
  const isThin = Math.min(before.profiles, after.profiles) < COMPARED_PROFILES_MIN;
  return (
    <div className="flex flex-col gap-4">
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
        <SideFacts name={names[0]} side={before} />
        <SideFacts name={names[1]} side={after} />
      </dl>
      {isThin ? (
        <Notice tone="warning" title="Too few profiles to compare">
          A change is shown once both sides have at least {COMPARED_PROFILES_MIN} profiles.
        </Notice>
      ) : null}
      <Panel>
        <Table
          label="Functions compared"
          columns={[
            'Function',
            numeric('Before'),
            numeric('After'),
            { heading: 'Change', align: 'right', title: 'Of the share of self time, in percentage points' },
            numeric('Samples'),
            'File',
          ]}
        >
          {visibleData(functions).map((row) => (
            <FunctionRow key={`${row.frame.name} ${row.frame.module} ${placeOfFrame(row.frame)}`} row={row} />
          ))}
        </Table>
      </Panel>
      <p className="text-text-muted text-xs">
        {functions.length < total
          ? `The ${formatExact(functions.length)} of ${formatExact(total)} functions that changed most. `
          : ''}
        Shares are of self time: what a function spent itself, by all the time in which something ran. Below{' '}
        {COMPARED_SAMPLES_MIN} samples on both sides no change is shown, and on one side no ratio.
      </p>
    </div>
  );
}

const isNone = (release: string): boolean => release === NO_RELEASE;

const nameOf = (release: string, none: string): string =>
  isNone(release) ? none : shortenHashes(visibleText(release));

function SideFacts({ name, side }: { name: string; side: ComparedProfiles }) {
  const { profiles, total, samples } = side;
  return (
    <div>
      <dt>
        <bdi className="break-anything font-medium">{name}</bdi>
      </dt>
      <dd className="numbers text-text-muted">
        {profiles === total
          ? formatPlural(total, 'profile')
          : `${formatExact(profiles)} of ${formatPlural(total, 'profile')}`}
        , {formatPlural(samples, 'sample')}
      </dd>
    </div>
  );
}

function FunctionRow({ row: { frame, before, after, change, ratio } }: { row: ComparedFunction }) {
  return (
    <Tr>
      <Td className="min-w-48">
        <span className="flex items-baseline gap-2">
          <FrameMark isLibrary={frame.isLibrary} />
          <bdi className="mono break-anything text-xs">{frame.name}</bdi>
        </span>
      </Td>
      <Td numeric>
        <Share share={before} />
      </Td>
      <Td numeric>
        <Share share={after} />
      </Td>
      <Td numeric>
        {change === null ? (
          <span className="whitespace-nowrap text-text-muted text-xs">Too few samples</span>
        ) : (
          <span className="whitespace-nowrap">
            <span className={change >= NOTABLE_CHANGE ? 'font-medium text-danger' : undefined}>
              {formatPoints(change)}
            </span>{' '}
            {ratio === null ? null : <span className="text-text-muted">×{Number(ratio.toFixed(2))}</span>}
          </span>
        )}
      </Td>
      <Td numeric className="whitespace-nowrap text-text-muted">
        {formatExact(before.samples)} → {formatExact(after.samples)}
      </Td>
      <Td className="min-w-40">
        <bdi className="break-anything text-text-muted text-xs">{placeOfFrame(frame) || frame.module}</bdi>
      </Td>
    </Tr>
  );
}

function Share({ share: { share, selfUsPerProfile, samples } }: { share: FunctionShare }) {
  if (samples === 0) return <span className="text-text-muted">–</span>;
  return (
    <span className="whitespace-nowrap">
      {formatShare(share, 1)}{' '}
      <span className="text-text-muted" title="Self time for each profile">
        {formatElapsed(selfUsPerProfile)}
      </span>
    </span>
  );
}

/** A share that grew by this is worth a second look. */
const NOTABLE_CHANGE = 0.05;

/** `+5.1 pp`, in percentage points. */
function formatPoints(change: number): string {
  const points = Number((change * 100).toFixed(1));
  return `${points > 0 ? '+' : points < 0 ? '−' : ''}${Math.abs(points)} pp`;
}
