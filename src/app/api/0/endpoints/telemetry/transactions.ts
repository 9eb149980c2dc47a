import { z } from 'zod';
import { listRows, telemetryQuery } from '#app/api/0/endpoints/telemetry/telemetry-lists.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { SPAN, serializeSpan, serializeTransaction, TRANSACTION } from '#app/api/0/shapes/telemetry.ts';
import { serializeTransactionEvent, TRANSACTION_EVENT } from '#app/api/0/shapes/transaction-event.ts';
import { getTransaction } from '#product/traces/traces.ts';

export const transactionOperations: readonly Operation[] = [
  get('projects/[org]/[project]/transactions', {
    summary: "Lists a project's transactions, newest first",
    scopes: ['event:read'],
    query: telemetryQuery(['traceId', 'replayId', 'name', 'release', 'environment']),
    answer: z.array(TRANSACTION),
    isPaged: true,
    handle: listRows('transactions', serializeTransaction),
  }),

  get('projects/[org]/[project]/spans', {
    summary: "Lists a project's spans, newest first",
    scopes: ['event:read'],
    query: telemetryQuery(['traceId', 'transactionId', 'name', 'release', 'environment']),
    answer: z.array(SPAN),
    isPaged: true,
    handle: listRows('spans', serializeSpan),
  }),

  get('projects/[org]/[project]/transactions/[event]', {
    summary: 'Retrieves a transaction with its spans',
    scopes: ['event:read'],
    answer: TRANSACTION_EVENT,
    async handle({ ctx, project, params }) {
      const input = { projectSlug: project.slug, eventId: params.event };
      return serializeTransactionEvent(await getTransaction(ctx, input));
    },
  }),
];
