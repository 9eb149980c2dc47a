'use server';

import { z } from 'zod';
import { action, formAction, leaveTo } from '#app/forms/action.ts';
import {
  createMonitor,
  deleteMonitor,
  deleteMonitorEnvironment,
  updateMonitor,
  updateMonitorEnvironment,
} from '#product/monitors/change-monitors.ts';
import { cronHref } from './crons-state.ts';
import { MONITOR_FIELDS, readMonitorFields } from './monitor-form/monitor-fields.ts';

const ID = z.number().int().positive();
const ENVIRONMENT = z.string().max(100);

export const createMonitorAction = formAction({
  fields: MONITOR_FIELDS.created,
  place: z.strictObject({}),
  save: async (ctx, { project: projectSlug, slug, ...input }) => {
    const created = await createMonitor(ctx, {
      ...readMonitorFields(input),
      projectSlug,
      ...(slug !== '' && { slug }),
    });
    leaveTo(ctx, cronHref(ctx.organization.slug, created.id));
  },
});

export const updateMonitorAction = formAction({
  fields: MONITOR_FIELDS.edited,
  place: z.strictObject({ monitorId: ID }),
  save: async (ctx, input, { monitorId }) => {
    await updateMonitor(ctx, monitorId, readMonitorFields(input));
    leaveTo(ctx, cronHref(ctx.organization.slug, monitorId));
  },
});

/** Mutes or disables a monitor, or the reverse. */
export const switchMonitorAction = action({
  input: z.strictObject({
    monitorId: ID,
    isMuted: z.boolean().optional(),
    isDisabled: z.boolean().optional(),
  }),
  run: (ctx, { monitorId, isMuted, isDisabled }) =>
    updateMonitor(ctx, monitorId, {
      ...(isMuted !== undefined && { isMuted }),
      ...(isDisabled !== undefined && { isDisabled }),
    }),
});

/** The same in one environment. */
export const switchMonitorEnvironmentAction = action({
  input: z.strictObject({
    monitorId: ID,
    environment: ENVIRONMENT,
    isMuted: z.boolean().optional(),
    isDisabled: z.boolean().optional(),
  }),
  run: (ctx, { monitorId, environment, isMuted, isDisabled }) =>
    updateMonitorEnvironment(ctx, monitorId, environment, {
      ...(isMuted !== undefined && { isMuted }),
      ...(isDisabled !== undefined && { isDisabled }),
    }),
});

export const deleteMonitorEnvironmentAction = action({
  input: z.strictObject({ monitorId: ID, environment: ENVIRONMENT }),
  run: (ctx, { monitorId, environment }) => deleteMonitorEnvironment(ctx, monitorId, environment),
});

export const deleteMonitorAction = action({
  input: ID,
  run: deleteMonitor,
  // The page of the monitor is left next: only then is it gone.
  revalidates: '/monitors/crons',
});
