'use server';

import { z } from 'zod';
import { dashboardHref } from '#app/[org]/dashboard-href.ts';
import { action, answeringAction, formAction, leaveTo } from '#app/forms/action.ts';
import { WIDGET } from '#domain/dashboards/dashboard.ts';
import { fromTemplate, TEMPLATE_NAMES } from '#domain/dashboards/templates.ts';
import { WIDGETS_MAX } from '#domain/dashboards/widget-choices.ts';
import { conflict } from '#lib/errors.ts';
import {
  createDashboard,
  deleteDashboard,
  getDashboard,
  starDashboard,
  updateDashboard,
} from '#product/dashboards/dashboards.ts';
import { readDashboardFile } from '#product/dashboards/import-dashboard.ts';
import { shareDashboard, stopSharingDashboard } from '#product/sharing/dashboard-sharing.ts';
import { DASHBOARD_FIELDS, NEW_DASHBOARD_FIELDS } from './dashboard-fields.ts';

const ID = z.number().int().positive();
/** A dashboard as the person saw it. */
const SEEN = z.object({ id: ID, version: z.number().int().positive() });

/** Leads to the new dashboard. */
export const createDashboardAction = formAction({
  fields: NEW_DASHBOARD_FIELDS,
  place: z.null(),
  save: async (ctx, { title, template, json }) => {
    const name = TEMPLATE_NAMES.find((each) => each === template);
    const content = json.trim() !== '' ? readDashboardFile(json) : name ? fromTemplate(name) : { title: '' };
    const made = await createDashboard(ctx, { ...content, title: title.trim() || content.title });
    leaveTo(ctx, dashboardHref(ctx.organization.slug, made));
  },
});

export const saveDashboardAction = formAction({
  fields: DASHBOARD_FIELDS,
  place: SEEN,
  save: async (ctx, { variables, ...input }, { id, version }) => {
    const names = variables.split('\n').map((line) => line.trim());
    const change = { ...input, variables: names.filter((name) => name !== '') };
    const saved = await updateDashboard(ctx, id, change, version);
    leaveTo(ctx, dashboardHref(ctx.organization.slug, saved));
  },
});

export const deleteDashboardAction = action({ input: ID, run: deleteDashboard });

export const starDashboardAction = action({
  input: z.object({ id: ID, isStarred: z.boolean() }),
  run: (ctx, { id, isStarred }) => starDashboard(ctx, id, isStarred),
});

/** A copy with a title of its own, to which it leads. */
export const duplicateDashboardAction = action({
  input: ID,
  run: async (ctx, dashboardId) => {
    const { title, description, widgets, variables, filters } = await getDashboard(ctx, dashboardId);
    const copy = { title: `Copy of ${title}`.slice(0, 100), description, widgets, variables, filters };
    leaveTo(ctx, dashboardHref(ctx.organization.slug, await createDashboard(ctx, copy)));
  },
});

/** Answers the address of the public page, once. */
export const shareDashboardAction = answeringAction({
  input: z.object({ id: ID, days: z.number().int() }),
  run: async (ctx, { id, days }) => (await shareDashboard(ctx, id, { days })).url,
});

export const stopSharingDashboardAction = action({ input: ID, run: stopSharingDashboard });

/** What is shown until a reader chooses something else. */
export const saveFiltersAction = action({
  input: SEEN.extend({
    projects: z.array(z.string().max(100)).max(100),
    environments: z.array(z.string().max(200)).max(100),
    period: z.string().max(10).nullable(),
  }),
  run: (ctx, { id, version, ...filters }) => updateDashboard(ctx, id, { filters }, version),
});

/** Puts widgets into another order and gives them other sizes; those that are left out are deleted. */
export const arrangeWidgetsAction = action({
  input: SEEN.extend({
    widgets: z.array(WIDGET.pick({ id: true, width: true, height: true })).max(WIDGETS_MAX),
  }),
  run: async (ctx, { id, version, widgets }) => {
    const known = new Map((await getDashboard(ctx, id)).widgets.map((widget) => [widget.id, widget]));
    const arranged = widgets.flatMap((size) => {
      const widget = known.get(size.id);
      return widget ? [{ ...widget, ...size }] : [];
    });
    await updateDashboard(ctx, id, { widgets: arranged }, version);
  },
});

/** Adds a widget at the end, or puts it in the place of the one with its ID. Leads to the dashboard. */
export const saveWidgetAction = action({
  input: SEEN.extend({ widget: WIDGET }),
  run: async (ctx, { id, version, widget }) => {
    const { widgets } = await getDashboard(ctx, id);
    if (widgets.length >= WIDGETS_MAX && !widgets.some((each) => each.id === widget.id)) {
      throw conflict(`A dashboard can have ${WIDGETS_MAX} widgets: delete one first`);
    }
    const changed = widgets.some((each) => each.id === widget.id)
      ? widgets.map((each) => (each.id === widget.id ? widget : each))
      : [...widgets, widget];
    const saved = await updateDashboard(ctx, id, { widgets: changed }, version);
    leaveTo(ctx, dashboardHref(ctx.organization.slug, saved));
  },
});
