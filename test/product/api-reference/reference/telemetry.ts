import { z } from 'zod';
import { eventSummary } from './event-shapes.ts';
import { userFeedback } from './issue-shapes.ts';
import { anything, flag, number, text } from './primitives.ts';
import type { ReferenceOperation } from './reference-operation.ts';
import { checkIn, monitor, replay, traceEntry, traceMeta, traceSpan } from './telemetry-shapes.ts';

export const TELEMETRY: Readonly<Record<string, ReferenceOperation>> = {
  'GET organizations/{org}/events/': {
    statuses: [200],
    answer: z.looseObject({
      data: z.array(anything),
      meta: z.looseObject({
        fields: z.record(z.string(), text),
        datasetReason: text.optional(),
        isMetricsData: flag.optional(),
        isMetricsExtractedData: flag.optional(),
      }),
    }),
  },
  'GET organizations/{org}/events-timeseries/': {
    statuses: [200],
    answer: z.looseObject({
      meta: z.looseObject({ dataset: text, start: number, end: number }).optional(),
      timeSeries: z.array(
        z.looseObject({
          values: z.array(
            z.looseObject({
              timestamp: number,
              value: number,
              incomplete: flag,
              comparisonValue: number.optional(),
              sampleCount: number.optional(),
              sampleRate: number.nullable().optional(),
              confidence: text.optional(),
              incompleteReason: text.optional(),
            }),
          ),
          yAxis: text,
          groupBy: z.array(z.looseObject({ key: text, value: text.nullable() })).optional(),
          meta: z.looseObject({
            order: number.optional(),
            isOther: flag.optional(),
            valueUnit: text.nullable(),
            dataScanned: text.optional(),
            valueType: text,
            interval: number,
          }),
        }),
      ),
    }),
  },
  'GET organizations/{org}/monitors/': { statuses: [200], answer: z.array(monitor) },
  'POST organizations/{org}/monitors/': { statuses: [201], answer: monitor },
  'DELETE organizations/{org}/monitors/{monitor}/': { statuses: [202], answer: null },
  'GET organizations/{org}/monitors/{monitor}/': { statuses: [200], answer: monitor },
  'PUT organizations/{org}/monitors/{monitor}/': { statuses: [200], answer: monitor },
  'GET organizations/{org}/monitors/{monitor}/checkins/': { statuses: [200], answer: z.array(checkIn) },
  'GET organizations/{org}/replay-count/': { statuses: [200], answer: z.record(z.string(), number) },
  'GET organizations/{org}/replay-selectors/': {
    statuses: [200],
    answer: z.looseObject({
      data: z.array(
        z.looseObject({
          count_dead_clicks: number.optional(),
          count_rage_clicks: number.optional(),
          dom_element: text.optional(),
          element: z
            .looseObject({
              alt: text,
              aria_label: text,
              class: z.array(text),
              component_name: text,
              id: text,
              role: text,
              tag: text,
              testid: text,
              title: text,
            })
            .optional(),
          project_id: text.optional(),
        }),
      ),
    }),
  },
  'GET organizations/{org}/replays/': { statuses: [200], answer: z.array(replay) },
  'GET organizations/{org}/replays/{replay}/': { statuses: [200], answer: replay },
  'GET organizations/{org}/sessions/': {
    statuses: [200],
    answer: z.looseObject({
      start: text,
      end: text,
      intervals: z.array(text),
      groups: z.array(
        z.looseObject({
          by: z.looseObject({
            project: number.optional(),
            release: text.optional(),
            environment: text.optional(),
            'session.status': text.optional(),
          }),
          series: z.record(z.string(), z.array(number.nullable())),
          totals: z.record(z.string(), number.nullable()),
        }),
      ),
      query: text,
    }),
  },
  'GET organizations/{org}/stats-summary/': {
    statuses: [200],
    answer: z.looseObject({
      start: text,
      end: text,
      projects: z.array(
        z.looseObject({ id: text, slug: text, stats: z.array(z.record(z.string(), anything)) }),
      ),
    }),
  },
  'GET organizations/{org}/stats_v2/': {
    statuses: [200],
    answer: z.looseObject({
      start: text,
      end: text,
      intervals: z.array(text),
      groups: z.array(
        z.looseObject({
          by: z.record(z.string(), anything),
          totals: z.record(z.string(), anything),
          series: z.record(z.string(), anything),
        }),
      ),
    }),
  },
  'GET projects/{org}/{project}/events/': { statuses: [200], answer: z.array(eventSummary) },
  'DELETE projects/{org}/{project}/monitors/{monitor}/': { statuses: [202], answer: null },
  'GET projects/{org}/{project}/monitors/{monitor}/': { statuses: [200], answer: monitor },
  'PUT projects/{org}/{project}/monitors/{monitor}/': { statuses: [200], answer: monitor },
  'GET projects/{org}/{project}/monitors/{monitor}/checkins/': { statuses: [200], answer: z.array(checkIn) },
  'DELETE projects/{org}/{project}/replays/{replay}/': { statuses: [204], answer: null },
  'GET projects/{org}/{project}/replays/{replay}/clicks/': {
    statuses: [200],
    answer: z.looseObject({ data: z.array(z.looseObject({ node_id: number, timestamp: text })) }),
  },
  'GET projects/{org}/{project}/replays/{replay}/recording-segments/': {
    statuses: [200],
    answer: z.array(z.array(z.record(z.string(), anything))),
  },
  'GET projects/{org}/{project}/replays/{replay}/recording-segments/{segment}/': {
    statuses: [200],
    answer: z.array(z.record(z.string(), anything)),
  },
  'GET projects/{org}/{project}/replays/{replay}/viewed-by/': {
    statuses: [200],
    answer: z.looseObject({ data: z.looseObject({ viewed_by: z.array(z.record(z.string(), anything)) }) }),
  },
  'GET projects/{org}/{project}/stats/': { statuses: [200], answer: z.array(z.array(number)) },
  'GET projects/{org}/{project}/user-feedback/': { statuses: [200], answer: z.array(userFeedback) },
  'POST projects/{org}/{project}/user-feedback/': { statuses: [200], answer: userFeedback },
  'GET organizations/{org}/issues/{issue}/events/': { statuses: [200], answer: z.array(eventSummary) },
  'GET organizations/{org}/trace/{trace}/': {
    statuses: [200],
    answer: z.array(z.union([traceSpan, traceEntry])),
  },
  'GET organizations/{org}/trace-meta/{trace}/': { statuses: [200], answer: traceMeta },
};
