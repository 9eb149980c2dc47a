'use server';

import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { dashboardHref } from '#app/[org]/dashboard-href.ts';
import { answeringAction } from '#app/forms/action.ts';
import type { Dashboard, DashboardFilters } from '#domain/dashboards/dashboard.ts';
import { WIDGET_DISPLAYS, WIDGETS_MAX } from '#domain/dashboards/widget-choices.ts';
import { conflict } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import {
  createDashboard,
  getDashboard,
  listDashboards,
  updateDashboard,
} from '#product/dashboards/dashboards.ts';
import { paramsIn, parseRowsState, ROWS_PAGE_NAMES, type RowsState } from './rows-state.ts';
import { widgetOfQuestion } from './widget-of-question.ts';

/** What a question can be added to, as in the list of dashboards. */
export const listDashboardNamesAction = answeringAction({
  input: z.null(),
  revalidates: 'nothing',
  run: async (ctx) => (await listDashboards(ctx)).map(({ id, title }) => ({ id, title })),
});

/** Adds a question of Explore at the end of a dashboard, of a new one for a title. Answers the dashboard. */
export const addToDashboardAction = answeringAction({
  input: z.object({
    page: z.enum(ROWS_PAGE_NAMES),
    /** The question, as it stands in the address of its page. */
    search: z.string().max(16_384),
    title: z.string().trim().min(1).max(100),
    display: z.enum(WIDGET_DISPLAYS),
    target: z.union([
      z.object({ dashboardId: z.number().int().positive() }),
      z.object({ title: z.string().trim().min(1).max(100) }),
    ]),
  }),
  run: async (ctx, { page, search, title, display, target }) => {
    const state = parseRowsState(page, paramsIn(new URLSearchParams(search)));
    const named = { id: `w${randomBytes(6).toString('hex')}`, title, display };
    if ('title' in target) {
      const widget = widgetOfQuestion(state, { ...named, keepsFilters: false });
      const created = { title: target.title, widgets: [widget], filters: filtersOf(state) };
      return shown(ctx, await createDashboard(ctx, created));
    }
    const { id, version, widgets } = await getDashboard(ctx, target.dashboardId);
    if (widgets.length >= WIDGETS_MAX) {
      throw conflict(`A dashboard can have ${WIDGETS_MAX} widgets: choose another one`);
    }
    const widget = widgetOfQuestion(state, { ...named, keepsFilters: true });
    return shown(ctx, await updateDashboard(ctx, id, { widgets: [...widgets, widget] }, version));
  },
});

const shown = (ctx: Context, dashboard: Dashboard) => ({
  title: dashboard.title,
  href: dashboardHref(ctx.organization.slug, dashboard),
});

/** A dashboard made from a question opens with its filters; one between two moments with the usual time. */
const filtersOf = ({ filters: { projects, environments, time } }: RowsState): DashboardFilters => ({
  projects: [...projects],
  environments: [...environments],
  period: time.kind === 'last' ? time.period : null,
});
