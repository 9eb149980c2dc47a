'use client';

import { LayoutDashboard } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { DISPLAY_LABELS } from '#app/[org]/question/display-labels.ts';
import type { WidgetDisplay } from '#domain/dashboards/widget-choices.ts';
import { visibleText } from '#lib/visible-text.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Field, TextField } from '#ui/field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Select } from '#ui/select.tsx';
import { showToast } from '#ui/toast.tsx';
import { addToDashboardAction, listDashboardNamesAction } from './add-to-dashboard-actions.ts';
import { type RowsPlace, rowsHref } from './rows-state.ts';
import { displaysOf } from './widget-displays.ts';

const NEW = 'new';

/** Puts the question of a page of Explore on a dashboard, with what leads there. */
export function AddToDashboard({ place }: { place: RowsPlace }) {
  const router = useRouter();
  const { organizationSlug, state } = place;
  const [isOpen, setIsOpen] = useState(false);
  const [isAdding, startAdding] = useTransition();
  /** null until the server has answered. */
  const [dashboards, setDashboards] = useState<readonly { id: number; title: string }[] | null>(null);
  const [target, setTarget] = useState(NEW);
  const [newTitle, setNewTitle] = useState('');
  const [title, setTitle] = useState('');
  const [display, setDisplay] = useState<WidgetDisplay | null>(null);
  const [error, setError] = useState<string | null>(null);
  const displays = displaysOf(state);
  const chosen = display !== null && displays.includes(display) ? display : displays[0]!;

  function change(open: boolean) {
    setIsOpen(open);
    if (!open) return;
    setError(null);
    void listDashboardNamesAction(organizationSlug, null).then((answer) => {
      if (!answer.ok) return setError(`${answer.message}.`);
      setDashboards(answer.value);
      setTarget((known) => (known === NEW ? String(answer.value[0]?.id ?? NEW) : known));
    });
  }

  function add() {
    startAdding(async () => {
      const answer = await addToDashboardAction(organizationSlug, {
        page: state.page,
        search: new URL(rowsHref(place), window.location.origin).search,
        title: title.trim() || usualTitle(place),
        display: chosen,
        target:
          target === NEW ? { title: newTitle.trim() || 'New dashboard' } : { dashboardId: Number(target) },
      });
      if (!answer.ok) return setError(`${answer.message}.`);
      setIsOpen(false);
      const { href, title: of } = answer.value;
      showToast({
        title: `Added to ${visibleText(of)}`,
        action: {
          label: 'View dashboard',
          onSelect: () => router.push(href),
        },
      });
    });
  }

  return (
    <Dialog
      open={isOpen}
      onOpenChange={change}
      trigger={
        <Button>
          <LayoutDashboard aria-hidden className="size-4" />
          Add to dashboard
        </Button>
      }
      title="Add to dashboard"
      description="The search, functions and groups are kept. Projects and environments become filters of a new dashboard, or part of the widget’s search on an existing one."
      footer={
        <Button variant="primary" isPending={isAdding} disabled={dashboards === null} onClick={add}>
          Add widget
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Field id="add-dashboard" label="Dashboard">
          <Select
            id="add-dashboard"
            label="Dashboard"
            look="field"
            value={target}
            onValueChange={setTarget}
            options={[
              { value: NEW, label: 'New dashboard' },
              ...(dashboards ?? []).map(({ id, title: name }) => ({
                value: String(id),
                label: visibleText(name),
              })),
            ]}
          />
        </Field>
        {target === NEW ? (
          <TextField
            label="Title of the dashboard"
            value={newTitle}
            onChange={({ target: { value } }) => setNewTitle(value)}
            placeholder="New dashboard"
            maxLength={100}
            autoComplete="off"
          />
        ) : null}
        <TextField
          label="Title of the widget"
          value={title}
          onChange={({ target: { value } }) => setTitle(value)}
          placeholder={usualTitle(place)}
          maxLength={100}
          autoComplete="off"
        />
        <Field id="add-display" label="Shown as">
          <Select
            id="add-display"
            label="Shown as"
            look="field"
            value={chosen}
            onValueChange={setDisplay}
            options={displays.map((value) => ({ value, label: DISPLAY_LABELS[value] }))}
          />
        </Field>
        {error === null ? null : <Notice tone="danger">{error}</Notice>}
      </div>
    </Dialog>
  );
}

/** What a widget is called until somebody says otherwise: its search, or what it counts. */
function usualTitle({ state }: RowsPlace): string {
  const counted =
    state.view === 'groups' ? [...state.functions.slice(0, 1), ...state.groupBy].join(' by ') : state.page;
  return (state.query.trim() === '' ? counted : `${counted}: ${state.query.trim()}`).slice(0, 100);
}
