'use server';

import { z } from 'zod';
import { action, answeringAction, formAction, leaveTo } from '#app/forms/action.ts';
import { readFields } from '#app/forms/fields.ts';
import { invalid } from '#lib/errors.ts';
import { getServices } from '#product/services.ts';
import { updateStatusPage } from '#product/uptime/status-page.ts';
import { tryUptimeCheck } from '#product/uptime/try-uptime-check.ts';
import {
  createUptimeMonitor,
  deleteUptimeMonitor,
  getUptimeMonitor,
  setUptimeMonitorEnabled,
  updateUptimeMonitor,
} from '#product/uptime/uptime-monitors.ts';
import { STATUS_PAGE_FIELDS } from './status-page/status-page-fields.ts';
import { readUptimeForm, UPTIME_FIELDS } from './uptime-fields.ts';

const ID = z.number().int().positive();
const PLACE = z.strictObject({ monitorId: ID.nullable() });

/** Creates a monitor, or changes one, and leads to its page. */
export const saveUptimeMonitorAction = formAction({
  fields: UPTIME_FIELDS,
  place: PLACE,
  save: async (ctx, input, { monitorId }) => {
    const path = `/${ctx.organization.slug}/monitors/uptime`;
    if (monitorId === null) {
      const { monitor } = await createUptimeMonitor(ctx, readUptimeForm(input, true));
      leaveTo(ctx, `${path}/${monitor.id}`);
    }
    const known = await getUptimeMonitor(ctx, monitorId);
    await updateUptimeMonitor(ctx, monitorId, readUptimeForm(input, known.monitor.isEnabled));
    leaveTo(ctx, `${path}/${monitorId}`);
  },
});

const VALUES_MAX = 40;
const VALUE_CHARACTERS_MAX = 100_000;

/** Runs the check that a form describes, as it stands there, and stores nothing. */
export const tryUptimeCheckAction = answeringAction({
  input: z.strictObject({
    monitorId: ID.nullable(),
    values: z.array(z.tuple([z.string().max(100), z.string().max(VALUE_CHARACTERS_MAX)])).max(VALUES_MAX),
  }),
  run: async (ctx, { monitorId, values }) => {
    const form = new FormData();
    for (const [name, value] of values) form.append(name, value);
    const read = readFields(UPTIME_FIELDS, form);
    if (read.errors) {
      const [[field, message] = ['', 'The form is incomplete']] = Object.entries(read.errors);
      throw invalid(message, field);
    }
    const result = await tryUptimeCheck(
      ctx,
      getServices().uptimeProber,
      readUptimeForm(read.input, true),
      monitorId,
    );
    const { status, detail, statusCode, durationMs, excerpt, certificateExpiresAt } = result;
    const { dnsMs, connectMs, tlsMs, firstByteMs } = result;
    return {
      status,
      detail,
      statusCode,
      durationMs,
      excerpt,
      certificateExpiresAt,
      phases: { dnsMs, connectMs, tlsMs, firstByteMs },
    };
  },
  revalidates: 'nothing',
});

export const setUptimeMonitorEnabledAction = action({
  input: z.strictObject({ monitorId: ID, isEnabled: z.boolean() }),
  run: (ctx, { monitorId, isEnabled }) => setUptimeMonitorEnabled(ctx, monitorId, isEnabled),
});

export const deleteUptimeMonitorAction = action({
  input: ID,
  run: deleteUptimeMonitor,
  // The page of the monitor is left next: only then is it gone.
  revalidates: '/monitors/uptime',
});

export const saveStatusPageAction = formAction({
  fields: STATUS_PAGE_FIELDS,
  place: z.strictObject({}),
  save: (ctx, { monitors, ...input }) =>
    updateStatusPage(ctx, { ...input, monitorIds: monitors.map(Number).filter(Number.isSafeInteger) }),
});
