import { z } from 'zod';
import { ANY_EVENT } from './event.ts';

export const TRANSACTION_EVENT = ANY_EVENT.extend({
  type: z.literal('transaction'),
  metadata: z.object({ title: z.string(), location: z.string() }),
  startTimestamp: z.number(),
  endTimestamp: z.number(),
  measurements: z.record(z.string(), z.number()),
}).meta({ id: 'TransactionEvent' });
