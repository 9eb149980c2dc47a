'use client';

import { Bug, CircleDot, Database, Globe, MousePointerClick, Navigation, SquareTerminal } from 'lucide-react';
import { type ClipboardEvent, useState } from 'react';
import type { BreadcrumbKind } from '#product/events/read-breadcrumb.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Input } from '#ui/field.tsx';
import { formatExact, formatPlural } from '#ui/format-number.ts';
import { Select } from '#ui/select.tsx';
import { breadcrumbLine, filterBreadcrumbs } from './breadcrumb-lines.ts';
import { BreadcrumbRow } from './breadcrumb-row.tsx';
import type { BreadcrumbView } from './breadcrumb-view.ts';

const SHOWN_FIRST = 50;
const FILTER_FROM = 6;
const ALL = '';

/** How each kind is shown. */
const KINDS = {
  http: { label: 'HTTP', icon: <Globe aria-hidden /> },
  navigation: { label: 'Navigation', icon: <Navigation aria-hidden /> },
  ui: { label: 'User action', icon: <MousePointerClick aria-hidden /> },
  log: { label: 'Log', icon: <SquareTerminal aria-hidden /> },
  query: { label: 'Query', icon: <Database aria-hidden /> },
  error: { label: 'Error', icon: <Bug aria-hidden /> },
  other: { label: 'Other', icon: <CircleDot aria-hidden /> },
} satisfies Record<BreadcrumbKind, unknown>;

/**
 * What the program did before the event, newest first, with a filter where there is much. The index of a breadcrumb is
 * appended to `valuesHref`.
 */
export function BreadcrumbList({
  crumbs,
  eventAt,
  valuesHref,
}: {
  crumbs: readonly BreadcrumbView[];
  eventAt: number;
  valuesHref: string;
}) {
  const [text, setText] = useState('');
  const [kind, setKind] = useState<BreadcrumbKind | typeof ALL>(ALL);
  const [level, setLevel] = useState<BreadcrumbView['level'] | typeof ALL>(ALL);
  const [isComplete, setIsComplete] = useState(false);
  const kinds = [...new Set(crumbs.map((crumb) => crumb.kind))];
  const levels = [...new Set(crumbs.map((crumb) => crumb.level))];
  const found = filterBreadcrumbs(crumbs, { text, kind: kind || null, level: level || null });
  const shown = isComplete ? found : found.slice(0, SHOWN_FIRST);
  const linesOf = (lines: readonly BreadcrumbView[]) =>
    lines.map((crumb) => breadcrumbLine(crumb, eventAt)).join('\n');

  /** Cells would be copied under each other: whole rows are copied as lines. */
  function copyRows(event: ClipboardEvent<HTMLOListElement>) {
    const selection = document.getSelection();
    const rows = [...event.currentTarget.children];
    const selected = shown.filter((_, index) => rows[index] && selection?.containsNode(rows[index], true));
    if (selected.length === 0 || !selection?.toString().includes('\n')) return;
    event.clipboardData.setData('text/plain', linesOf(selected));
    event.preventDefault();
  }

  return (
    <div>
      {crumbs.length >= FILTER_FROM ? (
        <div className="mb-3 flex flex-wrap items-center gap-2">
          <Input
            type="search"
            aria-label="Filter breadcrumbs"
            placeholder="Filter"
            value={text}
            onChange={(event) => setText(event.target.value)}
            isCompact
            className="max-w-60"
          />
          {kinds.length > 1 ? (
            <Select
              label="Type"
              value={kind}
              onValueChange={setKind}
              options={[
                { value: ALL, label: 'All types' },
                ...kinds.map((each) => ({ value: each, label: KINDS[each].label })),
              ]}
            />
          ) : null}
          {levels.length > 1 ? (
            <Select
              label="Level"
              value={level}
              onValueChange={setLevel}
              options={[
                { value: ALL, label: 'All levels' },
                ...levels.map((each) => ({ value: each, label: each })),
              ]}
            />
          ) : null}
          <span role="status" className="numbers text-text-muted text-xs">
            {found.length === crumbs.length
              ? formatPlural(crumbs.length, 'breadcrumb')
              : `${formatExact(found.length)} of ${formatExact(crumbs.length)}`}
          </span>
          <CopyButton text={() => linesOf(found)} label="Copy breadcrumbs as text" className="ml-auto">
            Copy
          </CopyButton>
        </div>
      ) : null}
      {found.length === 0 ? (
        <p className="text-sm text-text-muted">No matching breadcrumbs.</p>
      ) : (
        <ol className="crumbs" onCopy={copyRows}>
          {shown.map((crumb) => (
            <BreadcrumbRow
              key={crumb.index}
              crumb={crumb}
              kind={KINDS[crumb.kind]}
              eventAt={eventAt}
              href={`${valuesHref}${crumb.index}`}
            />
          ))}
        </ol>
      )}
      {shown.length < found.length ? (
        <button
          type="button"
          onClick={() => setIsComplete(true)}
          className="mt-2 rounded-sm text-accent text-xs hover:underline"
        >
          Show {formatExact(found.length - shown.length)} older
        </button>
      ) : null}
    </div>
  );
}
