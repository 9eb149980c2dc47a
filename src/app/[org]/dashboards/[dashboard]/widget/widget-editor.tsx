'use client';

import { usePathname, useRouter } from 'next/navigation';
import { useId, useState, useTransition } from 'react';
import { withQuery } from '#app/url-state.ts';
import type { Widget } from '#domain/dashboards/dashboard.ts';
import {
  GRID_COLUMNS,
  WIDGET_DISPLAYS,
  WIDGET_HEIGHT_MAX,
  WIDGET_ROWS_MAX,
} from '#domain/dashboards/widget-choices.ts';
import { isChart, issueSortOf, linesOfEach, queriesOf } from '#domain/dashboards/widget-queries.ts';
import { ISSUE_SORTS } from '#domain/issues/issue.ts';
import { Button } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { Card } from '#ui/card.tsx';
import { Field, Textarea, TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Select } from '#ui/select.tsx';
import { FieldChips } from '../../../explore/field-chips.tsx';
import { KnownNames } from '../../../explore/known-names.tsx';
import { SORT_LABELS } from '../../../issues/stream-url.ts';
import { DISPLAY_LABELS } from '../../../question/display-labels.ts';
import { QueryFields } from './query-fields.tsx';

type Save = (input: { id: number; version: number; widget: Widget }) => Promise<string | null>;

const DISPLAYS = WIDGET_DISPLAYS.map((value) => ({ value, label: DISPLAY_LABELS[value] }));
const DATASETS = [
  { value: 'errors', label: 'Errors' },
  { value: 'spans', label: 'Spans' },
  { value: 'logs', label: 'Logs' },
  { value: 'metrics', label: 'Metrics' },
] as const;
const ISSUE_ORDERS = ISSUE_SORTS.map((value) => ({ value, label: SORT_LABELS[value] }));
/** A draft that is longer does not fit into an address, from which the preview reads it. */
const PREVIEWED_CHARACTERS_MAX = 8_000;

const counted = (max: number) =>
  Array.from({ length: max }, (_, index) => ({ value: String(index + 1), label: String(index + 1) }));
const WIDTHS = counted(GRID_COLUMNS);
const HEIGHTS = counted(WIDGET_HEIGHT_MAX);

/** What a widget asks, and how it shows the answer. Each change is shown in the preview beside it. */
export function WidgetEditor({
  widget,
  names,
  functions,
  save,
  seen,
  cancelHref,
}: {
  /** As it is at first. */
  widget: Widget;
  /** Names that are known; any other attribute may be written too. */
  names: readonly string[];
  /** Functions to choose from; any other may be written too. */
  functions: readonly string[];
  save: Save;
  /** The dashboard as it was read. */
  seen: { id: number; version: number };
  cancelHref: string;
}) {
  const router = useRouter();
  const pathname = usePathname();
  const id = useId();
  const [draft, setDraft] = useState(widget);
  const [error, setError] = useState<string | null>(null);
  const [isPreviewed, setIsPreviewed] = useState(true);
  const [isPreviewing, startPreview] = useTransition();
  const [isSaving, startSaving] = useTransition();
  const { display } = draft;
  const isAsked = display !== 'text';
  const isOfIssues = display === 'issues';
  const isGrouped = isChart(draft) || display === 'table';

  function change(part: Partial<Widget>) {
    const next = { ...draft, ...part };
    setDraft(next);
    setError(null);
    const address = withQuery(pathname, { id: next.id, draft: JSON.stringify(next) });
    setIsPreviewed(address.length <= PREVIEWED_CHARACTERS_MAX);
    if (address.length > PREVIEWED_CHARACTERS_MAX) return;
    startPreview(() => router.replace(address, { scroll: false }));
  }

  function submit() {
    startSaving(async () => setError(await save({ ...seen, widget: draft })));
  }

  return (
    <Card className="min-w-0">
      <KnownNames id={id} names={names} functions={functions} />
      <div aria-busy={isPreviewing} className="flex flex-col gap-4">
        <TextField
          label="Title"
          defaultValue={draft.title}
          maxLength={100}
          required
          autoComplete="off"
          onBlur={({ target }) => {
            if (target.value.trim() !== draft.title) change({ title: target.value.trim() || 'Untitled' });
          }}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field id={`${id}-display`} label="Shown as">
            <Select
              id={`${id}-display`}
              label="Shown as"
              look="field"
              value={display}
              options={DISPLAYS}
              onValueChange={(next) => change({ display: next, sort: null })}
            />
          </Field>
          {isOfIssues ? (
            <Field id={`${id}-sort`} label="Sorted by">
              <Select
                id={`${id}-sort`}
                label="Sorted by"
                look="field"
                value={issueSortOf(draft.sort)}
                options={ISSUE_ORDERS}
                onValueChange={(sort) => change({ sort })}
              />
            </Field>
          ) : isAsked ? (
            <Field id={`${id}-dataset`} label="Data">
              <Select
                id={`${id}-dataset`}
                label="Data"
                look="field"
                value={draft.dataset}
                options={DATASETS}
                onValueChange={(dataset) =>
                  change({ dataset, ...OF_DATASET[dataset], alias: '', moreQueries: [], sort: null })
                }
              />
            </Field>
          ) : null}
        </div>
        {isChart(draft) ? (
          <QueryFields
            key={draft.dataset}
            queries={queriesOf(draft)}
            hint={SEARCH_HINT}
            placeholder={SEARCH_EXAMPLE}
            onChange={([first, ...moreQueries]) => change({ ...first, moreQueries })}
          />
        ) : isAsked ? (
          <TextField
            key={draft.dataset}
            label="Search"
            hint={isOfIssues ? 'As in the list of issues: is:unresolved assigned:me' : SEARCH_HINT}
            defaultValue={draft.query}
            placeholder={isOfIssues ? 'is:unresolved' : SEARCH_EXAMPLE}
            maxLength={4_096}
            autoComplete="off"
            spellCheck={false}
            onBlur={({ target }) => {
              if (target.value.trim() !== draft.query) change({ query: target.value.trim() });
            }}
          />
        ) : (
          <Field id={`${id}-text`} label="Text">
            <Textarea
              id={`${id}-text`}
              rows={6}
              maxLength={4_000}
              defaultValue={draft.text}
              onBlur={({ target }) => {
                if (target.value !== draft.text) change({ text: target.value });
              }}
            />
          </Field>
        )}
        {isAsked && !isOfIssues && display !== 'list' ? (
          <FieldChips
            label="Functions"
            one="function"
            names={draft.functions}
            known={`${id}-functions`}
            placeholder="count()"
            min={1}
            onChange={(chosen) => change({ functions: chosen.slice(0, 10), sort: null })}
            describedBy={undefined}
          />
        ) : null}
        {isGrouped ? (
          <FieldChips
            label="Group by"
            one="group"
            names={draft.groupBy}
            known={`${id}-names`}
            placeholder="field or attribute"
            min={0}
            onChange={(groupBy) => change({ groupBy: groupBy.slice(0, 10), sort: null })}
            describedBy={undefined}
          />
        ) : null}
        {display === 'list' ? (
          <FieldChips
            label="Columns"
            one="column"
            names={draft.fields}
            known={`${id}-names`}
            placeholder="field or attribute"
            min={0}
            onChange={(columns) => change({ fields: columns.slice(0, 10), sort: null })}
            describedBy={undefined}
          />
        ) : null}
        <div className="grid gap-4 sm:grid-cols-3">
          {isGrouped || isOfIssues || display === 'list' ? (
            <TextField
              label={isChart(draft) ? 'Lines' : 'Rows'}
              hint={
                isChart(draft) && draft.moreQueries.length > 0 && draft.groupBy.length > 0
                  ? `${linesOfEach(draft)} of each query`
                  : undefined
              }
              type="number"
              min={1}
              max={WIDGET_ROWS_MAX}
              defaultValue={draft.limit}
              onBlur={({ target }) => {
                const limit = Math.round(Number(target.value));
                if (limit >= 1 && limit <= WIDGET_ROWS_MAX && limit !== draft.limit) change({ limit });
              }}
            />
          ) : null}
          <Field id={`${id}-width`} label="Columns wide">
            <Select
              id={`${id}-width`}
              label="Columns wide"
              look="field"
              value={String(draft.width)}
              options={WIDTHS}
              onValueChange={(width) => change({ width: Number(width) })}
            />
          </Field>
          <Field id={`${id}-height`} label="Rows high">
            <Select
              id={`${id}-height`}
              label="Rows high"
              look="field"
              value={String(draft.height)}
              options={HEIGHTS}
              onValueChange={(height) => change({ height: Number(height) })}
            />
          </Field>
        </div>
        {isPreviewed ? null : (
          <Notice>The preview is not updated: this widget is too long for it. You can still save it.</Notice>
        )}
        {error ? <Notice tone="danger">{error}</Notice> : null}
        <div className="flex justify-end gap-2">
          <ButtonLink href={cancelHref}>Cancel</ButtonLink>
          <Button variant="primary" isPending={isSaving} onClick={submit}>
            Save widget
          </Button>
        </div>
      </div>
    </Card>
  );
}

const SEARCH_HINT = 'As in Explore: every part of it narrows what is counted.';
const SEARCH_EXAMPLE = 'level:error release:app@1.2';

/** What is asked of a dataset at first. */
const OF_DATASET: Readonly<
  Record<Widget['dataset'], Pick<Widget, 'query' | 'functions' | 'groupBy' | 'fields'>>
> = {
  errors: { query: '', functions: ['count()'], groupBy: [], fields: ['title', 'timestamp'] },
  spans: {
    query: 'is_transaction:true',
    functions: ['p95(span.duration)'],
    groupBy: [],
    fields: ['span.description', 'span.duration', 'timestamp'],
  },
  logs: {
    query: '',
    functions: ['count()'],
    groupBy: ['severity'],
    fields: ['timestamp', 'severity', 'message'],
  },
  metrics: {
    query: '',
    functions: ['sum(value)'],
    groupBy: ['metric.name'],
    fields: ['metric.name', 'value'],
  },
};
